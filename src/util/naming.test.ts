// Names derived from names: a table of English plurals and acronyms, the same for the run time and the compiler.
import fc from 'fast-check'
import { describe, expect, expectTypeOf, it } from 'vitest'
import { runs } from '../../test/support/runs.ts'
import { type Singular, type SingularName, type Snake, toSingular, toSingularName, toSnakeCase } from './naming.ts'

// Each plural with its singular; the compiler reads the same text.
const TABLE = `abuses abuse|addresses address|aliases alias|analyses analysis|analytics analytics|apis api|appendices appendix|
approaches approach|archives archive|atlases atlas|avalanches avalanche|axes axis|bases base|batches batch|
beaches beach|biases bias|blogs blog|bonuses bonus|bookies bookie|boxes box|branches branch|breaches breach|
brownies brownie|bureaus bureau|buses bus|buzzes buzz|caches cache|calories calorie|calves calf|campuses campus|
canoes canoe|canvases canvas|cases case|categories category|causes cause|children child|cities city|classes class|
clauses clause|coaches coach|companies company|cookies cookie|countries country|courses course|cpus cpu|crashes crash|
crises crisis|criteria criterion|data data|databases database|days day|debris debris|devices device|
diagnoses diagnosis|dishes dish|drives drive|echoes echo|elves elf|emojis emoji|entries entry|excuses excuse|
exercises exercise|fees fee|feet foot|files file|franchises franchise|fuses fuse|gases gas|geese goose|gpus gpu|
gurus guru|halves half|headaches headache|headquarters headquarters|heroes hero|houses house|hypotheses hypothesis|
indexes index|indices index|invoices invoice|irises iris|keys key|knives knife|kpis kpi|leaves leaf|lenses lens|
licenses license|lies lie|lives life|loaves loaf|logistics logistics|logos logo|matches match|matrices matrix|
means means|menus menu|messages message|metrics metric|mice mouse|moves move|movies movie|news news|niches niche|
people person|phases phase|phenomena phenomenon|photos photo|physics physics|pies pie|plateaus plateau|
policies policy|potatoes potato|prices price|prizes prize|processes process|progenies progeny|prognoses prognosis|
purchases purchase|purposes purpose|queries query|quizzes quiz|releases release|responses response|reuses reuse|
rookies rookie|roses rose|sales sale|salesmen salesman|selfies selfie|series series|shelves shelf|shoes shoe|
sizes size|skus sku|species species|spouses spouse|statuses status|stories story|taxes tax|taxis taxi|teeth tooth|
tennis tennis|theses thesis|thieves thief|ties tie|toes toe|topics topic|uses use|vertices vertex|videos video|
viruses virus|volcanoes volcano|warehouses warehouse|watches watch|waves wave|wikis wiki|wishes wish|wives wife|
wolves wolf|women woman|zombies zombie`

const PLURALS = TABLE.split('|').map((pair) => pair.trim().split(' ') as [plural: string, singular: string])

const SNAKE = [
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
  ['SMSes', 'smses'],
  ['SMSesOfUsers', 'smses_of_users'],
  ['SMSesque', 'sm_sesque'],
  ['DNSZones', 'dns_zones'],
  ['IOStats', 'io_stats'],
  ['blog_posts', 'blog_posts'],
  ['Blog_Posts', 'blog_posts'],
  ['X', 'x'],
] as const

describe('derived names', () => {
  it.each(PLURALS)('[PAR-03] the singular of %s is %s', (plural, one) => {
    expect(toSingular(plural)).toBe(one)
    expect(toSingular(`my_${plural}`)).toBe(`my_${one}`)
    // Singulars stay unchanged.
    if (one !== 'data') expect(toSingular(one)).toBe(one)
  })

  it.each(SNAKE)('[DEF-04] %s is %s in snake case', (name, expected) => {
    expect(toSnakeCase(name)).toBe(expected)
  })

  it.each(['SMS', 'DNS', 'MyGPS', 'OS'])('[PAR-03] %s is an acronym, and no plural', (name) => {
    expect(toSingularName(name)).toBe(toSnakeCase(name))
    expect(toSingularName(`${name}Records`)).toBe(`${toSnakeCase(name)}_record`)
    expectTypeOf<[SingularName<'MyGPS'>, SingularName<'GPSes'>, SingularName<'APIs'>]>().toEqualTypeOf<
      ['my_gps', 'gps', 'api']
    >()
  })

  it('[PAR-03] [DEF-04] the plural of an acronym is the acronym with s or es, behind other words or alone', () => {
    const capitals = fc.stringMatching(/^[A-Z]{2,6}$/)
    const words = fc.constantFrom('', 'Blog', 'MyOwn', 'HTTPLog', 'V2', 'blog_')
    fc.assert(
      fc.property(capitals, words, (acronym, word) => {
        const singular = toSnakeCase(`${word}${acronym}`)
        expect(singular.endsWith(acronym.toLowerCase())).toBe(true)
        for (const ending of /[SXZ]$/.test(acronym) ? ['s', 'es'] : ['s']) {
          expect(toSnakeCase(`${word}${acronym}${ending}`)).toBe(`${singular}${ending}`)
          expect(toSnakeCase(`${word}${acronym}${ending}Of`)).toBe(`${singular}${ending}_of`)
          expect(toSingularName(`${word}${acronym}${ending}`)).toBe(singular)
        }
      }),
      { numRuns: runs(300, 20_000) },
    )
  })

  it('[PAR-03] the compiler takes the same acronyms out of their plurals', () => {
    const made = ['SMSes', 'MySMSes', 'PBXes', 'TPUs', 'IEs', 'OSs', 'ContactUs', 'AboutUses', 'HTTPSes'] as const
    type Made = { [N in (typeof made)[number]]: SingularName<N> }
    expectTypeOf<Made>().toEqualTypeOf<{
      SMSes: 'sms'
      MySMSes: 'my_sms'
      PBXes: 'pbx'
      TPUs: 'tpu'
      IEs: 'ie'
      OSs: 'os'
      ContactUs: 'contact_us'
      AboutUses: 'about_use'
      HTTPSes: 'https'
    }>()
    const singulars = made.map(toSingularName)
    expect(singulars).toEqual(['sms', 'my_sms', 'pbx', 'tpu', 'ie', 'os', 'contact_us', 'about_use', 'https'])
  })

  it('[PAR-03] [DEF-04] the compiler derives the same', () => {
    expectTypeOf<OtherSingulars<typeof TABLE>>().toEqualTypeOf<never>()
    expectTypeOf<OtherSnakes<(typeof SNAKE)[number]>>().toEqualTypeOf<never>()
    expectTypeOf<OtherSingulars<'blogs block|https_logs http_log|http_caches http_cache'>>().toEqualTypeOf<
      'blogs' | 'https_logs'
    >()
    expectTypeOf<OtherSnakes<readonly ['HTTPLogs', 'h_logs']>>().toEqualTypeOf<'HTTPLogs'>()
  })
})

/** The plurals of a table whose singular in the types differs from the table, also after another word. */
type OtherSingulars<T extends string, Found = never> = T extends `${infer Pair}|${infer Rest}`
  ? OtherSingulars<Rest, Found | Other<Pair>>
  : Found | Other<T>

type Other<Pair extends string> = Pair extends `\n${infer Rest}`
  ? Other<Rest>
  : Pair extends `${infer Plural} ${infer One}`
    ? [Singular<Plural>, Singular<`my_${Plural}`>] extends [One, `my_${One}`]
      ? never
      : Plural
    : Pair

type OtherSnakes<P extends readonly [string, string]> = P extends readonly [infer Name extends string, infer To]
  ? Snake<Name> extends To
    ? never
    : Name
  : never
