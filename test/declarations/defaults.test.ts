// Action defaults: shared by every action, merged with its own stanzas, and overridden by them.
import { application, collectionOf, endpoint, header, inherit, mediaType, payloadOf, route, t } from 'edict'
import { describe, expect, it } from 'vitest'
import { ask, recorder } from '../support/ask.ts'

const Blog = mediaType('Blog', { attributes: { id: t.integer(), title: t.string({ max: 5 }) } })
const echo = (_: unknown, { request }: any) =>
  JSON.stringify({ ...request.params, ...request.payload, ...request.headers })

const Blogs = endpoint('Blogs', {
  mediaType: Blog,
  actionDefaults: {
    params: { dry_run: t.boolean({ default: false }), size: t.integer({ max: 10 }) },
    payload: { title: inherit, draft: t.boolean() },
    headers: { 'X-Token': header() },
    responses: { ok: 'text/plain', unauthorized: true },
  },
  actions: {
    plain: { routing: route.post('/plain') },
    merged: {
      routing: route.post('/merged/:id'),
      params: { id: t.integer() },
      payload: { extra: t.string() },
      headers: { 'X-Own': header(t.integer()) },
      responses: { created: 'text/plain' },
    },
    own: {
      routing: route.post('/own'),
      params: { size: t.string() },
      payload: { title: t.integer() },
      headers: { 'X-Token': header(/a+/) },
      responses: { ok: collectionOf(Blog) },
    },
    whole: { routing: route.post('/whole'), payload: t.array(t.integer()) },
    other: {
      routing: route.post('/other'),
      payload: payloadOf(mediaType('Other', { attributes: { draft: t.integer() } }), { draft: inherit }),
    },
  },
})
const app = application({
  logger: recorder(),
  controllers: [
    Blogs.implement({
      plain: echo,
      merged: (params, context) => context.reply.created(echo(params, context)),
      own: (_, { reply, request }) => reply.ok([{ id: 1, title: String(request.payload.title) }]),
      whole: (_, { request }) => JSON.stringify(request.payload),
      other: echo,
    }),
  ],
})
const token = { 'x-token': 'aaa' }
const codes = ({ json }: any) => json.errors.map(({ in: part, pointer, code }: any) => `${part} ${pointer} ${code}`)

describe('action defaults', () => {
  it('[DFT-01] params, payload, headers and responses of the defaults reach every action', async () => {
    const answer = await ask(app, 'POST /blogs/plain?dry_run=1', { headers: token, body: { title: 'T', draft: 'f' } })
    expect([answer.status, answer.headers['content-type']]).toEqual([200, 'text/plain; charset=utf-8'])
    expect(answer.json).toEqual({ dry_run: true, title: 'T', draft: false, 'X-Token': 'aaa' })
    expect(codes(await ask(app, 'POST /blogs/plain?size=11', { body: { title: 'Too long' } }))).toEqual([
      'params /size max',
      'headers /X-Token missing',
      'payload /title max-length',
    ])
    expect([...(app.endpoints[0]?.actions.get('plain')?.responses.keys() ?? [])]).toEqual(['ok', 'unauthorized'])
  })

  it("[DFT-02] an action's own stanzas are merged with the defaults", async () => {
    const answer = await ask(app, 'POST /blogs/merged/7', {
      headers: { ...token, 'x-own': '3' },
      body: { title: 'T', extra: 'E' },
    })
    expect(answer.json).toEqual({ dry_run: false, id: 7, title: 'T', extra: 'E', 'X-Token': 'aaa', 'X-Own': 3 })
    expect(answer.status).toBe(201)
    expect([...(app.endpoints[0]?.actions.get('merged')?.responses.keys() ?? [])]).toEqual([
      'ok',
      'unauthorized',
      'created',
    ])
  })

  it("[DFT-03] on conflict the action's definition wins, in each stanza", async () => {
    const answer = await ask(app, 'POST /blogs/own?size=large', { headers: token, body: { title: 12345 } })
    expect([answer.status, answer.headers['content-type']]).toEqual([200, 'application/vnd.blog+json;type=collection'])
    const refused = await ask(app, 'POST /blogs/own', { headers: { 'x-token': 'bbb' }, body: { title: 'T' } })
    expect(codes(refused)).toEqual(['headers /X-Token pattern', 'payload /title type'])
  })

  it('[DFT-03] a payload of another shape replaces the default', async () => {
    expect((await ask(app, 'POST /blogs/whole', { headers: token, body: [1, 2] })).json).toEqual([1, 2])
  })

  it('[DFT-02] a payload of another reference is merged, its own attributes first', async () => {
    const answer = await ask(app, 'POST /blogs/other', { headers: token, body: { title: 'T', draft: 5 } })
    expect(answer.json).toMatchObject({ title: 'T', draft: 5 })
  })
})
