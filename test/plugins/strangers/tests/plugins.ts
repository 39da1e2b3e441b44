// Plugins that see, refuse and change requests: each with a server on a socket and a typed client.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { atMostOne, controller, endpoint, type Plugin, route, t } from 'edict'
import { client } from 'edict/client'
import { defineCodes, Refusal } from 'edict/extend'
import {
  apiKey,
  apiKeys,
  feature,
  featureFlags,
  localise,
  maintenance,
  requestSizes,
  serverTiming,
  withQuota,
} from '../src/index.js'
import { german } from './german.js'
import { served } from './served.js'

const Books = endpoint('Books', {
  actions: {
    show: { routing: route.get('/:id'), params: { id: t.integer() }, responses: { ok: 'text/plain' } },
    create: {
      routing: route.post('/'),
      payload: {
        title: t.string({ required: true, max: 3 }),
        pages: t.integer({ min: 1 }),
        shelf: t.string({ values: ['A', 'B'] }),
        code: t.string({ format: 'uuid' }),
        a: t.string(),
        b: t.string(),
      },
      responses: { noContent: true },
    },
  },
})
const books = controller(Books, {
  show: ({ id }) => `book ${id}`,
  create: (_, { reply }) => reply.noContent(),
})

void test('Server-Timing has each step', () =>
  served({ controllers: [books], plugins: [serverTiming()] }, async (url) => {
    const api = client({ Books }, { baseUrl: url })
    const answer = await api.Books.show({ id: 1 })
    assert.equal(answer.body, 'book 1')
    const steps = (answer.headers.get('Server-Timing') ?? '').split(', ').map((one) => one.replace(/;dur=[\d.]+$/, ''))
    assert.deepEqual(steps, ['validate', 'action', 'write'])
    assert.equal((await fetch(`${url}/nowhere`)).headers.get('Server-Timing'), null)
  }))

void test('maintenance answers everything but what stays open, and documents say so', async () => {
  let isOn = true
  const plugins = [maintenance(() => isOn, ['/books/1'])]
  await served({ controllers: [books], plugins }, async (url, app) => {
    const api = client({ Books }, { baseUrl: url })
    const refused = await api.Books.show({ id: 2 })
    assert.equal(refused.name, 'failure')
    assert.deepEqual([refused.status, refused.headers.get('Retry-After')], [503, '120'])
    assert.equal((await api.Books.show({ id: 1 })).name, 'ok')
    isOn = false
    assert.equal((await api.Books.show({ id: 2 })).name, 'ok')
    const operation = app.openapi().paths['/books/{id}']?.['get']
    assert.ok(Object.keys(operation?.responses ?? {}).includes('503'))
  })
})

void test('keys have quotas, and a new minute has a new one', async () => {
  const Metered = endpoint('Metered', {
    actionDefaults: { security: apiKey, policies: [withQuota()] },
    actions: { show: { routing: route.get('/'), responses: { ok: 'text/plain' } } },
  })
  const metered = controller(Metered, { show: (_, { principal, quota }) => `${principal.name} has ${quota.left}` })
  let now = 0
  const plugins = [apiKeys(new Map([['k1', { name: 'Ada', perMinute: 2 }]]), () => now)]
  await served({ controllers: [metered], plugins }, async (url, app) => {
    const api = client({ Metered }, { baseUrl: url, headers: { 'X-Api-Key': 'k1' }, attempts: 1 })
    const seen = []
    for (let i = 0; i < 3; i++) {
      const { status, body, headers } = await api.Metered.show()
      seen.push([status, status === 200 ? body : undefined, headers.get('X-Quota-Left')])
    }
    assert.deepEqual(seen, [
      [200, 'Ada has 1', '1'],
      [200, 'Ada has 0', '0'],
      [429, undefined, null],
    ])
    now = 60_000
    assert.equal((await api.Metered.show()).body, 'Ada has 1')
    assert.equal((await fetch(`${url}/metered`)).status, 401)
    const responses = app.openapi().paths['/metered']?.['get']?.responses ?? {}
    assert.ok(['401', '403', '429'].every((status) => status in responses))
  })
})

void test('features that are off take their actions away', async () => {
  const Beta = endpoint('Beta', {
    actions: {
      old: { routing: route.get('/old'), responses: { ok: 'text/plain' } },
      shiny: { routing: route.get('/shiny'), policies: [feature('shiny')], responses: { ok: 'text/plain' } },
    },
  })
  const beta = controller(Beta, { old: () => 'old', shiny: () => 'shiny' })
  for (const on of [[], ['shiny']]) {
    await served({ controllers: [beta], plugins: [featureFlags(on)] }, async (url, app) => {
      const api = client({ Beta }, { baseUrl: url })
      assert.equal((await api.Beta.old()).body, 'old')
      assert.equal((await api.Beta.shiny()).status, on.length === 0 ? 404 : 200)
      assert.equal('/beta/shiny' in app.openapi().paths, on.length > 0)
      const operation: object = app.openapi().paths['/beta/shiny']?.['get'] ?? {}
      assert.equal(Object.entries(operation).find(([name]) => name === 'x-feature')?.[1], on[0])
    })
  }
})

const loanCodes = defineCodes('loans', {
  issues: { 'loan-days': 'must be at most {limit} days' },
  failures: { 'book-lent': { status: 409, title: 'The book is lent' } },
})
const loans: Plugin = { name: 'loans', codes: loanCodes }

void test('all messages are in the language of the client', async () => {
  const Loans = endpoint('Loans', {
    actions: {
      lend: {
        routing: route.post('/'),
        params: { days: t.integer() },
        payload: t.object({ a: t.string(), b: t.string() }, { requires: [atMostOne('a', 'b')] }),
        responses: { noContent: true },
      },
    },
  })
  const lending = controller(Loans, {
    lend({ days = 0 }, { reply }) {
      if (days > 30)
        throw Refusal.ofParams([{ pointer: '/days', code: loanCodes.issues['loan-days'], detail: { limit: 30 } }])
      if (days === 7) throw new Refusal(loanCodes.failures['book-lent'])
      return reply.noContent()
    },
  })
  const plugins = [loans, localise({ de: german })]
  await served({ controllers: [books, lending], plugins, limits: { body: 200 } }, async (url) => {
    const api = client({ Books, Loans }, { baseUrl: url, headers: { 'Accept-Language': 'de-CH' } })
    const title = 'Emma'
    const payload = { title, pages: 0, shelf: 'C' as never, code: 'x' }
    const refused = await api.Books.create(undefined, { payload })
    assert.equal(refused.name, 'failure')
    assert.equal(refused.headers.get('Content-Language'), 'de')
    const { problem } = refused
    assert.deepEqual([problem?.title, problem?.detail], [german.failures.validation, problem?.errors?.[0]?.message])
    assert.deepEqual(
      problem?.errors?.map(({ message }) => message),
      [
        "Das Feld 'title' darf höchstens 3 Zeichen haben",
        "Das Feld 'pages' muss mindestens 1 sein",
        "Das Feld 'shelf' muss eines sein von A, B",
        "Das Feld 'code' muss eine UUID sein",
      ],
    )
    const told = async (path: string, init: RequestInit = {}): Promise<unknown> => {
      const headers = { 'Accept-Language': 'de', 'Content-Type': 'application/json', ...init.headers }
      const { title: short, detail } = (await (await fetch(url + path, { ...init, headers })).json()) as Problem
      return detail ?? short
    }
    const post = (body: string): RequestInit => ({ method: 'POST', body })
    assert.equal(await told('/books/x'), "Der Parameter 'id' muss eine ganze Zahl sein")
    assert.equal(await told('/nowhere'), 'Diesen Pfad gibt es nicht.')
    assert.match(String(await told('/books/1', { method: 'PUT' })), /^PUT geht hier nicht, nur GET, HEAD/)
    assert.equal(await told('/books', post('{"a":}')), 'Das JSON ist falsch in Zeile 1, Spalte 6.')
    assert.equal(await told('/books', post('x'.repeat(300))), 'Mehr als 200 Bytes.')
    const csv = { ...post('a'), headers: { 'Content-Type': 'text/csv' } }
    assert.equal(await told('/books', csv), 'text/csv geht nicht. Möglich: application/json, application/*+json.')
    assert.equal(await told('/loans', post('{"a":"1","b":"2"}')), 'Der Inhalt braucht höchstens eines von a, b')
    assert.equal(await told('/loans?days=31', post('{}')), "Der Parameter 'days' darf höchstens 30 Tage sein")
    assert.equal(await told('/loans?days=7', post('{}')), 'Das Buch ist verliehen')
    const english = await fetch(`${url}/nowhere`)
    assert.equal(((await english.json()) as Problem).detail, 'No route of this API has this path.')
  })
})

void test('a language that lacks a code of a plugin does not boot', async () => {
  const { 'loan-days': _, ...issues } = german.issues
  const plugins = [loans, localise({ de: { ...german, issues: issues as typeof german.issues } })]
  await assert.rejects(
    served({ controllers: [books], plugins }, async () => {}),
    /'loan-days' has no text in 'de'/,
  )
})

void test('sizes are counted by action, and shown by an action', async () => {
  const warned: unknown[] = []
  const logger = { debug() {}, info() {}, error() {}, warn: (fields: object) => void warned.push(fields) }
  await served({ controllers: [books], plugins: [requestSizes({ large: 15 })], logger }, async (url) => {
    const api = client({ Books }, { baseUrl: url })
    for (const title of ['a', 'bc']) await api.Books.create(undefined, { payload: { title } })
    await api.Books.show({ id: 1 })
    await fetch(`${url}/nowhere`)
    const shown = (await (await fetch(`${url}/request-sizes`)).json()) as Record<string, Record<string, number>>
    assert.deepEqual(shown['Books.create'], { requests: 2, received: 27, sent: 0, large: 0 })
    assert.deepEqual(shown['Books.show'], { requests: 1, received: 0, sent: 6, large: 0 })
    assert.equal(shown['none']?.['requests'], 1)
    await api.Books.create(undefined, { payload: { title: 'abcdefgh' } })
    assert.equal(warned.length, 1)
  })
  await assert.rejects(
    served({ controllers: [books], plugins: [requestSizes({ large: 0 })] }, async () => {}),
    /requestSizes\.large/,
  )
})

interface Problem {
  readonly title?: string
  readonly detail?: string
}
