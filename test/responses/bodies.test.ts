// Bodies of responses: documents, contract, mock, client and server know the same ones, and what is declared is sent.
import { type Application, application } from 'edict'
import { client } from 'edict/client'
import { mock } from 'edict/mock'
import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { type Drawn, drawn, type Expected } from '../support/bodies.ts'
import { Judge } from '../support/guard/judge.ts'
import { declaredBy } from '../support/guard/watch.ts'

const PROBLEM = 'application/problem+json'
const quiet = { debug() {}, info() {}, warn() {}, error() {} } as never

type Replies = Record<string, (body?: unknown, init?: object) => unknown>

/** An application whose actions answer as they are told. */
function told({ definition, actions }: Drawn, validateResponses: 'always' | 'off' = 'always') {
  const order: { respond: (reply: Replies) => unknown } = { respond: () => '' }
  const functions = Object.keys(actions).map((name) => [
    name,
    (_: unknown, { reply }: { reply: Replies }) => order.respond(reply),
  ])
  const controller = (definition as never as { implement(of: object): never }).implement(Object.fromEntries(functions))
  return { order, app: application({ controllers: [controller], logger: quiet, validateResponses }) }
}

const typesOf = ({ forms, problem }: Expected): string[] => (problem ? [PROBLEM] : forms.map(({ type }) => type)).sort()
const get = (app: Application, action: string, accept?: string): Promise<Response> =>
  Promise.resolve(
    app.fetch(new Request(`http://x/some/${action}`, accept === undefined ? {} : { headers: { accept } })),
  )

const each = ({ actions }: Drawn): [action: string, response: Expected][] =>
  Object.entries(actions).flatMap(([action, all]) => all.map((one): [string, Expected] => [action, one]))

const judges = new WeakMap<Application, Judge>()

function judgeOf(app: Application): Judge {
  const known = judges.get(app) ?? new Judge(declaredBy(app, app['~options']).documents())
  judges.set(app, known)
  return known
}

/** The violation of the application's document in an answer. */
async function misfit(
  app: Application,
  action: string,
  { status, headers, body }: Response,
): Promise<string | undefined> {
  const text = body === null ? null : await new Response(body).text()
  const line = { method: 'GET', url: `/some/${action}`, version: undefined }
  const [found] = judgeOf(app).breaksOf({ ...line, status, headers: [...headers].flat(), body: text })
  return found?.text
}

const law = (check: (one: Drawn) => void | Promise<void>, numRuns = 30): Promise<void> =>
  fc.assert(
    fc.asyncProperty(drawn, async (one) => check(one)),
    { numRuns },
  )

vi.setConfig({ testTimeout: 60_000 })

describe('bodies that are declared', () => {
  it('[RSP-06] documents and contract name the same, and none for responses that have none', async () => {
    await law((one) => {
      const { app } = told(one)
      const contract = app.contract()
      for (const [action, response] of each(one)) {
        const documented = app.openapi().paths[`/some/${action}`]?.['get']?.responses[response.status]?.content ?? {}
        expect(Object.keys(documented).sort()).toEqual(typesOf(response))
        const { bodies } = contract.endpoints[0]?.actions[action]?.responses[response.name] ?? { bodies: [] }
        const contracted =
          bodies.length === 0 && response.status >= 400 ? [contract.problems] : bodies.map((b) => b.type)
        expect([...contracted].sort()).toEqual(typesOf(response))
      }
    })
  })

  it('[RSP-06] the server sends each of them, and the client reads it', async () => {
    await law(async (one) => {
      const { app, order } = told(one)
      const calls = client({ some: one.definition } as never, {
        baseUrl: 'http://x',
        fetch: (request) => Promise.resolve(app.fetch(request)),
      }) as unknown as Record<string, Record<string, () => Promise<{ name: string; body: unknown }>>>
      for (const [action, response] of each(one)) {
        const { name, status, forms, problem } = response
        const choices = forms.length === 0 ? [{ type: undefined, given: undefined }] : forms
        for (const { type, given } of choices) {
          order.respond = (reply) => reply[name]?.(given, forms.length > 1 ? { mediaType: type } : {})
          const answer = await get(app, action)
          expect(answer.status, name).toBe(status)
          expect(await misfit(app, action, answer), name).toBeUndefined()
          const read = await calls['some']?.[action]?.()
          expect(read?.name).toBe(name)
          if (forms.length > 0 || problem) expect(read?.body).not.toBeUndefined()
          else expect(read?.body).toBeUndefined()
        }
      }
    })
  })

  it('[RSP-06] the mock responds with a body exactly where one is declared', async () => {
    await law(async (one) => {
      const app = mock([one.definition], { logger: quiet })
      for (const action of Object.keys(one.actions)) {
        for (const accept of [undefined, 'text/csv, */*;q=0.5'])
          expect(await misfit(app, action, await get(app, action, accept)), action).toBeUndefined()
      }
    })
  })
})

describe('bodies that break their declaration', () => {
  it('[RSP-06] a body where none is declared is a violation, in every mode', async () => {
    await law(async (one) => {
      for (const mode of ['always', 'off'] as const) {
        const { app, order } = told(one, mode)
        for (const [action, { name, forms, problem }] of each(one)) {
          if (forms.length > 0 || problem) continue
          for (const body of ['a text', '', { id: 1 }, new Uint8Array([1]), new Blob(['x']).stream()]) {
            order.respond = (reply) => reply[name]?.(body)
            expect((await get(app, action)).status, name).toBe(500)
          }
        }
      }
    }, 20)
  })

  it('[RSP-06] a text or bytes where a structure is declared are a violation, in every mode', async () => {
    await law(async (one) => {
      for (const mode of ['always', 'off'] as const) {
        const { app, order } = told(one, mode)
        for (const [action, { name, forms }] of each(one)) {
          if (forms.length === 0 || !forms.every(({ structured }) => structured)) continue
          for (const body of ['a text', new Uint8Array([1]), new Blob(['x']).stream()]) {
            for (const init of [{}, { mediaType: 'text/plain' }]) {
              order.respond = (reply) => reply[name]?.(body, init)
              expect((await get(app, action)).status, name).toBe(500)
            }
          }
        }
      }
    }, 20)
  })

  it('[RSP-06] a declared body that is absent is a failure, whether responses are validated or not', async () => {
    await law(async (one) => {
      for (const mode of ['always', 'off'] as const) {
        const { app, order } = told(one, mode)
        for (const [action, { name, status, forms, problem, optional }] of each(one)) {
          order.respond = (reply) => reply[name]?.()
          const answer = await get(app, action)
          const absent = forms.length > 0 && !optional
          expect(answer.status, name).toBe(absent ? 500 : status)
          if (optional)
            expect([answer.headers.get('content-type'), await answer.text()]).toEqual(['text/plain; charset=utf-8', ''])
          if (!absent && !problem && !optional) expect(await answer.text()).toBe('')
        }
      }
    }, 20)
  })

  it('[RSP-06] a failure that names nothing is a problem document, and nothing else', async () => {
    await law(async (one) => {
      const { app, order } = told(one)
      for (const [action, { name, status, problem }] of each(one)) {
        if (!problem) continue
        for (const body of [undefined, 'a text', { detail: 'more', secret: 1 }]) {
          order.respond = (reply) => reply[name]?.(body)
          const answer = await get(app, action)
          expect([answer.status, answer.headers.get('content-type')]).toEqual([status, PROBLEM])
          expect(await misfit(app, action, answer)).toBeUndefined()
        }
        for (const [body, mediaType] of [
          [new Uint8Array([1]), undefined],
          ['<p>', 'text/html'],
        ] as const) {
          order.respond = (reply) => reply[name]?.(body, mediaType === undefined ? {} : { mediaType })
          expect((await get(app, action)).status).toBe(500)
        }
      }
    }, 20)
  })
})

describe('HEAD', () => {
  it('[RTE-22] agrees with GET about every declared body', async () => {
    await law(async (one) => {
      const { app, order } = told(one)
      for (const [action, { name, forms }] of each(one)) {
        order.respond = (reply) => reply[name]?.(forms[0]?.given, forms.length > 1 ? { mediaType: forms[0]?.type } : {})
        const whole = await get(app, action)
        const head = await app.fetch(new Request(`http://x/some/${action}`, { method: 'HEAD' }))
        // Of the headers of GET, a server may leave this one out (RFC 9110 9.3.2).
        if (!head.headers.has('content-length')) whole.headers.delete('content-length')
        expect([head.status, [...head.headers]]).toEqual([whole.status, [...whole.headers]])
        expect(await head.text()).toBe('')
      }
    }, 20)
  })
})
