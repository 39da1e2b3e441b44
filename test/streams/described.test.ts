// Streams of events in documents, contracts, mocks and the test kit.
import { describe, expect, it } from 'vitest'
import { client } from '../../src/client/index.ts'
import { application, collectionOf, controller, diffContracts, endpoint, events, route, t } from '../../src/index.ts'
import { mock } from '../../src/mock/index.ts'
import { checkApplication } from '../../src/testing/index.ts'
import { recorder } from '../support/ask.ts'
import { Journal, Order, type OrderEvent, Orders, shop } from './shop.ts'

/** An application whose only action gives a stream of some events. */
function watched(types: Parameters<typeof events>[0], given: readonly unknown[] = []) {
  const Feeds = endpoint('Feeds', {
    actions: {
      watch: { routing: route.get('/'), headers: { 'Last-Event-ID': t.string() }, responses: { ok: events(types) } },
    },
  })
  async function* follow(signal: AbortSignal) {
    yield* given
    await new Promise((resolve) => signal.addEventListener('abort', resolve))
  }
  const feeds = controller(Feeds, { watch: (_, { request, reply }) => reply.ok(follow(request.signal) as never) })
  return application({ controllers: [feeds], logger: recorder() })
}

const changesOf = (old: Parameters<typeof events>[0], now: Parameters<typeof events>[0]) =>
  diffContracts(watched(old).contract(), watched(now).contract()).map(
    ({ kind, rule, location }) => `${kind} ${rule} ${location}`,
  )

const WATCH = 'Feeds.watch › responses.ok.body'

describe('a document', () => {
  it('[EVT-07] of OpenAPI 3.1 says what the events are', () => {
    const document = shop(new Journal()).openapi() as any
    const { content } = document.paths['/orders/events'].get.responses['200']
    expect(Object.keys(content)).toEqual(['text/event-stream'])
    const { schema, example } = content['text/event-stream']
    expect(schema).toMatchObject({ type: 'string', contentMediaType: 'text/event-stream' })
    expect(schema.description).toContain('`created`, `changed`, `gone`')
    expect(schema.contentSchema.items.oneOf.map((one: any) => one.properties.event.enum)).toEqual([
      ['created'],
      ['changed'],
      ['gone'],
    ])
    expect(schema.contentSchema.items.oneOf[0].properties.data).toEqual({ $ref: '#/components/schemas/Order' })
    expect(example).toMatch(/^event: created\ndata: \{.*\}\n\nevent: changed\n/)
  })
})

describe('a contract', () => {
  it('[EVT-07] has the events of a stream, and what becomes of them breaks clients or does not', () => {
    const gone = t.object({ id: t.integer({ required: true }), by: t.string() })
    const sparse = t.object({ id: t.integer({ required: true }) })
    expect(changesOf({ created: Order, gone }, { created: Order, gone })).toEqual([])
    expect(changesOf({ created: Order, gone }, { created: Order })).toEqual([
      `breaking event-removed ${WATCH}.events.gone`,
    ])
    expect(changesOf({ created: Order }, { created: Order, gone })).toEqual([
      `compatible event-added ${WATCH}.events.gone`,
    ])
    const [removed] = changesOf({ gone }, { gone: sparse })
    expect(removed).toMatch(/^breaking .*events\.gone/)
    const [added] = changesOf({ gone: sparse }, { gone })
    expect(added).toMatch(/^compatible .*events\.gone/)
  })

  it('[EVT-07] of a list that becomes a stream breaks clients', () => {
    const list = endpoint('Feeds', {
      actions: { watch: { routing: route.get('/'), responses: { ok: collectionOf(Order) } } },
    })
    const app = application({ controllers: [controller(list, { watch: (_, { reply }) => reply.ok([]) })] })
    const changes = diffContracts(app.contract(), watched({ created: Order }).contract())
    expect(changes.map(({ rule }) => rule)).toContain('media-type-removed')
  })
})

describe('a mock', () => {
  it('[EVT-07] gives plausible events of every name, with ids that grow, and goes on behind the last one', async () => {
    const app = mock([Orders])
    const { watch } = client({ Orders }, { baseUrl: 'http://shop.test', fetch: app.fetch }).Orders
    const first: { event: string; id: string }[] = []
    const all = watch.all()
    for await (const event of all) {
      if (event.event !== 'error') expect(Number.isInteger(event.data.id)).toBe(true)
      first.push({ event: event.event, id: event.id })
      if (first.length === 3) break
    }
    expect(first).toEqual([
      { event: 'created', id: '1' },
      { event: 'changed', id: '2' },
      { event: 'gone', id: '3' },
    ])
    const { value } = await watch.all({}, { from: all.cursor }).next()
    expect(value).toMatchObject({ event: 'created', id: '4' })
  })
})

describe('the test kit', () => {
  const created = { event: 'created', id: '1', data: { id: 1, placed: new Date(0) } } satisfies OrderEvent

  it('[EVT-07] checks each event that a stream gives, without waiting for its end', async () => {
    await checkApplication(watched({ created: Order }, [created, { ...created, id: '2' }]), { runs: 3 })
  })

  it('[EVT-07] finds an event that breaks its type', async () => {
    const broken = { event: 'created', id: '2', data: { id: 'x' } }
    await expect(checkApplication(watched({ created: Order }, [created, broken]), { runs: 3 })).rejects.toThrow(
      /the stream ends with a failure/,
    )
  })

  it('[EVT-07] checks lists in lines and JSON text sequences', async () => {
    const Lists = endpoint('Lists', {
      actions: {
        lines: { routing: route.get('/lines'), responses: { ok: collectionOf(Order, { as: 'jsonl' }) } },
        texts: { routing: route.get('/texts'), responses: { ok: collectionOf(Order, { as: 'json-seq' }) } },
      },
    })
    const given = [{ id: 1 }, { id: 2, placed: new Date(0) }]
    const lists = controller(Lists, {
      lines: (_, { reply }) => reply.ok(given),
      texts: (_, { reply }) => reply.ok(given),
    })
    await checkApplication(application({ controllers: [lists], logger: recorder() }), { runs: 3 })
  })
})
