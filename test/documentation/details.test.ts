// Details of documents that clients and generators read: examples of problems, files, verbs of one path, headers of policies.
import { type ApplicationOptions, application, endpoint, problemEncoder, route, security, t, verifier } from 'edict'
import { rateLimit, rateLimits } from 'edict/rate-limit'
import { memoryStore } from 'edict/stores'
import { describe, expect, it } from 'vitest'

const Token = security.bearer<string>('Token')

const Books = endpoint('Books', {
  actions: {
    show: {
      routing: route.get('/:id'),
      params: { id: t.integer() },
      security: Token,
      policies: [rateLimit({ limit: 5, per: '1m', by: 'address' })],
      responses: { ok: 'text/plain', bookGone: { status: 410 } },
    },
    replace: { routing: route.put('/:key'), params: { key: t.integer() }, responses: { noContent: true } },
    cover: {
      routing: route.put('/:id/cover'),
      params: { id: t.integer() },
      payload: t.file({ types: ['image/png', 'image/webp'] }),
      responses: { noContent: true },
    },
  },
})

function documentOf(options: Partial<ApplicationOptions> = {}): any {
  return application({
    title: 'Library',
    controllers: [
      Books.implement({
        show: () => 'x',
        replace: (_, { reply }) => reply.noContent(),
        cover: (_, { reply }) => reply.noContent(),
      }),
    ],
    verifiers: [verifier(Token, () => 'me')],
    plugins: [rateLimits(memoryStore())],
    ...options,
  }).openapi()
}

const examplesOf = (operation: any): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(operation.responses).map(([status, response]: [string, any]) => {
      const [content]: any[] = Object.values(response.content ?? {})
      return [status, content?.example ?? Object.values(content?.examples ?? {}).map((one: any) => one.value)]
    }),
  )

describe('a document', () => {
  it('has nothing that JSON would leave out', () => {
    const document = documentOf()
    expect(JSON.parse(JSON.stringify(document))).toStrictEqual(document)
  })

  it('is described where the application is, and so are its actions', () => {
    expect(documentOf().info).toEqual({ title: 'Library', version: 'unversioned' })
    expect(documentOf({ description: 'All books.' }).info).toMatchObject({ description: 'All books.' })
    const { get } = documentOf().paths['/books/{id}']
    expect([get.summary, get.description]).toEqual(['Show a book', undefined])
  })

  it('has all verbs of one path, whatever each calls its captures', () => {
    const { paths } = documentOf()
    expect(Object.keys(paths)).toEqual(['/books/{id}', '/books/{id}/cover'])
    expect(Object.keys(paths['/books/{id}']).filter((one) => one !== 'parameters')).toEqual(['get', 'put'])
  })

  it('has a verb that a hidden route for any verb leaves to it', () => {
    const Things = endpoint('Things', {
      actions: {
        any: { nodoc: true, routing: route.any('/:id'), params: { id: t.integer() }, responses: { ok: 'text/plain' } },
        show: { routing: route.get('/:id'), params: { id: t.integer() }, responses: { ok: 'text/plain' } },
      },
    })
    const document: any = application({
      controllers: [Things.implement({ any: () => 'x', show: () => 'y' })],
    }).openapi()
    expect(document.paths['/things/{id}'].get.summary).toBe('Show a thing')
  })

  it('says which files a body may be', () => {
    expect(documentOf().paths['/books/{id}/cover'].put.requestBody.content).toEqual({
      'image/png': {},
      'image/webp': {},
    })
  })

  it('has the headers of policies in the responses of an action, and of no other', () => {
    const item = documentOf().paths['/books/{id}']
    const headersOf = (response: { headers?: object }): string[] => Object.keys(response.headers ?? {})
    expect(headersOf(item.get.responses['200']).some((name) => name.startsWith('RateLimit'))).toBe(true)
    expect(headersOf(item.put.responses['204'])).toEqual([])
  })

  it('names the schemes of its actions, and none where there are none', () => {
    expect(Object.keys(documentOf().components.securitySchemes)).toEqual(['Token'])
    const Open = endpoint('Open', { actions: { show: { routing: route.get('/'), responses: { ok: 'text/plain' } } } })
    const document: any = application({ controllers: [Open.implement({ show: () => 'x' })] }).openapi()
    expect(document.components).not.toHaveProperty('securitySchemes')
  })
})

describe('examples of problems', () => {
  it.each([400, 422])('have the status and the code that are sent, with %i for what is not valid', (status) => {
    const { get } = documentOf({ validation: { status: status as 400 | 422 } }).paths['/books/{id}']
    const found = examplesOf(get)
    expect(JSON.stringify(found[status])).toContain(`"status":${status}`)
    expect(JSON.stringify(found[status])).toContain('"code":"validation"')
    expect(JSON.stringify(found['401'])).toContain('"status":401')
    expect(JSON.stringify(found['401'])).not.toMatch(/"errors"|"detail"/)
    expect(JSON.stringify(found[status])).toContain('"detail"')
    expect(JSON.stringify(found['410'])).toContain('"code":"book-gone"')
  })

  it('are texts where problems are of no type of JSON, even if they read like it', () => {
    const encode = (type: string) => problemEncoder(type, ({ status }) => ({ body: `{"status":${status}}` }))
    const withType = (type: string) => documentOf({ encodeProblem: encode(type) }).paths['/books/{id}'].get
    expect(withType('text/plain').responses['401'].content['text/plain'].schema).toEqual({ type: 'string' })
    expect(JSON.stringify(examplesOf(withType('text/plain'))['401'])).toContain('{\\"status\\":401}')
    expect(JSON.stringify(examplesOf(withType('application/vnd.x+json'))['401'])).toContain('{"status":401}')
  })
})
