// Preconditions (RFC 9110, section 13.2.2) by a model of their own, on every way that edict judges them: reads through a
// resource, by checkConditions, by the returned element and by the body; changes in a statement and by checkConditions.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { application, endpoint, mediaType, route, t } from '../../src/index.ts'
import { checkConditions, conditional, etag, lastModified } from '../../src/plugins/conditional/index.ts'
import { mapper, memoryDatastore, resource } from '../../src/plugins/mapper/index.ts'
import { askFetch, askSocket, recorder } from '../support/ask.ts'
import { runs } from '../support/runs.ts'

const Book = mediaType('Book', {
  attributes: { id: t.integer(), title: t.string(), version: t.integer(), updated_at: t.dateTime() },
})
const id = { id: t.integer() }
const policies = [etag('version'), lastModified('updated_at')]
const responses = { ok: Book, notFound: true } as const
const Books = endpoint('Books', {
  mediaType: Book,
  actions: {
    found: { routing: [route.get('/found/:id'), route.query('/found/:id')], params: id, policies, responses },
    checked: { routing: [route.get('/checked/:id'), route.query('/checked/:id')], params: id, policies, responses },
    returned: { routing: [route.get('/returned/:id'), route.query('/returned/:id')], params: id, policies, responses },
    body: {
      routing: [route.get('/body/:id'), route.query('/body/:id')],
      params: id,
      policies: [etag('body')],
      responses: { ok: Book },
    },
    update: { routing: route.patch('/found/:id'), params: id, payload: { title: t.string() }, policies, responses },
    remove: {
      routing: route.delete('/found/:id'),
      params: id,
      policies,
      responses: { noContent: true, notFound: true },
    },
    change: { routing: route.put('/checked/:id'), params: id, policies, responses },
  },
})

const SECOND = Date.parse('2026-01-02T03:04:05Z')
const row = { id: 1, title: 'Emma', version: 7, updated_at: new Date(SECOND + 600) }

function library() {
  const memory = memoryDatastore({
    books: {
      columns: {
        id: { kind: 'integer' },
        title: { kind: 'text' },
        version: { kind: 'integer' },
        updated_at: { kind: 'dateTime' },
      },
      key: ['id'],
      rows: [row],
    },
  })
  const books = resource(memory, Book, { table: 'books' })
  const there = (wanted: number) => (wanted === 1 ? row : undefined)
  return application({
    plugins: [mapper({ resources: { books } }), conditional()],
    logger: recorder(),
    controllers: [
      Books.implement({
        async found({ id: wanted }, { request, reply }) {
          const book = await books.find(wanted, request)
          return book ? reply.ok(book) : reply.notFound()
        },
        checked({ id: wanted }, { request, reply }) {
          checkConditions(request, there(wanted))
          return wanted === 1 ? reply.ok({ id: 1, title: 'Emma' }) : reply.notFound()
        },
        returned: ({ id: wanted }, { reply }) => (wanted === 1 ? reply.ok(row) : reply.notFound()),
        body: (_, { reply }) => reply.ok(row),
        async update({ id: wanted }, { request, reply }) {
          const changed = await books.update(wanted, request.payload, { request })
          return changed ? reply.ok(row) : reply.notFound()
        },
        remove: async ({ id: wanted }, { request, reply }) =>
          (await books.delete(wanted, { request })) ? reply.noContent() : reply.notFound(),
        change({ id: wanted }, { request, reply }) {
          checkConditions(request, there(wanted))
          return wanted === 1 ? reply.ok(row) : reply.notFound()
        },
      }),
    ],
  })
}

/** A list of tags: by name, so that it can be written with the tag of any way. */
type TagName = 'own' | 'weak own' | 'other' | 'weak other'
interface Sent {
  readonly match?: readonly TagName[] | '*' | 'garbage'
  readonly noneMatch?: readonly TagName[] | '*' | 'garbage'
  /** Seconds from the time of the last change, or no date. */
  readonly since?: number | 'garbage'
  readonly unmodified?: number | 'garbage'
}

const tags = fc.oneof(
  fc.constantFrom<'*' | 'garbage'>('*', 'garbage'),
  fc.uniqueArray(fc.constantFrom<TagName>('own', 'weak own', 'other', 'weak other'), { minLength: 1, maxLength: 3 }),
)
const time = fc.constantFrom<number | 'garbage'>(-86_400, -1, 0, 1, 86_400, 'garbage')
const sent: fc.Arbitrary<Sent> = fc.record(
  { match: tags, noneMatch: tags, since: time, unmodified: time },
  { requiredKeys: [] },
)

const written = (list: NonNullable<Sent['match']>, own: string): string => {
  if (list === '*') return '*'
  if (list === 'garbage') return '7, x'
  const texts = { own, 'weak own': `W/${own}`, other: '"8"', 'weak other': 'W/"8"' }
  return list.map((name) => texts[name]).join(', ')
}
const timed = (at: number | 'garbage'): string =>
  at === 'garbage' ? 'yesterday' : new Date(SECOND + at * 1000).toUTCString()
const headersOf = ({ match, noneMatch, since, unmodified }: Sent, own: string): Record<string, string> => ({
  ...(match !== undefined && { 'if-match': written(match, own) }),
  ...(noneMatch !== undefined && { 'if-none-match': written(noneMatch, own) }),
  ...(since !== undefined && { 'if-modified-since': timed(since) }),
  ...(unmodified !== undefined && { 'if-unmodified-since': timed(unmodified) }),
})

/** The outcome by the words of the RFC; where a change, or `If-Match`, depends on a condition that cannot be read, a 400. */
function outcome(
  { match, noneMatch, since, unmodified }: Sent,
  reads: boolean,
  hasTime: boolean,
): 'go' | 304 | 400 | 412 {
  if (match === 'garbage' || (!reads && (noneMatch === 'garbage' || unmodified === 'garbage'))) return 400
  const names = (list: Sent['match']): readonly string[] => (Array.isArray(list) ? list : [])
  if (match !== undefined) {
    if (match !== '*' && !names(match).includes('own')) return 412
  } else if (hasTime && typeof unmodified === 'number' && unmodified < 0) return 412
  if (noneMatch !== undefined) {
    if (noneMatch === '*' || names(noneMatch).some((name) => name.endsWith('own'))) return reads ? 304 : 412
  } else if (reads && hasTime && typeof since === 'number' && since >= 0) return 304
  return 'go'
}

const WAYS = ['found', 'checked', 'returned', 'body'] as const

describe('a read under preconditions', () => {
  const app = library()
  it.each(WAYS)('[CND-01] is judged as the RFC says: %s', async (way) => {
    const line = `/books/${way}/1`
    // An action that shows no version has it checked, and is not tagged.
    const own = (await askFetch(app, `GET ${line}`)).headers['etag'] ?? '"7"'
    await fc.assert(
      fc.asyncProperty(sent, fc.constantFrom('GET', 'HEAD', 'QUERY'), async (conditions, method) => {
        const expected = outcome(conditions, true, way !== 'body')
        const headers = headersOf(conditions, own)
        const asked = { headers, ...(method === 'QUERY' && { body: {} }) }
        const { status, headers: got, text } = await askFetch(app, `${method} ${line}`, asked)
        expect([conditions, status]).toEqual([conditions, expected === 'go' ? 200 : expected])
        expect([got['etag'] !== undefined, text === '']).toEqual([
          expected !== 412 && expected !== 400 && (way !== 'checked' || expected === 304),
          expected === 304 || method === 'HEAD',
        ])
      }),
      { numRuns: runs(150, 5000) },
    )
  })

  it.each(WAYS)('[CND-01] takes no weak tag for the same in If-Match, over a socket too: %s', async (way) => {
    const own = (await askSocket(app, `GET /books/${way}/1`)).headers['etag'] ?? '"7"'
    for (const method of ['GET', 'HEAD']) {
      const status = async (match: string) =>
        (await askSocket(app, `${method} /books/${way}/1`, { headers: { 'if-match': match } })).status
      expect([await status(own), await status(`W/${own}`), await status(`W/${own}, ${own}`)]).toEqual([200, 412, 200])
    }
  })
})

describe('a change under preconditions', () => {
  const ways = [
    ['PATCH', 'found', 200, {}],
    ['DELETE', 'found', 204, undefined],
    ['PUT', 'checked', 200, undefined],
  ] as const
  it.each(ways)('[CND-02] is judged as the RFC says: %s %s', async (method, way, done, body) => {
    let app = library()
    await fc.assert(
      fc.asyncProperty(sent, async (conditions) => {
        const expected = outcome(conditions, false, true)
        const asked = { headers: headersOf(conditions, '"7"'), ...(body !== undefined && { body }) }
        const { status } = await askFetch(app, `${method} /books/${way}/1`, asked)
        expect([conditions, status]).toEqual([conditions, expected === 'go' ? done : expected])
        if (method === 'DELETE' && expected === 'go') app = library()
      }),
      { numRuns: runs(150, 5000) },
    )
  })
})

describe('what is not there', () => {
  const app = library()
  it.each(['GET /books/checked/2', 'PUT /books/checked/2', 'PATCH /books/found/2', 'DELETE /books/found/2'])(
    '[CND-02] meets If-None-Match and times, and is never changed: %s',
    async (line) => {
      const statusOf = async (conditions: Sent) => {
        const body = line.startsWith('PATCH') ? { body: {} } : {}
        return (await askFetch(app, line, { headers: headersOf(conditions, '"7"'), ...body })).status
      }
      // A response that would be no success may stay as it is (section 13.2.1): a statement finds nothing to change.
      const failed = line.includes('checked') ? 412 : 404
      for (const match of ['*', ['own'], ['weak own'], ['other', 'own']] as const)
        expect([match, await statusOf({ match })]).toEqual([match, failed])
      for (const noneMatch of ['*', ['own'], ['other']] as const)
        expect([noneMatch, await statusOf({ noneMatch })]).toEqual([noneMatch, 404])
      for (const at of [-1, 0, 1] as const) expect(await statusOf({ since: at, unmodified: at })).toBe(404)
    },
  )
})
