// Returned responses against their declaration, whatever form their body has; and what a media type does without a body.
import { ActionResponse, type ApplicationOptions, application, controller, endpoint, mediaType, route, t } from 'edict'
import { describe, expect, it } from 'vitest'
import { ask, recorder } from '../support/ask.ts'

const Book = mediaType('Book', { attributes: { id: t.integer() } })
const bytes = new TextEncoder().encode('a,b')
const stream = () =>
  new ReadableStream({
    start(to) {
      to.enqueue(bytes)
      to.close()
    },
  })

/** The forms of a body: what is declared for it, and how one is made. */
const forms: Readonly<Record<string, readonly [declared: object, make: () => unknown]>> = {
  text: [{ mediaType: 'text/csv' }, () => 'a,b'],
  bytes: [{ mediaType: 'text/csv' }, () => bytes],
  stream: [{ mediaType: 'text/csv' }, stream],
  structure: [{ mediaType: Book }, () => ({ id: 1 })],
  json: [{ mediaType: 'application/json' }, () => '{}'],
  none: [{}, () => undefined],
}

const answering = (
  declared: object,
  make: () => ActionResponse<string, never>,
  name = 'ok',
  options: Partial<ApplicationOptions> = {},
) => {
  const Files = endpoint('Files', {
    actions: { show: { routing: route.get('/'), responses: { [name]: declared } as never } },
  })
  const files = controller(Files as never, { show: make } as never)
  return application({ logger: recorder(), controllers: [files as never], ...options })
}

describe.each(Object.entries(forms))('a response with a body as %s', (_, [declared, make]) => {
  const made = (init: object = {}) => answering({ ...declared, headers: { 'X-A': 'b' } }, () => response(init))
  const response = ({ status = 200, ...init }: { status?: number; headers?: object; mediaType?: string } = {}) => {
    const { headers = { 'X-A': 'b' }, mediaType: type } = init
    const one = new ActionResponse('ok', status, {
      headers: headers as never,
      ...(type !== undefined && { mediaType: type }),
    })
    one.body = make() as never
    return one as never
  }

  it('[RSP-06] is sent as declared', async () => {
    expect((await ask(made(), 'GET /files')).status).toBe(200)
  })

  it('[RSP-06] is held to its declared status and headers', async () => {
    expect((await ask(made({ status: 201 }), 'GET /files')).status).toBe(500)
    expect((await ask(made({ headers: {} }), 'GET /files')).status).toBe(500)
    expect((await ask(made({ headers: { 'X-A': 'c' } }), 'GET /files')).status).toBe(500)
  })

  it('[RSP-06] is held to its declared media type', async () => {
    expect((await ask(made({ mediaType: 'text/html' }), 'GET /files')).status).toBe(500)
    for (const name of ['Content-Type', 'content-type'])
      expect((await ask(made({ headers: { 'X-A': 'b', [name]: 'text/html' } }), 'GET /files')).status).toBe(500)
  })
})

describe('a media type without a body', () => {
  it.each([
    ['accepted', 202],
    ['noContent', 204],
    ['notModified', 304],
  ] as const)('[RET-05] set no Content-Type: %s', async (name, status) => {
    const one = () => new ActionResponse(name, status, { mediaType: 'text/csv' }) as never
    const app = answering({}, one, name)
    for (const line of ['GET /files', 'HEAD /files']) {
      const { headers, text } = await ask(app, line)
      expect([line, headers['content-type'], text]).toEqual([line, 'text/csv', ''])
    }
    const later = () => {
      const made = new ActionResponse(name, status)
      made.mediaType = Book
      return made as never
    }
    expect((await ask(answering({}, later, name), 'GET /files')).headers['content-type']).toBe(Book.identifier)
  })
})

describe('what a response lacks', () => {
  const lacking = async (declared: object, init: object, options: Partial<ApplicationOptions>): Promise<number> => {
    const make = () => new ActionResponse('ok', 200, init as never) as never
    return (await ask(answering(declared, make, 'ok', options), 'GET /files')).status
  }

  it.each([Book, 'application/json', 'text/csv'])('[RSP-06] a declared body is a 500 everywhere: %o', async (type) => {
    for (const environment of ['development', 'test', 'production'] as const)
      for (const init of [{ mediaType: type }, {}])
        expect([environment, await lacking({ mediaType: type }, init, { environment })]).toEqual([environment, 500])
  })

  it('[RSP-06] a header that is an attribute is judged as an attribute of a body is', async () => {
    const Full = mediaType('Full', { attributes: { id: t.integer({ required: true }) } })
    const header = { headers: { 'X-A': t.string({ required: true }) } }
    for (const validateResponses of ['always', 'sample', 'off'] as const) {
      const attribute = await lacking({ mediaType: Full }, { body: {} }, { validateResponses })
      expect([validateResponses, await lacking(header, {}, { validateResponses })]).toEqual([
        validateResponses,
        attribute,
      ])
      expect(await lacking({ headers: { 'X-A': true } }, {}, { validateResponses })).toBe(500)
    }
  })
})
