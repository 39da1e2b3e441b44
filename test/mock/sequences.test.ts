// A mock under any sequence of requests: what it holds is what was written, also in elements that depend on others.
import { collectionOf, endpoint, inherit, mediaType, route, t } from 'edict'
import { mock } from 'edict/mock'
import { checkApplication } from 'edict/testing'
import { describe, expect, it } from 'vitest'
import { runs } from '../support/runs.ts'

const Shelf = mediaType('Shelf', {
  attributes: { id: t.integer({ required: true }), label: t.string({ required: true, max: 20 }) },
})
const Book = mediaType('Book', {
  attributes: {
    isbn: t.string({ required: true, pattern: /[a-z]{2}-\d{2}/ }),
    title: t.string({ required: true }),
    note: t.string({ nullable: true }),
    size: t.object({ width: t.integer(), height: t.integer() }),
    tags: t.array(t.string()),
    lent: t.array(t.dateTime({ nullable: true })),
    bought: t.dateTime(),
  },
})
const Shelves = endpoint('Shelves', {
  mediaType: Shelf,
  actions: {
    index: { routing: route.get('/'), responses: { ok: collectionOf(Shelf) } },
    show: { routing: route.get('/:id'), params: { id: t.integer() }, responses: { ok: Shelf, notFound: true } },
    create: { routing: route.post('/'), payload: { label: inherit }, responses: { created: Shelf } },
    rename: {
      routing: route.patch('/:id'),
      params: { id: t.integer() },
      payload: { label: t.string() },
      responses: { ok: Shelf, notFound: true },
    },
    remove: {
      routing: route.delete('/:id'),
      params: { id: t.integer() },
      responses: { noContent: true, notFound: true },
    },
  },
})
const changes = { title: t.string(), note: inherit, size: inherit, tags: inherit, lent: inherit, bought: inherit }
const Books = endpoint('Books', {
  parent: Shelves,
  mediaType: Book,
  actionDefaults: { responses: { notFound: true } },
  actions: {
    index: { routing: route.get('/'), responses: { ok: collectionOf(Book) } },
    show: { routing: route.get('/:isbn'), params: { isbn: t.string() }, responses: { ok: Book } },
    create: {
      routing: route.post('/'),
      payload: { isbn: inherit, ...changes, title: inherit },
      responses: { created: Book, conflict: true },
    },
    change: { routing: route.patch('/:isbn'), params: { isbn: t.string() }, payload: changes, responses: { ok: Book } },
    put: { routing: route.put('/:isbn'), params: { isbn: t.string() }, payload: changes, responses: { ok: Book } },
    remove: { routing: route.delete('/:isbn'), params: { isbn: t.string() }, responses: { noContent: true } },
  },
} as never)

describe('a mock', () => {
  it('holds what any sequence of requests leaves in it', { timeout: 120_000 }, async () => {
    for (let seed = 1; seed <= runs(1, 60); seed++)
      await checkApplication(() => mock({ Shelves, Books } as never, { rows: 4 }), { seed, runs: 6 })
  })

  it('changes structures in part', async () => {
    const app = mock({ Shelves, Books } as never, { rows: 4 })
    const ask = async (method: string, path: string, body: object): Promise<any> => {
      const headers = { 'content-type': 'application/json' }
      return (await app.fetch(new Request(`http://a${path}`, { method, headers, body: JSON.stringify(body) }))).json()
    }
    await ask('POST', '/shelves/1/books', { isbn: 'aa-00', title: 'Emma', size: { width: 3, height: 4 } })
    expect(await ask('PATCH', '/shelves/1/books/aa-00', { size: { width: 5 } })).toMatchObject({
      title: 'Emma',
      size: { width: 5, height: 4 },
    })
  })
})

describe('elements of a mock that depend on each other', () => {
  const Author = mediaType('Author', { attributes: { id: t.integer({ required: true }), name: t.string() } })
  const Essay = mediaType('Essay', {
    attributes: {
      id: t.integer({ required: true }),
      title: t.string({ required: true }),
      words: t.integer({ required: true }),
      author_id: t.integer(),
      author: Author,
      tags: t.array(t.string({ required: true }), { min: 2, required: true }),
      hints: t.array(t.string(), { min: 1 }),
    },
    views: { default: ['id', 'title', 'words', 'author_id', 'author', 'tags', 'hints'] },
  })
  const Authors = endpoint('Authors', {
    mediaType: Author,
    actions: {
      index: { routing: route.get('/'), responses: { ok: collectionOf(Author) } },
      remove: { routing: route.delete('/:id'), params: { id: t.integer() }, responses: { noContent: true } },
    },
  })
  const payload = {
    title: t.string({ nullable: true }),
    words: t.integer({ nullable: true }),
    author: t.object({ id: t.integer(), name: t.string() }, { nullable: true }),
    tags: t.array(t.string()),
  }
  const Essays = endpoint('Essays', {
    mediaType: Essay,
    actions: {
      index: { routing: route.get('/'), responses: { ok: collectionOf(Essay) } },
      show: { routing: route.get('/:id'), params: { id: t.integer() }, responses: { ok: Essay, notFound: true } },
      create: { routing: route.post('/'), payload, responses: { created: Essay } },
      change: {
        routing: route.patch('/:id'),
        params: { id: t.integer() },
        payload,
        responses: { ok: Essay, notFound: true },
      },
    },
  })

  async function world() {
    const app = mock({ Authors, Essays }, { rows: 3 })
    const ask = async (line: string, body?: unknown): Promise<any> => {
      const [method = '', path = ''] = line.split(' ')
      const sent =
        body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }
      const response = await app.fetch(new Request(`http://a${path}`, { method, ...sent }))
      expect(response.status, line).toBeLessThan(300)
      return response.status === 204 ? undefined : response.json()
    }
    return ask
  }

  it('an element that is gone is not shown by those that named it, which stay', async () => {
    const ask = await world()
    const { id } = await ask('POST /essays', { title: 'Kept', author: { id: 2 } })
    expect((await ask(`GET /essays/${id}`)).author).toMatchObject({ id: 2 })
    await ask('DELETE /authors/2')
    const { author, author_id, ...rest } = await ask(`GET /essays/${id}`)
    expect([rest.title, author ?? null, author_id ?? null]).toEqual(['Kept', null, null])
    for (const essay of await ask('GET /essays')) expect([essay.author?.id, essay.author_id]).not.toContain(2)
    // Another one that takes its key is not the one that was named.
    const other = await ask('POST /essays', { title: 'Later', author: { id: 2, name: 'Somebody else' } })
    expect(other.author).toEqual({ id: 2, name: 'Somebody else' })
    const naming = (await ask('GET /essays')).filter((essay: any) => essay.author?.id === 2)
    expect(naming.map((essay: any) => essay.id)).toEqual([other.id])
  })

  it('an element that is named by its key is that one, and a new one without a key', async () => {
    const ask = await world()
    const before = await ask('GET /authors')
    const named = await ask('POST /essays', { title: 'x', author: { id: 1, name: 'Not this' } })
    expect(named.author).toEqual(before[0])
    expect(await ask('GET /authors')).toEqual(before)
    const made = await ask('POST /essays', { title: 'y', author: { name: 'New' } })
    expect(made.author).toMatchObject({ name: 'New' })
    expect((await ask('GET /authors')).length).toBe(before.length + 1)
    expect((await ask(`PATCH /essays/${made.id}`, { author: null })).author ?? null).toBe(null)
  })

  it('what an element must have is made up where nobody sent it, or sent null', async () => {
    const ask = await world()
    const made = await ask('POST /essays', {})
    expect([typeof made.title, typeof made.words]).toEqual(['string', 'number'])
    expect([made.tags.length >= 2, made.hints.length >= 1]).toEqual([true, true])
    const changed = await ask(`PATCH /essays/${made.id}`, { title: null, words: null })
    expect([typeof changed.title, typeof changed.words]).toEqual(['string', 'number'])
  })

  it('a list that is sent replaces the one before', async () => {
    const ask = await world()
    const made = await ask('POST /essays', { tags: ['a', 'b', 'c'] })
    expect(made.tags).toEqual(['a', 'b', 'c'])
    expect((await ask(`PATCH /essays/${made.id}`, { tags: ['d', 'e'] })).tags).toEqual(['d', 'e'])
    expect((await ask(`PATCH /essays/${made.id}`, { title: 'x' })).tags).toEqual(['d', 'e'])
    expect((await ask(`GET /essays/${made.id}`)).tags).toEqual(['d', 'e'])
  })
})
