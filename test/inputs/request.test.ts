// The request object: declared inputs by name, the raw environment, and the current action.
import { application, endpoint, has, route, t } from 'edict'
import { describe, expect, it } from 'vitest'
import { ask, askFetch, askSocket } from '../support/ask.ts'

const Things = endpoint('Things', {
  actionDefaults: { responses: { ok: true } },
  actions: {
    show: {
      routing: route.get('/:id'),
      params: { id: t.integer(), page: t.integer({ default: 1 }) },
      headers: { 'X-Count': t.integer(), 'x-name': t.string() },
    },
    update: {
      routing: route.patch('/:id'),
      params: { id: t.integer() },
      payload: {
        title: t.string({ nullable: true }),
        author: t.object({ name: t.string({ nullable: true }), age: t.integer() }),
      },
    },
  },
})
type Seen = {
  params: any
  payload: any
  headers: any
  action: any
  env: any
  method: string
  url: string
  id: string
  version: any
}
let seen: Seen
const app = application({
  controllers: [
    Things.implement({
      show: (params, { request }) => {
        seen = {
          ...request,
          params: request.params,
          env: request.env,
          method: request.method,
          url: request.url,
          id: request.id,
        } as Seen
        return String(params === request.params)
      },
      update: (_, { request: { payload } }) => {
        const name = has(payload, 'author') && has(payload.author, 'name') ? payload.author.name : 'no name'
        return JSON.stringify({
          title: has(payload, 'title') ? payload.title : 'absent',
          author: has(payload, 'author') ? name : 'absent',
          known: [has(payload, 'title'), has(payload, 'author'), has(payload.author ?? {}, 'name' as never)],
        })
      },
    }),
  ],
})

describe('the request', () => {
  it('[REQ-01] params: the params structure, the same as the argument of the action', async () => {
    expect((await ask(app, 'GET /things/7?page=2')).text).toBe('true')
    expect(seen.params).toEqual({ id: 7, page: 2 })
    await ask(app, 'GET /things/7')
    expect([seen.params.page, has(seen.params, 'page'), has(seen.params, 'other')]).toEqual([1, true, false])
  })

  it('[REQ-02] payload: the payload structure, and nothing where none is declared', async () => {
    expect((await ask(app, 'PATCH /things/7', { body: { title: 'T', author: { name: 'A' } } })).json).toMatchObject({
      title: 'T',
      author: 'A',
    })
    await ask(app, 'GET /things/7')
    expect(seen.payload).toBe(undefined)
  })

  it('[REQ-03] headers: the declared ones only, coerced, by their declared names', async () => {
    await ask(app, 'GET /things/7', { headers: { 'x-count': '3', 'X-Name': 'n', 'x-other': 'o', cookie: 'c=1' } })
    expect(seen.headers).toEqual({ 'X-Count': 3, 'x-name': 'n' })
    await ask(app, 'GET /things/7')
    expect(seen.headers).toEqual({})
  })

  it('[REQ-04] env: the raw environment with all raw headers', async () => {
    const headers = { 'x-count': '3', 'X-Other': 'o', cookie: 'c=1' }
    await askSocket(app, 'GET /things/7', { headers })
    expect(seen.env.headers).toMatchObject({
      'x-count': '3',
      'x-other': 'o',
      cookie: 'c=1',
      host: expect.stringContaining('127.0.0.1'),
    })
    expect(seen.env.raw.socket.remoteAddress).toContain('127.0.0.1')
    await askFetch(app, 'GET /things/7', { headers })
    expect(seen.env.headers).toMatchObject({ 'x-count': '3', 'x-other': 'o' })
    expect(seen.env.raw).toBeInstanceOf(Request)
  })

  it('[REQ-05] action.name: the name of the current action', async () => {
    const guarded = Things.implement({ show: () => '', update: () => '' }).after(({ request, response }) => {
      response.body = `${request.action.name} ${request.method}`
    })
    const named = application({ controllers: [guarded] })
    expect((await ask(named, 'GET /things/7')).text).toBe('show GET')
    expect((await ask(named, 'PATCH /things/7', { body: {} })).text).toBe('update PATCH')
  })

  it('[REQ-06] an update tells a sent null from an absent attribute, at any depth', async () => {
    const update = async (body: object) => (await ask(app, 'PATCH /things/7', { body })).json
    expect(await update({})).toEqual({ title: 'absent', author: 'absent', known: [false, false, false] })
    expect(await update({ title: null })).toEqual({ title: null, author: 'absent', known: [true, false, false] })
    expect(await update({ author: {} })).toEqual({ title: 'absent', author: 'no name', known: [false, true, false] })
    expect(await update({ author: { name: null } })).toEqual({
      title: 'absent',
      author: null,
      known: [false, true, true],
    })
    expect(await update({ author: { name: '' } })).toMatchObject({ author: '', known: [false, true, true] })
  })

  it('[REQ-04] a request has an id: its own when harmless, else a new one', async () => {
    await ask(app, 'GET /things/7', { headers: { 'x-request-id': 'abc-1' } })
    expect(seen.id).toBe('abc-1')
    const ids = new Set<string>()
    for (const id of ['a b', '<script>', 'x'.repeat(200)]) {
      await ask(app, 'GET /things/7', { headers: { 'x-request-id': id } })
      expect(seen.id).toMatch(/^[\w-]{1,40}$/)
      ids.add(seen.id)
    }
    expect(ids.size).toBe(3)
  })
})
