// Media types that contain themselves, through a whole application: requests, answers, documents, client, contract and mock.
import { application, collectionOf, endpoint, inherit, mediaType, route, t } from 'edict'
import { mock } from 'edict/mock'
import { testClient } from 'edict/testing'
import { describe, expect, it } from 'vitest'
import { ask } from '../support/ask.ts'

const Remark = mediaType('Remark', {
  attributes: {
    id: t.integer({ required: true }),
    text: t.string({ required: true }),
    get answers() {
      return t.array(Remark)
    },
    get writer() {
      return t.ref(Writer, { nullable: true })
    },
  },
  views: { default: ['id', 'text', 'answers', 'writer'], short: ['id', 'text'] },
})
const Writer = mediaType('Writer', {
  attributes: {
    name: t.string({ required: true }),
    get remarks() {
      return t.array(Remark.view('short'))
    },
  },
  views: { default: ['name', 'remarks'] },
})
const Remarks = endpoint('Remarks', {
  mediaType: Remark,
  actions: {
    index: { routing: route.get('/'), responses: { ok: collectionOf(Remark) } },
    create: { routing: route.post('/'), payload: { text: inherit, answers: inherit }, responses: { created: Remark } },
  },
})
const tree = {
  id: 1,
  text: 'a',
  answers: [{ id: 2, text: 'b', answers: [{ id: 3, text: 'c' }] }],
  writer: { name: 'Ada', remarks: [{ id: 1, text: 'a' }] },
}
const app = application({
  controllers: [
    Remarks.implement({
      index: (_, { reply }) => reply.ok([tree]),
      create: (_, { request, reply }) => reply.created({ ...request.payload, id: 1 }),
    }),
  ],
})

describe('[EDT-07] media types that contain themselves', () => {
  it('travel both ways, and are refused where a value deep within is wrong', async () => {
    expect((await ask(app, 'GET /remarks')).json).toEqual([tree])
    const payload = { text: 'a', answers: tree.answers }
    expect(await ask(app, 'POST /remarks', { body: payload })).toMatchObject({
      status: 201,
      json: { ...payload, id: 1 },
    })
    const wrong = { text: 'a', answers: [{ id: 2, text: 'b', answers: [{ id: 3 }] }] }
    expect(await ask(app, 'POST /remarks', { body: wrong })).toMatchObject({
      status: 400,
      json: { errors: [{ pointer: '/answers/0/answers/0/text', code: 'missing' }] },
    })
  })

  it('are read by the client with their types', async () => {
    const api = testClient(app, { Remarks })
    const listed = await api.Remarks.index()
    if (listed.name !== 'ok') throw new Error(listed.name)
    const deep: string | undefined = listed.body[0]?.answers?.[0]?.answers?.[0]?.text
    expect([deep, listed.body[0]?.writer?.remarks?.[0]?.text]).toEqual(['c', 'a'])
  })

  it('are one schema each in documents', () => {
    const document = app.openapi() as { components: { schemas: Record<string, unknown> } }
    expect(Object.keys(document.components.schemas)).toEqual(expect.arrayContaining(['Remark', 'Writer']))
    expect(JSON.stringify(document).length).toBeLessThan(20_000)
  })

  it('are served by a mock', async () => {
    const answered = await mock([Remarks]).fetch(new Request('http://mock.test/remarks'))
    expect([answered.status, Array.isArray(await answered.json())]).toEqual([200, true])
  })
})
