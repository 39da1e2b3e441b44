// Writes to a mock: only the named attributes change, and clients read back what they wrote.
import { type Attribute, type Attributes, collectionOf, endpoint, mediaType, route, t } from 'edict'
import { mock } from 'edict/mock'
import { describe, expect, it } from 'vitest'

type Mock = ReturnType<typeof mock>

async function ask(app: Mock, line: string, body?: unknown): Promise<{ status: number; body: any }> {
  const [method = '', path = ''] = line.split(' ')
  const sent = body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }
  const response = await app.fetch(new Request(`http://a${path}`, { method, ...sent }))
  const text = await response.text()
  return { status: response.status, body: text === '' ? undefined : JSON.parse(text) }
}

const required = { required: true } as const
const id = t.integer(required)

const optional = (one: Attribute): Attribute => t.ref(one, { required: false, nullable: true })

/** An endpoint with the usual actions of a media type. */
function crud(name: string, of: any, key: Record<string, any> = { id }) {
  const element = `/${Object.keys(key)
    .map((one) => `:${one}`)
    .join('/')}`
  // Clients send what they like of an element.
  const loose = Object.entries(of.attributes as Attributes).map(([one, attribute]) => [one, optional(attribute)])
  const payload = t.object(Object.fromEntries(loose))
  return endpoint(name, {
    mediaType: of,
    actions: {
      index: { routing: route.get('/'), responses: { ok: collectionOf(of) } },
      show: { routing: route.get(element), params: key, responses: { ok: of, notFound: true } },
      create: { routing: route.post('/'), payload, responses: { created: of } },
      update: { routing: route.patch(element), params: key, payload, responses: { ok: of, notFound: true } },
      delete: { routing: route.delete(element), params: key, responses: { noContent: true, notFound: true } },
    },
  } as never)
}

const Author = mediaType('Author', {
  attributes: { id, name: t.string(required) },
  views: { default: ['id', 'name'] },
})
const Book: any = mediaType('Book', {
  attributes: {
    id,
    title: t.string(),
    author: Author,
    tags: t.array(t.string(), { nullable: true }),
    at: t.dateTime(required),
  },
  views: { default: ['id', 'title', 'author', 'tags', 'at'] },
})
const Shelf = mediaType('Shelf', {
  attributes: { id, books: t.array(Book) },
  views: { default: ['id', 'books'] },
})

const library = (rows = 4): Mock =>
  mock([crud('Authors', Author), crud('Books', Book), crud('Shelves', Shelf)] as never, { rows })

describe('a reference', () => {
  it('that is sent as null is nothing, and stays so', async () => {
    const app = library()
    const made = await ask(app, 'POST /books', { id: 77, author: { id: 1, name: 'x' } })
    expect([made.status, made.body.author?.id]).toEqual([201, 1])
    const { id: own } = made.body
    const changed = await ask(app, `PATCH /books/${own}`, { author: null })
    expect([changed.status, changed.body.author ?? null]).toEqual([200, null])
    expect((await ask(app, `GET /books/${own}`)).body.author ?? null).toBeNull()
    // Nothing else is empty now.
    expect((await ask(app, 'GET /authors/1')).status).toBe(200)
  })
})

describe('a list of others', () => {
  it('takes the named elements, and leaves those of others where they are', async () => {
    const app = library(6)
    const before = (await ask(app, 'GET /shelves')).body as { id: number; books: { id: number }[] }[]
    const [first, ...rest] = before
    const [second] = rest.filter(({ books }) => books.length > 0)
    expect(second).toBeDefined()
    const free = (await ask(app, 'POST /books', {})).body
    const sent = { books: [{ id: free.id, at: free.at }] }
    expect((await ask(app, `PATCH /shelves/${first?.id}`, sent)).status).toBe(200)
    const after = (await ask(app, 'GET /shelves')).body as typeof before
    expect(after.find((one) => one.id === first?.id)?.books.map((one) => one.id)).toEqual([free.id])
    const others = (all: typeof before) =>
      all.filter((one) => one.id !== first?.id).map((one) => [one.id, one.books.map((book) => book.id)])
    expect(others(after)).toEqual(others(before))
  })

  it('of plain values may be null, empty and full', async () => {
    const app = library()
    for (const tags of [null, [], ['a', 'b']]) {
      const made = await ask(app, 'POST /books', { tags })
      expect([made.status, made.body.tags ?? null]).toEqual([201, tags])
      const { body } = await ask(app, `GET /books/${made.body.id}`)
      expect(body.tags ?? null).toEqual(tags)
    }
  })
})

it('a key that is a text and was not sent is another one for every element', async () => {
  const slug = t.string({ ...required, max: 12 })
  const Page = mediaType('Page', { attributes: { slug, size: t.integer() }, views: { default: ['slug', 'size'] } })
  const payload = t.object({ size: t.integer() })
  const actions = {
    index: { routing: route.get('/'), responses: { ok: collectionOf(Page) } },
    show: { routing: route.get('/:slug'), params: { slug }, responses: { ok: Page, notFound: true } },
    create: { routing: route.post('/'), payload, responses: { created: Page } },
  } as const
  const app = mock([endpoint('Pages', { mediaType: Page, actions })] as never, { rows: 5 })
  for (let size = 0; size < 5; size++) {
    const { status, body } = await ask(app, 'POST /pages', { size })
    expect([status, body.size]).toEqual([201, size])
    expect((await ask(app, `GET /pages/${body.slug}`)).body).toEqual(body)
  }
  const slugs = ((await ask(app, 'GET /pages')).body as { slug: string }[]).map((one) => one.slug)
  expect([slugs.length, new Set(slugs).size]).toEqual([10, 10])
})

it('an element without a path of its own is the first one, as it is now', async () => {
  const User = mediaType('User', { attributes: { id, name: t.string(required) } })
  const actions = {
    index: { routing: route.get('/'), responses: { ok: collectionOf(User) } },
    current: { routing: route.get('/current'), responses: { ok: User } },
    update: { routing: route.patch('/:id'), params: { id }, payload: { name: t.string() }, responses: { ok: User } },
  }
  const app = mock([endpoint('Users', { mediaType: User, actions })] as never, { rows: 3 })
  const [first] = (await ask(app, 'GET /users')).body as { id: number }[]
  expect((await ask(app, 'GET /users/current')).body).toEqual(first)
  await ask(app, `PATCH /users/${first?.id}`, { name: 'Changed' })
  expect((await ask(app, 'GET /users/current')).body).toEqual({ ...first, name: 'Changed' })
})

it('a list that nothing else leads to takes new elements', async () => {
  const Note = mediaType('Note', { attributes: { id, text: t.string() } })
  const actions = {
    index: { routing: route.get('/'), responses: { ok: collectionOf(Note) } },
    create: { routing: route.post('/'), payload: { text: t.string() }, responses: { created: Note } },
  }
  const app = mock([endpoint('Notes', { mediaType: Note, actions })] as never, { rows: 2 })
  const { body } = await ask(app, 'POST /notes', { text: 'mine' })
  expect((await ask(app, 'GET /notes')).body.at(-1)).toEqual({ ...body, text: 'mine' })
})

it('moments differ from row to row, to the second', async () => {
  const { body } = await ask(library(40), 'GET /books')
  const moments = (body as { at: string }[]).map(({ at }) => at)
  expect(new Set(moments).size).toBeGreaterThan(15)
  expect(moments.every((one) => /^202[0-4]-.*Z$/.test(one))).toBe(true)
})

it('a text that is just long enough is left as it is', async () => {
  const rows = async (min: number): Promise<string[]> => {
    const Word = mediaType('Word', { attributes: { id, name: t.string({ ...required, min }) } })
    const actions = { index: { routing: route.get('/'), responses: { ok: collectionOf(Word) } } }
    const { body } = await ask(
      mock([endpoint('Words', { mediaType: Word, actions })] as never, { rows: 40 }),
      'GET /words',
    )
    return (body as { name: string }[]).map(({ name }) => name)
  }
  const free = await rows(0)
  for (const length of new Set(free.map((one) => one.length)))
    for (const [i, name] of (await rows(length)).entries()) if (free[i]?.length === length) expect(name).toBe(free[i])
})

it('what only its name says is a reference belongs to an element that there is', async () => {
  const Owner = mediaType('Owner', { attributes: { id, name: t.string() } })
  const Pet = mediaType('Pet', { attributes: { id, owner_id: t.integer(required) } })
  const app = mock([crud('Owners', Owner), crud('Pets', Pet)] as never, { rows: 5 })
  const owners = new Set(((await ask(app, 'GET /owners')).body as { id: number }[]).map((one) => one.id))
  const pets = (await ask(app, 'GET /pets')).body as { id: number; owner_id: number }[]
  expect(pets.every((pet) => owners.has(pet.owner_id))).toBe(true)
  const [pet] = pets
  // It cannot be without its owner.
  expect((await ask(app, `DELETE /owners/${pet?.owner_id}`)).status).toBe(204)
  expect((await ask(app, `GET /pets/${pet?.id}`)).status).toBe(404)
})

it('a key of a few listed values is used once for each element', async () => {
  const code = t.string({ ...required, values: ['a', 'b', 'c', 'd', 'e', 'f'] })
  const Seat = mediaType('Seat', { attributes: { code, row: t.integer() } })
  const app = mock([crud('Seats', Seat, { code })] as never, { rows: 3 })
  for (let row = 0; row < 3; row++) expect((await ask(app, 'POST /seats', { row })).status).toBe(201)
  const codes = ((await ask(app, 'GET /seats')).body as { code: string }[]).map((one) => one.code)
  expect(codes.sort()).toEqual(['a', 'b', 'c', 'd', 'e', 'f'])
})

it('an element that a few listed values do not tell apart is shown within others, with one of them', async () => {
  const Mark = mediaType('Mark', { attributes: { type: t.integer({ ...required, values: [0] }), note: t.string() } })
  const Text = mediaType('Text', {
    attributes: { id, mark: Mark, marks: t.array(Mark) },
    views: { default: ['id', 'mark', 'marks'] },
  })
  const app = mock([crud('Texts', Text)] as never, { rows: 6 })
  const { status, body } = await ask(app, 'GET /texts')
  expect([status, new Set((body as any[]).map(({ mark }) => mark?.type ?? 0))]).toEqual([200, new Set([0])])
})

it('elements are distinguished by their id where no path says otherwise', async () => {
  const Log = mediaType('Log', { attributes: { level: t.string({ ...required, values: ['info'] }), id } })
  const actions = { index: { routing: route.get('/'), responses: { ok: collectionOf(Log) } } }
  const app = mock([endpoint('Logs', { mediaType: Log, actions })] as never, { rows: 5 })
  const { body } = await ask(app, 'GET /logs')
  expect((body as object[]).map((one) => ({ ...one }))).toEqual(
    [1, 2, 3, 4, 5].map((own) => ({ level: 'info', id: own })),
  )
})

it('a name that ends in _id is no reference where it cannot hold every key', async () => {
  const Owner = mediaType('Owner', { attributes: { id, name: t.string() } })
  const Pet = mediaType('Pet', { attributes: { id, owner_id: t.integer({ ...required, max: 2 }) } })
  const app = mock([crud('Owners', Owner), crud('Pets', Pet)] as never, { rows: 6 })
  const pets = await ask(app, 'GET /pets')
  expect([pets.status, (pets.body as object[]).length]).toEqual([200, 6])
  // Such a pet stays when all owners are deleted.
  for (let own = 1; own <= 6; own++) expect((await ask(app, `DELETE /owners/${own}`)).status).toBe(204)
  expect((await ask(app, 'GET /pets')).body).toEqual(pets.body)
})
