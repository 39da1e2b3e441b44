// Thrown values: whatever an action throws, the client gets one answer, the log gets one entry, and the server goes on.
import { application, endpoint, route } from 'edict'
import { describe, expect, it } from 'vitest'
import { ask, recorder } from '../support/ask.ts'

const Things = endpoint('Things', { actions: { run: { routing: route.get('/'), responses: { ok: true } } } })

/** The application whose action does this. */
function running(run: (context: any) => unknown, options: object = {}) {
  const controller = Things.implement({ run: (_, context) => run(context) as never })
  return application({ logger: recorder(), controllers: [controller], ...options })
}

describe('failures of the application', () => {
  const hostile = new Proxy(
    {},
    new Proxy(
      {},
      {
        get: () => () => {
          throw new Error('trap')
        },
      },
    ),
  )
  const lying = Object.defineProperty(new Error('x'), 'message', {
    get() {
      throw new Error('getter')
    },
  })
  const values: readonly (readonly [string, unknown])[] = [
    ['an error', new Error('secret')],
    ['null', null],
    ['undefined', undefined],
    ['a string', 'secret'],
    ['a symbol', Symbol('secret')],
    ['a bigint', 1n],
    ['a function', () => 'secret'],
    ['a null-prototype object', Object.create(null)],
    [
      'an object with a throwing getter',
      {
        get message() {
          throw new Error('getter')
        },
        get name() {
          throw new Error('getter')
        },
      },
    ],
    ['an error with a throwing message', lying],
    ['a proxy that throws whatever is asked', hostile],
    [
      'a revoked proxy',
      (({ proxy, revoke }) => {
        revoke()
        return proxy
      })(Proxy.revocable({}, {})),
    ],
    [
      'an error with a status and headers',
      Object.assign(new Error('secret'), { status: 204, statusCode: 204, headers: { 'X-Evil': '1' } }),
    ],
    [
      'an error caused by itself',
      (() => {
        const error = new Error('secret')
        error.cause = error
        return error
      })(),
    ],
  ]

  it.each(values)('[ERR-07] thrown or rejected, %s is a 500 and the server goes on', async (_, value) => {
    for (const environment of ['development', 'production']) {
      const log = recorder()
      const throwing = [
        () => {
          throw value
        },
        async () => {
          throw value
        },
        () => new Promise((_, reject) => setTimeout(() => reject(value), 1)),
      ]
      for (const run of throwing) {
        const answer = await ask(running(run, { environment, logger: log }), 'GET /things')
        expect([answer.status, answer.json.code]).toEqual([500, 'internal'])
        expect(answer.headers).not.toHaveProperty('x-evil')
        expect(answer.text).not.toMatch(/\.ts|node_modules/)
        if (environment === 'production') expect(answer.text).not.toContain('secret')
      }
      expect(log.entries.filter(({ level }) => level === 'error')).toHaveLength(6)
      for (const { fields } of log.entries) expect(fields.err).toBeInstanceOf(Error)
    }
    // Without a logger of its own the application writes to the console, whatever the value is.
    const { error } = console
    const lines: unknown[] = []
    console.error = (line) => lines.push(line)
    try {
      await ask(
        running(
          () => {
            throw value
          },
          { logger: undefined },
        ),
        'GET /things',
      )
    } finally {
      console.error = error
    }
    expect(lines).toHaveLength(2)
  })

  it('[ERR-07] in production a failure tells nothing but its id; elsewhere it tells what happened', async () => {
    const log = recorder()
    const run = () => {
      throw new TypeError('the password is secret')
    }
    const quiet = await ask(running(run, { environment: 'production', logger: log }), 'GET /things', {
      headers: { 'x-request-id': 'id-1' },
    })
    expect(quiet.json).toEqual({
      type: 'about:blank',
      title: 'The server encountered an unexpected condition',
      status: 500,
      code: 'internal',
      requestId: 'id-1',
    })
    expect(log.entries[0]).toMatchObject({
      fields: { requestId: 'id-1', action: 'Things.run', err: { message: 'the password is secret' } },
    })
    for (const environment of ['development', 'test'])
      expect((await ask(running(run, { environment }), 'GET /things')).json.detail).toBe(
        'TypeError: the password is secret',
      )
  })

  it('[ERR-07] a broken logger does not break a request', async () => {
    let booting = true
    const fail = (): never => {
      throw new Error('log')
    }
    // It looks like a logger until requests come.
    const broken = {
      info: fail,
      get warn() {
        return booting ? fail : (null as never)
      },
      get error() {
        return booting ? fail : fail()
      },
    }
    const run = () => {
      throw new Error('x')
    }
    const failing = running(run, { logger: broken, logRequests: true })
    const fine = running(() => 'fine', { logger: broken, logRequests: true })
    booting = false
    expect((await ask(failing, 'GET /things')).status).toBe(500)
    expect((await ask(fine, 'GET /things')).text).toBe('fine')
  })

  it('[ERR-07] an action that never ends is answered when its deadline has passed', async () => {
    const log = recorder()
    let aborted = 0
    const run = ({ request }: any) => new Promise(() => request.signal.addEventListener('abort', () => aborted++))
    const answer = await ask(running(run, { timeout: 30, logger: log }), 'GET /things')
    expect([answer.status, answer.json.code, answer.headers['retry-after'], aborted]).toEqual([
      503,
      'deadline-exceeded',
      '1',
      2,
    ])
    // The value that an action returns while callbacks still look at the refusal changes nothing.
    const wait = (milliseconds: number) => new Promise<void>((resolve) => setTimeout(resolve, milliseconds))
    const slow = Things.implement({ run: (_, { reply }) => wait(60).then(() => reply.ok('late')) })
    const controllers = [slow.before('response', () => wait(30))]
    const late = await ask(application({ timeout: 40, logger: log, controllers }), 'GET /things')
    expect([late.status, late.json.code]).toEqual([503, 'deadline-exceeded'])
  })
})
