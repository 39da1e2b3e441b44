// Declared responses: names, collections, custom ones, and what happens to a response that was not declared as it is.
import { STATUS_CODES } from 'node:http'
import { application, collectionOf, endpoint, mediaType, Responses, response, route, t } from 'edict'
import { describe, expect, it } from 'vitest'
import { ask, mistakesOf, recorder } from '../support/ask.ts'

const Blog = mediaType('Blog', {
  attributes: { id: t.integer({ required: true }), title: t.string() },
  views: { short: ['id'] },
})

/** One action with these responses that returns what `make` gives. */
function returning(responses: object, make: (reply: any, context: any) => unknown, options: object = {}) {
  const Things = endpoint('Things', { actions: { get: { routing: route.get('/'), responses } } } as never)
  const implementation = { get: (_: unknown, context: any) => make(context.reply, context) }
  return application({ logger: recorder(), ...options, controllers: [Things.implement(implementation as never)] })
}

describe('declared responses', () => {
  it('[RSP-01] an action lists its responses by name, with arguments', async () => {
    const responses = {
      ok: Blog,
      created: { location: '/things/1', headers: { 'X-Kind': 'new' } },
      notFound: true,
      noContent: { description: 'Gone' },
    }
    const made = {
      ok: (reply: any) => reply.ok({ id: 1 }),
      created: (reply: any) => reply.created(undefined, { location: '/things/1', headers: { 'X-Kind': 'new' } }),
      notFound: (reply: any) => reply.notFound('No thing'),
      noContent: (reply: any) => reply.noContent(),
    }
    const got = await Promise.all(
      Object.values(made).map(async (make) => await ask(returning(responses, make), 'GET /things')),
    )
    expect(got.map(({ status }) => status)).toEqual([200, 201, 404, 204])
    expect(got[0]?.json).toEqual({ id: 1 })
    expect(got[1]?.headers).toMatchObject({ location: '/things/1', 'x-kind': 'new' })
    expect(got[2]?.json).toMatchObject({ status: 404, title: 'Not Found', code: 'not-found', detail: 'No thing' })
    expect(got[3]?.text).toBe('')
    const offered = returning(responses, (reply, { response }) =>
      Object.assign(response, { body: { id: Object.keys(reply).length } }),
    )
    expect((await ask(offered, 'GET /things')).json).toEqual({ id: 4 })
  })

  it('[RSP-02] a collection of a media type, or of one of its views', async () => {
    const list = [
      { id: 1, title: 'a' },
      { id: 2, title: 'b' },
    ]
    const answer = await ask(
      returning({ ok: collectionOf(Blog) }, (reply) => reply.ok(list)),
      'GET /things',
    )
    expect([answer.json, answer.headers['content-type']]).toEqual([list, 'application/vnd.blog+json;type=collection'])
    const short = await ask(
      returning({ ok: collectionOf(Blog, { view: 'short' }) }, (reply) => reply.ok(list)),
      'GET /things',
    )
    expect(short.json).toEqual([{ id: 1 }, { id: 2 }])
    expect(
      (
        await ask(
          returning({ ok: collectionOf(Blog) }, (reply) => reply.ok([])),
          'GET /things',
        )
      ).json,
    ).toEqual([])
    expect(
      (
        await ask(
          returning({ ok: collectionOf(Blog) }, (reply) => reply.ok(list[0])),
          'GET /things',
        )
      ).status,
    ).toBe(500)
  })

  it('[RSP-03] there is a built-in name for every HTTP status', async () => {
    const statuses = Object.keys(STATUS_CODES)
      .map(Number)
      .filter((status) => status >= 200 && ![418, 509].includes(status))
    const byStatus = new Map(Object.entries(Responses).map(([name, made]) => [made.spec.status, name]))
    expect(statuses.filter((status) => !byStatus.has(status))).toEqual([])
    for (const [status, name] of byStatus) {
      const listed = name.charAt(0).toLowerCase() + name.slice(1)
      const boot = () => returning({ [listed]: true }, (reply) => reply[listed]())
      if (status < 200) expect(mistakesOf(boot), name).toMatchObject([{ setting: `responses.${listed}` }])
      else expect((await ask(boot(), 'GET /things')).status, name).toBe(status)
    }
    for (const name of ['Ok', 'Created', 'BadRequest', 'NotFound', 'NoContent']) expect(Responses).toHaveProperty(name)
  })

  it('[RSP-04] an application may add responses of its own', async () => {
    const Throttled = response('throttled', { status: 429, headers: { 'Retry-After': /^\d+$/ } })
    const responses = { throttled: Throttled, calm: { status: 420, mediaType: 'text/plain' } }
    const one = await ask(
      returning(responses, () => new Throttled({ headers: { 'Retry-After': '5' } })),
      'GET /things',
    )
    expect([one.status, one.headers['retry-after'], one.json.code]).toEqual([429, '5', 'throttled'])
    const two = await ask(
      returning(responses, (reply) => reply.calm('shh')),
      'GET /things',
    )
    expect([two.status, two.text]).toEqual([420, 'shh'])
  })

  it('[RSP-04] two different ones of one name are refused at boot, one listed twice is not', () => {
    const boot = (first: object, second: object) => {
      const [one, two] = [first, second].map((busy, i) =>
        endpoint(`E${i}`, {
          mediaType: i === 0 ? Blog : 'text/csv',
          actions: { a: { routing: route.get('/'), responses: { busy } } },
        } as never).implement({ a: () => '' } as never),
      )
      return mistakesOf(() => application({ controllers: [one, two] as never })).map(
        ({ endpoint, action, setting }) => `${endpoint} ${action} ${setting}`,
      )
    }
    const conflict = ['E1 a responses.busy']
    expect(boot({ status: 429 }, { status: 503 })).toEqual(conflict)
    expect(boot({ status: 429, headers: { A: /a/ } }, { status: 429, headers: { A: /b/ } })).toEqual(conflict)
    expect(boot({ status: 429, headers: { A: t.integer() } }, { status: 429, headers: { A: t.string() } })).toEqual(
      conflict,
    )
    expect(boot({ status: 429, mediaType: t.string() }, { status: 429, mediaType: t.integer() })).toEqual(conflict)
    expect(boot({ status: 429, mediaType: Blog }, { status: 429, mediaType: Blog.view('short') })).toEqual(conflict)
    expect(boot({ status: 429, headers: { A: /a/ } }, { status: 429, headers: { A: /a/ } })).toEqual([])
    for (const shared of [
      response('busy', { status: 299 }),
      response('busy', { status: 429, mediaType: t.object({ a: t.string() }), headers: { A: t.integer() } }),
    ])
      expect(boot(shared, shared)).toEqual([])
  })

  it('[RSP-05] [ERR-02] a response that the action does not list is not permitted', async () => {
    const log = recorder()
    const app = returning({ ok: true }, () => new Responses.NotFound(), { logger: log })
    const answer = await ask(app, 'GET /things')
    expect([answer.status, answer.json.code]).toEqual([500, 'internal'])
    expect(answer.json.detail).toMatch(
      /Things\.get: the action returned 'notFound' \(404\), which it does not declare; it lists: ok/,
    )
    expect(log.entries[0]).toMatchObject({ level: 'error', fields: { action: 'Things.get' } })
    const string = returning({ created: true }, () => 'the default response is a 200, which is not listed')
    expect((await ask(string, 'GET /things')).status).toBe(500)
    const production = returning({ ok: true }, () => new Responses.NotFound(), { environment: 'production' })
    const quiet = await ask(production, 'GET /things')
    expect([quiet.status, quiet.json.detail]).toEqual([500, undefined])
  })

  it('[RSP-06] a declared header of several values is checked as they arrive together', async () => {
    const responses = {
      noContent: { headers: { Vary: /^Accept(, [A-Z]\w+)*$/, 'X-Sizes': t.array(t.integer()) } },
    }
    const status = async (headers: object): Promise<number> =>
      (
        await ask(
          returning(responses, (reply) => reply.noContent(undefined, { headers })),
          'GET /things',
        )
      ).status
    expect(await status({ Vary: ['Accept', 'Origin'], 'X-Sizes': '1' })).toBe(204)
    expect(await status({ Vary: 'Accept' })).toBe(204)
    expect(await status({ Vary: ['Accept', 'other'] })).toBe(500)
    expect(await status({ vary: ['Origin', 'Accept'] })).toBe(500)
  })

  it('[RSP-06] a header that is undefined is missing, as an attribute of a body is; what is no text is told', async () => {
    const required = t.string({ required: true })
    const sent = async (value: unknown, headers: object, validateResponses: 'always' | 'off') => {
      const log = recorder()
      const app = returning(
        { ok: { mediaType: 'text/plain', headers } },
        (reply) => reply.ok('x', { headers: { 'X-One': value, 'X-Content-Type-Options': undefined } as never }),
        { validateResponses, logger: log },
      )
      const { status, headers: got } = await ask(app, 'GET /things')
      return [status, got['x-one'], got['x-content-type-options'], log.entries[0]?.message]
    }
    const lacks = [500, undefined, 'nosniff', "the response 'ok' lacks the header X-One"]
    expect(await sent(undefined, { 'X-One': required }, 'always')).toEqual(lacks)
    for (const validateResponses of ['always', 'off'] as const) {
      const passes = [200, undefined, 'nosniff', undefined]
      expect(await sent(undefined, {}, validateResponses)).toEqual(passes)
      expect(await sent(undefined, { 'X-One': t.string() }, validateResponses)).toEqual(passes)
      for (const [value, what] of [
        [null, 'null'],
        [7, '7'],
        [{}, 'an object'],
        [['a', undefined], 'undefined'],
      ])
        for (const headers of [{}, { 'X-One': t.any() }])
          expect(await sent(value, headers, validateResponses)).toEqual([
            500,
            undefined,
            'nosniff',
            `the header X-One is ${what}, not a text`,
          ])
    }
  })

  it('[RSP-06] status, headers and media type are held to the declaration', async () => {
    const status = async (responses: object, make: (reply: any) => unknown) =>
      (await ask(returning(responses, make), 'GET /things')).status
    const Odd = response('ok', { status: 418 })
    expect(await status({ ok: true }, () => new Odd())).toBe(500)
    const created = { created: { location: /^\/things\/\d+$/ } }
    expect(await status(created, (reply) => reply.created())).toBe(500)
    expect(await status(created, (reply) => reply.created(undefined, { location: '/other/1' }))).toBe(500)
    expect(await status(created, (reply) => reply.created(undefined, { headers: { location: '/things/1' } }))).toBe(201)
    expect(
      await status({ created: { location: '/exact' } }, (reply) =>
        reply.created(undefined, { location: '/exact/not' }),
      ),
    ).toBe(500)
    const headers = { ok: { headers: { 'X-A': true, 'X-B': 'b', 'X-C': /^c+$/, 'X-D': t.integer() } } }
    const good = { 'x-a': 'any', 'x-b': 'b', 'X-C': 'cc', 'X-D': '4' }
    expect(await status(headers, (reply) => reply.ok('', { headers: good }))).toBe(200)
    const { 'X-D': _, ...optional } = good
    expect(await status(headers, (reply) => reply.ok('', { headers: optional }))).toBe(200)
    for (const bad of [{ 'x-b': 'B' }, { 'X-C': 'ccd' }, { 'X-D': 'four' }, { 'x-a': undefined }, { 'x-b': undefined }])
      expect(
        await status(headers, (reply) => reply.ok('', { headers: { ...good, ...bad } })),
        JSON.stringify(bad),
      ).toBe(500)
    expect(await status({ ok: Blog }, (reply) => reply.ok({ id: 1 }, { mediaType: 'text/html' }))).toBe(500)
    expect(await status({ ok: Blog }, (reply) => reply.ok({ id: 1 }, { mediaType: Blog }))).toBe(200)
    expect(await status({ ok: 'text/csv' }, (reply) => reply.ok('a,b', { mediaType: 'text/csv; charset=utf-8' }))).toBe(
      200,
    )
  })

  it('[RSP-06] a rule with a memory gives the same verdict every time', async () => {
    const app = returning({ ok: { headers: { 'X-A': /a/g } } }, (reply) => reply.ok('', { headers: { 'X-A': 'a' } }))
    for (let i = 0; i < 3; i++) expect((await ask(app, 'GET /things')).status).toBe(200)
  })
})
