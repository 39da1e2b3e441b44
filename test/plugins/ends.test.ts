// The facts that plugins are told at the end of a request, and the work that they run inside of something of theirs.
import { AsyncLocalStorage } from 'node:async_hooks'
import { describe, expect, it } from 'vitest'
import { type IncomingRequest, Refusal, type RequestEnd } from '../../src/extend.ts'
import {
  type Application,
  type ApplicationOptions,
  application,
  endpoint,
  type Plugin,
  Responses,
  route,
  t,
} from '../../src/index.ts'
import { type Asked, ask, askFetch, askSocket, urlOf } from '../support/ask.ts'
import { Wire } from '../support/serving/wire.ts'

const storage = new AsyncLocalStorage<string>()

const Notes = endpoint('Notes', {
  actions: {
    index: { routing: route.get('/'), responses: { ok: 'text/plain' } },
    create: {
      routing: route.post('/'),
      payload: { text: t.string({ required: true }), wait: t.boolean() },
      responses: { ok: 'text/plain' },
    },
    upload: {
      routing: route.post('//upload'),
      payload: { file: t.file({ max: 100_000 }) },
      responses: { ok: 'text/plain' },
    },
    empty: { routing: route.get('//empty'), responses: { noContent: true } },
    stream: { routing: route.get('//stream'), responses: { ok: 'text/plain' } },
    torn: { routing: route.get('//torn'), responses: { ok: 'text/plain' } },
    broken: { routing: route.get('//broken'), responses: { ok: 'text/plain' } },
    stray: { routing: route.get('//stray'), responses: { ok: 'text/plain' } },
    split: {
      routing: route.get('//split'),
      responses: { ok: { mediaType: 'text/plain', headers: { 'X-A': t.string() } } },
    },
    down: { routing: route.get('//down'), responses: { ok: 'text/plain' } },
    refused: { routing: route.get('//refused'), responses: { ok: 'text/plain' } },
    slow: { routing: route.get('//slow'), responses: { ok: 'text/plain' } },
  },
})

const notes = Notes.implement({
  index: () => `grüße ${storage.getStore()}`,
  create: async (_, { request }) => {
    if (request.payload.wait) await new Promise((resolve) => setTimeout(resolve, 1))
    return String(storage.getStore())
  },
  upload: async () => String(storage.getStore()),
  empty: (_, { reply }) => reply.noContent(),
  stream: (_, { reply }) => reply.ok(pieces('eins ', 'zwei ', 'drüben')),
  torn: (_, { reply }) => reply.ok(pieces('eins', new RangeError('torn'))),
  broken: () => {
    throw new RangeError('broken')
  },
  stray: () => new Responses.Created() as never,
  split: (_, { reply }) => reply.ok('a', { headers: { 'X-A': 'a' } }),
  down: () => {
    throw new Refusal({ code: 'unavailable', status: 503, title: 'Down' }, { cause: new RangeError('no database') })
  },
  refused: () => {
    throw new Refusal({ code: 'taken', status: 409, title: 'Taken' }, { cause: new RangeError('taken') })
  },
  slow: () => new Promise<string>(() => {}),
})

async function* pieces(...all: readonly (string | Error)[]): AsyncGenerator<string> {
  for (const one of all) {
    if (one instanceof Error) throw one
    yield one
    await new Promise((resolve) => setTimeout(resolve, 1))
  }
}

function made(plugins: readonly Plugin[], options: Partial<ApplicationOptions> = {}): Application {
  const logger = { info() {}, warn() {}, error() {} }
  return application({ controllers: [notes], plugins, timeout: 50, limits: { body: 1000 }, logger, ...options })
}

interface Ends extends Plugin {
  /** Waits for the end of the next request. */
  next(): Promise<readonly [request: IncomingRequest, ended: RequestEnd]>
}

function ends(): Ends {
  const told: (readonly [IncomingRequest, RequestEnd])[] = []
  return {
    name: 'ends',
    end: (request, ended) => void told.push([request, ended]),
    async next() {
      while (told.length === 0) await new Promise((resolve) => setTimeout(resolve, 1))
      return told.shift() as never
    },
  }
}

const WAYS = [
  ['a socket', askSocket],
  ['fetch', askFetch],
] as const

describe.each(WAYS)('[EXT-01] the end of a request tells, over %s,', (_, send) => {
  const sized: readonly [line: string, received: number, sent: number, asked?: Asked][] = [
    ['GET /notes', 0, 17],
    ['HEAD /notes', 0, 0],
    ['GET /empty', 0, 0],
    ['GET /stream', 0, 17],
    ['POST /notes', 17, 9, { body: { text: 'grüß' } }],
  ]

  it.each(sized)('the bytes of both bodies: %s', async (line, received, sent, asked) => {
    const plugin = ends()
    await send(made([plugin]), line, asked)
    const [, ended] = await plugin.next()
    expect(ended).toMatchObject({ received, sent, outcome: 'sent', error: undefined })
  })

  it('the bytes of a form that is read piece by piece', async () => {
    const plugin = ends()
    const body = `--x\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n${'a'.repeat(50_000)}\r\n--x--\r\n`
    const headers = { 'content-type': 'multipart/form-data; boundary=x' }
    expect((await send(made([plugin]), 'POST /upload', { body, headers })).status).toBe(200)
    expect((await plugin.next())[1]).toMatchObject({ received: body.length })
  })

  it('nothing of a body that nobody read', async () => {
    const plugin = ends()
    const app = made([plugin])
    // A request of Fetch does not tell its length.
    for (const line of send === askFetch ? ['POST /nowhere'] : ['POST /nowhere', 'POST /notes']) {
      await send(app, line, { body: { text: 'x'.repeat(2000) } })
      expect((await plugin.next())[1]).toMatchObject({ received: 0 })
    }
  })

  it('the bytes as they were coded', async () => {
    const plugin = ends()
    const halved: Plugin = {
      name: 'halved',
      response(response) {
        response.body = new Uint8Array(7)
      },
    }
    await send(made([plugin, halved]), 'GET /notes')
    expect((await plugin.next())[1]).toMatchObject({ sent: 7 })
  })

  it.each([
    ['GET /broken', 500, 'RangeError', 'broken'],
    ['GET /stray', 500, 'Error', expect.stringContaining("the action returned 'created'")],
    ['GET /down', 503, 'RangeError', 'no database'],
    ['GET /slow', 503, 'TimeoutError', 'The deadline has passed'],
  ])('the error behind a failure: %s', async (line, status, name, message) => {
    const plugin = ends()
    await send(made([plugin]), line)
    const [, ended] = await plugin.next()
    expect(ended).toMatchObject({ status, error: { name, message } })
  })

  it.each(['GET /refused', 'GET /nowhere', 'GET /notes', 'DELETE /notes'])(
    'no error where the client is to blame: %s',
    async (line) => {
      const plugin = ends()
      await send(made([plugin]), line)
      expect((await plugin.next())[1].error).toBe(undefined)
    },
  )

  it('the error of a plugin, and of a response that cannot be written', async () => {
    const plugin = ends()
    const failing: Plugin = {
      name: 'failing',
      response(response, { url }) {
        if (url === '/empty') throw new RangeError('oh')
        if (url === '/notes' && response.status === 200) response.status = 99
      },
    }
    const app = made([plugin, failing])
    await send(app, 'GET /empty')
    expect((await plugin.next())[1]).toMatchObject({ status: 500, error: { message: 'oh' } })
    await send(app, 'GET /notes')
    expect((await plugin.next())[1]).toMatchObject({ status: 500, error: { name: 'RangeError' } })
  })

  it('one response, where every response becomes one that cannot be written', async () => {
    const plugin = ends()
    const failing: Plugin = {
      name: 'failing',
      response(response) {
        response.status = 99
      },
    }
    expect((await send(made([plugin, failing]), 'GET /notes')).status).toBe(500)
    expect((await plugin.next())[1]).toMatchObject({ status: 500, outcome: 'sent', error: { name: 'RangeError' } })
  })

  it('the error that broke a stream, and the bytes before it', async () => {
    const plugin = ends()
    await expect(send(made([plugin]), 'GET /torn')).rejects.toThrow()
    const [, ended] = await plugin.next()
    expect(ended).toMatchObject({ status: 200, outcome: 'failed', sent: 4, error: { message: 'torn' } })
  })

  it('the scheme, and over a socket the version of HTTP', async () => {
    const plugin = ends()
    await send(made([plugin]), 'GET /notes')
    const [{ scheme, httpVersion }] = await plugin.next()
    expect([scheme, httpVersion]).toEqual(['http', send === askSocket ? '1.1' : undefined])
  })
})

/** Runs requests inside of a store that is their method and path. */
const stored: Plugin = {
  name: 'stored',
  around: ({ method, url }, work) => storage.run(`${method} ${url}`, work),
}

describe('[EXT-02] the work on a request runs inside of what a plugin puts around it', () => {
  it('in actions with and without a body, whether or not they wait', async () => {
    const app = made([stored])
    expect((await ask(app, 'GET /notes')).text).toBe('grüße GET /notes')
    for (const wait of [false, true])
      expect((await ask(app, 'POST /notes', { body: { text: 'a', wait } })).text).toBe('POST /notes')
    const form = new FormData()
    form.append('file', new Blob(['a'.repeat(50_000)]), 'a')
    expect((await ask(app, 'POST /upload', { body: form })).text).toBe('POST /upload')
  })

  it('when the body arrives late, between other requests of its connection', async () => {
    const { port } = new URL(await urlOf(made([stored], { timeout: 0 })))
    const wire = await Wire.open(Number(port))
    const host = 'Host: a\r\n'
    wire.send(`GET /notes?a=1 HTTP/1.1\r\n${host}\r\n`)
    await wire.answers(1)
    const head = `${host}Content-Type: application/json\r\nContent-Length: 12`
    wire.send(`POST /notes HTTP/1.1\r\n${head}\r\n\r\n{"text":`)
    await new Promise((resolve) => setTimeout(resolve, 20))
    wire.send(`"a"}GET /notes HTTP/1.1\r\n${host}\r\n`)
    const answers = await wire.answers(3)
    wire.close()
    expect(answers.map(({ body }) => body).slice(1)).toEqual(['POST /notes', expect.stringMatching(/ GET \/notes$/)])
  })

  it('one inside the other, in the order of registration', async () => {
    const order: string[] = []
    const one = (name: string): Plugin => ({
      name,
      around(_, work) {
        order.push(`${name} begins`)
        work()
        order.push(`${name} ends`)
      },
    })
    await askFetch(made([one('a'), one('b')]), 'GET /nowhere')
    expect(order).toEqual(['a begins', 'b begins', 'b ends', 'a ends'])
  })
})

describe('[EXT-10] a plugin that fails around the work', () => {
  const around = (how: NonNullable<Plugin['around']>): Plugin => ({ name: 'around', around: how })
  const oh = (): never => {
    throw new RangeError('oh')
  }

  it.each([
    ['throws', oh],
    ['does not call the work', () => {}],
  ])('%s: a 500, at the beginning and when the body is there', async (_, how) => {
    const plugin = ends()
    expect((await ask(made([plugin, around(how)]), 'GET /notes')).status).toBe(500)
    for (const _twice of [1, 2]) expect((await plugin.next())[1].error).toBeInstanceOf(Error)
    let calls = 0
    const later = around((_request, work) => (++calls % 2 === 0 ? how() : work()))
    expect((await ask(made([plugin, later]), 'POST /notes', { body: { text: 'a' } })).status).toBe(500)
    expect((await plugin.next())[1]).toMatchObject({ status: 500, error: expect.any(Error) })
  })

  it('after the work, or calls it twice: the request is served once', async () => {
    const throws = around((_, work) => {
      work()
      work()
      oh()
    })
    const plugin = ends()
    expect((await ask(made([plugin, throws]), 'GET /notes')).status).toBe(200)
    expect((await plugin.next())[1].status).toBe(200)
  })
})
