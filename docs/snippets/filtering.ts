// The snippets of docs/guide/filtering.md.
import { application, endpoint, route } from 'edict'
import { mapper } from 'edict/mapper'
import type { Shown } from '../../scripts/snippets.ts'
import { answers, exchange, thrown } from './support/http.ts'

// #region declared
import { mediaType, t } from 'edict'
import { FilteringParams } from 'edict/mapper'

const Author = mediaType('Author', { attributes: { id: t.integer(), name: t.string() } })
const Post = mediaType('Post', { attributes: { title: t.string(), likes: t.integer() } })
const Blog = mediaType('Blog', {
  attributes: {
    id: t.integer({ required: true }),
    title: t.string({ required: true }),
    kind: t.string({ values: ['personal', 'company'] }),
    bio: t.string({ nullable: true }),
    open: t.boolean(),
    created_at: t.dateTime(),
    author: Author,
    posts: t.array(Post),
  },
})

const filters = FilteringParams.for(Blog, {
  title: { operators: ['=', '!='], wildcards: true },
  kind: { operators: ['='] },
  bio: {},
  created_at: {},
  'author.id': { operators: ['=', '>='] },
  'posts.likes': {},
})
// #endregion

const Blogs = endpoint('Blogs', {
  actions: { index: { routing: route.get('/'), params: { filters }, responses: { ok: t.any() } } },
})
const plugins = [mapper()]
const app = application({
  plugins,
  controllers: [Blogs.implement({ index: (params, { reply }) => reply.ok(params.filters ?? null) })],
})

/** Boots an application whose filters are declared wrongly. */
function mistaken(): unknown {
  // #region mistaken
  // @ts-expect-error the compiler sees that there is no author.age
  const wrong = FilteringParams.for(Blog, { open: { operators: ['<'] }, id: { wildcards: true }, 'author.age': {} })
  // #endregion
  const Wrong = endpoint('Blogs', {
    actions: { index: { routing: route.get('/'), params: { filters: wrong }, responses: { ok: t.any() } } },
  })
  return application({ plugins, controllers: [Wrong.implement({ index: (_, { reply }) => reply.ok(null) })] })
}

// --- what the page shows ---------------------------------------------------------------------------------------

/** The answers that the page shows. */
export const shown: Shown = {
  read: () => exchange(app, 'GET /blogs?filters=title=foo*%26(kind=personal,company|author.id>=3)%26bio!'),
  escaped: () =>
    answers(app, [
      'GET /blogs?filters=title=R%2526D',
      'GET /blogs?filters=title=R%26D',
      'GET /blogs?filters=title=%252A',
      'GET /blogs?filters=title=*',
    ]),
  mistaken: () => thrown(mistaken),
  refused: () =>
    answers(app, [
      'GET /blogs?filters=title=a(b)',
      'GET /blogs?filters=title=a%26',
      'GET /blogs?filters=id=1',
      'GET /blogs?filters=title<a',
      'GET /blogs?filters=author.id=x',
      'GET /blogs?filters=kind=other',
      'GET /blogs?filters=bio=a*',
      'GET /blogs?filters=author.id>=1,2',
    ]),
}
