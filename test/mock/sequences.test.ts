// A mock under any sequence of requests: what it holds is what a model of three lines for each verb says.
import { collectionOf, endpoint, inherit, mediaType, route, t } from 'edict'
import { mock } from 'edict/mock'
import fc from 'fast-check'
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

type Row = Record<string, unknown>
interface Shelved {
  readonly row: Row
  readonly books: Map<string, Row>
}

// --- steps -----------------------------------------------------------------------------

const text = fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 20 })
const moment = fc.date({ min: new Date(0), max: new Date(4e12), noInvalidDate: true }).map((one) => one.toISOString())
const book = fc.record(
  {
    title: text,
    note: fc.option(text),
    // A structure without any values is the same as none where its values are columns.
    size: fc.record({ width: fc.nat(99), height: fc.nat(99) }, { requiredKeys: ['width'] }),
    tags: fc.array(text, { maxLength: 3 }),
    lent: fc.array(fc.option(moment), { maxLength: 3 }),
    bought: moment,
  },
  { requiredKeys: [] },
)
const shelf = fc.integer({ min: 1, max: 6 })
const isbn = fc.constantFrom('aa-00', 'aa-01', 'zz-99')
/** A book that is there, by its place among those of its shelf, or one by its key, which may be there. */
const which = fc.oneof(fc.nat(3), isbn)
const step = fc.oneof(
  fc.record({ do: fc.constant('add' as const), label: text }),
  fc.record({ do: fc.constant('rename' as const), shelf, label: text }),
  fc.record({ do: fc.constant('clear' as const), shelf }),
  fc.record({ do: fc.constant('create' as const), shelf, isbn, title: text, book }),
  fc.record({ do: fc.constant('change' as const), shelf, which, book }),
  fc.record({ do: fc.constant('remove' as const), shelf, which }),
)
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never

class Library {
  readonly #app = mock({ Shelves, Books } as never, { rows: 4 })
  readonly #shelves = new Map<number, Shelved>()

  async ask(line: string, body?: unknown): Promise<{ status: number; body: any; location: string | null }> {
    const [method = '', path = ''] = line.split(' ')
    const sent =
      body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }
    const response = await this.#app.fetch(new Request(`http://a${path}`, { method, ...sent }))
    const { status, headers } = response
    return { status, location: headers.get('location'), body: status === 204 ? undefined : await response.json() }
  }

  /** Takes over what there is at the beginning. */
  async begin(): Promise<void> {
    for (const row of (await this.ask('GET /shelves')).body) {
      const listed = (await this.ask(`GET /shelves/${row.id}/books`)).body as Row[]
      this.#shelves.set(row.id, { row, books: new Map(listed.map((one) => [one['isbn'] as string, one])) })
    }
    expect(this.#shelves.size).toBe(4)
  }

  /** Looks at all that there is. */
  async look(): Promise<void> {
    const byId = (rows: readonly Row[]) => [...rows].sort((a, b) => (a['id'] as number) - (b['id'] as number))
    const shelves = [...this.#shelves.values()]
    expect(byId((await this.ask('GET /shelves')).body)).toEqual(byId(shelves.map(({ row }) => row)))
    for (let id = 1; id < 8; id++) {
      const known = this.#shelves.get(id)
      const listed = await this.ask(`GET /shelves/${id}/books`)
      expect([id, listed.status]).toEqual([id, known === undefined ? 404 : 200])
      if (known === undefined) continue
      const byKey = (rows: readonly Row[]) => [...rows].sort((a, b) => (String(a['isbn']) < String(b['isbn']) ? -1 : 1))
      expect(byKey(listed.body)).toEqual(byKey([...known.books.values()]))
      for (const [key, row] of known.books)
        expect((await this.ask(`GET /shelves/${id}/books/${key}`)).body).toEqual(row)
    }
  }

  async take(one: Step): Promise<void> {
    if (one.do === 'add') return this.#add(one.label)
    const known = this.#shelves.get(one.shelf)
    const path = `/shelves/${one.shelf}`
    if (one.do === 'rename') {
      const answer = await this.ask(`PATCH ${path}`, { label: one.label })
      if (known === undefined) return expect(answer.status).toBe(404)
      known.row['label'] = one.label
      expect([answer.status, answer.body]).toEqual([200, known.row])
    } else if (one.do === 'clear') {
      expect((await this.ask(`DELETE ${path}`)).status).toBe(known === undefined ? 404 : 204)
      this.#shelves.delete(one.shelf)
    } else if (one.do === 'create') await this.#create(path, known, { ...one.book, isbn: one.isbn, title: one.title })
    else await this.#existing(path, known, one)
  }

  async #add(label: string): Promise<void> {
    const { status, body } = await this.ask('POST /shelves', { label })
    expect([status, body.label]).toEqual([201, label])
    expect(this.#shelves.has(body.id)).toBe(false)
    this.#shelves.set(body.id, { row: body, books: new Map() })
  }

  async #create(path: string, known: Shelved | undefined, sent: Row): Promise<void> {
    const { status, body, location } = await this.ask(`POST ${path}/books`, sent)
    if (known === undefined) return expect(status).toBe(404)
    const key = sent['isbn'] as string
    // A key names one book of its shelf.
    const taken = known.books.has(key)
    expect(status).toBe(taken ? 409 : 201)
    if (taken) return
    expect(location).toBe(`${path}/books/${key}`)
    expect(body).toMatchObject(sent)
    known.books.set(key, body)
  }

  async #existing(path: string, known: Shelved | undefined, one: Extract<Step, { which: unknown }>): Promise<void> {
    const key = typeof one.which === 'string' ? one.which : ([...(known?.books.keys() ?? [])][one.which] ?? 'no-00')
    const row = known?.books.get(key)
    const at = `${path}/books/${key}`
    if (one.do === 'remove') {
      expect((await this.ask(`DELETE ${at}`)).status).toBe(row === undefined ? 404 : 204)
      known?.books.delete(key)
      return
    }
    const { status, body } = await this.ask(`PATCH ${at}`, one.book)
    expect(status).toBe(row === undefined ? 404 : 200)
    if (row === undefined || known === undefined) return
    // Structures are changed in part as well.
    const size = one.book.size === undefined ? row['size'] : { ...(row['size'] as object), ...one.book.size }
    const now = { ...row, ...one.book, ...(size !== undefined && { size }) }
    expect(body).toEqual(now)
    known.books.set(key, now)
  }
}

describe('a mock', () => {
  it('holds what any sequence of requests leaves in it', () =>
    fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), async (steps) => {
        const library = new Library()
        await library.begin()
        for (const one of steps) await library.take(one)
        await library.look()
      }),
      { numRuns: runs(8, 100, 300) },
    ))
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

  it('a list that is sent takes the place of the one before', async () => {
    const ask = await world()
    const made = await ask('POST /essays', { tags: ['a', 'b', 'c'] })
    expect(made.tags).toEqual(['a', 'b', 'c'])
    expect((await ask(`PATCH /essays/${made.id}`, { tags: ['d', 'e'] })).tags).toEqual(['d', 'e'])
    expect((await ask(`PATCH /essays/${made.id}`, { title: 'x' })).tags).toEqual(['d', 'e'])
    expect((await ask(`GET /essays/${made.id}`)).tags).toEqual(['d', 'e'])
  })
})
