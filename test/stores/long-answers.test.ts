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
    ['as long as is recorded', 8, 0, true],
    ['too long to be recorded', 9, 0, false],
    ['that takes too long to be recorded', 3, 150, false],
  ])('[IDP-01] a stream %s is sent whole, and has one effect', async (_, megabytes, ms, isKept) => {
    const { send, counts } = made(async function* (close) {
      try {
        for (let i = 0; i < megabytes; i++) {
          await pause(ms)
          yield MEGABYTE
        }
      } finally {
        close()
      }
    }, within)
    const first = await send()
    expect([first.status, first.bytes.length, counts()]).toEqual([200, megabytes << 20, [1, 1]])
    const again = await send()
    expect([again.status, counts()]).toEqual([isKept ? 200 : 409, [1, 1]])
    if (isKept) expect(again.bytes.length).toBe(first.bytes.length)
    else expect([again.json.code, again.headers['retry-after']]).toEqual(['idempotency-answer-not-kept', undefined])
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
  expect([again.status, again.json.code, counts()]).toEqual([409, 'idempotency-answer-not-kept', [1, 1]])
})
