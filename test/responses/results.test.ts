// Results of actions: response objects, the current response, strings, and nothing else.
import { STATUS_CODES } from 'node:http'
import { ActionResponse, application, collectionOf, endpoint, mediaType, Responses, route, t } from 'edict'
import { describe, expect, it } from 'vitest'
import { ask, recorder } from '../support/ask.ts'

const Blog = mediaType('Blog', { identifier: 'application/vnd.acme.blog+json', attributes: { id: t.integer() } })

/** One action that returns what `make` gives. */
function returning(
  make: (context: any) => unknown,
  responses: object = { ok: true, created: 'text/plain', notFound: true },
) {
  const Things = endpoint('Things', { actions: { get: { routing: route.get('/'), responses } } } as never)
  const implementation = { get: (_: unknown, context: any) => make(context) }
  return application({ logger: recorder(), controllers: [Things.implement(implementation as never)] })
}
const got = (make: (context: any) => unknown, responses?: object) => ask(returning(make, responses), 'GET /things')

const HTML = { created: 'text/html' }

describe('results', () => {
  it('[RET-01] an action returns an instance of a response class, at once or later', async () => {
    const bare = { created: true, notFound: true }
    expect((await got(() => new Responses.Created(), bare)).status).toBe(201)
    expect((await got(async () => new Responses.NotFound(), bare)).status).toBe(404)
    expect((await got(() => Promise.resolve(new ActionResponse('created', 201)), bare)).status).toBe(201)
    class Own extends Responses.Created {}
    expect((await got(() => new Own(), bare)).status).toBe(201)
  })

  it('[RET-02] there is one class for every status, named by camel-casing its message', () => {
    expect(new Responses.NoContent().status).toBe(204)
    expect(new Responses.Created().status).toBe(201)
    expect(new Responses.ImATeapot().status).toBe(418)
    const named = (message: string) =>
      message
        .replace(/'/g, '')
        .split(/[ -]/)
        .map((word) => word[0]?.toUpperCase() + word.slice(1).toLowerCase())
        .join('')
    // Node still has two older messages, one that was withdrawn and one that was renamed.
    const renamed: Record<string, string> = {
      PayloadTooLarge: 'ContentTooLarge',
      UnprocessableEntity: 'UnprocessableContent',
    }
    for (const [status, message] of Object.entries(STATUS_CODES)) {
      if (status === '509') continue
      const name = renamed[named(message as string)] ?? named(message as string)
      const Class = (Responses as any)[name]
      expect(new Class().status, name).toBe(Number(status))
      expect(new Class(), name).toBeInstanceOf(ActionResponse)
    }
  })

  it('[RET-03] responses are configured by constructor arguments', async () => {
    const answer = await got(
      () =>
        new Responses.Created<string>({
          body: 'b',
          location: '/x',
          mediaType: 'text/html',
          headers: { 'X-A': '1', 'X-B': ['2', '3'] },
        }),
      HTML,
    )
    expect([answer.status, answer.text]).toEqual([201, 'b'])
    expect(answer.headers).toMatchObject({
      location: '/x',
      'content-type': 'text/html; charset=utf-8',
      'x-a': '1',
      'x-b': '2, 3',
    })
  })

  it('[RET-03] or by members of the instance', async () => {
    const answer = await got(() => {
      const made: ActionResponse = new Responses.Created()
      made.body = 'b'
      made.location = '/x'
      made.mediaType = 'text/html'
      made.headers['X-A'] = '1'
      return made
    }, HTML)
    expect(answer.text).toBe('b')
    expect(answer.headers).toMatchObject({ location: '/x', 'content-type': 'text/html; charset=utf-8', 'x-a': '1' })
    const replaced = await got(() => Object.assign(new Responses.Ok(), { headers: { 'X-B': '2' } }))
    expect(replaced.headers['x-b']).toBe('2')
  })

  it('[RET-03] the headers of one response are its own', async () => {
    const shared = { 'X-A': '1' }
    const one = new Responses.Ok({ headers: shared })
    one.headers['X-A'] = '2'
    expect([shared, new Responses.Ok({ headers: shared }).headers]).toEqual([{ 'X-A': '1' }, { 'X-A': '1' }])
  })

  it('[RET-04] location sets the Location header', async () => {
    const made = new Responses.Created({ location: '/blogs/1' })
    expect([made.location, made.headers]).toEqual(['/blogs/1', { Location: '/blogs/1' }])
    expect((await got(() => made, { created: true })).headers['location']).toBe('/blogs/1')
  })

  it('[RET-05] mediaType sets Content-Type from a media type, a view or a list', () => {
    const typeOf = (mediaType: any) => new Responses.Ok({ mediaType }).headers['Content-Type']
    expect([Blog, Blog.view('default'), collectionOf(Blog), 'text/csv'].map(typeOf)).toEqual([
      'application/vnd.acme.blog+json',
      'application/vnd.acme.blog+json',
      'application/vnd.acme.blog+json;type=collection',
      'text/csv',
    ])
  })

  it('[RET-05] and that is what is sent', async () => {
    const answer = await got(() => new Responses.Ok({ body: { id: 1, x: 2 }, mediaType: Blog }), { ok: Blog })
    expect([answer.headers['content-type'], answer.json]).toEqual(['application/vnd.acme.blog+json', { id: 1 }])
    const text = await got(() => new Responses.Ok({ body: '{"id":1}', mediaType: Blog }), { ok: Blog.identifier })
    expect([text.headers['content-type'], text.text]).toEqual(['application/vnd.acme.blog+json', '{"id":1}'])
  })

  it('[RET-06] a default 200 response is always there, and another may be put in its place', async () => {
    const first = await got(
      ({ response }) => `${response.status} ${response.name} ${response instanceof ActionResponse} ${response.body}`,
    )
    expect(first.text).toBe('200 ok true undefined')
    const placed = await got(
      (context) => {
        context.response = new Responses.Created({ location: '/x' })
        return context.response
      },
      { created: true },
    )
    expect([placed.status, placed.headers['location']]).toEqual([201, '/x'])
    const later = returning(() => 'body')
    expect((await ask(later, 'GET /things')).status).toBe(200)
    const Things = endpoint('Things', {
      actions: { get: { routing: route.get('/'), responses: { ok: true, created: 'text/plain' } } },
    })
    const before = Things.implement({ get: () => 'body' }).before((context) => {
      context.response = new Responses.Created()
    })
    const answer = await ask(application({ controllers: [before] }), 'GET /things')
    expect([answer.status, answer.text]).toEqual([201, 'body'])
  })

  it('[RET-07] it may be modified and returned, or ignored', async () => {
    const modified = await got(({ response }) => {
      response.headers['X-A'] = '1'
      response.body = 'modified'
      return response
    })
    expect([modified.text, modified.headers['x-a']]).toEqual(['modified', '1'])
    const ignored = await got(({ response }) => {
      response.headers['X-A'] = '1'
      return new Responses.Created<string>({ body: 'other' })
    })
    expect([ignored.status, ignored.text, ignored.headers['x-a']]).toEqual([201, 'other', undefined])
  })

  it('[RET-08] a returned string becomes the body of the current response', async () => {
    const answer = await got((context) => {
      context.response = new Responses.Created<string>({ body: 'replaced', headers: { 'X-A': '1' } })
      return 'text ü'
    })
    expect([answer.status, answer.text, answer.headers['x-a']]).toEqual([201, 'text ü', '1'])
    expect((await got(async () => '')).status).toBe(200)
  })

  it('[RET-09] [ERR-01] any other return value is an immediate error', async () => {
    const values = [
      undefined,
      null,
      0,
      1n,
      true,
      {},
      [],
      new Date(),
      { status: 200, body: 'x' },
      new globalThis.Response('x'),
      Symbol('x'),
      () => 'x',
      Buffer.from('x'),
      new String('x'),
    ]
    for (const value of values) {
      for (const make of [() => value, async () => value]) {
        const answer = await got(make)
        expect([answer.status, answer.json.code], String(value)).toEqual([500, 'internal'])
        expect(answer.json.detail).toMatch(/the action returned .+; return one of its declared responses, or a string/)
      }
    }
  })
})
