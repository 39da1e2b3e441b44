// The client on a network that breaks: answers that are cut off anywhere, and bodies that never end.
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { setImmediate as turn } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { application, collectionOf, endpoint, mediaType, route, t } from 'edict'
import { client } from 'edict/client'
import { idempotency, idempotent } from 'edict/idempotency'
import { PaginationParams, paginate, pagination } from 'edict/pagination'
import { memoryStore } from 'edict/stores'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { urlOf } from '../support/ask.ts'

const Row = mediaType('Row', { attributes: { id: t.integer({ required: true }), text: t.string() } })
const Rows = endpoint('Rows', {
  mediaType: Row,
  actions: {
    index: {
      routing: route.get('/'),
      params: { pagination: PaginationParams.for(Row) },
      responses: { ok: collectionOf(Row) },
    },
    lines: { routing: route.get('/lines'), responses: { ok: collectionOf(Row, { as: 'ndjson' }) } },
    bytes: { routing: route.get('/bytes'), responses: { ok: 'application/octet-stream' } },
    words: { routing: route.get('/words'), responses: { ok: 'text/plain' } },
    add: { routing: route.post('/'), responses: { created: Row } },
    order: { routing: route.post('/orders'), policies: [idempotent({ keep: '1h' })], responses: { created: Row } },
  },
})
const rows = [1, 2, 3].map((id) => ({ id, text: 'x' }))
let done = 0
/** A list that stops after its first element. */
async function* stalling() {
  yield { id: 1 }
  await new Promise(() => {})
}
const app = application({
  plugins: [pagination(), idempotency(memoryStore())],
  controllers: [
    Rows.implement({
      index: (_, { request, reply }) => reply.ok(paginate(request, rows)),
      lines: (_, { reply }) => reply.ok(stalling()),
      bytes: (_, { reply }) => reply.ok(new ReadableStream({ start: (to) => to.enqueue(new Uint8Array(3)) })),
      words: () => 'many words',
      add: (_, { reply }) => reply.created({ id: ++done }),
      order: (_, { reply }) => reply.created({ id: ++done }),
    }),
  ],
})

/** A way to the server that closes the connection of the next request after so many bytes of its answer. */
async function cutting(server: string) {
  const seen = { requests: 0, bytes: 0 }
  let most = Number.POSITIVE_INFINITY
  const open = new Set<Socket>()
  const way = createServer((near) => {
    const far = connect(Number(new URL(server).port), '127.0.0.1')
    open.add(near).add(far)
    let limit = most
    let passed = 0
    near.on('data', (piece) => {
      seen.requests += 1
      limit = most
      most = Number.POSITIVE_INFINITY
      passed = 0
      far.write(piece)
    })
    far.on('data', (piece) => {
      const part = piece.subarray(0, limit - passed)
      passed += part.length
      seen.bytes = passed
      if (passed < limit) near.write(part)
      else near.end(part, () => far.destroy())
    })
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const)
      one.on('error', () => {}).on('close', () => other.destroy())
  })
  await new Promise<void>((resolve) => way.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(way.address() as AddressInfo).port}`,
    seen,
    cut(bytes: number): void {
      most = bytes
      seen.requests = 0
    },
    close(): void {
      for (const one of open) one.destroy()
      way.close()
    },
  }
}

afterEach(() => void vi.restoreAllMocks())

describe('a response that is cut off', () => {
  /** Makes a call whose first answer ends after each number of its bytes. */
  async function atEveryByte(
    call: (calls: ReturnType<typeof callsAt>) => Promise<unknown>,
    judge: (result: PromiseSettledResult<unknown>, requests: number) => void,
  ): Promise<void> {
    // No pauses between attempts.
    vi.spyOn(Math, 'random').mockReturnValue(-0.5)
    const way = await cutting(await urlOf(app))
    try {
      const calls = callsAt(way.url)
      await call(calls)
      const whole = way.seen.bytes
      expect(whole).toBeGreaterThan(100)
      for (let bytes = 0; bytes < whole; bytes++) {
        way.cut(bytes)
        const [result] = await Promise.allSettled([call(calls)])
        judge(result as PromiseSettledResult<unknown>, way.seen.requests)
      }
    } finally {
      way.close()
    }
  }

  const callsAt = (baseUrl: string) => client({ Rows }, { baseUrl, headers: { Connection: 'close' } }).Rows

  it('[CLT-05] is requested again where that is safe, wherever it was cut', async () => {
    await atEveryByte(
      ({ words }) => words.ok(),
      (result, requests) => {
        expect(result).toEqual({ status: 'fulfilled', value: 'many words' })
        expect(requests).toBe(2)
      },
    )
  })

  it('[CLT-05] is requested again with the same key: the effect is one, and its response comes', async () => {
    let before = done + 1
    await atEveryByte(
      ({ order }) => order.ok(),
      (result, requests) => {
        before += 1
        expect(result).toEqual({ status: 'fulfilled', value: { id: before } })
        expect([requests, done]).toEqual([2, before])
      },
    )
  })

  it('[CLT-04] does not end a list, nor an iteration over it', async () => {
    await atEveryByte(
      async ({ index }) => {
        const ids: number[] = []
        for await (const { id } of index.all()) ids.push(id)
        return ids
      },
      (result) => expect(result).toEqual({ status: 'fulfilled', value: [1, 2, 3] }),
    )
  })

  it('[CLT-05] is an error, and nothing is sent twice, where that is not safe', async () => {
    await atEveryByte(
      ({ add }) => add.ok(),
      (result, requests) => expect([result.status, requests]).toEqual(['rejected', 1]),
    )
  })
})

describe('a body that is read after its call', () => {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  const reading = {
    lines: async (calls: typeof api, options: object) => (await calls.lines.ok({}, options))[Symbol.asyncIterator](),
    bytes: async (calls: typeof api, options: object) => {
      const body = (await calls.bytes.ok({}, { ...options, stream: true })) as ReadableStream<Uint8Array>
      const reader = body.getReader()
      return { next: () => reader.read() }
    },
  }
  const api = client({ Rows }, { baseUrl: 'http://localhost' }).Rows

  it.each(Object.entries(reading))(
    '[CLT-05] ends with its signal, whatever was collected meanwhile: %s',
    async (_, read) => {
      const calls = client({ Rows }, { baseUrl: await urlOf(app) }).Rows
      const ending = new AbortController()
      const body = await read(calls, { signal: ending.signal })
      await body.next()
      const second = body.next()
      for (let i = 0; i < 8; i++) {
        await turn()
        collect()
      }
      ending.abort(new Error('enough'))
      await expect(second).rejects.toThrow('enough')
    },
  )

  it.each(Object.entries(reading))(
    '[CLT-05] ends when its time is over, whatever was collected meanwhile: %s',
    async (_, read) => {
      const calls = client({ Rows }, { baseUrl: await urlOf(app) }).Rows
      const body = await read(calls, { timeout: 300 })
      await body.next()
      const second = body.next().then(
        () => 'a piece',
        (error: Error) => error.name,
      )
      const collecting = setInterval(collect, 5)
      expect(await second.finally(() => clearInterval(collecting))).toBe('TimeoutError')
    },
  )
})

describe('a time limit', () => {
  it('[CLT-05] may be any number: none is infinite, and what is over is over', async () => {
    const { words } = client({ Rows }, { baseUrl: await urlOf(app), timeout: 0 }).Rows
    for (const timeout of [Number.POSITIVE_INFINITY, 2 ** 31, 2 ** 40, 20_000.5])
      expect(await words.ok({}, { timeout })).toBe('many words')
    for (const timeout of [0, -1, undefined])
      await expect(words.ok({}, timeout === undefined ? {} : { timeout })).rejects.toThrow(
        expect.objectContaining({ name: 'TimeoutError' }),
      )
  })
})

describe('headers that a function gives', () => {
  it('[CLT-04] are requested again for each page: a walk may outlive a token', async () => {
    const tokens: (string | null)[] = []
    let given = 0
    const { index } = client(
      { Rows },
      {
        baseUrl: 'http://localhost',
        headers: () => ({ Authorization: `Bearer ${++given}` }),
        fetch: (request) => {
          tokens.push(request.headers.get('Authorization'))
          return app.fetch(request)
        },
      },
    ).Rows
    const ids: number[] = []
    for await (const { id } of index.all({ pagination: 'by=id,items=1' })) ids.push(id)
    expect(ids).toEqual([1, 2, 3])
    expect(tokens.slice(0, 3)).toEqual(['Bearer 1', 'Bearer 2', 'Bearer 3'])
  })
})
