// Callbacks: before, around and after every stage; their order, their limits, and how they end a request.
import { type AnyController, application, endpoint, Responses, route, type Stage, t } from 'edict'
import { describe, expect, it } from 'vitest'
import { ask, askFetch, mistakesOf, recorder } from '../support/ask.ts'

const Things = endpoint('Things', {
  actionDefaults: { responses: { ok: true, forbidden: true, created: 'text/plain' } },
  actions: {
    show: { routing: route.get('/:id'), params: { id: t.integer() } },
    make: { routing: route.post('/:id'), params: { id: t.integer() }, payload: { name: t.string({ required: true }) } },
    fail: { routing: route.get('/:id/fail'), params: { id: t.integer() } },
  },
})
let trace: string[] = []
/** Adds to the trace, and gives something else back. */
const note = <T = undefined>(label: string, result?: T): T => {
  trace.push(label)
  return result as T
}
/** An around callback that leaves its mark before and after the stage. */
const enclosing = (before: string, after: string) => async (_: unknown, next: () => Promise<void>) => {
  note(before)
  await next()
  note(after)
}
const plain = Things.implement({
  show: ({ id }) => note('show', `show ${id}`),
  make: async (_, { request }) => note('make', `make ${request.payload.name}`),
  fail: () => {
    throw new Error('broken')
  },
})
const stages: readonly Stage[] = ['load', 'validate', 'validate:params', 'validate:payload', 'action', 'response']
const pause = () => new Promise((resolve) => setTimeout(resolve, 1))

const serving = (controller: AnyController) => application({ logger: recorder(), controllers: [controller] })
/** The answer through app.fetch, with the trace of its callbacks. */
async function traced(controller: AnyController, line = 'GET /things/1', body?: object) {
  trace = []
  const answer = await askFetch(serving(controller), line, { body })
  await pause()
  return { status: answer.status, text: answer.text, trace }
}

describe('registering', () => {
  it('[CBK-01] before, after and around attach to the action stage unless another is named', async () => {
    const controller = plain
      .before(({ request }) => note(`before ${request.params.id}`))
      .around(enclosing('in', 'out'))
      .after(({ response }) => note(`after ${response.body}`))
    expect((await traced(controller)).trace).toEqual(['before 1', 'in', 'show', 'out', 'after show 1'])
    // A request that is refused before never gets there.
    expect(await traced(controller, 'GET /things/x')).toMatchObject({ status: 400, trace: [] })
    expect(plain.callbacks).toEqual([])
  })

  it('[CBK-02] every stage and both halves of validate can be named, and run in order', async () => {
    let controller = plain
    for (const stage of [...stages].reverse()) {
      controller = controller
        .before(stage, () => note(`> ${stage}`))
        .around(stage, enclosing(`( ${stage}`, `) ${stage}`))
        .after(stage, () => note(`< ${stage}`))
    }
    const wrapped = (stage: string, ...inner: string[]) => [
      `> ${stage}`,
      `( ${stage}`,
      ...inner,
      `) ${stage}`,
      `< ${stage}`,
    ]
    expect((await traced(controller, 'POST /things/1', { name: 'n' })).trace).toEqual([
      ...wrapped('load'),
      ...wrapped('validate', ...wrapped('validate:params'), ...wrapped('validate:payload')),
      ...wrapped('action', 'make'),
      ...wrapped('response'),
    ])
  })

  it('[CBK-02] before validate nothing has been validated; after it everything has', async () => {
    const seen = (label: string) => (context: any) =>
      note(`${label} ${JSON.stringify(context.request.params)} ${JSON.stringify(context.request.payload)}`)
    const controller = plain
      .before('validate', seen('1'))
      .before('validate:payload', seen('2'))
      .after('validate', seen('3'))
    expect((await traced(controller, 'POST /things/7', { name: 'n' })).trace).toEqual([
      '1 {} undefined',
      '2 {"id":7} undefined',
      '3 {"id":7} {"name":"n"}',
      'make',
    ])
    expect(await traced(controller, 'POST /things/x', { name: 5 })).toMatchObject({
      status: 400,
      trace: ['1 {} undefined', '2 {} undefined'],
    })
  })

  it('[CBK-03] `actions` limits a callback to those actions', async () => {
    const controller = plain
      .before({ actions: ['make'] }, ({ request }) => note(`only ${request.action.name}`))
      .after('validate', { actions: ['show', 'fail'] }, ({ request }) => note(`not ${request.action.name}`))
      .around({ actions: [] }, () => note('never'))
    expect((await traced(controller)).trace).toEqual(['not show', 'show'])
    expect((await traced(controller, 'POST /things/1', { name: 'n' })).trace).toEqual(['only make', 'make'])
    const boot = () =>
      serving(plain.before({ actions: ['ghost' as never] }, () => {}).after('sleep' as never, () => {}))
    expect(mistakesOf(boot)).toMatchObject([
      { endpoint: 'Things', setting: 'before' },
      { endpoint: 'Things', setting: 'after' },
    ])
    expect(mistakesOf(() => application({ controllers: [plain.before('validate' as never)] }))).toMatchObject([
      { endpoint: 'Things', setting: 'before', problem: "the callback is 'validate'" },
    ])
  })

  it("[CBK-04] a callback receives the request's context", async () => {
    const controller = plain
      .before('load', (context) => {
        context.state['who'] = `${context.request.action.name} ${context.request.method} ${context.request.url}`
      })
      .after(({ state, response, definition, reply, request }) => {
        response.headers['X-Who'] =
          `${state['who']} ${definition.name} ${Object.keys(reply)} ${request.env.headers['x-sent']}`
      })
    const answer = await ask(serving(controller), 'GET /things/1', { headers: { 'x-sent': 'yes' } })
    expect(answer.headers['x-who']).toBe('show GET /things/1 Things ok,forbidden,created yes')
  })
})

describe('ending a request', () => {
  const forbidden = () => new Responses.Forbidden<string>({ body: 'No' })

  it('[CBK-05] a callback that returns a response ends the request with it, in every stage', async () => {
    const returning = {
      at_once: forbidden,
      later: () => pause().then(forbidden),
    }
    for (const stage of stages) {
      for (const when of ['before', 'after', 'around'] as const) {
        for (const [how, callback] of Object.entries(returning)) {
          const controller = plain[when](stage, callback as never)
            [when](stage, () => note('later callback of the stage'))
            .after(stage, () => note('after the stage'))
          const ended = await traced(controller, 'POST /things/1', { name: 'n' })
          const acted = stage === 'response' || (stage === 'action' && when === 'after')
          expect([ended.status, JSON.parse(ended.text).detail, ended.trace], `${when} ${stage} ${how}`).toEqual([
            403,
            'No',
            acted ? ['make'] : [],
          ])
        }
      }
      const inside = plain.around(stage, (_, next) => next().then(forbidden)).after('response', () => note('written'))
      const ended = await traced(inside, 'POST /things/1', { name: 'n' })
      expect([ended.status, ended.trace.includes('written')], stage).toEqual([403, stage !== 'response'])
    }
    expect((await ask(serving(plain.before('validate', forbidden)), 'GET /things/x')).json).toMatchObject({
      status: 403,
      detail: 'No',
    })
  })

  it('[CBK-05] a response returned after the response stage was dropped, because the response had left', async () => {
    const seen: number[] = []
    const controller = plain.after('response', ({ response }) => {
      seen.push(response.status)
      return new Responses.Created<string>({ body: 'instead', headers: { 'X-A': 'b' } })
    })
    expect(await ask(serving(controller), 'GET /things/1')).toMatchObject({
      status: 201,
      text: 'instead',
      headers: { 'x-a': 'b' },
    })
    expect((await ask(serving(controller), 'GET /things/1/fail')).status).toBe(201)
    expect(seen).toEqual([200, 200, 500, 500])
    const undeclared = plain.after('response', () => new Responses.Gone() as never)
    expect((await ask(serving(undeclared), 'GET /things/1')).status).toBe(500)
  })

  it('[CBK-05] a stream that another response replaces is closed, and one that none replaces is sent', async () => {
    let cancelled = 0
    const pieces = () =>
      new ReadableStream({
        start(controller) {
          controller.enqueue(new TextEncoder().encode('one '))
          controller.enqueue(new TextEncoder().encode('two'))
          controller.close()
        },
      })
    const endless = () => new ReadableStream({ cancel: () => void cancelled++ })
    const Streams = endpoint('Streams', {
      actions: {
        show: { routing: route.get('/'), responses: { ok: { mediaType: 'text/plain' }, forbidden: true } },
      },
    })
    const streaming = (body: () => ReadableStream) =>
      Streams.implement({ show: (_, { reply }) => reply.ok(body() as never) })
    expect((await ask(serving(streaming(pieces).after('response', () => {})), 'GET /streams')).text).toBe('one two')
    const replaced = streaming(endless).after('response', forbidden as never)
    expect((await ask(serving(replaced), 'GET /streams')).status).toBe(403)
    await pause()
    expect(cancelled).toBe(2)
  })

  it('[CBK-05] what is not a response does not end it, and what is must be declared', async () => {
    for (const value of [undefined, null, false, 'text', 0, {}, new globalThis.Response()])
      expect((await traced(plain.before((() => value) as never))).text).toBe('show 1')
    expect((await traced(plain.before(() => new Responses.Gone() as never))).status).toBe(500)
  })

  it('[CBK-05] the response stage sees the response that ended the request', async () => {
    const controller = plain.before('load', forbidden).before('response', ({ response }) => {
      response.headers['X-Status'] = String(response.status)
    })
    for (const line of ['GET /things/1', 'GET /things/x'])
      expect((await ask(serving(controller), line)).headers['x-status']).toBe('403')
    const validating = plain.before('response', ({ response }) => note(String(response.status)))
    expect((await traced(validating, 'GET /things/x')).trace).toEqual(['400'])
    expect((await traced(validating, 'GET /things/1/fail')).trace).toEqual(['500'])
  })

  it('[CBK-05] headers that the response stage adds leave with every response, also with failures of the framework', async () => {
    const controller = plain.before('response', ({ response }) => {
      response.headers['X-Origin'] = 'any'
      response.headers['Set-Cookie'] = ['a=1', 'b=2']
    })
    const lines = { 'GET /things/1': 200, 'GET /things/x': 400, 'GET /things/1/fail': 500, 'POST /things/1': 400 }
    for (const [line, status] of Object.entries(lines)) {
      const [method, path] = line.split(' ') as [string, string]
      const answer = await serving(controller).fetch(new Request(`http://a${path}`, { method }))
      expect([line, answer.status]).toEqual([line, status])
      expect([answer.headers.get('x-origin'), answer.headers.getSetCookie()]).toEqual(['any', ['a=1', 'b=2']])
    }
  })

  it('[CBK-06] around wraps the stage, and decides whether it runs', async () => {
    expect(await traced(plain.around(enclosing('before', 'after')))).toMatchObject({
      text: 'show 1',
      trace: ['before', 'show', 'after'],
    })
    const replaced = plain.around((_, next) => next().then(() => new Responses.Created<string>({ body: 'instead' })))
    expect(await traced(replaced)).toMatchObject({ status: 201, text: 'instead', trace: ['show'] })
    expect(await traced(plain.around(() => forbidden()))).toMatchObject({ status: 403, trace: [] })
    const own = plain.around((context) => {
      context.response.body = 'without it'
    })
    expect(await traced(own)).toMatchObject({ status: 200, text: 'without it', trace: [] })
  })

  it('[CBK-06] around decides when the stage runs; without waiting for it, the request still does', async () => {
    const delayed = plain.around((_, next) =>
      pause()
        .then(() => note('late'))
        .then(next),
    )
    expect(await traced(delayed)).toMatchObject({ text: 'show 1', trace: ['late', 'show'] })
    const careless = [
      plain.around((_, next) => void next()),
      plain.around(async (_, next) => void next()),
      plain.around((_, next) => next()),
    ]
    for (const controller of careless) {
      expect((await traced(controller, 'POST /things/1', { name: 'n' })).text).toBe('make n')
      expect((await traced(controller, 'GET /things/1/fail')).status).toBe(500)
    }
  })

  it('[CBK-06] around may catch what the stage throws, and may run out of patience', async () => {
    const caught = plain.around(async (_, next) => {
      try {
        await next()
      } catch (error) {
        return new Responses.Ok<string>({ body: `caught ${(error as Error).message}` })
      }
    })
    expect((await traced(caught, 'GET /things/1/fail')).text).toBe('caught broken')
    const placed = plain.around(async (context, next) => {
      await next().catch(() => {
        context.response = new Responses.Forbidden<string>({ body: 'placed' })
      })
    })
    expect((await traced(placed, 'GET /things/1/fail')).status).toBe(403)
    // A failure that is only swallowed stays one: there is no response to send.
    expect(
      (
        await traced(
          plain.around((_, next) => next().catch(() => {})),
          'GET /things/1/fail',
        )
      ).status,
    ).toBe(500)
    const slow = Things.implement({ show: () => new Promise(() => {}), make: () => '', fail: () => '' })
    const impatient = slow.around(
      async (_, next) =>
        Promise.race([next(), pause().then(() => new Responses.Forbidden<string>({ body: 'Too slow' }))]) as never,
    )
    expect((await traced(impatient)).status).toBe(403)
  })

  it('[CBK-06] an action is never reached with input that no stage has validated', async () => {
    for (const stage of stages.slice(0, 4)) {
      const skipped = await traced(
        plain.around(stage, () => {}),
        'POST /things/1',
        { name: 'n' },
      )
      expect([skipped.status, skipped.trace], stage).toEqual([500, []])
    }
    expect((await traced(plain.around('response', () => {}))).text).toBe('show 1')
  })
})

describe('order', () => {
  it('[CBK-07] several callbacks run in order of registration; around callbacks nest', async () => {
    const mark = (label: string) => () => (label === 'b2' ? pause().then(() => note(label)) : note(label))
    const controller = plain
      .after(mark('a1'))
      .around(enclosing('o1(', ')o1'))
      .before(mark('b1'))
      .before(mark('b2'))
      .around(enclosing('o2(', ')o2'))
      .before(mark('b3'))
      .after(mark('a2'))
    expect((await traced(controller)).trace).toEqual(['b1', 'b2', 'b3', 'o1(', 'o2(', 'show', ')o2', ')o1', 'a1', 'a2'])
  })

  it('[CBK-07] the first response ends it: later callbacks do not run', async () => {
    const controller = plain
      .before(() => note('1'))
      .before(() => new Responses.Forbidden())
      .before(() => note('3'))
      .around(enclosing('around', 'too'))
    expect(await traced(controller)).toMatchObject({ status: 403, trace: ['1'] })
    const inner = plain.around(enclosing('outer(', ')outer')).around(() => new Responses.Forbidden())
    expect(await traced(inner)).toMatchObject({ status: 403, trace: ['outer(', ')outer'] })
  })

  it('[CBK-07] shared behaviour is added to controllers by a function', async () => {
    const guarded = <C extends typeof plain>(controller: C) =>
      controller.before('load', () => new Responses.Forbidden())
    expect((await traced(plain.with(guarded))).status).toBe(403)
  })

  it('[CBK-05] a callback that throws, at once or later, is a 500 in every stage', async () => {
    const throwing = [
      () => {
        throw new Error('no')
      },
      async () => {
        await pause()
        throw new Error('no')
      },
      () => Promise.reject(null),
    ] as const
    for (const stage of stages) {
      for (const callback of throwing) {
        const controllers = [
          plain.before(stage, callback as never),
          plain.around(stage, callback as never),
          plain.after(stage, callback as never),
        ]
        const statuses = []
        for (const controller of controllers)
          statuses.push((await traced(controller, 'POST /things/1', { name: 'n' })).status)
        expect(statuses, stage).toEqual([500, 500, 500])
      }
    }
  })
})
