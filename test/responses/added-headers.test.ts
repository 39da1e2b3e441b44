// Headers that plugins and policies give to answers, and responses that policies declare.
import { connect } from 'node:net'
import { expect, it } from 'vitest'
import { policy } from '../../src/extend.ts'
import { ActionResponse, application, endpoint, type Plugin, route, t } from '../../src/index.ts'
import { ask, mistakesOf, recorder, urlOf } from '../support/ask.ts'

const House: Plugin = {
  name: 'house',
  responseHeaders: ['X-House', 'edict', 'X-Content-Type-Options', '', 'Vary', 'X-Tenant', 'Cache-Control', 'no-cache'],
}

const fresh = policy({
  name: 'fresh',
  plugin: 'fresh',
  declares: { notModified: true },
  documentedHeaders: { 'X-Fresh': { description: 'How fresh it is.', schema: { type: 'string' } } },
  responseHeaders: ['Cache-Control', 'max-age=5'],
})
const Fresh: Plugin = {
  name: 'fresh',
  enforce: () => ({
    after(response, request) {
      if (response.status !== 200) return undefined
      response.headers['X-Fresh'] = String(response.body)
      return request.headers['x-known'] === response.body ? new ActionResponse('notModified', 304) : undefined
    },
  }),
}

const Things = endpoint('Things', {
  actions: {
    show: {
      routing: route.get('/:id'),
      params: { id: t.integer() },
      policies: [fresh],
      responses: { ok: 'text/plain', notFound: true },
    },
    plain: { routing: route.get('/plain/:how'), params: { how: t.string() }, responses: { ok: 'text/plain' } },
  },
})

const app = application({
  controllers: [
    Things.implement({
      show: ({ id }, { reply }) => (id === 9 ? reply.notFound() : reply.ok(`thing ${id}`)),
      plain: ({ how }, { reply }) => {
        if (how === 'fail') throw new Error('broken')
        return reply.ok('plain', how === 'own' ? { headers: { 'x-house': 'mine', Vary: 'X-Mood' } } : {})
      },
    }),
  ],
  plugins: [House, Fresh],
  logger: recorder(),
})

it.each([
  'GET /things/plain/a',
  'GET /things/plain/fail',
  'GET /nowhere',
  'DELETE /things/1',
  'OPTIONS /things/1',
  'GET /things/x',
])('[EXT-02] headers of a plugin stand in the response to %s, instead of those of edict', async (line) => {
  const { headers } = await ask(app, line)
  expect(headers).toMatchObject({ 'x-house': 'edict', vary: 'X-Tenant' })
  expect(headers).not.toHaveProperty('x-content-type-options')
})

it('[EXT-02] a header of the action replaces a plugin’s, whatever its letters, and Vary has both', async () => {
  const { headers } = await ask(app, 'GET /things/plain/own')
  expect(headers).toMatchObject({ 'x-house': 'mine', vary: 'X-Tenant, X-Mood' })
})

it('[EXT-02] a header of a policy replaces a plugin’s', async () => {
  expect((await ask(app, 'GET /things/1')).headers['cache-control']).toBe('max-age=5')
  expect((await ask(app, 'GET /things/plain/a')).headers['cache-control']).toBe('no-cache')
})

it('[EXT-01] what the server refuses by itself has the headers of plugins', async () => {
  const { port } = new URL(await urlOf(app))
  const text = await new Promise<string>((resolve, reject) => {
    let received = ''
    const socket = connect(Number(port), '127.0.0.1')
    socket.on('data', (data) => {
      received += data.toString()
    })
    socket.on('close', () => resolve(received))
    socket.on('error', reject)
    socket.write('GET / HTTP/1.1\r\nHost: a\r\nExpect: nonsense\r\nConnection: close\r\n\r\n')
  })
  expect(text).toMatch(/^HTTP\/1.1 417/)
  expect(text).toContain('X-House: edict')
  expect(text).not.toContain('nosniff')
})

it('[EXT-04] a policy replaces a response before it is written by one that it declares', async () => {
  expect(await ask(app, 'GET /things/1')).toMatchObject({ status: 200, headers: { 'x-fresh': 'thing 1' } })
  expect(await ask(app, 'GET /things/1', { headers: { 'x-known': 'thing 1' } })).toMatchObject({
    status: 304,
    text: '',
  })
  expect(await ask(app, 'GET /things/9')).toMatchObject({ status: 404 })
})

it('[EXT-04] documents and contract know the responses and headers of policies', () => {
  const operation = app.openapi().paths['/things/{id}']?.['get']
  expect(operation?.responses['304']).toBeDefined()
  expect(operation?.responses['200']?.headers).toMatchObject({ 'X-Fresh': { description: 'How fresh it is.' } })
  const [things] = app.contract().endpoints
  expect(things?.actions['show']?.responses).toMatchObject({
    notModified: { status: 304 },
    ok: { headers: { 'x-fresh': { required: false } } },
  })
})

it('[EXT-02] refuses headers of a plugin that are none', () => {
  const made = (answerHeaders: string[]) => () =>
    application({
      controllers: [Things.implement({ show: () => 'a', plain: () => 'b' })],
      plugins: [Fresh, { name: 'odd', responseHeaders: answerHeaders }],
    })
  expect(mistakesOf(made(['X-House']))).toHaveLength(1)
  expect(mistakesOf(made(['X House', 'a']))).toHaveLength(1)
  expect(mistakesOf(made(['X-House', 'a\nb']))).toHaveLength(1)
})
