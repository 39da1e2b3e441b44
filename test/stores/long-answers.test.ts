// Streams under an idempotency key that cannot be recorded: the effect happens once, and a repetition is told so.
import { application, endpoint, need, route } from 'edict'
import { idempotency, idempotent } from 'edict/idempotency'
import { memoryStore, type Store } from 'edict/stores'
import { describe, expect, it } from 'vitest'
import { askFetch, recorder } from '../support/ask.ts'

/** A store with transactions, which are as good as memory can have them. */
function transacting(): Store {
  const inner = memoryStore()
  const keys = {
    lock: async () => true,
    get: async (key: string) => inner.get(key),
    add: async (key: string, value: string, ttl: number) => inner.set(key, value, ttl, null),
  }
  return { ...inner, get: (key) => inner.get(key), within: () => keys }
}

const MEGABYTE = new Uint8Array(1 << 20).fill(97)
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

function made(stream: (close: () => void) => AsyncIterable<Uint8Array | string>, within: boolean) {
  let [effects, closed] = [0, 0]
  const logger = recorder()
  const Orders = endpoint('Orders', {
    actions: {
      create: {
        routing: route.post('/'),
        needs: { db: need(() => ({})) },
        policies: [idempotent({ keep: '1h', ...(within && { within: 'db' }) })],
        responses: { ok: 'application/octet-stream' },
      },
    },
  })
  const orders = Orders.implement({
    create(_, { reply }) {
      effects++
      return reply.ok(stream(() => closed++))
    },
  })
  const store = within ? transacting() : memoryStore()
  const app = application({ controllers: [orders], plugins: [idempotency(store)], logger, timeout: 400 })
  const send = () => askFetch(app, 'POST /orders', { headers: { 'idempotency-key': 'k' } })
  return { send, logger, counts: () => [effects, closed] }
}

describe.each([
  ['beside the effect', false],
  ['in its transaction', true],
])('%s', (_, within) => {
  it.each([
    ['as long as is recorded', 8 << 20, 0, true],
    ['a byte too long to be recorded', (8 << 20) + 1, 0, false],
    ['that takes too long to be recorded', 3 << 20, 150, false],
  ])('[IDP-01] a stream %s is sent whole, and has one effect', async (_, size, ms, isKept) => {
    const { send, counts, logger } = made(async function* (close) {
      try {
        for (let left = size; left > 0; left -= MEGABYTE.length) {
          await pause(ms)
          yield MEGABYTE.subarray(0, left)
        }
      } finally {
        close()
      }
    }, within)
    const first = await send()
    expect([first.status, first.bytes.length, counts()]).toEqual([200, size, [1, 1]])
    const told = logger.entries.map(({ message }) => message)
    const isTold = !isKept && !within
    expect(told).toEqual(isTold ? ['A response was not recorded: it is a stream that is too long'] : [])
    const again = await send()
    expect([again.status, counts()]).toEqual([isKept ? 200 : 409, [1, 1]])
    if (isKept) expect(again.bytes.length).toBe(first.bytes.length)
    else
      expect([again.json.code, again.headers['retry-after']]).toEqual(['idempotency-response-not-recorded', undefined])
  })
})

it('[IDP-01] a stream that fails while it is recorded is a 500, and has one effect', async () => {
  const { send, counts } = made(async function* (close) {
    try {
      yield 'one'
      throw new Error('broken on purpose')
    } finally {
      close()
    }
  }, false)
  expect([(await send()).status, counts()]).toEqual([500, [1, 1]])
  const again = await send()
  expect([again.status, again.json.code, counts()]).toEqual([409, 'idempotency-response-not-recorded', [1, 1]])
})

type Declared = { readonly ok: 'text/plain'; readonly noContent: true }

describe.each([
  ['beside the effect', false],
  ['in its transaction', true],
])('%s', (_, within) => {
  const none = async function* () {}
  it.each<[string, unknown, unknown, number]>([
    ['nothing', true, undefined, 200],
    ['no content', undefined, undefined, 204],
    ['an empty text', 'text/plain', '', 200],
    ['a text', 'text/plain', 'Ünïcode', 200],
    ['no bytes', 'application/octet-stream', new Uint8Array(), 200],
    ['bytes', 'application/octet-stream', Uint8Array.of(0, 128, 255), 200],
    ['many bytes', 'application/octet-stream', new Uint8Array(8193).fill(200), 200],
    ['an empty stream', 'application/octet-stream', none, 200],
  ])('[IDP-01] a response of %s is the same when it is repeated', async (_, ok, body, status) => {
    let effects = 0
    const Orders = endpoint('Orders', {
      actions: {
        create: {
          routing: route.post('/'),
          needs: { db: need(() => ({})) },
          policies: [idempotent({ keep: '1h', ...(within && { within: 'db' }) })],
          responses: (status === 204 ? { noContent: true } : { ok }) as never as Declared,
        },
      },
    })
    const orders = Orders.implement({
      create(_, { reply }) {
        effects++
        return status === 204 ? reply.noContent() : reply.ok((typeof body === 'function' ? body() : body) as string)
      },
    })
    const store = within ? transacting() : memoryStore()
    const app = application({ controllers: [orders], plugins: [idempotency(store)], logger: recorder() })
    const send = () => askFetch(app, 'POST /orders', { headers: { 'idempotency-key': 'k' } })
    const [first, again] = [await send(), await send()]
    expect([first.status, again.status, effects]).toEqual([status, status, 1])
    expect([[...again.bytes], again.headers['content-type']]).toEqual([[...first.bytes], first.headers['content-type']])
  })
})

describe('a store that gives anything but true', () => {
  const gives = [false, undefined, null, 1, 'OK', {}]

  it.each(gives)('[IDP-02] %j for a claim has given none, and the action is not run', async (given) => {
    const app = answering({ ...memoryStore(), set: (() => given) as never }, false)
    expect(await app.send()).toEqual([409, 'idempotency-key-in-use', '1'])
    expect(app.effects()).toBe(0)
  })

  it.each(gives)('[IDP-02] %j for a lock has given none, and the action is not run', async (given) => {
    const store = transacting()
    const within = (connection: unknown) => ({ ...store.within?.(connection), lock: async () => given }) as never
    const app = answering({ ...store, within }, true)
    expect(await app.send()).toEqual([409, 'idempotency-key-in-use', '1'])
    expect(app.effects()).toBe(0)
  })

  it.each(gives)('[IDP-02] %j for a record has kept none, and the effect is taken back', async (given) => {
    const store = transacting()
    const within = (connection: unknown) => ({ ...store.within?.(connection), add: async () => given }) as never
    const app = answering({ ...store, within }, true)
    expect(await app.send()).toEqual([409, 'idempotency-key-in-use', '1'])
    expect(app.undone()).toBe(1)
  })
})

/** An idempotent action on a store, in a transaction that records whether it was rolled back. */
function answering(store: Store, within: boolean) {
  let [effects, undone] = [0, 0]
  const done = (_: object, { status }: { readonly status: number }) => void (status >= 400 && undone++)
  const db = need(() => ({}), { done })
  const Orders = endpoint('Orders', {
    actions: {
      create: {
        routing: route.post('/'),
        needs: { db },
        policies: [idempotent({ keep: '1h', ...(within && { within: 'db' }) })],
        responses: { ok: 'text/plain' },
      },
    },
  })
  const orders = Orders.implement({ create: () => `order ${++effects}` })
  const app = application({ controllers: [orders], plugins: [idempotency(store)], logger: recorder() })
  const send = async () => {
    const { status, json, headers } = await askFetch(app, 'POST /orders', { headers: { 'idempotency-key': 'k' } })
    return [status, json.code, headers['retry-after']]
  }
  return { send, effects: () => effects, undone: () => undone }
}
