// Envelopes of any names, depth and siblings, declared, written as a document, and imported again: the tools see the same in them.
import { type Application, type Attribute, application, controller, endpoint, mediaType, route, t } from 'edict'
import { mock } from 'edict/mock'
import fc from 'fast-check'
import { afterAll, describe, expect, it, vi } from 'vitest'
import { getMediaType, listShownParts } from '../../src/design/fields/shown-part.ts'
import { findPayloadPath } from '../../src/mock/payload-part.ts'
import { type Envelope, envelopes } from '../support/envelopes.ts'
import { runs } from '../support/runs.ts'
import { compareDocuments, untold } from './compare.ts'
import { compiled, load, type Made, made, removed } from './made.ts'

vi.setConfig({ testTimeout: 240_000 })

const folders: Made[] = []
afterAll(() => folders.forEach(removed))

const Thing = mediaType('Thing', {
  identifier: 'application/json',
  attributes: { id: t.integer({ required: true }), title: t.string({ required: true, max: 40 }), size: t.integer() },
})
const Failure = mediaType('Failure', {
  identifier: 'application/json',
  attributes: { reason: t.string({ required: true }) },
})

/** The envelopes of one endpoint: those of an element, of a list, of what is sent and of a failure. */
interface Envelopes {
  readonly one: Envelope
  readonly many: Envelope
  readonly sent: Envelope
  readonly failed: Envelope
}

const sets = fc.record({ one: envelopes, many: envelopes, sent: envelopes, failed: envelopes })

function declare({ one, many, sent, failed }: Envelopes, i: number) {
  const ref = (of: typeof Thing | typeof Failure): Attribute => t.ref(of as never, { required: true })
  const payload = sent.wrap(t.object({ title: t.string({ required: true, max: 40 }) }, { required: true }))
  const element = one.wrap(ref(Thing))
  const failures = { unprocessableContent: failed.wrap(ref(Failure)) }
  const params = { id: t.integer() }
  const name = `Things${i}`
  return endpoint(name, {
    prefix: `/things-${i}`,
    tags: [name],
    actions: {
      index: { routing: route.get('/'), responses: { ok: many.wrap(t.array(Thing, { required: true })) } },
      show: { routing: route.get('/:id'), params, responses: { ok: element, notFound: true } },
      create: { routing: route.post('/'), payload, responses: { created: element, ...failures } },
      change: { routing: route.patch('/:id'), params, payload, responses: { ok: element, ...failures } },
      remove: { routing: route.delete('/:id'), params, responses: { noContent: true, notFound: true } },
    },
  } as never)
}

function build(sets: readonly Envelopes[]): Application {
  const refuse = () => {
    throw new Error('never called')
  }
  const controllers = sets.map((one, i) => {
    const definition = declare(one, i)
    const names = ['index', 'show', 'create', 'change', 'remove']
    return controller(definition, Object.fromEntries(names.map((name) => [name, refuse])) as never)
  })
  return application({ title: 'Envelopes', controllers })
}

const describeParts = (attribute: Attribute) =>
  listShownParts(attribute).map(({ path, isList, resource }) => ({ path, isList, of: getMediaType(resource).name }))

/** What tools see in the bodies of an application, by verb and path. */
const readParts = ({ endpoints }: Application) =>
  Object.fromEntries(
    endpoints
      .flatMap(({ actions }) => [...actions.values()])
      .map(({ routes: [route], responses, payload }) => [
        `${route?.verb} ${route?.path}`,
        {
          sent: payload && findPayloadPath(payload.attribute, Thing),
          shown: Object.fromEntries(
            [...responses.values()].map(({ status, bodies }) => [
              status,
              bodies.map(({ attribute }) => attribute && describeParts(attribute)),
            ]),
          ),
        },
      ]),
  )

const quiet = { info() {}, warn() {}, error() {} }

describe('[FOR-01] imported envelopes', () => {
  const some = fc.sample(sets, { numRuns: runs(8, 150), seed: 5 })
  const source = build(some)
  const importing = made(JSON.stringify(source.openapi()), 'openapi.json').then((one) => {
    folders.push(one)
    return one
  })

  it('have the same document, and nothing is left out', async () => {
    const one = await importing
    const differences = compareDocuments(one.document, (await load(one)).openapi() as never)
    expect(untold(differences, new Set(one.unsupported.map(({ pointer }) => pointer)))).toEqual([])
    expect(await compiled([one.folder])).toBe('')
  })

  it('show the same elements and lists at the same places', async () => {
    const [before, after] = [readParts(source), readParts(await load(await importing))]
    expect(after).toEqual(before)
    const [first] = some as [Envelopes]
    expect(before['GET /things-0']?.shown[200]).toEqual([[{ path: first.many.path, isList: true, of: 'Thing' }]])
    expect(before['POST /things-0']?.sent).toEqual(first.sent.path)
    expect(before['POST /things-0']?.shown[422]).toEqual([[{ path: first.failed.path, isList: false, of: 'Failure' }]])
  })

  it('keep in a mock what was sent', async () => {
    const app = mock(await load(await importing), { logger: quiet })
    const send = async (verb: string, path: string, body?: unknown) => {
      const headers = { 'Content-Type': 'application/json' }
      const init = body === undefined ? { method: verb } : { method: verb, headers, body: JSON.stringify(body) }
      const response = await app.fetch(new Request(`http://localhost${path}`, init))
      const text = await response.text()
      return { status: response.status, body: text === '' ? undefined : JSON.parse(text) }
    }
    for (const [i, { one, many, sent }] of some.entries()) {
      const path = `/things-${i}`
      const created = await send('POST', path, sent.put({ title: 'Made' }))
      expect(created.status).toBe(201)
      const { id } = one.open(created.body)
      expect(one.open((await send('GET', `${path}/${id}`)).body)).toMatchObject({ id, title: 'Made' })
      expect((await send('PATCH', `${path}/${id}`, sent.put({ title: 'Changed' }))).status).toBe(200)
      const listed = many.open((await send('GET', path)).body)
      expect(listed.filter((other: { readonly id: number }) => other.id === id)).toMatchObject([{ title: 'Changed' }])
      expect((await send('DELETE', `${path}/${id}`)).status).toBe(204)
      expect((await send('GET', `${path}/${id}`)).status).toBe(404)
    }
  })
})
