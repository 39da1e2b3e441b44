// Proves the claims of docs/guide/foreign-contract.md beside its snippets: its gotchas, and what edict lacks.
import { application, controller, endpoint, mediaType, problemEncoder, route, t } from 'edict'
import { describe, expect, it } from 'vitest'
import { ask } from '../support/ask.ts'
import { host, on, open } from '../support/serving/harness.ts'

const Note = mediaType('Note', {
  identifier: 'application/json',
  attributes: { id: t.string({ required: true }), read_at: t.string({ nullable: true }), label: t.string() },
})
const Refused = t.object({ reason: t.string({ required: true }) })

/** The next result of `show`. */
let shown: unknown

const Notes = endpoint('Notes', {
  mediaType: Note,
  actions: {
    show: { routing: route.get('/:id'), params: { id: t.string() }, responses: { ok: t.object({ note: Note }) } },
    strict: {
      routing: route.post('/strict'),
      payload: { note: t.object({ label: t.string() }) },
      responses: { noContent: true },
    },
    tolerant: {
      routing: route.post('/tolerant'),
      payload: { note: t.record(t.any()) },
      responses: { ok: t.record(t.any()) },
    },
    either: {
      routing: route.post('/either'),
      responses: { ok: t.union('state', { read: { at: t.string({ required: true }) }, unread: {} }) },
    },
  },
})

const app = application({
  environment: 'test',
  basePath: '/api',
  validation: { status: 422 },
  encodeProblem: problemEncoder(Refused, ({ title }) => ({ body: { reason: title } })),
  controllers: [
    controller(Notes, {
      show: (_, { reply }) => reply.ok(shown as never),
      strict: (_, { reply }) => reply.noContent(),
      tolerant: (_, { request, reply }) => reply.ok(request.payload.note ?? {}),
      either: (_, { reply }) => reply.ok({ state: 'unread' }),
    }),
  ],
})

describe('the page on foreign contracts is true', () => {
  it('about names that a payload does not have, and records that tolerate them', async () => {
    const body = { note: { label: 'a', colour: 'red' } }
    expect((await ask(app, 'POST /api/notes/strict', { body })).status).toBe(422)
    const { status, json } = await ask(app, 'POST /api/notes/tolerant', { body })
    expect([status, json]).toEqual([200, body.note])
  })

  it('about 405 and 415, which the encoder writes, and 431, which the server writes', async () => {
    const wrongMethod = await ask(app, 'DELETE /api/notes/1')
    expect([wrongMethod.status, wrongMethod.json]).toEqual([405, { reason: 'The method is not allowed' }])
    const headers = { 'content-type': 'text/markdown' }
    const wrongType = await ask(app, 'POST /api/notes/strict', { headers, body: '# a' })
    expect([wrongType.status, wrongType.json]).toEqual([415, { reason: 'The media type is not supported' }])
    const wire = await open(await on(app))
    wire.send('GET /api/notes/1 HTTP/1.1', host, `X: ${'x'.repeat(20_000)}`, '', '')
    const { status, body } = await wire.answer()
    expect([status, JSON.parse(body)]).toEqual([431, expect.objectContaining({ code: 'headers-too-large' })])
  })

  it('about null and missing attributes, and about numbers and texts', async () => {
    for (const [note, expected] of [
      [
        { id: '7', read_at: null },
        { id: '7', read_at: null },
      ],
      [{ id: '7' }, { id: '7' }],
      [{ id: '7', label: null }, 500],
      [{ id: 7 }, 500],
    ] as const) {
      shown = { note }
      const { status, json } = await ask(app, 'GET /api/notes/7')
      expect([note, status === 200 ? json.note : status]).toEqual([note, expected])
    }
  })

  it('about two forms of one status', async () => {
    const { status, json } = await ask(app, 'POST /api/notes/either')
    expect([status, json]).toEqual([200, { state: 'unread' }])
    const forms = [expect.anything(), expect.anything()]
    expect(app.openapi().paths['/notes/either']).toMatchObject({
      post: { responses: { 200: { content: { 'application/json': { schema: { oneOf: forms } } } } } },
    })
  })
})
