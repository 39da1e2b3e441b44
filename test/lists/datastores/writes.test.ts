// Payloads that are whole media types: whatever a client sends of relations, lists, computed attributes and keys is written or
// refused by its place, in every datastore, and no change moves an element to another key.
import { application, endpoint, mediaType, route, t } from 'edict'
import { mapper, memoryDatastore, one, resource } from 'edict/mapper'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { askFetch } from '../../support/ask.ts'
import { Book, Review } from '../../support/library/design.ts'
import { everywhere, type Reader } from '../../support/library/reader.ts'
import { runs } from '../../support/runs.ts'

const id = fc.oneof(fc.integer({ min: 1, max: 12 }), fc.integer({ min: 60, max: 90 }))
const word = fc.string({ unit: 'grapheme-ascii', maxLength: 20 })
const some = <V>(value: fc.Arbitrary<V>) => fc.option(value, { nil: undefined })
const city = fc.record({ city: word, country: word }, { requiredKeys: [] })
const author = fc.record({ id, name: word, born_on: fc.constant('1815-12-10'), home: city }, { requiredKeys: [] })
const review = fc.record({ book_id: id, number: id, stars: fc.integer({ min: 1, max: 5 }) }, { requiredKeys: [] })
const book = fc.record(
  {
    id,
    title: fc.oneof(word, fc.constant(null)),
    subtitle: fc.option(word),
    kind: fc.constantFrom('novel', 'essay'),
    pages: fc.option(fc.oneof(fc.integer(), fc.constant(2 ** 40))),
    price: fc.option(fc.double({ noNaN: true, noDefaultInfinity: true })),
    copies: fc.oneof(fc.bigInt({ min: -(2n ** 80n), max: 2n ** 80n }).map(String), fc.constant(null)),
    label: word,
    shelf_mates: fc.nat(),
    author: fc.oneof(author, fc.constant(null)),
    tags: fc.array(word, { maxLength: 2 }),
    reviews: fc.array(review, { maxLength: 2 }),
  },
  { requiredKeys: [] },
)

// The media type itself, but for a related element that need not have all that its own media type requires.
const loose = {
  ...Book.attributes,
  author: t.object(
    { id: t.integer(), name: t.string(), born_on: t.date(), home: t.object({ city: t.string(), country: t.string() }) },
    { nullable: true },
  ),
}

/** An application whose actions write what they are sent. */
function appOf({ library, log }: Reader, settings: object = {}) {
  const responses = { noContent: true, notFound: true } as const
  const Books = endpoint('Books', {
    actions: {
      create: { routing: route.post('/'), payload: loose, responses },
      update: { routing: route.patch('/:id'), params: { id: t.integer() }, payload: loose, responses },
    },
  })
  const Reviews = endpoint('Reviews', {
    actions: {
      update: {
        routing: route.patch('/:book_id/:number'),
        params: { book_id: t.integer(), number: t.integer() },
        payload: { ...Review.attributes },
        responses,
      },
    },
  })
  const { books, reviews } = library
  return application({
    ...settings,
    logger: log,
    plugins: [mapper({ resources: library })],
    controllers: [
      Books.implement({
        async create(_, { request, reply }) {
          await books.create(request.payload)
          return reply.noContent()
        },
        update: async ({ id }, { request, reply }) =>
          (await books.update(id, request.payload)) ? reply.noContent() : reply.notFound(),
      }),
      Reviews.implement({
        update: async ({ book_id, number }, { request, reply }) =>
          (await reviews.update({ book_id, number }, request.payload)) ? reply.noContent() : reply.notFound(),
      }),
    ],
  })
}

/** Says where the mistakes of a refused payload are. */
function refusedPlaces(body: string): string[] {
  const { code, detail, errors } = JSON.parse(body)
  if (code === 'validation') return errors.map(({ in: part, pointer }: any) => `${part} ${pointer}`)
  return code === 'unfit-value' || code === 'conflict' ? [detail ?? code] : []
}

const required = { id: 1, title: 'x' }
const numRuns = runs(40, 150)

await everywhere((reader) => {
  describe('a payload that is a media type', () => {
    test('is written, or refused with the location of its mistakes', async () => {
      const app = appOf(reader)
      await fc.assert(
        fc.asyncProperty(book, id, fc.boolean(), async (sent, key, isNew) => {
          const body = isNew ? { ...required, ...sent } : { ...required, id: key, ...sent }
          const { status, text } = await askFetch(app, isNew ? 'POST /books' : `PATCH /books/${key}`, { body })
          expect([200, 204, 400, 404, 409, 422]).toContain(status)
          if (status !== 404 && status >= 400) expect(refusedPlaces(text)).not.toEqual([])
          const unwritable = ['label', 'shelf_mates'].filter((name) => name in sent)
          if (unwritable.length > 0) expect(status).toBeGreaterThanOrEqual(400)
        }),
        { numRuns },
      )
    }, 60_000)

    test.each<readonly [object, string]>([
      [{ author: { name: 'x' } }, '/author/id'],
      [{ author: {} }, '/author/id'],
      [{ tags: ['none of the tags'] }, '/tags/0'],
      [{ label: 'x' }, '/label'],
      [{ shelf_mates: 1 }, '/shelf_mates'],
      [{ id: 9999 }, '/id'],
    ])('%j is refused at %s', async (sent, pointer) => {
      const app = appOf(reader)
      const { status, json } = await askFetch(app, 'PATCH /books/1', { body: { id: 1, title: 'x', ...sent } })
      expect([status, json.errors]).toMatchObject([400, [{ in: 'payload', pointer }]])
    })

    test('that changes nothing finds what there is, and nothing else', async () => {
      const { books } = reader.library
      expect([await books.update(1, {}), await books.update(9999, {})].map(Boolean)).toEqual([true, false])
    })

    test('is refused with the status that the application has for requests that break their declarations', async () => {
      const app = appOf(reader, { validation: { status: 422 } })
      const { status, json } = await askFetch(app, 'PATCH /books/1', { body: { id: 1, title: 'x', label: 'y' } })
      expect([status, json.status, json.code]).toEqual([422, 422, 'validation'])
    })

    test('changes no key, of one field or of several', async () => {
      const app = appOf(reader)
      const { books, reviews } = reader.library
      const count = async () => [
        (await books.list({ limit: Infinity })).length,
        (await reviews.list({ limit: Infinity })).length,
      ]
      const before = await count()
      await fc.assert(
        fc.asyncProperty(some(id), some(id), some(id), async (sent, book_id, number) => {
          const body = { title: 'Kept', id: sent ?? 2 }
          const one = await askFetch(app, 'PATCH /books/2', { body })
          expect(one.status).toBe(body.id === 2 ? 204 : 400)
          const parts = { book_id: book_id ?? 1, number: number ?? 1 }
          const other = await askFetch(app, 'PATCH /reviews/1/1', { body: { ...parts, stars: 1 } })
          expect(other.status).toBe(parts.book_id === 1 && parts.number === 1 ? 204 : 400)
          expect(await books.find(2)).toBeDefined()
          expect(await reviews.find({ book_id: 1, number: 1 })).toBeDefined()
        }),
        { numRuns: 20 },
      )
      expect(await count()).toEqual(before)
    }, 60_000)
  })
})

describe('a key that is reached on other ways', () => {
  const Owner = mediaType('Owner', { attributes: { id: t.integer(), name: t.string() } })
  const Profile = mediaType('Profile', {
    attributes: { id: t.integer(), number: t.integer(), owner: Owner, slug: t.string(), text: t.string() },
  })
  const integer = { kind: 'integer' } as const
  const store = memoryDatastore({
    owners: { columns: { id: integer, name: { kind: 'text' } }, key: ['id'], rows: [{ id: 1, name: 'a' }] },
    profiles: {
      columns: { id: integer, slug: { kind: 'text' }, text: { kind: 'text', nullable: true } },
      key: ['id'],
      unique: [['slug']],
      rows: [{ id: 1, slug: 'one', text: 'x' }],
    },
  })
  const owners = resource(store, Owner, { table: 'owners' })
  const attributes = { number: 'id', owner: one(owners, { id: 'id' }) }
  const profiles = resource(store, Profile, { table: 'profiles', attributes })
  const bySlug = resource(store, Profile, { table: 'profiles', key: ['slug'], attributes })
  const refusal = async (work: Promise<unknown>) =>
    work.then(
      (done) => done,
      ({ problem }) => problem.errors.map(({ pointer, code }: any) => `${pointer} ${code}`),
    )

  test('stays: by a relation that shares its column, by another attribute, by another key than the primary', async () => {
    expect(await refusal(profiles.update(1, { owner: { id: 2 } }))).toEqual(['/owner/id unchangeable'])
    expect(await refusal(profiles.update(1, { number: 2 }))).toEqual(['/number unchangeable'])
    expect(await refusal(bySlug.update('one', { slug: 'two' }))).toEqual(['/slug unchangeable'])
    expect(await refusal(bySlug.update('one', { id: 1 }))).toEqual(['/id unchangeable'])
    expect(await refusal(profiles.update(1, { owner: { id: 1 }, number: 1, id: 1, text: 'y' }))).toBe(true)
    expect(await profiles.find(1)).toMatchObject({ id: 1, slug: 'one', text: 'y' })
  })

  test('changes where the action says so', async () => {
    expect(await bySlug.update('one', { slug: 'two' }, { rekey: true })).toBe(true)
    expect(await profiles.find(1)).toMatchObject({ id: 1, slug: 'two' })
    expect(await bySlug.update('two', { slug: 'one' }, { rekey: true })).toBe(true)
  })

  test('has one value in a new element', async () => {
    expect(await refusal(profiles.create({ id: 5, number: 6, slug: 'five' }))).toEqual(['/number contradiction'])
  })
})
