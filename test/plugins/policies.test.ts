// Policies and needs: settings of actions with their own answers, and values that they add to the context.
import { client } from 'edict/client'
import { type OutgoingResponse, type Policy, type PolicyRequest, type PolicySteps, policy, problem } from 'edict/extend'
import { mock } from 'edict/mock'
import { describe, expect, it } from 'vitest'
import {
  type ApplicationOptions,
  application,
  diffContracts,
  endpoint,
  need,
  type Plugin,
  Responses,
  route,
  t,
} from '../../src/index.ts'
import { ask, askFetch, mistakesOf, recorder } from '../support/ask.ts'

/** A policy of a package of its own: at most so many requests, counted by a header. */
const quota = (most: number): Policy<{ readonly left: number }> =>
  policy({
    name: 'quota',
    plugin: 'quotas',
    settings: most,
    headers: { 'X-Key': t.string({ required: true, max: 10 }) },
    responses: [{ status: 429, code: 'over-quota', title: 'Too many requests', headers: ['Retry-After'] }],
    document: () => ({ 'x-quota': most }),
    terms: { quota: { most } },
    client: () => ({ 'X-Key': 'client' }),
    mock: () => ({ admission: (request) => request.add('left', most) }),
  })

/** The plugin that enforces it. */
function quotas(seen: string[] = []): Plugin {
  const counts = new Map<string, number>()
  const countedBy = (request: PolicyRequest): string => String(request.headers['x-key'])
  return {
    name: 'quotas',
    checkPolicy: ({ settings }, _, report) =>
      Number(settings) < 1 ? report('policies', 'the quota lets nobody in', 'allow at least one request') : undefined,
    enforce: ({ settings }, { name }): PolicySteps => ({
      admission(request) {
        const count = (counts.get(countedBy(request)) ?? 0) + 1
        counts.set(countedBy(request), count)
        seen.push(`admission of ${name}`)
        if (count > Number(settings))
          return problem({
            status: 429,
            code: 'over-quota',
            title: 'Too many requests',
            headers: { 'Retry-After': '1' },
          })
        request.add('left', Number(settings) - count)
      },
      before: (request) => void seen.push(`before ${name}: ${JSON.stringify(request.input.params)}`),
      response(response: OutgoingResponse) {
        seen.push(`answer of ${name}: ${response.status}`)
        response.set('X-Quota', String(settings))
      },
    }),
  }
}

const Books = endpoint('Books', {
  actionDefaults: { policies: [quota(2)] },
  actions: {
    show: {
      routing: route.get('/:id'),
      params: { id: t.integer() },
      responses: { ok: 'text/plain', notFound: true },
    },
    tight: { routing: route.get('//tight'), policies: [quota(1)], responses: { ok: 'text/plain' } },
  },
})
const books = Books.implement({
  show: ({ id }, { left, reply }) => (id === 7 ? reply.ok(`${left} left`) : reply.notFound()),
  tight: (_, { left }) => `${left} left`,
})

const made = (plugins: readonly Plugin[], options: Partial<ApplicationOptions> = {}) =>
  application({ controllers: [books], plugins, ...options })

const keyed = (key: string) => ({ headers: { 'x-key': key } })

describe('a policy', () => {
  it('[EXT-03] is inherited, overridden by name, and enforced at every point, for failures too', async () => {
    const seen: string[] = []
    const app = made([quotas(seen)])
    expect((await askFetch(app, 'GET /books/7', keyed('a'))).text).toBe('1 left')
    expect(seen).toEqual(['admission of show', 'before show: {"id":7}', 'answer of show: 200'])
    const missing = await askFetch(app, 'GET /books/8', keyed('a'))
    expect([missing.status, missing.headers['x-quota']]).toEqual([404, '2'])
    const over = await askFetch(app, 'GET /books/7', keyed('a'))
    expect([over.status, over.headers['retry-after'], over.headers['x-quota']]).toEqual([429, '1', '2'])
    expect(over.json).toMatchObject({ code: 'over-quota', title: 'Too many requests', status: 429 })
    expect((await askFetch(app, 'GET /tight', keyed('b'))).text).toBe('0 left')
    expect((await askFetch(app, 'GET /tight', keyed('b'))).status).toBe(429)
  })

  it('[EXT-03] over a socket as through fetch', async () => {
    expect(await ask(made([quotas()]), 'GET /books/8', keyed('a'))).toMatchObject({ status: 404 })
  })

  it('[EXT-03] does not boot without its plugin, nor with settings that the plugin refuses', () => {
    const found = mistakesOf(() => made([]))
    expect(found.map(({ action, problem: what, remedy }) => [action, what, remedy])).toEqual(
      ['show', 'tight'].map((action) => [
        action,
        "the policy 'quota' needs the plugin quotas, which is not registered",
        "add quotas() to the application's plugins",
      ]),
    )
    const Shut = endpoint('Shut', {
      actions: { show: { routing: route.get('/'), policies: [quota(0)], responses: { ok: 'text/plain' } } },
    })
    const shut = Shut.implement({ show: () => '' })
    expect(mistakesOf(() => made([quotas()], { controllers: [shut] }))).toMatchObject([
      { endpoint: 'Shut', action: 'show', setting: 'policies', problem: 'the quota lets nobody in' },
    ])
  })

  it('[EXT-03] that is none, or is there twice, is refused', () => {
    const Odd = endpoint('Odd', {
      actions: {
        show: {
          routing: route.get('/'),
          policies: [quota(1), quota(2), 'quota' as never],
          responses: { ok: 'text/plain' },
        },
      },
    })
    const odd = Odd.implement({ show: () => '' })
    expect(mistakesOf(() => made([quotas()], { controllers: [odd] })).map(({ problem: what }) => what)).toEqual([
      "there are two policies 'quota'",
      "it is 'quota', not a policy",
    ])
  })

  it('[EXT-04] is known to documents: headers, responses and members', () => {
    const operation = made([quotas()]).openapi().paths['/books/{id}']?.['get']
    expect(operation?.parameters).toContainEqual(
      expect.objectContaining({ name: 'X-Key', in: 'header', required: true }),
    )
    expect(operation?.responses['429']).toMatchObject({ headers: { 'Retry-After': { required: true } } })
    expect(operation).toMatchObject({ 'x-quota': 2 })
  })

  it('[EXT-04] is known to the contract and to differences', () => {
    const now = (most: number | undefined) => {
      const Own = endpoint('Own', {
        actions: {
          show: {
            routing: route.get('/'),
            ...(most !== undefined && { policies: [quota(most)] }),
            responses: { ok: 'text/plain' },
          },
        },
      })
      return made([quotas()], { controllers: [Own.implement({ show: () => '' })] }).contract()
    }
    const rules = (old: number | undefined, next: number | undefined) =>
      diffContracts(now(old), now(next)).flatMap(({ kind, rule }) => (rule.startsWith('quota') ? [[kind, rule]] : []))
    expect(rules(3, 2)).toEqual([['breaking', 'quota-lowered']])
    expect(rules(2, 3)).toEqual([['compatible', 'quota-raised']])
    expect(rules(undefined, 2)).toEqual([['breaking', 'quota-lowered']])
    expect(rules(2, undefined)).toEqual([['compatible', 'quota-raised']])
  })

  it('[EXT-04] is known to mocks, which need no plugin, and to the client', async () => {
    const mocked = mock([Books])
    expect((await askFetch(mocked, 'GET /books/7', keyed('a'))).status).toBe(200)
    expect((await askFetch(mocked, 'GET /books/7')).status).toBe(400)
    const app = made([quotas()])
    const api = client({ Books }, { baseUrl: 'http://a.test', fetch: app.fetch })
    const answer = await api.Books.show({ id: 7 })
    expect([answer.name, answer.body]).toEqual(['ok', '1 left'])
  })

  it('[EXT-10] that throws while it responds is a 500, named in the log', async () => {
    const logger = recorder()
    const broken: Plugin = {
      name: 'quotas',
      enforce: () => ({
        admission: (request) => request.add('left', 0),
        response() {
          throw new Error('broken')
        },
      }),
    }
    const answer = await askFetch(made([broken], { logger }), 'GET /books/7', keyed('a'))
    expect(answer.status).toBe(500)
    expect(logger.entries).toMatchObject([{ fields: { plugin: 'quota', hook: 'response', action: 'Books.show' } }])
  })
})

describe('[EXT-05] needs', () => {
  const log: string[] = []
  const tenant = need(({ request }) => ({ name: String(request.env.headers['x-tenant']) }))
  const transaction = need(
    async ({ request }) => {
      log.push(`begin ${request.method}`)
      return { writes: 0 }
    },
    {
      done: async (value, { status }) => {
        if (value.writes > 1) throw new Error('conflict')
        log.push(`${status < 400 ? 'commit' : 'rollback'} ${value.writes}`)
      },
    },
  )
  const Notes = endpoint('Notes', {
    actionDefaults: { needs: { tenant } },
    actions: {
      show: { routing: route.get('/'), responses: { ok: 'text/plain' } },
      create: {
        routing: route.post('/'),
        payload: { writes: t.integer({ required: true }) },
        needs: { db: transaction },
        responses: { noContent: true, conflict: true },
      },
    },
  })
  const notes = Notes.implement({
    show: (_, { tenant: { name } }) => name,
    create(_, { tenant: { name }, db, request, reply }) {
      db.writes = request.payload.writes
      return name === 'none' ? reply.conflict() : reply.noContent()
    },
  })
  const app = application({ controllers: [notes], logger: recorder() })
  const create = async (writes: unknown, name = 'acme'): Promise<number> =>
    (await askFetch(app, 'POST /notes', { headers: { 'x-tenant': name }, body: { writes } })).status

  it('are resolved for each request, and typed in the context', async () => {
    expect((await ask(app, 'GET /notes', { headers: { 'x-tenant': 'acme' } })).text).toBe('acme')
    expect((await ask(app, 'GET /notes', { headers: { 'x-tenant': 'other' } })).text).toBe('other')
  })

  it('are settled before the response leaves; one that fails makes it a 500', async () => {
    expect(await create(1)).toBe(204)
    expect(log.splice(0)).toEqual(['begin POST', 'commit 1'])
    expect(await create(1, 'none')).toBe(409)
    expect(log.splice(0)).toEqual(['begin POST', 'rollback 1'])
    expect(await create(2)).toBe(500)
    expect(log.splice(0)).toEqual(['begin POST'])
  })

  it('are not resolved for a request that is refused before', async () => {
    expect(await create('many')).toBe(400)
    expect(log.splice(0)).toEqual([])
  })

  it('of a wrong form, or under a name of the context, are refused', () => {
    const Odd = endpoint('Odd', {
      actions: {
        show: {
          routing: route.get('/'),
          needs: { request: tenant, other: 'tenant' as never, broken: need('x' as never) },
          responses: { ok: 'text/plain' },
        },
      },
    })
    const odd = Odd.implement({ show: () => '' })
    expect(mistakesOf(() => application({ controllers: [odd] })).map(({ setting }) => setting)).toEqual([
      'needs.request',
      'needs.other',
      'needs.broken',
    ])
  })
})

describe('[EXT-11] a response that is thrown', () => {
  const Things = endpoint('Things', {
    actions: {
      show: { routing: route.get('/:id'), params: { id: t.integer() }, responses: { ok: 'text/plain', gone: true } },
    },
  })
  const deep = (id: number): string => {
    if (id === 1) throw new Responses.Gone({ body: 'It was removed' })
    if (id === 2) throw new Responses.Conflict()
    return 'here'
  }
  const things = Things.implement({ show: async ({ id }) => deep(id) }).before(({ request }) => {
    if (request.params.id === 3) throw new Responses.Gone()
  })
  const logger = recorder()
  const app = application({ controllers: [things], logger })

  it('is that response, from the action, a callback or a function below', async () => {
    expect((await ask(app, 'GET /things/1')).json).toMatchObject({ status: 410, detail: 'It was removed' })
    expect((await ask(app, 'GET /things/3')).status).toBe(410)
    expect(logger.entries).toEqual([])
  })

  it('is held to the declaration like one that is returned', async () => {
    expect((await ask(app, 'GET /things/2')).status).toBe(500)
    expect(logger.entries[0]?.message).toMatch(/'conflict' \(409\), which it does not declare/)
  })
})
