// Actions: a name, routes, and stanzas that each take effect.
import { application, endpoint, header, route, t } from 'edict'
import { describe, expect, it } from 'vitest'
import { ask, mistakesOf } from '../support/ask.ts'
import { naming } from '../support/naming.ts'

describe('actions', () => {
  it('[ACT-01] an action without a route is refused at boot', () => {
    for (const routing of [undefined, null, [], [route.prefix('/x')]]) {
      const boot = () => application({ controllers: [naming('Blogs', { index: { routing } })] })
      expect(mistakesOf(boot)).toMatchObject([
        { endpoint: 'Blogs', action: 'index', setting: 'routing', problem: 'the action has no route' },
      ])
    }
  })

  it('[ACT-01] an action is known by its name', async () => {
    const app = application({ controllers: [naming('Blogs', { index: { routing: route.get('/') } })] })
    expect((await ask(app, 'GET /blogs')).text).toBe('index')
    expect(app.routes()[0]).toMatchObject({ resource: 'Blogs', action: 'index', implementation: 'Blogs.index' })
  })

  it('[ACT-02] an action may have several routes, of several verbs', async () => {
    const routing = [route.get('/'), route.post('/'), route.get('//archive')]
    const app = application({ controllers: [naming('Blogs', { index: { routing } })] })
    for (const line of ['GET /blogs', 'POST /blogs', 'GET /archive'])
      expect((await ask(app, line)).text, line).toBe('index')
  })

  it('[ACT-02] a param that only some routes capture is optional', async () => {
    const Blogs = endpoint('Blogs', {
      actions: {
        show: {
          routing: [route.get('/:id'), route.get('/latest/:lang')],
          params: { id: t.integer(), lang: t.string() },
          responses: { ok: true },
        },
      },
    })
    const app = application({ controllers: [Blogs.implement({ show: (params) => JSON.stringify(params) })] })
    expect([(await ask(app, 'GET /blogs/7')).json, (await ask(app, 'GET /blogs/latest/de')).json]).toEqual([
      { id: 7 },
      { lang: 'de' },
    ])
  })

  it('[ACT-03] the description is carried to the documentation', () => {
    const app = application({
      controllers: [
        naming('Blogs', {
          index: { routing: route.get('/'), description: '*All* of <b>them</b>' },
          none: { routing: route.post('/') },
        }),
      ],
    })
    const described = [...(app.endpoints[0]?.actions.values() ?? [])].map(({ description }) => description)
    expect(described).toEqual(['*All* of <b>them</b>', undefined])
  })

  it('[ACT-04] params, payload, headers and responses each take effect', async () => {
    const Blogs = endpoint('Blogs', {
      actions: {
        create: {
          routing: route.post('/:kind'),
          params: { kind: t.string({ values: ['a', 'b'] }) },
          payload: { title: t.string({ required: true }) },
          headers: { 'X-Count': t.integer({ required: true }) },
          responses: { created: { mediaType: 'text/plain', location: /^\/blogs\/\d+$/ } },
        },
      },
    })
    const app = application({
      controllers: [
        Blogs.implement({
          create: ({ kind }, { request, reply }) =>
            reply.created(`${kind} ${request.payload.title} ${request.headers['X-Count'] + 1}`, {
              location: '/blogs/1',
            }),
        }),
      ],
    })
    const answer = await ask(app, 'POST /blogs/a', { headers: { 'x-count': '41' }, body: { title: 'T' } })
    expect([answer.status, answer.text, answer.headers['location']]).toEqual([201, 'a T 42', '/blogs/1'])
    const refused = await ask(app, 'POST /blogs/c', { headers: { 'x-count': 'many' }, body: {} })
    expect(refused.json.errors.map((one: any) => `${one.in} ${one.pointer}`)).toEqual([
      'params /kind',
      'headers /X-Count',
      'payload /title',
    ])
  })

  it('[ACT-05] nodoc marks the action alone', () => {
    const index = { routing: route.get('/'), headers: { 'X-A': header() } }
    const app = application({
      controllers: [naming('Blogs', { hidden: { routing: route.post('/'), nodoc: true }, index })],
    })
    const flags = [...(app.endpoints[0]?.actions.values() ?? [])].map(({ name, nodoc }) => [name, nodoc])
    expect([app.endpoints[0]?.nodoc, flags]).toEqual([
      false,
      [
        ['hidden', true],
        ['index', false],
      ],
    ])
  })
})
