// `secret: true`: documents and contract know it, and what plugins and the log are told of a request is without its value.
import { describe, expect, it } from 'vitest'
import type { RequestEnd } from '../../src/extend.ts'
import {
  type ApplicationOptions,
  application,
  diffContracts,
  endpoint,
  mediaType,
  type Plugin,
  problemEncoder,
  route,
  security,
  t,
  verifier,
} from '../../src/index.ts'
import { ask, askFetch, askSocket } from '../support/ask.ts'

const Key = security.apiKey<string>('Key', { in: 'query', name: 'key' })
const Badge = security.apiKey<string>('Badge', { in: 'header', name: 'X-Badge' })

const Account = mediaType('Account', {
  attributes: { id: t.integer(), token: t.string({ secret: true }), pins: t.array(t.integer({ secret: true })) },
})

const Accounts = endpoint('Accounts', {
  mediaType: Account,
  actions: {
    reset: {
      routing: route.get('/:id/reset/:token/done'),
      params: {
        id: t.string(),
        token: t.string({ secret: true }),
        code: t.string({ secret: true }),
        name: t.string(),
        login: t.object({ user: t.string(), password: t.string({ secret: true }) }),
        box: t.json(t.object({ inner: t.string({ secret: true }) })),
      },
      headers: { 'X-Otp': t.string({ secret: true }) },
      responses: { ok: Account, notFound: true },
    },
    guarded: { routing: route.get('/guarded'), security: [Key, Badge], responses: { ok: 'text/plain' } },
    files: {
      routing: route.get('/files/*/raw/*path'),
      params: { splat: t.array(t.string({ secret: true })), path: t.string() },
      responses: { ok: 'text/plain' },
    },
    create: {
      routing: route.post('/'),
      payload: { token: t.string({ secret: true, nullable: true }) },
      responses: { noContent: { headers: { 'X-Once': t.string({ secret: true }), 'X-Other': t.string() } } },
    },
  },
})

const accounts = Accounts.implement({
  reset: ({ id, token }, { reply }) => (id === 'none' ? reply.notFound() : reply.ok({ id: 1, token, pins: [] })),
  guarded: () => 'in',
  files: () => 'file',
  create: (_, { reply }) => reply.noContent(undefined, { headers: { 'X-Once': 'S3CRET', 'X-Other': 'plain' } }),
})

interface Seen {
  readonly url: string
  readonly header: (name: string) => string | undefined
  readonly ended: RequestEnd
}

function watched(options: Partial<ApplicationOptions> = {}) {
  const seen: Seen[] = []
  const logged: object[] = []
  const plugin: Plugin = {
    name: 'watch',
    end: (request, ended) =>
      seen.push({ url: request.redactedUrl, header: (name) => request.redactedHeader(name), ended }),
  }
  const log = (fields: object): void => void logged.push(fields)
  const app = application({
    basePath: '/api',
    controllers: [accounts],
    verifiers: [verifier(Key, (key) => key), verifier(Badge, (badge) => badge)],
    plugins: [plugin],
    logRequests: true,
    logger: { info: log, warn: log, error: log },
    ...options,
  })
  return { app, seen, logged }
}

const R = '[redacted]'

describe('secret: true', () => {
  it('stands in documents, for texts as a password', () => {
    const { app } = watched()
    const document = app.openapi() as any
    const { parameters } = document.paths['/accounts/{id}/reset/{token}/done'].get
    const schemaOf = (name: string) => parameters.find((one: any) => one.name === name).schema
    expect(schemaOf('token')).toEqual({ type: 'string', minLength: 1, format: 'password', 'x-secret': true })
    expect(schemaOf('name')).not.toHaveProperty('x-secret')
    expect(schemaOf('X-Otp')).toMatchObject({ 'x-secret': true })
    const text = JSON.stringify(document)
    expect(text).toContain('"type":["string","null"],"x-secret":true,"format":"password"')
    expect(text).toContain('"items":{"type":"integer","x-secret":true}')
  })

  it('is a change of documentation, not of what clients rely on', async () => {
    const made = (secret: boolean) =>
      application({
        controllers: [
          endpoint('Pins', {
            actions: {
              show: {
                routing: route.get('/'),
                params: { pin: t.string({ secret, max: 4 }), code: t.integer({ secret }) },
                responses: { noContent: true },
              },
            },
          }).implement({ show: (_, { reply }) => reply.noContent() }),
        ],
      }).contract()
    const changes = diffContracts(made(false), made(true))
    expect(changes.map(({ rule, kind }) => [rule, kind])).toEqual([
      ['secret-added', 'documentation'],
      ['secret-added', 'documentation'],
    ])
  })

  it.each([
    ['GET /api/accounts/7/reset/S3CRET/done?name=a&code=S3CRET', `/api/accounts/7/reset/${R}/done?name=a&code=${R}`],
    ['GET /api/accounts/7/reset/S3%2FCRET/done?name=a%20b', `/api/accounts/7/reset/${R}/done?name=a%20b`],
    ['GET /api/accounts/a%2Fb%C3%A9/reset/S3CRET/done', `/api/accounts/a%2Fb%C3%A9/reset/${R}/done`],
    [
      'GET /api/accounts/7/reset/x/done?login[user]=u&login[password]=S3CRET',
      `/api/accounts/7/reset/${R}/done?login[user]=u&${R}`,
    ],
    ['GET /api/accounts/7/reset/x/done?login%5Bpassword%5D=S3CRET', `/api/accounts/7/reset/${R}/done?${R}`],
    ['GET /api/accounts/7/reset/x/done?box={"inner":"S3CRET"}', `/api/accounts/7/reset/${R}/done?box=${R}`],
    ['GET /api/accounts/7/reset/x/done?tokn=S3CRET&S3CRET', `/api/accounts/7/reset/${R}/done?${R}&${R}`],
    ['HEAD /api/accounts/7/reset/S3CRET/done?code=S3CRET', `/api/accounts/7/reset/${R}/done?code=${R}`],
    ['POST /api/accounts/7/reset/S3CRET/done?code=S3CRET', `/api/accounts/${R}/reset/${R}/done?${R}`],
    ['OPTIONS /api/accounts/7/reset/S3CRET/done', `/api/accounts/${R}/reset/${R}/done`],
    ['GET /api/accounts/7/rest/S3CRET', `/api/accounts/${R}/${R}/${R}`],
    ['GET /api/accounts/guarded?key=S3CRET', `/api/accounts/guarded?key=${R}`],
    ['GET /api/accounts/files/S3CRET/raw/a/b', `/api/accounts/files/${R}/raw/a/b`],
  ])('%s is shown without its value', async (line, url) => {
    const { app, seen, logged } = watched()
    const [method = '', target = ''] = line.split(/ (.*)/s)
    const path = target.replace(/[{}"]/g, encodeURIComponent)
    for (const way of [askSocket, askFetch]) await way(app, `${method} ${path}`)
    await expect.poll(() => seen.length).toBe(2)
    expect(seen.map((one) => one.url)).toEqual([url, url])
    expect(logged).toHaveLength(2)
    expect(JSON.stringify(logged)).not.toContain('S3CRET')
    expect(JSON.stringify(logged)).toContain(R)
  })

  it('leaves the paths of an application without secret captures as they are', async () => {
    const Plain = endpoint('Plain', {
      version: '1.0',
      actions: { show: { routing: route.get('/:id'), params: { id: t.string() }, responses: { ok: 'text/plain' } } },
    })
    const { app, seen } = watched({ controllers: [Plain.implement({ show: () => 'x' })], verifiers: [] })
    for (const line of ['GET /api/v1.0/plain/a?api_version=1.0', 'GET /api/nowhere?x=1', 'GET //other'])
      await askSocket(app, line)
    await expect.poll(() => seen.length).toBe(3)
    expect(seen.map(({ url }) => url)).toEqual(['/api/v1.0/plain/a?api_version=1.0', `/api/nowhere?${R}`, '/.//other'])
  })

  it('finds captures behind a version in the path', async () => {
    const Versioned = endpoint('Versioned', {
      version: '1.0',
      actions: {
        show: {
          routing: route.get('/:id/:token'),
          params: { id: t.string(), token: t.string({ secret: true }) },
          responses: { ok: 'text/plain' },
        },
      },
    })
    const { app, seen } = watched({ controllers: [Versioned.implement({ show: () => 'x' })], verifiers: [] })
    for (const line of ['GET /api/v1.0/versioned/a/S3CRET', 'GET /api/v2.0/versioned/a/S3CRET'])
      await askSocket(app, line)
    await expect.poll(() => seen.length).toBe(2)
    expect(seen.map(({ url }) => url)).toEqual([`/api/v1.0/versioned/a/${R}`, `/api/${R}/versioned/${R}/${R}`])
  })

  it('hides headers of requests and responses, and those of credentials', async () => {
    const { app, seen } = watched()
    const headers = { 'X-Otp': '1', 'X-Badge': '2', Authorization: 'x', Cookie: 'a=b', 'User-Agent': 'test' }
    await ask(app, 'POST /api/accounts', { headers, body: { token: 'S3CRET' } })
    await expect.poll(() => seen.length).toBe(2)
    for (const { header, ended } of seen) {
      expect(Object.keys(headers).map(header)).toEqual([R, R, R, R, 'test'])
      expect(header('X-None')).toBeUndefined()
      expect(['x-once', 'X-OTHER', 'X-None'].map((name) => ended.redactedHeader(name))).toEqual([R, 'plain', undefined])
    }
  })
})

describe('the end of a request', () => {
  it.each([
    ['GET /api/nowhere', 404, 'not-found'],
    ['DELETE /api/accounts', 405, 'method-not-allowed'],
    ['GET /api/accounts/none/reset/x/done', 404, 'not-found'],
    ['GET /api/accounts/7/reset/x/done?no=1', 400, 'validation'],
    ['GET /api/accounts/guarded', 401, 'unauthorized'],
    ['GET /api/accounts/7/reset/x/done', 200, undefined],
  ])('%s has the code of its failure', async (line, status, code) => {
    const { app, seen } = watched()
    await ask(app, line)
    await expect.poll(() => seen.length).toBe(2)
    for (const { ended } of seen) {
      expect([ended.status, ended.code]).toEqual([status, code])
      expect(ended.respondedAfter).toBeLessThanOrEqual(ended.duration)
    }
  })

  it('has it also where an encoder writes failures', async () => {
    const Failed = mediaType('Failed', { attributes: { said: t.string() } })
    const { app, seen } = watched({ encodeProblem: problemEncoder(Failed, () => ({ body: { said: 'no' } })) })
    for (const line of ['GET /api/nowhere', 'GET /api/accounts/none/reset/x/done']) await ask(app, line)
    await expect.poll(() => seen.length).toBe(4)
    expect(new Set(seen.map(({ ended }) => ended.code))).toEqual(new Set(['not-found']))
  })
})
