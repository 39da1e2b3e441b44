// Changes inside envelopes of any names, depth and siblings: contracts, drift, refusals and clients name the place inside.
import { type Attribute, application, controller, endpoint, mediaType, route, t } from 'edict'
import { client, ResponseError } from 'edict/client'
import { drift } from 'edict/drift'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { diffContracts } from '../../src/contract/diff/diff.ts'
import { askFetch } from '../support/ask.ts'
import { type Envelope, envelopes } from '../support/envelopes.ts'
import { runs } from '../support/runs.ts'

const numRuns = runs(15, 200)

const typeOf = (title: Attribute) =>
  mediaType('Book', { identifier: 'application/json', attributes: { id: t.integer({ required: true }), title } })

const short = t.string({ required: true, max: 20 })
const free = t.string()

/** An application whose bodies are in envelopes, with an attribute in what it takes, shows, lists and refuses with. */
function build(around: Envelope, { sent = short, shown = short, failed = short }: Readonly<Record<string, Attribute>>) {
  const Book = typeOf(shown)
  const params = { id: t.integer({ required: true }) }
  const Books = endpoint('Books', {
    actions: {
      index: { routing: route.get('/'), responses: { ok: around.wrap(t.array(Book, { required: true })) } },
      show: {
        routing: route.get('/:id'),
        params,
        responses: {
          ok: around.wrap(t.ref(Book, { required: true })),
          notFound: around.wrap(t.object({ title: failed }, { required: true })),
        },
      },
      create: {
        routing: route.post('/'),
        payload: around.wrap(t.object({ title: sent }, { required: true })),
        responses: { noContent: true },
      },
    },
  } as never)
  const watch = drift({ sample: 1 })
  let body: unknown
  const books = controller(Books, {
    index: (_: unknown, { reply }: any) => reply.ok(body),
    show: (_: unknown, { reply }: any) => reply.ok(body),
    create: (_: unknown, { reply }: any) => reply.noContent(),
  } as never)
  const logger = { info() {}, warn() {}, error() {} }
  const app = application({ controllers: [books], plugins: [watch], environment: 'production', logger })
  const respond = (with_: unknown) => {
    body = with_
  }
  return { Books, app, watch, respond }
}

const contractOf = (around: Envelope, titles: Readonly<Record<string, Attribute>>) =>
  build(around, titles).app.contract()

/** The place of an attribute in an envelope, as contracts write it. */
const inside = ({ path }: Envelope, ...more: readonly string[]): string => [...path, ...more].join('.')
const pointerOf = ({ path }: Envelope, ...more: readonly unknown[]): string => `/${[...path, ...more].join('/')}`

describe('[FOR-01] inside an envelope of any names, depth and siblings', () => {
  it('a contract has the same as itself, and finds a change in what is shown, listed, sent and refused with', () => {
    fc.assert(
      fc.property(envelopes, (around) => {
        const changes = (titles: Readonly<Record<string, Attribute>>) =>
          diffContracts(contractOf(around, {}), contractOf(around, titles)).map(({ kind, location }) => [
            kind,
            location,
          ])
        expect(changes({})).toEqual([])
        const shown = changes({ shown: free })
        expect(shown).toContainEqual(['breaking', expect.stringContaining(inside(around, 'title'))])
        expect(shown.filter(([, place]) => place?.startsWith('Books.index'))).not.toEqual([])
        const narrower = t.string({ required: true, max: 3 })
        expect(changes({ sent: narrower })).toContainEqual(['breaking', expect.stringMatching(/^Books\.create/)])
        expect(changes({ sent: narrower }).every(([, place]) => place?.endsWith(inside(around, 'title')))).toBe(true)
        expect(changes({ failed: free })).toContainEqual(['breaking', expect.stringContaining(inside(around, 'title'))])
      }),
      { numRuns },
    )
  })

  it('drift names the pointer of what does not fit, in an element and in a list', async () => {
    await fc.assert(
      fc.asyncProperty(envelopes, async (around) => {
        const { app, watch, respond } = build(around, {})
        const long = { id: 1, title: 'x'.repeat(21) }
        respond(around.put(long))
        await askFetch(app, 'GET /books/1')
        respond(around.put([{ id: 2, title: 'short' }, long]))
        await askFetch(app, 'GET /books')
        const found = watch.findings().map(({ action, pointer, code }) => [action, pointer, code])
        expect(found).toContainEqual(['Books.show', pointerOf(around, 'title'), 'max-length'])
        expect(found).toContainEqual([
          'Books.index',
          expect.stringMatching(new RegExp(`^${pointerOf(around)}/[^/]+/title$`)),
          'max-length',
        ])
        expect(found).toHaveLength(2)
      }),
      { numRuns },
    )
  })

  it('a refusal names the pointer of what was sent', async () => {
    await fc.assert(
      fc.asyncProperty(envelopes, async (around) => {
        const { app } = build(around, {})
        const { status, json } = await askFetch(app, 'POST /books', { body: around.put({ title: 'x'.repeat(21) }) })
        expect(status).toBe(400)
        const pointers = json.errors.map(({ pointer, code }: Record<string, string>) => [pointer, code])
        expect(pointers).toContainEqual([pointerOf(around, 'title'), 'max-length'])
      }),
      { numRuns },
    )
  })

  it('a client names the place of what it cannot read', async () => {
    await fc.assert(
      fc.asyncProperty(envelopes, async (around) => {
        const { Books } = build(around, {})
        const body = JSON.stringify(around.put({ id: 'one', title: 'x' }))
        const headers = { 'Content-Type': 'application/json' }
        const fetch = async () => new Response(body, { headers })
        const api: any = client({ Books }, { baseUrl: 'http://api.test', fetch })
        const error = await api.Books.show.ok({ id: 1 }).catch((one: unknown) => one)
        expect(error).toBeInstanceOf(ResponseError)
        expect(error.message).toContain(pointerOf(around, 'id'))
      }),
      { numRuns },
    )
  })
})
