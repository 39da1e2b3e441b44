// Documents and servers held to each other: what a document says of an operation is what its server does.
import { type Attribute, application, endpoint, mediaType, route, security, t, verifier } from 'edict'
import { describe, expect, it } from 'vitest'
import { askFetch, recorder } from '../support/ask.ts'

const Thing = mediaType('Thing', { attributes: { id: t.integer({ required: true }) } })

/** One action of these parts at `/things`, and the application that has it. */
function served(action: object, options: object = {}) {
  const spec = { actions: { act: { routing: route.post('/'), responses: { ok: 'text/plain' }, ...action } } }
  const Things = endpoint('Things', spec as never)
  const app = application({
    logger: recorder(),
    ...options,
    controllers: [Things.implement({ act: (_: unknown, { reply }: any) => reply.ok('x') } as never)],
  })
  const operation = app.openapi().paths['/things']!['post']!
  return { app, operation, ask: (asked: object = {}, query = '') => askFetch(app, `POST /things${query}`, asked) }
}

describe('a part of a request', () => {
  const kinds: [name: string, make: (options: object) => Attribute, sent: string][] = [
    ['an integer', (options) => t.integer(options), '1'],
    ['a text', (options) => t.string(options), 'x'],
  ]
  const flags: [name: string, options: object][] = [
    ['required', { required: true }],
    ['optional', {}],
    ['with a default', { default: undefined }],
    ['nullable', { nullable: true }],
  ]
  const cases = kinds.flatMap(([kind, make, sent]) =>
    flags.map(([flag, options]) => {
      const initial = kind === 'an integer' ? 7 : 'd'
      return {
        title: `${kind}, ${flag}`,
        sent,
        one: make('default' in options ? { ...options, default: initial } : options),
      }
    }),
  )

  it.each(cases)('is required in the query exactly if the server requests it: $title', async ({ one, sent }) => {
    const { operation, ask } = served({ params: { q: one } })
    const parameter = operation.parameters?.find(({ name }) => name === 'q')
    expect(parameter?.required ?? false).toBe((await ask()).status === 400)
    expect((await ask({}, `?q=${sent}`)).status).toBe(200)
  })

  it.each(cases)('is required in headers exactly if the server requests it: $title', async ({ one, sent }) => {
    const { operation, ask } = served({ headers: { 'X-Q': one } })
    const parameter = operation.parameters?.find(({ name }) => name === 'X-Q')
    expect(parameter?.required ?? false).toBe((await ask()).status === 400)
    expect((await ask({ headers: { 'x-q': sent } })).status).toBe(200)
  })

  it.each(cases)('is required within a structure exactly if the server requests it: $title', async ({ one }) => {
    for (const required of [true, false]) {
      const { operation, ask } = served({
        params: { q: t.object({ a: one, deep: t.object({ b: one }) }, { required }) },
      })
      const inner = operation.parameters?.find(({ name }) => name === 'q[a]')
      const refused = (await ask()).status === 400
      // Where the whole is not sent, nothing of it is missing.
      if (inner?.required === true) expect(refused).toBe(true)
      if (!refused) expect(inner?.required ?? false).toBe(false)
    }
  })

  it.each(cases)('is required in the body exactly if the server requests it: $title', async ({ one }) => {
    const { app, operation, ask } = served({ payload: { a: one } })
    const { $ref } = operation.requestBody!.content['application/json']!.schema as { $ref: string }
    const schema = app.openapi().components!.schemas![$ref.split('/').at(-1)!] as { required?: string[] }
    expect(schema.required?.includes('a') ?? false).toBe((await ask({ body: {} })).status === 400)
    expect(operation.requestBody?.required).toBe((await ask()).status === 400)
  })
})

describe('a response of the framework', () => {
  const Key = security.apiKey<string>('Key', { in: 'header', name: 'X-Key' })
  const verifiers = { verifiers: [verifier(Key, (key) => (key === 'yes' ? key : undefined))] }

  it.each([
    ['401', { security: Key }, {}],
    ['406', { responses: { ok: { mediaType: ['text/plain', 'text/csv'] } } }, { headers: { accept: 'image/png' } }],
    ['415', { payload: { a: t.string() } }, { headers: { 'content-type': 'image/png' }, body: 'x' }],
    ['413', { payload: { a: t.string() } }, { body: { a: 'x'.repeat(200) } }],
    ['400', { params: { q: t.integer({ required: true }) } }, {}],
  ])('%s is in the document, and comes', async (status, action, asked) => {
    const { operation, ask } = served(action, { ...verifiers, limits: { body: 100 } })
    const answer = await ask(asked)
    expect(String(answer.status)).toBe(status)
    const documented = operation.responses[status]
    expect(Object.keys(documented?.content ?? {})).toContain(answer.headers['content-type'])
    for (const [name, { required }] of Object.entries(documented?.headers ?? {}))
      if (required === true) expect(answer.headers).toHaveProperty(name.toLowerCase())
  })

  it('is in no document of an action that never gives it', () => {
    const statuses = (action: object) => Object.keys(served(action, verifiers).operation.responses)
    expect(statuses({ ignore: ['*'] })).toEqual(['200', 'default'])
    expect(statuses({})).toEqual(['200', '400', 'default'])
    expect(statuses({ security: [Key, 'none'] })).toEqual(['200', '400', '401', '403', 'default'])
    expect(statuses({ security: 'none' })).toEqual(['200', '400', 'default'])
    expect(statuses({ payload: { a: t.string() } })).toEqual(['200', '400', '413', '415', 'default'])
  })

  it('says how large a body may be: that of a file by its own limit', () => {
    const text = (payload: unknown) => served({ payload, bodyLimit: 5000 }).operation.requestBody?.description
    expect(text({ a: t.string() })).toContain('At most 5000 bytes.')
    expect(text(t.file({ max: 700 }))).toContain('At most 700 bytes.')
  })
})

describe('the header Authorization', () => {
  it('is security, and no parameter', () => {
    const parts = (headers: object) => {
      const { parameters = [], security: needs } = served({ headers }).operation
      return [parameters.map(({ name }) => name), needs]
    }
    expect(parts({ Authorization: t.string({ required: true }) })).toEqual([[], [{ Authorization: [] }]])
    expect(parts({ authorization: t.string(), 'X-A': t.string() })).toEqual([['X-A'], [{}, { Authorization: [] }]])
  })
})

describe('headers of a response', () => {
  it('are required as they are declared, and patterns stand there where JSON Schema can say them', () => {
    const headers = {
      'X-Must': t.integer({ required: true }),
      'X-May': t.integer({ description: 'Perhaps.' }),
      'X-Any': true,
      'X-Is': 'this',
      'X-Like': /^a+$/,
      'X-Flagged': /^a+$/i,
    }
    const { operation } = served({ responses: { ok: { mediaType: 'text/plain', headers } } })
    expect(operation.responses['200']?.headers).toMatchObject({
      'X-Must': { required: true, schema: { type: 'integer' } },
      'X-May': { required: false, description: 'Perhaps.' },
      'X-Any': { required: true, schema: { type: 'string' } },
      'X-Is': { required: true, schema: { const: 'this' } },
      'X-Like': { required: true, schema: { pattern: '^a+$' } },
      'X-Flagged': { required: true, schema: { type: 'string' } },
    })
    expect(operation.responses['200']?.headers?.['X-Flagged']?.schema).not.toHaveProperty('pattern')
  })

  it('that two responses of one status share are required where both have them', () => {
    const both = { 'X-Both': true, 'X-Half': true }
    const responses = {
      ok: { mediaType: 'text/plain', headers: both },
      fine: { status: 200, mediaType: Thing, headers: { 'X-Both': true, 'X-Half': t.string() } },
    }
    const { operation } = served({ responses })
    const { headers } = operation.responses['200']!
    expect([headers?.['X-Both']?.required, headers?.['X-Half']?.required]).toEqual([true, false])
  })
})
