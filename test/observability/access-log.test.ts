// The access log: one line for each answer, of chosen fields, without secrets, and without harm to requests.
import { spawn } from 'node:child_process'
import { connect } from 'node:net'
import { describe, expect, it, vi } from 'vitest'
import { type Application, application, endpoint, type Plugin, route, security, t, verifier } from '../../src/index.ts'
import { type AccessLogOptions, accessLog } from '../../src/plugins/access-log/index.ts'
import { createStdoutDestination } from '../../src/plugins/access-log/stdout.ts'
import { ask, askFetch, askSocket, mistakesOf, urlOf } from '../support/ask.ts'

const Key = security.apiKey<{ tenant: string }>('Key', { in: 'header', name: 'X-Key' })

const Books = endpoint('Books', {
  actions: {
    show: {
      routing: route.get('/:id'),
      params: { id: t.integer(), q: t.string() },
      headers: { 'X-Pin': t.string({ secret: true }) },
      responses: { ok: 'text/plain', notFound: true },
    },
    mine: { routing: route.get('//mine'), security: Key, responses: { ok: 'text/plain' } },
    create: {
      routing: route.post('/'),
      payload: { title: t.string({ required: true }) },
      responses: { noContent: true },
    },
    broken: { routing: route.get('//broken'), responses: { ok: 'text/plain' } },
    slow: { routing: route.get('//slow'), responses: { ok: 'text/plain' } },
  },
})

function made(options: AccessLogOptions = {}, more: readonly Plugin[] = []) {
  const lines: any[] = []
  const texts: string[] = []
  const warned: unknown[][] = []
  const log = (fields: object, message: string): void => void warned.push([message, fields])
  let reached = (): void => {}
  const begun = new Promise<void>((resolve) => {
    reached = resolve
  })
  const write = (line: string): void => {
    texts.push(line)
    lines.push(JSON.parse(line))
  }
  const own = options.write === undefined && options.logger === undefined ? { write, ...options } : options
  const app: Application = application({
    controllers: [
      Books.implement({
        show: ({ id }, { reply }) =>
          id === 0 ? reply.notFound() : reply.ok('böök', { headers: { 'Set-Cookie': 'sid=S3CRET', 'X-Shelf': 'a' } }),
        mine: (_, { principal }) => principal.tenant,
        create: (_, { reply }) => reply.noContent(),
        broken: () => {
          throw new Error('broken')
        },
        slow: (_, { request }) => {
          reached()
          return new Promise<string>((resolve) => request.signal.addEventListener('abort', () => resolve('late')))
        },
      }),
    ],
    verifiers: [verifier(Key, (key) => (key === 'S3CRET' ? { tenant: 'acme' } : undefined))],
    plugins: [accessLog(own), ...more],
    logger: { info: log, warn: log, error: log },
  })
  return { app, lines, texts, warned, begun }
}

describe('a line', () => {
  it.each([
    ['GET /books/7?q=a', { status: 200, action: 'Books.show', route: '/books/:id', url: '/books/7?q=a', sent: 6 }],
    ['HEAD /books/7', { status: 200, method: 'HEAD', action: 'Books.show', sent: 0 }],
    ['GET /books/0', { status: 404, code: 'not-found', action: 'Books.show' }],
    ['GET /books/x', { status: 400, code: 'validation', action: 'Books.show' }],
    ['GET /nowhere', { status: 404, code: 'not-found', url: '/nowhere' }],
    ['PUT /books/7', { status: 405, code: 'method-not-allowed' }],
    ['OPTIONS /books/7', { status: 204, method: 'OPTIONS' }],
    ['GET /mine', { status: 401, code: 'unauthorized', action: 'Books.mine' }],
    ['GET /broken', { status: 500, code: 'internal', action: 'Books.broken' }],
  ])('[OBS-04] is written once for %s', async (line, expected) => {
    const { app, lines } = made()
    for (const way of [askSocket, askFetch]) await way(app, line)
    await expect.poll(() => lines.length).toBe(2)
    for (const one of lines) {
      expect(one).toMatchObject({ ...expected, outcome: 'sent' })
      expect(new Date(one.time).getTime()).toBeGreaterThan(0)
      expect(one.duration).toBeGreaterThanOrEqual(0)
      expect(one.requestId).toMatch(/\S/)
    }
    expect(lines.map(({ address }) => address)).toEqual(['127.0.0.1', undefined])
  })

  it('[OBS-04] has the sizes of bodies and the id that the client sent', async () => {
    const { app, lines } = made()
    await ask(app, 'POST /books', { body: { title: 'Emma' }, headers: { 'X-Request-Id': 'mine' } })
    await expect.poll(() => lines.length).toBe(2)
    for (const one of lines) expect(one).toMatchObject({ status: 204, received: 16, sent: 0, requestId: 'mine' })
  })

  it('[OBS-04] is written for what is no request, and for a client that goes', async () => {
    const { app, lines, begun } = made()
    const { port } = new URL(await urlOf(app))
    connect(Number(port), '127.0.0.1').end('GARBAGE\r\n\r\n')
    await expect.poll(() => lines.length).toBe(1)
    expect(lines[0]).toMatchObject({ status: 400, code: 'malformed-request' })
    expect(lines[0]).not.toHaveProperty('url')
    const gone = connect(Number(port), '127.0.0.1')
    gone.write('GET /slow HTTP/1.1\r\nHost: a\r\n\r\n')
    await begun
    gone.destroy()
    await expect.poll(() => lines.length).toBe(2)
    expect(lines[1]).toMatchObject({ outcome: 'aborted', action: 'Books.slow', url: '/slow' })
  })

  it('[OBS-04] has the fields that users choose and compute; computed ones do not replace facts', async () => {
    const { app, lines } = made({
      fields: ['status', 'action'],
      requestHeaders: ['User-Agent', 'X-Key', 'Authorization', 'X-None'],
      responseHeaders: ['X-Shelf', 'Set-Cookie'],
      add: ({ principal, redactedUrl }, { status }) => ({
        tenant: (principal as { tenant?: string } | undefined)?.tenant,
        at: redactedUrl,
        status: 'other',
        big: 10n ** 20n,
        family: Math.floor(status / 100),
      }),
    })
    const headers = { 'User-Agent': 'test', 'X-Key': 'S3CRET', Authorization: 'Bearer S3CRET' }
    await askFetch(app, 'GET /mine', { headers })
    await askFetch(app, 'GET /books/7', { headers })
    const shown = { 'user-agent': 'test', 'x-key': '[redacted]', authorization: '[redacted]' }
    const big = '100000000000000000000'
    expect(lines).toEqual([
      {
        tenant: 'acme',
        at: '/mine',
        big,
        family: 2,
        status: 200,
        action: 'Books.mine',
        requestHeaders: shown,
        responseHeaders: {},
      },
      {
        at: '/books/7',
        big,
        family: 2,
        status: 200,
        action: 'Books.show',
        requestHeaders: shown,
        responseHeaders: { 'x-shelf': 'a', 'set-cookie': '[redacted]' },
      },
    ])
  })

  it('[OBS-04] takes request headers from the request and response headers from the response that left', async () => {
    const echoing: Plugin = {
      name: 'echoing',
      response: (response) => {
        response.set('X-Side', 'of the answer')
        response.append('X-Twice', 'one')
        response.append('X-Twice', 'two')
      },
    }
    const names = ['X-Side', 'X-Twice', 'Content-Type', 'Set-Cookie', 'Cookie', 'X-Pin']
    const { app, lines } = made({ fields: [], requestHeaders: names, responseHeaders: names }, [echoing])
    const headers = { 'X-Side': 'of the request', 'Content-Type': 'x/y', Cookie: 'sid=S3CRET', 'X-Pin': 'S3CRET' }
    for (const line of ['GET /books/7', 'GET /books/0', 'GET /nowhere', 'GET /broken', 'HEAD /books/7'])
      await ask(app, line, { headers })
    await expect.poll(() => lines.length).toBe(10)
    const requestHeaders = {
      'x-side': 'of the request',
      'content-type': 'x/y',
      cookie: '[redacted]',
      'x-pin': '[redacted]',
    }
    const added = { 'x-side': 'of the answer', 'x-twice': 'one, two' }
    const problem = { ...added, 'content-type': 'application/problem+json' }
    const book = { ...added, 'content-type': 'text/plain; charset=utf-8', 'set-cookie': '[redacted]' }
    const expected = [book, problem, problem, problem, book].flatMap((responseHeaders) => {
      const line = { requestHeaders, responseHeaders }
      return [line, line]
    })
    expect(lines).toEqual(expected)
  })

  it('[OBS-04] is left out where users say so', async () => {
    const { app, lines } = made({ skip: ({ route: at }) => at === '/books/:id' })
    for (const line of ['GET /books/7', 'GET /nowhere']) await askFetch(app, line)
    expect(lines.map(({ status }) => status)).toEqual([404])
  })

  it('[OBS-04] goes to a logger such as pino as fields', async () => {
    const got: unknown[][] = []
    const { app } = made({ logger: { info: (...all: unknown[]) => void got.push(all) }, fields: ['status', 'url'] })
    await askFetch(app, 'GET /books/7')
    expect(got).toEqual([[{ url: '/books/7', status: 200 }, 'request']])
  })

  it('[OBS-04] cannot be forged by what clients send', async () => {
    const evil = '\u0085{"status":200}\u009b31m\u007f'
    const { app, texts, lines } = made({
      requestHeaders: ['User-Agent'],
      add: () => ({ deep: { text: 'a\n{"status":200}\r\u2028\u202e\u0000' }, 'k\ney': 1 }),
    })
    const { port } = new URL(await urlOf(app))
    const socket = connect(Number(port), '127.0.0.1')
    socket.write(
      Buffer.from(`GET /books/7${evil.slice(0, 1)} HTTP/1.1\r\nHost: a\r\nUser-Agent: a\t${evil}\r\n\r\n`, 'latin1'),
    )
    await expect.poll(() => texts.length).toBe(1)
    socket.destroy()
    await askFetch(app, `GET /books/7?q=${encodeURIComponent('\n{"status":200}')}`)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: that there are none is the point
    for (const text of texts) expect(text).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202e]/)
    expect(lines[1]).toMatchObject({ url: '/books/7?q=%0A%7B%22status%22%3A200%7D', 'k\\u000aey': 1 })
  })
})

describe('a writer', () => {
  it.each([
    [
      'throws',
      {
        write: () => {
          throw new Error('disk full')
        },
      },
    ],
    ['rejects', { write: (() => Promise.reject(new Error('disk full'))) as never }],
    [
      'is a logger that throws',
      {
        logger: {
          info: () => {
            throw new Error('disk full')
          },
        },
      },
    ],
    [
      'is asked for fields that throw',
      {
        write: () => {},
        add: () => {
          throw new Error('no')
        },
      },
    ],
    [
      'is asked to skip by what throws',
      {
        write: () => {},
        skip: () => {
          throw new Error('no')
        },
      },
    ],
  ] satisfies [string, AccessLogOptions][])(
    '[OBS-04] that %s hurts no request, and the log is told once',
    async (_, options) => {
      const { app, warned } = made(options)
      for (let n = 0; n < 20; n++) expect((await askFetch(app, 'GET /books/7')).status).toBe(200)
      expect((await askSocket(app, 'GET /books/7')).status).toBe(200)
      expect(warned.map(([message]) => message)).toEqual(['The access log could not be written as it should'])
    },
  )

  it('[OBS-04] is told once a minute, with the number of lines that were lost since', async () => {
    vi.useFakeTimers({ toFake: ['performance'] })
    try {
      const write = (): void => {
        throw new Error('full')
      }
      const { app, warned } = made({ write })
      const told = (): unknown[] => warned.map(([, fields]) => (fields as { lines: number }).lines)
      for (let n = 0; n < 4; n++) await askFetch(app, 'GET /books/7')
      expect(told()).toEqual([1])
      vi.advanceTimersByTime(59_999)
      await askFetch(app, 'GET /books/7')
      expect(told()).toEqual([1])
      vi.advanceTimersByTime(1)
      await askFetch(app, 'GET /books/7')
      expect(told()).toEqual([1, 5])
      vi.advanceTimersByTime(60_000)
      await askFetch(app, 'GET /books/7')
      expect(told()).toEqual([1, 5, 1])
    } finally {
      vi.useRealTimers()
    }
  })

  it('[OBS-04] whose computed fields fail still gets the facts', async () => {
    const lines: string[] = []
    const add = (): object => {
      throw new Error('no')
    }
    const { app } = made({ write: (line) => void lines.push(line), add })
    await askFetch(app, 'GET /books/7')
    expect(JSON.parse(lines[0] as string)).toMatchObject({ status: 200 })
  })

  it('[OBS-04] on standard output that nobody reads holds nothing up and is bounded', async () => {
    const pending: ((error: { code?: string } | null, written: number) => void)[] = []
    const output = createStdoutDestination({ write: (_, __, callback) => void pending.push(callback) })
    const line = 'x'.repeat(1000)
    expect(output.write(line)).toBe(true)
    await expect.poll(() => pending.length).toBe(1)
    let taken = 0
    while (output.write(line)) taken++
    expect(taken).toBe(1048)
    expect(pending).toHaveLength(1)
    pending[0]?.({ code: 'EPIPE' }, 0)
    expect(output.write(line)).toBe(false)
    await output.flush()
  })

  it('[OBS-04] on standard output tries again, writes the rest, and flushes', async () => {
    let text = ''
    let turn = 0
    const output = createStdoutDestination({
      write(_, bytes, callback) {
        if (turn++ === 0) return setTimeout(callback, 0, { code: 'EAGAIN' }, 0) as never
        const some = bytes.subarray(0, 7)
        text += new TextDecoder().decode(some)
        setTimeout(callback, 0, null, some.length)
      },
    })
    for (const line of ['one', 'two', 'three', 'four']) output.write(line)
    await output.flush()
    expect(text).toBe('one\ntwo\nthree\nfour\n')
  })

  it('[OBS-04] survives the loss of standard output in a process', async () => {
    const program = `
      import { application, endpoint, route } from './src/index.ts'
      import { accessLog } from './src/plugins/access-log/index.ts'
      const A = endpoint('A', { actions: { show: { routing: route.get('/'), responses: { ok: 'text/plain' } } } })
      const app = application({ controllers: [A.implement({ show: () => 'ok' })], plugins: [accessLog()], logger: { info() {}, warn() {}, error() {} } })
      process.stdin.on('data', async () => {
        for (let n = 0; n < 50; n++) await (await app.fetch(new Request('http://a/a'))).text()
        await app.start(); await app.close()
        process.stderr.write('served')
        process.exit(0)
      })
      await (await app.fetch(new Request('http://a/a'))).text()
    `
    const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', program], {
      stdio: ['pipe', 'pipe', 'pipe'],
    })
    let errors = ''
    child.stderr.setEncoding('utf8').on('data', (piece: string) => {
      errors += piece
    })
    const first = await new Promise<string>((resolve) => child.stdout.once('data', (bytes) => resolve(String(bytes))))
    expect(JSON.parse(first)).toMatchObject({ status: 200, action: 'A.show' })
    child.stdout.destroy()
    child.stdin.write('go')
    const code = await new Promise((resolve) => child.once('exit', resolve))
    expect([code, errors]).toEqual([0, 'served'])
  }, 30_000)
})

it('reports options that do not fit', () => {
  const options = { write: 1, fields: ['no'], requestHeaders: ['a b'], logger: {}, other: 1 } as never
  const mistakes = mistakesOf(() => made(options))
  expect(mistakes.map(({ setting }) => setting)).toEqual([
    'accessLog.other',
    'accessLog.write',
    'accessLog.logger',
    'accessLog.fields[0]',
    'accessLog.requestHeaders[0]',
  ])
  const both = mistakesOf(() => made({ write: () => {}, logger: { info() {} } }))
  expect(both.map(({ setting }) => setting)).toEqual(['accessLog.write'])
})
