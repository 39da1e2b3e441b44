// Controllers: one endpoint's implementation, as functions or as a class built once per request.
import { application, type Context, controller, endpoint, header, Responses, route, t } from 'edict'
import { describe, expect, it } from 'vitest'
import { ask, mistakesOf, recorder } from '../support/ask.ts'

const Things = endpoint('Things', {
  actionDefaults: { responses: { ok: true } },
  actions: {
    index: { routing: route.get('/') },
    show: {
      routing: route.get('/:id'),
      params: { id: t.integer(), lang: t.string(), deep: t.boolean({ default: false }) },
    },
    make: {
      routing: route.post('/'),
      params: { at: t.dateTime({ required: true }) },
      headers: { 'X-Token': header(/t\d/, { required: true }) },
      payload: { who: t.object({ age: t.integer({ required: true }) }, { required: true }) },
    },
  },
})
const none = { index: () => '', show: () => '', make: () => '' }

describe('controllers', () => {
  it('[CTL-01] a controller implements one endpoint definition', async () => {
    const things = controller(Things, { ...none, index: () => 'all' })
    expect((await ask(application({ controllers: [things] }), 'GET /things')).text).toBe('all')
    const { show: _, ...missing } = none
    expect(
      mistakesOf(() => application({ controllers: [controller(Things, { ...missing, shwo: () => '' } as never)] })),
    ).toMatchObject([
      {
        endpoint: 'Things',
        action: 'show',
        setting: 'controller',
        problem: 'the controller does not implement the action',
      },
      { endpoint: 'Things', setting: 'controller', problem: expect.stringContaining("'shwo'") },
    ])
    const twice = () => application({ controllers: [things, controller(Things, none)] })
    expect(mistakesOf(twice)).toMatchObject([{ setting: 'controllers', problem: 'two controllers implement Things' }])
  })

  it('[CTL-02] it offers before, around and after, and gives access to request and response', async () => {
    const mark = ({ request, response }: Context<any>, name: string) => {
      response.headers[name] = request.method
    }
    const things = controller(Things, {
      ...none,
      index: (_, { request, response }) => {
        response.headers['X-Action'] = request.action.name
        return String(response.status)
      },
    })
      .before((context) => mark(context, 'X-Before'))
      .around(async (context, next) => {
        await next()
        mark(context, 'X-Around')
      })
      .after((context) => mark(context, 'X-After'))
    const answer = await ask(application({ controllers: [things] }), 'GET /things')
    expect(answer.text).toBe('200')
    expect(answer.headers).toMatchObject({
      'x-action': 'index',
      'x-before': 'GET',
      'x-around': 'GET',
      'x-after': 'GET',
    })
  })

  it('[CTL-03] `definition` is available on the controller and per request', async () => {
    const things = controller(Things, { ...none, index: (_, { definition }) => definition.toHref({ id: 7 }) })
    expect([things.definition, things.before(() => {}).definition]).toEqual([Things, Things])
    expect((await ask(application({ controllers: [things] }), 'GET /things')).text).toBe('/things/7')
  })

  it('[CTL-04] a definition may be its own controller', async () => {
    const ping = endpoint('Ping', {
      actions: { ping: { routing: route.get('/'), responses: { ok: true } } },
    }).implement({ ping: () => 'pong' })
    expect((await ask(application({ controllers: [ping] }), 'GET /ping')).text).toBe('pong')
    expect(ping.definition.name).toBe('Ping')
  })

  it('[CTL-05] an action is a method of its name, called on the object it belongs to', async () => {
    const shared = { helper: () => 'helped' }
    const own = {
      ...none,
      index: function (this: typeof shared) {
        return this.helper()
      },
      show: async () => 'later',
    }
    const implementation = Object.assign(Object.create(shared), own)
    const app = application({ controllers: [controller(Things, implementation)] })
    expect([(await ask(app, 'GET /things')).text, (await ask(app, 'GET /things/1')).text]).toEqual(['helped', 'later'])
  })

  it('[CTL-06] its argument carries the declared params by name; a method may pick some and collect the rest', async () => {
    const things = controller(Things, { ...none, show: ({ id, ...rest }) => JSON.stringify([id + 1, rest]) })
    const app = application({ controllers: [things] })
    expect((await ask(app, 'GET /things/41?lang=de')).json).toEqual([42, { lang: 'de', deep: false }])
    expect((await ask(app, 'GET /things/41')).json).toEqual([42, { deep: false }])
  })

  it('[CTL-07] an action with no params needs no argument', async () => {
    const things = controller(Things, {
      ...none,
      index: (...args: unknown[]) => JSON.stringify([args.length, args[0]]),
    })
    expect((await ask(application({ controllers: [things] }), 'GET /things')).json).toEqual([2, {}])
    const bare = controller(Things, { ...none, index: () => 'nothing' })
    expect((await ask(application({ controllers: [bare] }), 'GET /things')).text).toBe('nothing')
  })

  it('[CTL-08] values arrive coerced, and if the action runs, required inputs are present and valid', async () => {
    let runs = 0
    const things = controller(Things, {
      ...none,
      make: ({ at }, { request }) => {
        runs++
        return `${at.getUTCFullYear()} ${request.payload.who.age + 1} ${request.headers['X-Token'].length}`
      },
    })
    const app = application({ controllers: [things] })
    const good = {
      line: 'POST /things?at=2026-01-01T00:00:00Z',
      headers: { 'x-token': 't1' },
      body: { who: { age: '41' } },
    }
    expect((await ask(app, good.line, good)).text).toBe('2026 42 2')
    runs = 0
    const bad = [
      { ...good, line: 'POST /things' },
      { ...good, line: 'POST /things?at=now' },
      { ...good, headers: {} },
      { ...good, headers: { 'x-token': 'x' } },
      { ...good, body: {} },
      { ...good, body: { who: {} } },
      { ...good, body: { who: { age: 'old' } } },
      { ...good, body: undefined },
    ]
    for (const asked of bad) expect((await ask(app, asked.line, asked as never)).status).toBe(400)
    expect(runs).toBe(0)
  })
})

describe('classes', () => {
  let built = 0
  class ThingsController {
    readonly context: Context<(typeof Things)['spec']>
    #calls = 0
    later: () => string
    constructor(context: Context<(typeof Things)['spec']>) {
      built++
      this.context = context
      this.later = () => this.#name()
    }
    #name() {
      return `${this.context.request.action.name} ${++this.#calls}`
    }
    index() {
      return this.#name()
    }
    async show({ id }: { id: number }) {
      return `${this.#name()} ${id}`
    }
    make(_: unknown, { reply }: Context<(typeof Things)['spec'], 'make'>) {
      return reply.ok('made')
    }
  }

  it('[CTL-10] a class is built once per request, with its context', async () => {
    const app = application({ controllers: [controller(Things, ThingsController as never)] })
    expect([(await ask(app, 'GET /things')).text, (await ask(app, 'GET /things/7')).text]).toEqual([
      'index 1',
      'show 1 7',
    ])
    expect(built).toBe(4)
    await ask(app, 'GET /things/x')
    expect(built).toBe(4)
    expect(app.routes()[0]?.implementation).toBe('ThingsController#index')
  })

  it('[CTL-10] methods may be inherited or made in the constructor; one that is missing is refused', async () => {
    class Base {
      index() {
        return 'inherited'
      }
      make() {
        return ''
      }
    }
    class Sub extends Base {
      show = () => 'arrow'
    }
    const app = application({ controllers: [controller(Things, Sub as never)] })
    expect([(await ask(app, 'GET /things')).text, (await ask(app, 'GET /things/7')).text]).toEqual([
      'inherited',
      'arrow',
    ])
    expect(mistakesOf(() => application({ controllers: [controller(Things, Base as never)] }))).toEqual([
      {
        endpoint: 'Things',
        action: 'show',
        setting: 'controller',
        problem: 'the controller does not implement the action',
        remedy: "add a method 'show' to it",
      },
    ])
  })

  it('[CTL-10] a constructor that throws is a 500', async () => {
    class Broken {
      constructor() {
        throw new Error('no')
      }
      index() {
        return new Responses.Ok()
      }
      show() {
        return ''
      }
      make() {
        return ''
      }
    }
    expect(
      (
        await ask(
          application({ logger: recorder(), controllers: [controller(Things, Broken as never)] }),
          'GET /things',
        )
      ).status,
    ).toBe(500)
  })
})
