// The mock over HTTP: every action of declarations without controllers, and what becomes of what is sent.
import {
  application,
  childOf,
  collectionOf,
  controller,
  DefinitionError,
  endpoint,
  header,
  inherit,
  mediaType,
  route,
  security,
  t,
  verifier,
} from 'edict'
import { mock } from 'edict/mock'
import { PaginationParams, pagination } from 'edict/pagination'
import { describe, expect, it } from 'vitest'
import { app as blog } from '../../examples/blog/app.ts'
import { ask, askFetch } from '../support/ask.ts'
import * as library from '../support/library/design.ts'

const Blog = mediaType('Blog', {
  attributes: { id: t.integer({ required: true }), title: t.string({ required: true, max: 40 }) },
})
const Post = mediaType('Post', {
  attributes: {
    slug: t.string({ required: true, pattern: /[a-z]+-\d{3}/ }),
    title: t.string({ required: true }),
    summary: t.string({ nullable: true }),
    kind: t.string({ values: ['note', 'essay'], required: true }),
    place: t.object({ city: t.string({ required: true }), zip: t.string() }),
    tags: t.array(t.string(), { max: 3 }),
    extra: t.record(t.integer()),
    blog: Blog,
  },
  views: { default: ['slug', 'title', 'summary', 'kind', 'place', 'tags', 'extra', 'blog'] },
})
const Comment = mediaType('Comment', {
  attributes: { id: t.string({ required: true, format: 'uuid' }), text: t.string({ required: true }) },
})
const Blogs = endpoint('Blogs', {
  mediaType: Blog,
  actions: {
    index: { routing: route.get('/'), responses: { ok: collectionOf(Blog) } },
    show: { routing: route.get('/:id'), params: { id: t.integer() }, responses: { ok: Blog, notFound: true } },
    top: { routing: route.get('/top'), responses: { ok: t.array(Blog, { max: 3 }) } },
    latest: {
      routing: route.get('/:id/latest'),
      params: { id: t.integer(), order: t.string(), pagination: t.string(), filters: t.string() },
      responses: { ok: Blog, notFound: true },
    },
    remove: { routing: route.delete('/:id'), params: { id: t.integer() }, responses: { noContent: true } },
    rename: {
      routing: route.put('/:id'),
      params: { id: t.integer() },
      payload: { title: t.string() },
      responses: { ok: Blog, notFound: true },
    },
  },
})
const payload = {
  slug: inherit,
  title: inherit,
  summary: inherit,
  place: inherit,
  tags: inherit,
  extra: inherit,
  blog: t.object({ id: t.integer({ required: true }) }),
}
const Posts = endpoint('Posts', {
  parent: Blogs,
  mediaType: Post,
  actionDefaults: { responses: { notFound: true } },
  actions: {
    index: { routing: route.get('/'), responses: { ok: t.array(Post) } },
    show: { routing: route.get('/:slug'), params: { slug: t.string() }, responses: { ok: Post } },
    create: {
      routing: route.post('/'),
      payload,
      responses: { created: { location: /.*\/blogs\/\d+\/posts\/[a-z]+-\d+/ }, conflict: true },
    },
    update: {
      routing: route.patch('/:slug'),
      params: { slug: t.string() },
      payload: { title: t.string(), summary: inherit, place: t.object({ zip: t.string() }), tags: inherit },
      responses: { ok: Post },
    },
    remove: { routing: route.delete('/:slug'), params: { slug: t.string() }, responses: { noContent: true } },
    cover: { routing: route.get('/:slug/cover'), params: { slug: t.string() }, responses: { ok: 'image/png' } },
    publish: { routing: route.post('/:slug/publish'), params: { slug: t.string() }, responses: { ok: Post } },
  },
})
const Comments = endpoint('Comments', {
  parent: childOf(Posts, { slug: 'post' }),
  mediaType: Comment,
  actions: {
    index: { routing: route.get('/'), responses: { ok: collectionOf(Comment), notFound: true } },
    show: { routing: route.get('/:id'), params: { id: t.string() }, responses: { ok: Comment, notFound: true } },
    create: { routing: route.post('/'), payload: { text: inherit }, responses: { created: Comment } },
  },
})
const design = { Blogs, Posts, Comments }

const get = async (app: ReturnType<typeof mock>, path: string) => (await ask(app, `GET ${path}`)).json

describe('a mock of an application', () => {
  it('boots although the application brings verifiers, for which it has stand-ins', async () => {
    const Token = security.bearer<string>('Token')
    const Doors = endpoint('Doors', {
      actions: { show: { routing: route.get('/'), security: Token, responses: { noContent: true } } },
    })
    const doors = Doors.implement({ show: (_, { reply }) => reply.noContent() })
    const app = application({ controllers: [doors], verifiers: [verifier(Token, () => undefined)] })
    expect((await askFetch(mock(app), 'GET /doors')).status).toBe(401)
    expect((await askFetch(mock(app), 'GET /doors', { headers: { authorization: 'Bearer x' } })).status).toBe(204)
  })
})

describe('elements of a mock', () => {
  it('lists have as many as requested, and each can be shown', async () => {
    const app = mock(design, { rows: 12 })
    const blogs = await get(app, '/blogs')
    expect(blogs.map(({ id }: any) => id)).toEqual(Array.from({ length: 12 }, (_, i) => i + 1))
    expect(await get(app, '/blogs/3')).toEqual(blogs[2])
    expect(await get(app, '/blogs/top')).toEqual(blogs.slice(0, 3))
    expect(await get(app, '/blogs/3/latest?order=x&pagination=y&filters=z')).toEqual(blogs[2])
    expect((await ask(app, 'GET /blogs/13')).status).toBe(404)
    expect((await ask(app, 'GET /blogs/x')).status).toBe(400)
  })

  it('are the same in every run', async () => {
    const [one, other] = [mock(design), mock([Comments, Blogs, Posts], { title: 'Other' })]
    for (const path of ['/blogs', '/blogs/1/posts']) expect(await get(one, path)).toEqual(await get(other, path))
  })

  it('belong to their parents', async () => {
    const app = mock(design)
    const lists = await Promise.all(Array.from({ length: 30 }, (_, i) => get(app, `/blogs/${i + 1}/posts`)))
    const slugs = lists.flat().map(({ slug }: any) => slug)
    expect([slugs.length, new Set(slugs).size]).toEqual([30, 30])
    expect(lists[0].length).toBeGreaterThan(5)
    expect(slugs.every((slug: string) => /^[a-z]+-\d{3}$/.test(slug))).toBe(true)
    const [post] = lists[0]
    expect(await get(app, `/blogs/1/posts/${post.slug}`)).toEqual(post)
    expect((await ask(app, `GET /blogs/2/posts/${post.slug}`)).status).toBe(404)
    expect((await ask(app, 'GET /blogs/99/posts')).status).toBe(404)
    const below = await Promise.all(lists[0].map(({ slug }: any) => get(app, `/blogs/1/posts/${slug}/comments`)))
    expect(below.flat().length).toBeGreaterThan(0)
    const at = below.findIndex((list) => list.length > 0)
    const path = `/blogs/1/posts/${lists[0][at].slug}/comments`
    expect(await get(app, `${path}/${below[at][0].id}`)).toEqual(below[at][0])
    expect((await ask(app, `GET /blogs/2/posts/${lists[0][at].slug}/comments`)).status).toBe(404)
  })

  it('are created with what was sent, changed in part and gone when deleted', async () => {
    const app = mock(design)
    const sent = {
      slug: 'new-123',
      title: 'New',
      place: { city: 'Oslo' },
      tags: ['b', 'a', 'b'],
      extra: { one: 1 },
      blog: { id: 4 },
    }
    const before = (await get(app, '/blogs/2/posts')).length
    const blog = await get(app, '/blogs/4')
    const made = await once(app, 'POST /blogs/2/posts', sent)
    expect([made.status, made.headers.get('location')]).toEqual([201, '/blogs/2/posts/new-123'])
    const { kind, ...rest } = await get(app, '/blogs/2/posts/new-123')
    expect(rest).toEqual({ ...sent, summary: null, blog })
    expect(['note', 'essay']).toContain(kind)
    expect((await get(app, '/blogs/2/posts')).length).toBe(before + 1)
    expect((await once(app, 'POST /blogs/2/posts', sent)).status).toBe(409)
    const changed = await once(app, 'PATCH /blogs/2/posts/new-123', { summary: 'S', place: { zip: '0150' }, tags: [] })
    const now = { ...rest, kind, summary: 'S', place: { city: 'Oslo', zip: '0150' }, tags: [] }
    expect([changed.status, await changed.json()]).toEqual([200, now])
    expect(await (await once(app, 'PATCH /blogs/2/posts/new-123', { summary: null })).json()).toEqual({
      ...now,
      summary: null,
    })
    expect((await once(app, 'PATCH /blogs/2/posts/new-124', { title: 'x' })).status).toBe(404)
    expect((await once(app, 'DELETE /blogs/2/posts/new-123')).status).toBe(204)
    expect((await once(app, 'DELETE /blogs/2/posts/new-123')).status).toBe(404)
    expect((await ask(app, 'GET /blogs/2/posts/new-123')).status).toBe(404)
    expect((await get(app, '/blogs/2/posts')).length).toBe(before)
  })

  it('have keys that nobody sent, and parents that take them along', async () => {
    const app = mock(design)
    const [post] = await get(app, '/blogs/1/posts')
    const made = await once(app, `POST /blogs/1/posts/${post.slug}/comments`, { text: 'First' })
    const comment = (await made.json()) as { id: string }
    expect(comment).toEqual({ id: expect.stringMatching(/^[0-9a-f-]{36}$/), text: 'First' })
    expect(made.headers.get('location')).toBe(`/blogs/1/posts/${post.slug}/comments/${comment.id}`)
    expect(await get(app, made.headers.get('location') as string)).toEqual(comment)
    expect((await once(app, 'DELETE /blogs/1')).status).toBe(204)
    expect((await ask(app, `GET /blogs/1/posts/${post.slug}`)).status).toBe(404)
    expect((await ask(app, `GET ${made.headers.get('location')}`)).status).toBe(404)
  })

  it('belong where the path says, whatever a payload says', async () => {
    const Leaf = mediaType('Leaf', { attributes: { id: t.integer({ required: true }), blog_id: t.integer() } })
    const Leaves = endpoint('Leaves', {
      parent: childOf(Blogs, { id: 'blog_id' }),
      mediaType: Leaf,
      actions: {
        index: { routing: route.get('/'), responses: { ok: collectionOf(Leaf) } },
        show: { routing: route.get('/:id'), params: { id: t.integer() }, responses: { ok: Leaf, notFound: true } },
        create: { routing: route.post('/'), payload: { blog_id: t.integer() }, responses: { created: Leaf } },
      },
    })
    const app = mock([Blogs, Leaves], { rows: 3 })
    const made = await once(app, 'POST /blogs/2/leaves', { blog_id: 3 })
    expect([made.status, await made.json()]).toEqual([201, { id: 4, blog_id: 2 }])
    expect(await get(app, '/blogs/2/leaves/4')).toEqual({ id: 4, blog_id: 2 })
    expect((await ask(app, 'GET /blogs/3/leaves/4')).status).toBe(404)
  })

  it('a value that the media type would not show is passed over', async () => {
    const app = mock(design)
    const before = await get(app, '/blogs/3')
    const put = await once(app, 'PUT /blogs/3', { title: 'x'.repeat(41) })
    expect([put.status, await put.json()]).toEqual([200, before])
    expect(await (await once(app, 'PUT /blogs/3', { title: 'Short' })).json()).toEqual({ id: 3, title: 'Short' })
  })

  it('paths below an element only look whether it exists', async () => {
    const app = mock(design)
    const [post] = await get(app, '/blogs/1/posts')
    expect((await ask(app, `GET /blogs/1/posts/${post.slug}/cover`)).headers['content-type']).toBe('image/png')
    expect((await ask(app, 'GET /blogs/1/posts/no-000/cover')).status).toBe(404)
    const published = await ask(app, `POST /blogs/1/posts/${post.slug}/publish`)
    expect([published.status, published.json]).toEqual([200, post])
  })

  it('there may be none', async () => {
    const app = mock(design, { rows: 0 })
    expect(await get(app, '/blogs')).toEqual([])
    expect(() => mock(design, { rows: -1 })).toThrow('rows is -1')
  })
})

/** One request, through fetch only: it changes something. */
function once(app: ReturnType<typeof mock>, line: string, body?: unknown): Promise<Response> {
  const [method, path] = line.split(' ') as [string, string]
  const sent = body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }
  return app.fetch(new Request(`http://mock${path}`, { method, ...sent }))
}

describe('responses of a mock', () => {
  const Person = mediaType('Person', {
    attributes: { name: t.string({ required: true }), boss: t.ref((): any => Person) },
  })
  const token = security.bearer<{ id: number }>('token')
  const key = security.apiKey<string>('key', { in: 'header', name: 'X-Key' })
  const Odd = endpoint('Odd', {
    mediaType: Person,
    actions: {
      headers: {
        routing: route.get('/headers'),
        responses: {
          ok: {
            mediaType: t.any(),
            headers: {
              ETag: /^"[0-9a-f]{8}"$/,
              'X-Kind': 'fixed',
              'X-Any': true,
              'X-Count': t.integer({ required: true, min: 3, max: 5 }),
              'X-Maybe': t.integer(),
            },
          },
        },
      },
      leave: { routing: route.get('/leave'), responses: { seeOther: { location: /^\/odd\/[a-z]+$/ }, gone: true } },
      nothing: { routing: route.post('/nothing'), responses: { gone: true } },
      forms: {
        routing: route.get('/forms'),
        responses: { ok: { mediaType: [Person, 'text/csv', 'application/json'] } },
      },
      struct: {
        routing: route.get('/struct'),
        responses: { ok: t.object({ at: t.dateTime({ required: true }), of: t.array(Person, { min: 2 }) }) },
      },
      secret: { routing: route.get('/secret'), security: [token, key], responses: { noContent: true } },
      typed: {
        routing: route.get('/typed'),
        headers: { 'X-Build': header(t.integer({ required: true })) },
        responses: { ok: Person },
      },
    },
  })

  it('keep to rules of headers', async () => {
    const { status, headers } = await ask(mock([Odd]), 'GET /odd/headers')
    expect(status).toBe(200)
    expect(headers['etag']).toMatch(/^"[0-9a-f]{8}"$/)
    expect(headers['x-kind']).toBe('fixed')
    expect(Number(headers['x-count'])).toBeGreaterThanOrEqual(3)
    expect(Number(headers['x-count'])).toBeLessThanOrEqual(5)
    expect([typeof headers['x-any'], headers['x-maybe']]).toEqual(['string', undefined])
  })

  it('are redirections or errors where nothing else is declared', async () => {
    const app = mock([Odd])
    const left = await ask(app, 'GET /odd/leave')
    expect([left.status, left.headers['location']]).toEqual([303, expect.stringMatching(/^\/odd\/[a-z]+$/)])
    expect((await ask(app, 'POST /odd/nothing')).status).toBe(410)
  })

  it('have the form that the client accepts', async () => {
    const app = mock([Odd])
    const types = async (accept: string) => {
      const { status, headers } = await ask(app, 'GET /odd/forms', { headers: { accept } })
      return [status, headers['content-type']]
    }
    expect(await types('*/*')).toEqual([200, 'application/vnd.person+json'])
    expect(await types('text/csv')).toEqual([200, 'text/csv; charset=utf-8'])
    expect(await types('application/json')).toEqual([200, 'application/json'])
    expect(await types('image/png')).toEqual([406, 'application/problem+json'])
  })

  it('are examples where there are no elements, and refusals as declared', async () => {
    const app = mock([Odd])
    const { json } = await ask(app, 'GET /odd/struct')
    expect([Date.parse(json.at) > 0, json.of.length]).toEqual([true, 30])
    expect((await ask(app, 'GET /odd/typed')).status).toBe(400)
    const typed = await ask(app, 'GET /odd/typed', { headers: { 'X-Build': '3' } })
    expect(typed.json).toEqual({ name: expect.any(String) })
  })

  it('let clients in that bring credentials, or everybody', async () => {
    const app = mock([Odd])
    const { status, headers } = await ask(app, 'GET /odd/secret')
    expect([status, headers['www-authenticate']]).toEqual([401, expect.stringContaining('Bearer')])
    expect((await ask(app, 'GET /odd/secret', { headers: { Authorization: 'Bearer x' } })).status).toBe(204)
    expect((await ask(app, 'GET /odd/secret', { headers: { 'X-Key': 'x' } })).status).toBe(204)
    const open = mock([Odd], { auth: 'open' })
    expect((await ask(open, 'GET /odd/secret')).status).toBe(204)
    expect((await ask(open, 'GET /odd/secret', { headers: { 'X-Key': 'x' } })).status).toBe(204)
    const actions = { show: { routing: route.get('/'), responses: { noContent: true } } } as const
    const Closed = endpoint('Closed', { actionDefaults: { security: token }, actions })
    expect((await ask(mock([Closed]), 'GET /closed')).status).toBe(401)
    expect((await ask(mock([Closed], { auth: 'open' }), 'GET /closed')).status).toBe(204)
  })
})

describe('what a mock is made of', () => {
  it('an application gives its title, paths, plugins and limits', async () => {
    const List = endpoint('List', {
      mediaType: Blog,
      actions: {
        index: {
          routing: route.get('/'),
          params: { pagination: PaginationParams.for(Blog) },
          responses: { ok: collectionOf(Blog) },
        },
      },
    })
    const never = controller(List, { index: () => Promise.reject(new Error('never called')) })
    const real = application({
      title: 'Real',
      basePath: '/api',
      controllers: [never],
      plugins: [pagination({ defaultPageSize: 4, maxItems: 5 })],
      validation: { status: 422 },
    })
    const app = mock(real)
    expect([app.title, app.basePath]).toEqual(['Real', '/api'])
    expect((await get(app, '/api/list')).length).toBe(4)
    expect((await ask(app, 'GET /api/list?pagination=page=1,items=6')).status).toBe(422)
    expect(app.openapi()).toEqual(real.openapi())
    expect(mock(real, { title: 'Mock', basePath: '' }).title).toBe('Mock')
  })

  it('endpoints that nothing implements, from a module or a list; mistakes are told as ever', () => {
    expect(mock(library).routes().length).toBe(7)
    expect(mock({ nested: [Blogs], Post }).routes().length).toBe(6)
    const Wrong = endpoint('Wrong', {
      actions: { show: { routing: route.get('/:id'), responses: { ok: true } } },
    } as any)
    expect(() => mock([Wrong])).toThrow(DefinitionError)
    expect(() => mock([])).toThrow(DefinitionError)
  })

  it('the example: every action that reads answers as declared', async () => {
    const app = mock(blog, { logger: { info() {}, warn() {}, error: (_, message) => failures.push(message) } })
    const failures: string[] = []
    // Readiness asks the database of the example, which a mock does not open.
    const isAsked = (path: string): boolean => !path.endsWith('/health/ready')
    const rows = app.routes().filter(({ verb, version, path }) => verb === 'GET' && version !== '2.0' && isAsked(path))
    for (const { path } of rows) {
      const filled = path.replace(/:(\w+)/g, (_, name: string) => FILLED[name] ?? '1').replace('*', 'a')
      const version = path.startsWith('/api/blogs') || path.startsWith('/api/stats') ? '?api_version=1.0' : ''
      const { status } = await ask(app, `GET ${filled}${version}`, { headers: { authorization: 'Bearer x' } })
      expect([filled, status < 500]).toEqual([filled, true])
    }
    expect([rows.length > 10, failures]).toEqual([true, []])
  })
})

const FILLED: Readonly<Record<string, string>> = { slug: 'a', year: '2024', month: '01', handle: 'a' }
