// Names derived from names: a table of English plurals and acronyms, the same for the run time and the compiler.
import { describe, expect, expectTypeOf, it } from 'vitest'
import { type Singular, type Snake, singular, snake } from './naming.ts'

// Each plural with its singular.
const PLURALS = `addresses address|aliases alias|analyses analysis|apis api|appendices appendix|archives archive
atlases atlas|axes axis|bases base|batches batch|biases bias|blogs blog|bonuses bonus|boxes box|branches branch
brownies brownie|buses bus|buzzes buzz|caches cache|calories calorie|campuses campus|canvases canvas|cases case
categories category|causes cause|children child|cities city|classes class|clauses clause|companies company|cookies cookie
countries country|courses course|cpus cpu|crashes crash|crises crisis|criteria criterion|data data|databases database
days day|devices device|diagnoses diagnosis|dishes dish|drives drive|echoes echo|emojis emoji|entries entry
exercises exercise|fees fee|feet foot|files file|franchises franchise|gases gas|halves half|headaches headache|heroes hero
houses house|hypotheses hypothesis|indexes index|indices index|invoices invoice|keys key|knives knife|kpis kpi|leaves leaf
lenses lens|licenses license|lives life|logos logo|matches match|matrices matrix|menus menu|messages message|metrics metric
mice mouse|moves move|movies movie|news news|niches niche|people person|phases phase|photos photo|pies pie
policies policy|potatoes potato|prices price|prizes prize|processes process|purchases purchase|purposes purpose
queries query|quizzes quiz|releases release|responses response|roses rose|sales sale|salesmen salesman|series series
shelves shelf|shoes shoe|sizes size|skus sku|species species|spouses spouse|statuses status|stories story|taxes tax
taxis taxi|teeth tooth|theses thesis|ties tie|topics topic|uses use|vertices vertex|videos video|viruses virus
warehouses warehouse|watches watch|waves wave|wikis wiki|wishes wish|wives wife|wolves wolf|women woman|zombies zombie`
  .split(/[|\n]/)
  .map((pair) => pair.trim().split(' ') as [plural: string, singular: string])

const SNAKE: readonly (readonly [name: string, snake: string])[] = [
  ['Blogs', 'blogs'],
  ['BlogPosts', 'blog_posts'],
  ['HTTPLogs', 'http_logs'],
  ['HTTPSLogs', 'https_logs'],
  ['LogsOfHTTP', 'logs_of_http'],
  ['MyHTTPLogs', 'my_http_logs'],
  ['APIs', 'apis'],
  ['APIKeys', 'api_keys'],
  ['UserIDs', 'user_ids'],
  ['URLsOfPages', 'urls_of_pages'],
  ['OAuth2Clients', 'o_auth2_clients'],
  ['V2Things', 'v2_things'],
  ['AStars', 'a_stars'],
  ['PDFs', 'pdfs'],
  ['IOStats', 'io_stats'],
  ['blog_posts', 'blog_posts'],
  ['Blog_Posts', 'blog_posts'],
  ['X', 'x'],
]

describe('derived names', () => {
  it.each(PLURALS)('[PAR-03] the singular of %s is %s', (plural, one) => {
    expect(singular(plural)).toBe(one)
    expect(singular(`my_${plural}`)).toBe(`my_${one}`)
    // What is singular stays.
    if (one !== 'data') expect(singular(one)).toBe(one)
  })

  it.each(SNAKE)('[DEF-04] %s is %s in snake case', (name, expected) => {
    expect(snake(name)).toBe(expected)
  })

  it('[PAR-03] the compiler derives the same', () => {
    expectTypeOf<Snake<'HTTPLogs'>>().toEqualTypeOf<'http_logs'>()
    expectTypeOf<Snake<'APIs'>>().toEqualTypeOf<'apis'>()
    expectTypeOf<Snake<'URLsOfPages'>>().toEqualTypeOf<'urls_of_pages'>()
    expectTypeOf<Snake<'OAuth2Clients'>>().toEqualTypeOf<'o_auth2_clients'>()
    expectTypeOf<Snake<'Blog_Posts'>>().toEqualTypeOf<'blog_posts'>()
    expectTypeOf<Snake<'IOStats'>>().toEqualTypeOf<'io_stats'>()
    expectTypeOf<Singular<'statuses'>>().toEqualTypeOf<'status'>()
    expectTypeOf<Singular<'movies'>>().toEqualTypeOf<'movie'>()
    expectTypeOf<Singular<'http_caches'>>().toEqualTypeOf<'http_cache'>()
    expectTypeOf<Singular<'cookies'>>().toEqualTypeOf<'cookie'>()
    expectTypeOf<Singular<'tv_series'>>().toEqualTypeOf<'tv_series'>()
    expectTypeOf<Singular<'news'>>().toEqualTypeOf<'news'>()
    expectTypeOf<Singular<'heroes'>>().toEqualTypeOf<'hero'>()
    expectTypeOf<Singular<'aliases'>>().toEqualTypeOf<'alias'>()
    expectTypeOf<Singular<'cities'>>().toEqualTypeOf<'city'>()
    expectTypeOf<Singular<'blog_posts'>>().toEqualTypeOf<'blog_post'>()
    expectTypeOf<Singular<'data'>>().toEqualTypeOf<'data'>()
  })
})
