// The parameter `fields` over HTTP: what bodies show instead of their view, and everything that stays as it is.
import { type Attribute, application, collectionOf, endpoint, mediaType, route, t } from 'edict'
import { OrderingParams, PaginationParams, paginate, pagination } from 'edict/pagination'
import { describe, expect, it } from 'vitest'
import { FieldSelector } from '../../../src/plugins/mapper/fields/field-selector.ts'
import { getRequestedView } from '../../../src/server/response/action-identity.ts'
import { type Answered, ask, mistakesOf, recorder } from '../../support/ask.ts'

const mapper = { name: 'mapper' }
const Company = mediaType('Company', { attributes: { name: t.string({ required: true }), tax: t.string() } })
const Person = mediaType('Person', {
  attributes: { name: t.string({ required: true }), email: t.string({ required: true }), company: Company },
})
const Blog = mediaType('Blog', {
  attributes: {
    id: t.integer({ required: true }),
    title: t.string({ required: true }),
    stats: t.object({ words: t.integer({ max: 1000 }), likes: t.integer({ required: true }) }),
    author: Person,
    posts: t.array(t.ref((): Attribute => Post)),
  },
  views: { short: ['id'] },
})
const Post = mediaType('Post', { attributes: { title: t.string({ required: true }), blog: Blog } })
const Fault = mediaType('Fault', { attributes: { reason: t.string() } })

const params = { fields: FieldSelector.for(Blog), as: t.string() }
const Blogs = endpoint('Blogs', {
  mediaType: Blog,
  actions: {
    index: {
      routing: route.get('/'),
      params: { ...params, pagination: PaginationParams.for(Blog), order: OrderingParams.for(Blog) },
      responses: { ok: collectionOf(Blog, { view: 'short' }) },
    },
    show: {
      routing: route.get('/:id'),
      params: { ...params, id: t.integer() },
      responses: {
        ok: true,
        accepted: Blog.view('short'),
        nonAuthoritativeInformation: t.array(Blog.view('short')),
        multiStatus: Fault,
        partialContent: 'text/plain',
        conflict: Blog,
        gone: Fault,
        notFound: true,
      },
    },
    plain: { routing: route.get('/:id/plain'), params: { id: t.integer() }, responses: { ok: Blog } },
  },
})

const blog = (id: number) => {
  const company = { name: 'Acme', tax: 'DE1', secret: 1 }
  const author = { name: `Ann ${id}`, email: 'a@b.c', company, password: 'x' }
  const stats = { words: id, likes: 2, secret: 1 }
  return { id, title: `T${id}`, stats, author, posts: [{ title: 'P', blog: { id, title: 'T' } }], secret: 1 }
}
const list = [1, 2, 3, 4, 5].map(blog)
const seen: unknown[] = []
const controller = Blogs.implement({
  index: (_, { request, reply }) => reply.ok(paginate(request, list)),
  show: ({ id, as, fields }, { request, reply }) => {
    seen.push({ ...getRequestedView(request), fields })
    if (as === 'view') return reply.accepted(blog(id ?? 0))
    if (as === 'list') return reply.nonAuthoritativeInformation([blog(1)])
    if (as === 'other') return reply.multiStatus({ reason: 'other' })
    if (as === 'conflict') return reply.conflict(blog(1))
    if (as === 'gone') return reply.gone({ reason: 'gone' })
    if (as === 'text') return reply.partialContent('text')
    if (as === 'broken') return reply.ok({ ...blog(1), stats: { words: 1001, likes: 'many' } } as never)
    if (as === 'partial') return reply.ok({ title: 'T', author: { name: 'Ann' } } as never)
    return id === 404 ? reply.notFound() : reply.ok(blog(id ?? 0))
  },
  plain: (_, { request, reply }) => {
    seen.push(getRequestedView(request))
    return reply.ok(blog(1))
  },
})
const app = application({ plugins: [pagination(), mapper], controllers: [controller], logger: recorder() })
const show = (fields: string, rest = ''): Promise<Answered> =>
  ask(app, `GET /blogs/1?fields=${encodeURIComponent(fields)}${rest}`)

describe('a body that is one structure', () => {
  it('shows exactly the selected fields, also related ones that its view leaves out', async () => {
    expect((await show('title')).json).toEqual({ title: 'T1' })
    expect((await show('id,author{name,company{name}},posts{title}')).json).toEqual({
      id: 1,
      author: { name: 'Ann 1', company: { name: 'Acme' } },
      posts: [{ title: 'P' }],
    })
    expect((await show('posts{blog{id}},stats{likes}')).json).toEqual({
      posts: [{ blog: { id: 1 } }],
      stats: { likes: 2 },
    })
  })

  it('shows of a plain name what that shows by itself', async () => {
    const answer = await show('stats,author,posts')
    expect(answer.json).toEqual({
      stats: { words: 1, likes: 2 },
      author: { name: 'Ann 1', email: 'a@b.c' },
      posts: [{ title: 'P' }],
    })
    expect(answer.headers['content-type']).toBe('application/vnd.blog+json')
  })

  it('shows its view when nothing is selected', async () => {
    const shown = { id: 1, title: 'T1', stats: { words: 1, likes: 2 } }
    expect((await ask(app, 'GET /blogs/1')).json).toEqual(shown)
    expect((await ask(app, 'GET /blogs/1?as=view')).json).toEqual({ id: 1 })
    expect((await ask(app, 'GET /blogs/1/plain')).json).toEqual(shown)
  })

  it('is selected from instead of any view, and within lists', async () => {
    expect((await show('title', '&as=view')).json).toEqual({ title: 'T1' })
    expect((await show('author{name}', '&as=list')).json).toEqual([{ author: { name: 'Ann 1' } }])
  })

  it('may be written without escapes', async () => {
    expect((await ask(app, 'GET /blogs/1?fields=id,author{name}')).json).toEqual({ id: 1, author: { name: 'Ann 1' } })
  })

  it('is checked in what is selected, and nothing is missing of the rest', async () => {
    expect((await show('title,author{name}', '&as=partial')).json).toEqual({ title: 'T', author: { name: 'Ann' } })
    expect((await show('id', '&as=partial')).status).toBe(500)
    expect((await show('author', '&as=partial')).status).toBe(500)
    expect((await ask(app, 'GET /blogs/1?as=partial')).status).toBe(500)
    expect((await show('id,stats{words}', '&as=broken')).status).toBe(500)
    expect((await show('id,stats{likes}', '&as=broken')).status).toBe(500)
    expect((await show('id', '&as=broken')).json).toEqual({ id: 1 })
  })
})

describe('other bodies', () => {
  it('are not touched: errors, other media types, texts', async () => {
    expect((await show('title', '&as=gone')).json).toEqual({ reason: 'gone' })
    expect((await show('title', '&as=other')).json).toEqual({ reason: 'other' })
    expect(Object.keys((await show('title', '&as=conflict')).json)).toEqual(['id', 'title', 'stats'])
    expect((await show('title', '&as=text')).text).toBe('text')
    expect((await ask(app, 'GET /blogs/404?fields=id')).json).toMatchObject({ status: 404 })
  })
})

describe('refusals', () => {
  it('are 400 with the location of the mistake', async () => {
    const errors = async (fields: string) => {
      const { status, json } = await show(fields)
      return [status, ...json.errors.map(({ code, pointer }: Record<string, string>) => `${code} ${pointer}`)]
    }
    expect(await errors('author{nme}')).toEqual([400, 'fields-name /fields'])
    expect(await errors('__proto__')).toEqual([400, 'fields-name /fields'])
    expect(await errors('id{a}')).toEqual([400, 'fields-below /fields'])
    expect(await errors('id,id')).toEqual([400, 'fields-repeated /fields'])
    expect(await errors('')).toEqual([400, 'fields-syntax /fields'])
    expect((await ask(app, 'GET /blogs/1?fields=id&fields=id')).json.errors).toMatchObject([{ code: 'repeated' }])
    expect((await ask(app, 'GET /blogs/1?fields[id]=1')).status).toBe(400)
    expect((await ask(app, 'GET /blogs/1/plain?fields=id')).status).toBe(400)
  })

  it('an application without the plugin mapper does not boot', () => {
    const boot = () => application({ plugins: [pagination()], controllers: [controller] })
    expect(mistakesOf(boot).map(({ problem }) => problem)).toEqual(
      expect.arrayContaining([expect.stringContaining('needs the plugin mapper')]),
    )
  })
})

describe('lists', () => {
  it('[MAP-02] pages in an order show the selected fields, and their links keep the selection', async () => {
    const first = await ask(app, 'GET /blogs?fields=title,author{name}&order=-id&pagination=page=2,items=2')
    expect(first.json).toEqual([
      { title: 'T3', author: { name: 'Ann 3' } },
      { title: 'T2', author: { name: 'Ann 2' } },
    ])
    const next = /<([^>]+)>; rel="next"/.exec(first.headers['link'] as string)?.[1] as string
    expect((await ask(app, `GET ${next}`)).json).toEqual([{ title: 'T1', author: { name: 'Ann 1' } }])
  })

  it('[MAP-02] cursors go by a field that is not selected', async () => {
    const titles: string[] = []
    let next: string | undefined = '/blogs?fields=title&order=-id&pagination=by=id,items=2'
    while (next !== undefined) {
      const answer: Answered = await ask(app, `GET ${next}`)
      for (const one of answer.json) {
        expect(Object.keys(one)).toEqual(['title'])
        titles.push(one.title)
      }
      next = /<([^>]+)>; rel="next"/.exec(answer.headers['link'] ?? '')?.[1]
    }
    expect(titles).toEqual(['T5', 'T4', 'T3', 'T2', 'T1'])
  })

  it('show their view without a selection, and refuse a bad one', async () => {
    expect((await ask(app, 'GET /blogs?pagination=items=2')).json).toEqual([{ id: 1 }, { id: 2 }])
    expect((await ask(app, 'GET /blogs?fields=nothing')).status).toBe(400)
  })
})

describe('controllers', () => {
  it('know what is shown and selected, the same selection for the same text', async () => {
    seen.length = 0
    await show('id,title')
    const [first, second] = seen as { shows: unknown; selection: unknown; fields: unknown }[]
    expect(first?.shows).toBe(Blog)
    expect(first?.selection).toEqual({
      fields: new Map([
        ['id', undefined],
        ['title', undefined],
      ] as never),
    })
    expect(first?.fields).toBe(first?.selection)
    expect(second?.selection).toBe(first?.selection)
    seen.length = 0
    await ask(app, 'GET /blogs/1/plain')
    expect(seen[0]).toEqual({ shows: Blog, selection: undefined })
  })
})
