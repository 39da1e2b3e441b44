// Whole applications behind a real socket: what the adapter and the application only do together.
import { application, collectionOf, endpoint, mediaType, route, t } from 'edict'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ask, askFetch, recorder } from '../support/ask.ts'
import { host, on, open, told } from '../support/serving/harness.ts'

const get = (path: string, ...lines: string[]): string =>
  ['GET', path].join(' ').concat(' HTTP/1.1\r\n', [host, ...lines].join('\r\n'), '\r\n\r\n')

describe('the signal of a request', () => {
  const Waits = endpoint('Waits', {
    actions: {
      long: { routing: route.get('/long'), responses: { ok: 'text/plain' } },
      upload: { routing: route.post('/upload'), payload: t.file({ stream: true }), responses: { ok: 'text/plain' } },
      short: { routing: route.get('/short'), responses: { ok: 'text/plain' } },
    },
  })

  function waiting(requests = 1) {
    const begun = told<AbortSignal>(requests)
    const left = told(requests)
    const never = (signal: AbortSignal): Promise<string> => {
      begun.tell(signal)
      return new Promise((resolve) => {
        signal.addEventListener('abort', () => {
          left.tell()
          resolve('nobody reads this')
        })
      })
    }
    const app = application({
      logger: recorder(),
      controllers: [
        Waits.implement({
          long: (_, { request }) => never(request.signal),
          upload: (_, { request }) => never(request.signal),
          short: (_, { request }) => {
            begun.tell(request.signal)
            return 'done'
          },
        }),
      ],
    })
    return { app, begun: begun.promise, left: left.promise }
  }

  it('aborts in the action when its client leaves', async () => {
    const { app, begun, left } = waiting()
    const wire = await open(await on(app))
    wire.send(get('/waits/long'))
    expect((await begun).aborted).toBe(false)
    wire.close()
    await left
    expect((await begun).aborted).toBe(true)
  })

  it('aborts in every action of a connection whose responses wait for each other', async () => {
    const { app, begun, left } = waiting(3)
    const wire = await open(await on(app))
    wire.send(get('/waits/long').repeat(3))
    await begun
    wire.close()
    await left
  })

  it('aborts when the client leaves in the middle of its upload', async () => {
    const { app, begun, left } = waiting()
    const wire = await open(await on(app))
    const head = ['POST /waits/upload HTTP/1.1', host, 'Content-Type: image/png', 'Content-Length: 1000', '', 'abc']
    wire.send(head.join('\r\n'))
    await begun
    wire.close()
    await left
  })

  it('stays quiet when the client leaves with its response', async () => {
    const { app, begun } = waiting()
    const port = await on(app)
    const wire = await open(port)
    expect((await wire.send(get('/waits/short')).answer()).body).toBe('done')
    wire.close()
    await wire.closed
    // The server has dealt with the end of the first connection when it answers on a second one that came after it.
    expect((await (await open(port)).send(get('/waits/short')).answer()).status).toBe(200)
    expect((await begun).aborted).toBe(false)
  })
})

describe('a slot among the requests in progress', () => {
  const Uploads = endpoint('Uploads', {
    actions: {
      file: { routing: route.put('/file'), payload: t.file({ stream: true }), responses: { ok: 'text/plain' } },
      behind: { routing: route.put('/behind'), payload: t.file({ stream: true }), responses: { ok: 'text/plain' } },
      part: { routing: route.put('/part'), payload: t.file({ stream: true }), responses: { ok: 'text/plain' } },
      form: {
        routing: route.put('/form'),
        payload: { image: t.file({ required: true, stream: true }) },
        responses: { ok: 'text/plain' },
      },
      json: { routing: route.put('/json'), payload: { a: t.integer() }, responses: { ok: 'text/plain' } },
      show: { routing: route.get('/'), responses: { ok: 'text/plain' } },
    },
  })
  const app = application({
    logger: recorder(),
    limits: { body: 100_000 },
    controllers: [
      Uploads.implement({
        file: () => 'enough',
        behind: (_, { request }) => {
          void readOn(request.payload!).then(() => ended.tell())
          return 'enough'
        },
        part: async (_, { request }) => {
          for await (const piece of request.payload!) return `${piece.length > 0}`
          return 'empty'
        },
        form: () => 'enough',
        json: () => 'enough',
        show: () => 'free',
      }),
    ],
  })
  /** Called for every upload that is read on after its answer, and that has ended. */
  let ended = told()
  const readOn = async (pieces: AsyncIterable<Uint8Array>): Promise<void> => {
    try {
      for await (const _ of pieces);
    } catch {
      // Its client has left.
    }
  }

  it.each(['leaves', 'sends the rest'])(
    'is not taken again by a body that is read on when its client %s',
    async (what) => {
      const port = await on(app, { maxRequests: 1 })
      for (let n = 0; n < 3; n++) {
        ended = told()
        const wire = await open(port)
        wire.send(
          ['PUT /uploads/behind HTTP/1.1', host, 'Content-Type: image/png', 'Content-Length: 9000', '', 'abc'].join(
            '\r\n',
          ),
        )
        expect([n, (await wire.answer()).status]).toEqual([n, 200])
        if (what === 'leaves') wire.close()
        else wire.send('x'.repeat(8997))
        await ended.promise
        const other = await open(port)
        expect([n, (await other.send(get('/uploads')).answer()).body]).toEqual([n, 'free'])
      }
    },
  )

  const part = '--b\r\nContent-Disposition: form-data; name="image"; filename="a.png"\r\n\r\nabc'
  const early: [what: string, path: string, sent: { type: string; begin: string }, status: number][] = [
    ['an action that does not want it', 'file', { type: 'image/png', begin: 'abc' }, 200],
    ['an action that has read enough of it', 'part', { type: 'image/png', begin: 'abc' }, 200],
    ['the type that is refused', 'json', { type: 'text/csv', begin: 'a,b' }, 415],
    ['an action that does not want its file', 'form', { type: 'multipart/form-data; boundary=b', begin: part }, 200],
  ]

  it.each(early)(
    'is free again after an upload that was served early, by %s',
    async (_, path, { type, begin }, status) => {
      const port = await on(app, { maxRequests: 1 })
      for (let n = 0; n < 3; n++) {
        const wire = await open(port)
        const head = [
          `PUT /uploads/${path} HTTP/1.1`,
          host,
          `Content-Type: ${type}`,
          'Content-Length: 90000',
          '',
          begin,
        ]
        wire.send(head.join('\r\n'))
        const answer = await wire.answer()
        expect([n, answer.status]).toEqual([n, status])
        // Further bytes of the client, or its close, do not release the slot a second time.
        if (n === 1) wire.send('x'.repeat(1000))
        wire.close()
        await wire.closed
        const other = await open(port)
        expect([n, (await other.send(get('/uploads')).answer()).body]).toEqual([n, 'free'])
      }
    },
  )
})

describe('lengths', () => {
  const Sized = endpoint('Sized', {
    actions: {
      short: { routing: route.get('/short'), responses: { ok: 'text/plain' } },
      chunked: { routing: route.get('/chunked'), responses: { ok: 'text/plain' } },
      take: { routing: route.post('/take'), payload: { a: t.integer() }, responses: { ok: 'text/plain' } },
    },
  })
  const app = application({
    logger: recorder(),
    controllers: [
      Sized.implement({
        short: (_, { reply }) => reply.ok('hällo', { headers: { 'Content-Length': '3' } }),
        chunked: (_, { reply }) => reply.ok('hällo', { headers: { 'transfer-encoding': 'chunked' } }),
        take: (_, { request }) => String(request.payload?.a),
      }),
    ],
  })

  it.each(['short', 'chunked'])(
    'are on the wire once, and those of the bytes, whatever an action says: %s',
    async (path) => {
      const wire = await open(await on(app))
      const [first, second] = await wire.send(get(`/sized/${path}`).repeat(2)).answers(2)
      expect(wire.text.match(/^content-length: .*$/gim)).toEqual(['Content-Length: 6', 'Content-Length: 6'])
      expect(wire.text).not.toMatch(/^transfer-encoding/im)
      expect([first?.body, second?.body]).toEqual(Array(2).fill(Buffer.from('hällo').toString('latin1')))
    },
  )

  it('that contradict each other are refused, and nothing behind them is taken for a request', async () => {
    const lengths: string[][] = [
      ['Content-Length: 7', 'Content-Length: 8'],
      ['Content-Length: 7', 'Content-Length: 7'],
      ['Content-Length: 7, 8'],
      ['Content-Length: 7', 'Transfer-Encoding: chunked'],
    ]
    for (const lines of lengths) {
      const wire = await open(await on(app))
      const head = ['POST /sized/take HTTP/1.1', host, 'Content-Type: application/json', ...lines, '', '{"a":1}']
      wire.send(head.join('\r\n') + get('/sized/short'))
      const answers = await wire.answers(2)
      expect([lines, answers.map(({ status }) => status)]).toEqual([lines, [400]])
      expect(await wire.closed).toBe('end')
    }
  })
})

describe('bytes of responses', () => {
  const Item = mediaType('Item', { attributes: { id: t.integer(), text: t.string() } })
  const Items = endpoint('Items', {
    actions: {
      show: { routing: route.get('/:id'), params: { id: t.integer(), size: t.integer() }, responses: { ok: Item } },
      list: {
        routing: route.get('/all/:id'),
        params: { id: t.integer(), size: t.integer() },
        responses: { ok: collectionOf(Item) },
      },
    },
  })
  const item = (id: number, size: number): { id: number; text: string } => ({ id, text: String(id % 10).repeat(size) })
  const appIn = (environment: 'production' | 'development') =>
    application({
      environment,
      logger: recorder(),
      controllers: [
        Items.implement({
          show: ({ id = 0, size = 0 }, { reply }) => reply.ok(item(id, size)),
          list: ({ id = 0, size = 0 }, { reply }) => reply.ok([item(id, size), item(id + 1, size)]),
        }),
      ],
    })

  it.each(['production', 'development'] as const)(
    'stay as they were written while others are written, in %s',
    async (environment) => {
      const app = appIn(environment)
      const wanted = Array.from({ length: 24 }, (_, id) => ({
        id,
        size: [3, 5_000, 60_000, 200_000][id % 4] as number,
      }))
      const wire = await open(await on(app))
      // Nothing is taken off the wire before all answers have been written.
      wire.socket.pause()
      const last = askFetchAll(app, wanted)
      wire.send(wanted.map(({ id, size }) => get(`/items/${id}?size=${size}`)).join(''))
      const inProcess = await last
      wire.socket.resume()
      const onWire = (await wire.answers(wanted.length)).map(({ body }) => JSON.parse(body))
      const expected = wanted.map(({ id, size }) => item(id, size))
      expect(onWire.map(({ id, text }) => [id, text.length])).toEqual(expected.map(({ id, text }) => [id, text.length]))
      expect(onWire).toEqual(expected)
      expect(inProcess).toEqual(expected)
    },
  )

  async function askFetchAll(app: ReturnType<typeof appIn>, wanted: readonly { id: number; size: number }[]) {
    const responses: Response[] = []
    for (const { id, size } of wanted) responses.push(await app.fetch(new Request(`http://a/items/${id}?size=${size}`)))
    return Promise.all(responses.map((one) => one.json()))
  }

  it('are the same for any sequence of sizes', async () => {
    const app = appIn('production')
    const step = fc.record({
      id: fc.integer({ min: 0, max: 99 }),
      size: fc.integer({ min: 0, max: 140_000 }),
      list: fc.boolean(),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 8 }), async (steps) => {
        const path = ({ id, size, list }: (typeof steps)[number]) =>
          `${list ? '/items/all' : '/items'}/${id}?size=${size}`
        const held = await Promise.all(steps.map(async (one) => app.fetch(new Request(`http://a${path(one)}`))))
        const bodies = await Promise.all(held.map((one) => one.json()))
        expect(bodies).toEqual(
          steps.map(({ id, size, list }) => (list ? [item(id, size), item(id + 1, size)] : item(id, size))),
        )
      }),
      { numRuns: 20 },
    )
  })
})

describe('the id of a request', () => {
  const Ids = endpoint('Ids', { actions: { show: { routing: route.get('/'), responses: { ok: 'text/plain' } } } })
  const appWith = (requestId: { header?: string; trust?: boolean }) =>
    application({
      logger: recorder(),
      requestId,
      controllers: [Ids.implement({ show: (_, { request }) => request.id })],
    })

  it('is the one of the client, and goes back to it, only where it is trusted', async () => {
    const headers = { 'x-request-id': 'mine-1', 'x-trace': 'mine-2' }
    const trusted = await ask(appWith({ trust: true }), 'GET /ids', { headers })
    expect([trusted.text, trusted.headers['x-request-id']]).toEqual(['mine-1', 'mine-1'])
    const named = await ask(appWith({ header: 'X-Trace' }), 'GET /ids', { headers })
    expect([named.text, named.headers['x-trace'], named.headers['x-request-id']]).toEqual([
      'mine-2',
      'mine-2',
      undefined,
    ])
    for (const requestId of [{ trust: false }, { trust: false, header: 'X-Trace' }]) {
      const app = appWith(requestId)
      const answers = [await askFetch(app, 'GET /ids', { headers }), await askFetch(app, 'GET /ids', { headers })]
      for (const { text, headers: sent } of answers) {
        expect(text).not.toMatch(/mine/)
        expect([sent['x-request-id'], sent['x-trace']]).toEqual([undefined, undefined])
      }
      expect(answers[0]!.text).not.toBe(answers[1]!.text)
    }
  })

  it('is sent once: one that the application has set stands, in whatever case', async () => {
    const app = application({
      logger: recorder(),
      controllers: [
        Ids.implement({ show: (_, { reply }) => reply.ok('own', { headers: { 'x-REQUEST-id': 'own-1' } }) }),
      ],
    })
    const { headers } = await ask(app, 'GET /ids', { headers: { 'x-request-id': 'mine-1' } })
    expect(headers['x-request-id']).toBe('own-1')
  })

  it('is not the one of the client in problems either, where it is not trusted', async () => {
    const headers = { 'x-request-id': 'mine-1' }
    const failed = await ask(appWith({ trust: false }), 'GET /ids?unknown=1', { headers })
    expect([failed.status, failed.text.includes('mine-1'), failed.headers['x-request-id']]).toEqual([
      400,
      false,
      undefined,
    ])
    const seen = await ask(appWith({}), 'GET /ids?unknown=1', { headers })
    expect([seen.status, seen.headers['x-request-id']]).toEqual([400, 'mine-1'])
  })
})
