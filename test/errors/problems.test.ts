// Errors: one shape for every failure, nothing lost, nothing told that a client must not know.
import { application, endpoint, header, problemEncoder, Responses, route, t } from 'edict'
import { describe, expect, it } from 'vitest'
import { ask, mistakesOf, recorder } from '../support/ask.ts'
import { naming } from '../support/naming.ts'

const Things = endpoint('Things', {
  actionDefaults: { responses: { ok: true, conflict: true } },
  actions: {
    show: {
      routing: route.get('/:id'),
      params: { id: t.integer(), page: t.integer({ required: true }) },
      headers: { 'X-Key': header() },
    },
    make: { routing: route.post('/'), payload: { name: t.string({ required: true }) } },
    run: { routing: route.get('/') },
  },
})
let runs = 0
/** The application whose action `run` does this. */
function running(run: (context: any) => unknown, options: object = {}) {
  const controller = Things.implement({
    show: () => String(++runs),
    make: () => String(++runs),
    run: (_, context) => run(context) as never,
  })
  return application({ logger: recorder(), controllers: [controller], ...options })
}
const app = running(() => '')

describe('refused input', () => {
  it('[ERR-03] missing or invalid required input is refused before the action runs, with its cause', async () => {
    runs = 0
    const answer = await ask(app, 'GET /things/x')
    expect([answer.status, answer.headers['content-type']]).toEqual([400, 'application/problem+json'])
    expect(answer.json).toEqual({
      type: 'about:blank',
      title: 'The request is invalid',
      status: 400,
      detail: "The parameter 'id' must be an integer",
      code: 'validation',
      errors: [
        { in: 'params', pointer: '/id', code: 'type', message: "The parameter 'id' must be an integer" },
        { in: 'params', pointer: '/page', code: 'missing', message: "The parameter 'page' is required" },
        { in: 'headers', pointer: '/X-Key', code: 'missing', message: "The header 'X-Key' is required" },
      ],
    })
    expect((await ask(app, 'POST /things', { body: {} })).json.errors).toEqual([
      { in: 'payload', pointer: '/name', code: 'missing', message: "The attribute 'name' is required" },
    ])
    expect(runs).toBe(0)
  })

  it('[ERR-03] at most 20 errors are listed, with the number of all of them', async () => {
    const many = (count: number) => Array.from({ length: count }, (_, i) => `x${i}=1`).join('&')
    for (const [sent, listed, count] of [
      [10, 10, undefined],
      [20, 20, undefined],
      [21, 20, 21],
      [150, 20, 150],
    ]) {
      const { json } = await ask(app, `GET /things?${many(sent as number)}`)
      expect([json.errors.length, json.errorCount]).toEqual([listed, count])
    }
    const body = Object.fromEntries(Array.from({ length: 300 }, (_, i) => [`x${i}`, 1]))
    expect((await ask(app, 'POST /things', { body })).json.errorCount).toBe(301)
  })

  it('[ERR-03] the status of refused input is 400, or 422 if the application says so', async () => {
    const answer = await ask(
      running(() => '', { validation: { status: 422 } }),
      'GET /things/x',
    )
    expect([answer.status, answer.json.status]).toEqual([422, 422])
  })

  it('[ERR-06] a wildcard without splat is refused at boot', () => {
    const boot = () => application({ controllers: [naming('Files', { raw: { routing: route.get('/*') } })] })
    expect(mistakesOf(boot)).toMatchObject([
      { endpoint: 'Files', action: 'raw', setting: 'params', problem: 'the path /files/* has wildcards' },
    ])
  })
})

describe('failures of the application', () => {
  it('[ERR-01] a return value that is neither response nor string is an immediate error, and logged', async () => {
    const log = recorder()
    const answer = await ask(
      running(() => ({ id: 1 }), { logger: log }),
      'GET /things',
    )
    expect(answer.json).toMatchObject({ status: 500, code: 'internal', requestId: expect.any(String) })
    expect(log.entries).toHaveLength(2)
    expect(log.entries[0]).toMatchObject({
      level: 'error',
      fields: { action: 'Things.run', requestId: answer.json.requestId },
    })
  })

  it('[ERR-02] an unlisted response is not permitted', async () => {
    expect(
      (
        await ask(
          running(() => new Responses.Gone()),
          'GET /things',
        )
      ).json,
    ).toMatchObject({ status: 500, detail: expect.stringContaining("'gone' (410)") })
    expect(
      (
        await ask(
          running(() => new Responses.Conflict()),
          'GET /things',
        )
      ).status,
    ).toBe(409)
  })
})

describe('the encoder', () => {
  const encodeProblem = problemEncoder('application/vnd.acme.error+json', ({ status, title, errors }) => ({
    body: { status, message: title, fields: errors?.map(({ pointer }) => pointer) },
  }))

  it('[ERR-03] one hook replaces the encoding of every failure', async () => {
    const own = running(({ reply }) => reply.conflict('taken'), { encodeProblem })
    const lines = { 'GET /things/x': 400, 'GET /nothing': 404, 'PUT /things': 405, 'GET /%': 400, 'GET /things': 409 }
    for (const [line, status] of Object.entries(lines)) {
      const answer = await ask(own, line)
      expect([answer.status, answer.headers['content-type'], answer.json.status], line).toEqual([
        status,
        'application/vnd.acme.error+json',
        status,
      ])
    }
    expect((await ask(own, 'GET /things/x')).json.fields).toEqual(['/id', '/page', '/X-Key'])
    expect(
      (
        await ask(
          running(
            () => {
              throw new Error('x')
            },
            { encodeProblem },
          ),
          'GET /things',
        )
      ).json.message,
    ).toMatch(/unexpected condition/)
  })

  it('[ERR-07] an encoder that fails loses no response', async () => {
    const broken: readonly unknown[] = [
      () => {
        throw new Error('encoder')
      },
      () => undefined,
      () => ({ body: 1n }),
      () => ({}),
      () => ({ body: {}, status: 200 }),
      () => ({ body: {}, headers: { 'a b': 'c' } }),
      () => ({ body: {}, headers: { 'X-A': 'b\r\nc' } }),
      () => ({ body: {}, headers: { 'Content-Type': 'a/b' } }),
    ]
    for (const encoder of broken) {
      const own = running(({ reply }) => reply.conflict('taken'), {
        encodeProblem: problemEncoder('application/json', encoder as never),
      })
      for (const [line, status] of [
        ['GET /things/x', 400],
        ['GET /nothing', 404],
      ] as const) {
        const answer = await ask(own, line)
        expect([answer.status, answer.headers['content-type'], answer.json.status], String(encoder)).toEqual([
          status,
          'application/problem+json',
          status,
        ])
      }
      expect((await ask(own, 'GET /things')).status).toBe(409)
    }
  })
})
