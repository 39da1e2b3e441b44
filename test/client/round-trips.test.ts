// Round trips of the typed client: whatever an action answers its caller gets, and whatever a caller sends the action gets.
import { isDeepStrictEqual } from 'node:util'
import { application, collectionOf, endpoint, header, mediaType, route, t } from 'edict'
import { CallError, client, ResponseError } from 'edict/client'
import { testClient } from 'edict/testing'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { recorder, urlOf } from '../support/ask.ts'
import { runs } from '../support/runs.ts'

const scalars = {
  text: t.string(),
  whole: t.integer(),
  number: t.number(),
  truth: t.boolean(),
  large: t.bigint(),
  exact: t.decimal(),
  moment: t.dateTime(),
  day: t.date(),
  time: t.time(),
}
const shape = t.union('is', { round: { since: t.dateTime() }, flat: { sides: t.array(t.bigint()) } })
const nested = {
  ...scalars,
  texts: t.array(t.string()),
  moments: t.array(t.dateTime()),
  larges: t.array(t.bigint()),
  commas: t.array(t.string(), { delimiter: ',' }),
  pipes: t.array(t.string(), { delimiter: '|' }),
  spaces: t.array(t.string(), { delimiter: ' ' }),
  byName: t.record(t.dateTime()),
  part: t.object({ at: t.dateTime(), deep: t.object({ large: t.bigint() }) }),
  parts: t.array(t.object({ at: t.dateTime(), n: t.integer() })),
  shape,
  shapes: t.array(shape),
}
const Tree: any = mediaType('Tree', {
  attributes: { at: t.dateTime(), branches: t.array(t.ref(() => Tree)) } as never,
  views: { default: ['at', 'branches'] } as never,
})
const Thing = mediaType('Thing', {
  attributes: { ...nested, note: t.string({ nullable: true }), any: t.any() },
  views: { default: [...Object.keys(nested), 'note', 'any'] as never, times: ['moment', 'moments', 'parts'] },
})

// --- values ----------------------------------------------------------------------------

const safe = fc.string({ unit: 'binary', maxLength: 8 }).map((one) => one.replaceAll('\0', '-'))
const moment = fc.date({
  min: new Date('0001-01-01T00:00:00Z'),
  max: new Date('9999-12-31T00:00:00Z'),
  noInvalidDate: true,
})
const number = fc.double({ noNaN: true, noDefaultInfinity: true }).map((one) => one + 0)
const values = {
  text: safe,
  whole: fc.maxSafeInteger(),
  number,
  truth: fc.boolean(),
  large: fc.bigInt(),
  exact: fc.constantFrom('0', '-1.5', '12345678901234567890.123'),
  moment,
  day: moment.map((one) => one.toISOString().slice(0, 10)),
  time: fc.constantFrom('00:00:00', '23:59:59'),
}
const shapes = fc.oneof(
  fc.record({ is: fc.constant('round'), since: moment }),
  fc.record({ is: fc.constant('flat'), sides: fc.array(fc.bigInt(), { minLength: 1, maxLength: 3 }) }),
)

/** Texts that are not empty, many with the character that would separate them. */
const within = (delimiter: string, text: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc.tuple(text, fc.boolean()).map(([one, separated]) => (separated || one === '' ? `${one}${delimiter}x` : one))

/** Values of everything; `least` elements in lists, as a query has no list without any. */
function things(least: number, text: fc.Arbitrary<string> = safe): fc.Arbitrary<Record<string, unknown>> {
  const some = (of: fc.Arbitrary<unknown>) => fc.array(of, { minLength: least, maxLength: 3 })
  return fc.record(
    {
      ...values,
      text,
      texts: some(text),
      moments: some(moment),
      larges: some(fc.bigInt()),
      commas: some(text.filter((one) => one !== '')),
      pipes: some(within('|', text)),
      spaces: some(within(' ', text)),
      byName: fc.dictionary(fc.stringMatching(/^[a-z]{1,4}$/), moment, { minKeys: least, maxKeys: 3 }),
      part: fc.record({ at: moment, deep: fc.record({ large: fc.bigInt() }) }),
      parts: some(fc.record({ at: moment, n: fc.integer() })),
      shape: shapes,
      shapes: some(shapes),
    },
    { requiredKeys: [] },
  )
}
// One name cannot be that of an attribute, and is left out wherever it comes.
const json = fc.jsonValue().map((one) => JSON.parse(JSON.stringify(one).replaceAll('__proto__', 'proto')))
const whole = fc
  .tuple(things(0), fc.record({ note: fc.option(safe), any: json.map((one) => one ?? 0) }, { requiredKeys: [] }))
  .map(([one, more]) => ({ ...one, ...more }))

// --- the application -------------------------------------------------------------------

const FORM = 'application/x-www-form-urlencoded'
const responses = { noContent: true } as const
const Calls = endpoint('Calls', {
  actions: {
    one: { routing: route.get('/one'), responses: { ok: Thing } },
    list: { routing: route.get('/list'), responses: { ok: collectionOf(Thing) } },
    times: { routing: route.get('/times'), responses: { ok: collectionOf(Thing, { view: 'times' }) } },
    bare: { routing: route.get('/bare'), responses: { ok: t.array(t.dateTime()) } },
    named: { routing: route.get('/named'), responses: { ok: t.record(t.array(t.bigint())) } },
    tree: { routing: route.get('/tree'), responses: { ok: Tree } },
    maybe: { routing: route.get('/maybe'), responses: { ok: t.object({ at: t.dateTime() }, { nullable: true }) } },
    query: { routing: route.get('/query'), params: nested, responses },
    path: {
      routing: route.get('/path/:whole/:large/:day/:text'),
      params: { ...scalars, text: t.string({ required: true }) },
      responses,
    },
    heads: {
      routing: route.get('/heads'),
      headers: {
        'X-Text': header(),
        'X-Whole': t.integer(),
        'X-Large': t.bigint(),
        'X-Moment': t.dateTime(),
        'X-Json': t.json(t.object({ at: t.dateTime(), text: t.string() })),
      },
      responses,
    },
    json: { routing: route.post('/json'), payload: nested, responses },
    form: { routing: route.post('/form'), payload: nested, consumes: [FORM], responses },
    parts: { routing: route.post('/parts'), payload: nested, consumes: ['multipart/form-data'], responses },
    files: { routing: route.post('/files'), payload: { ...nested, file: t.file() }, responses },
  },
} as never) as any

/** The next answer of the actions, and their last arguments. */
let answer: unknown
let given: any
const saying = ['one', 'list', 'times', 'bare', 'named', 'tree', 'maybe']
const hearing = ['query', 'path', 'heads', 'json', 'form', 'parts', 'files']
const app = application({
  logger: recorder(),
  controllers: [
    Calls.implement({
      ...Object.fromEntries(saying.map((name) => [name, (_: unknown, { reply }: any) => reply.ok(answer)])),
      ...Object.fromEntries(
        hearing.map((name) => [
          name,
          (params: unknown, { request, reply }: any) => {
            given = { params, headers: request.headers, payload: request.payload }
            return reply.noContent()
          },
        ]),
      ),
    }),
  ],
})
const api = (testClient(app, { Calls }) as any).Calls

function plain(one: unknown): any {
  if (Array.isArray(one)) return one.map(plain)
  if (typeof one !== 'object' || one === null || one instanceof Date) return one
  return Object.fromEntries(Object.entries(one).map(([name, value]) => [name, plain(value)]))
}

const RUNS = { numRuns: runs(15, 400) }

async function answers(name: string, value: unknown, expected = value): Promise<void> {
  answer = value
  const got = await api[name]({})
  expect([got.name, got.status]).toEqual(['ok', 200])
  const [received, wanted] = [plain(got.body), plain(expected)]
  // An attribute may be called constructor, which is no name for Vitest.
  if (!isDeepStrictEqual(received, wanted)) expect(received).toStrictEqual(wanted)
}

describe('what an action answers', () => {
  it('is what its caller gets: one, and in lists', () =>
    fc.assert(
      fc.asyncProperty(whole, whole, async (one, other) => {
        await answers('one', one)
        await answers('list', [one, other])
        await answers('list', [])
      }),
      { ...RUNS, examples: [[{ any: { prototype: 1, constructor: [{ prototype: 2 }] } }, {}]] },
    ))

  it('is what its caller gets: dates and large integers, wherever they are', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(moment),
        fc.dictionary(fc.stringMatching(/^[a-z]{1,4}$/), fc.array(fc.bigInt())),
        async (dates, byName) => {
          await answers('bare', dates)
          await answers('named', byName)
          const trees = dates.map((at) => ({ at, branches: [{ at, branches: [] }] }))
          await answers('tree', { at: new Date(0), branches: trees })
          await answers('maybe', dates[0] === undefined ? null : { at: dates[0] })
          const listed = dates.map((at) => ({ moment: at, moments: dates, parts: [{ at, n: 1 }] }))
          await answers('times', listed)
        },
      ),
      RUNS,
    ))

  it('is the same over a socket', async () => {
    const wired = (client({ Calls }, { baseUrl: await urlOf(app) }) as any).Calls
    for (const one of fc.sample(whole, 10)) {
      answer = [one]
      expect(plain((await wired.list({})).body)).toStrictEqual([plain(one)])
    }
  })
})

async function sends(
  name: string,
  part: 'params' | 'payload' | 'headers',
  value: Record<string, unknown>,
): Promise<void> {
  given = undefined
  const got = part === 'params' ? await api[name](value) : await api[name]({}, { [part]: value })
  expect([got.name, got.problem?.errors]).toEqual(['noContent', undefined])
  expect(plain(given[part])).toEqual(plain(value))
}

describe('what a caller sends', () => {
  it('is what the action gets: in the query', () =>
    fc.assert(
      fc.asyncProperty(things(1), (one) => sends('query', 'params', one)),
      RUNS,
    ))

  it('is what the action gets: lists in one text whose only element is empty, or has what separates them', async () => {
    for (const name of ['commas', 'pipes', 'spaces'])
      for (const list of [[''], ['a,b|c d'], ['a', ',| ']])
        for (const [action, part] of [
          ['query', 'params'],
          ['form', 'payload'],
          ['parts', 'payload'],
        ] as const)
          await sends(action, part, { [name]: list })
  })

  it('is what the action gets: in the path, and the rest in the query', () =>
    fc.assert(
      fc.asyncProperty(
        fc.record({ ...values, text: safe.filter((one) => one !== '' && one !== '.' && one !== '..') }),
        (one) => sends('path', 'params', one),
      ),
      RUNS,
    ))

  it('is what the action gets: in headers', () =>
    fc.assert(
      fc.asyncProperty(
        fc.record(
          {
            'X-Text': fc.stringMatching(/^[!-~]{1,9}$/),
            'X-Whole': fc.maxSafeInteger(),
            'X-Large': fc.bigInt(),
            'X-Moment': moment,
            'X-Json': fc.record({ at: moment, text: safe }),
          },
          { requiredKeys: ['X-Text'] },
        ),
        (one) => sends('heads', 'headers', one),
      ),
      RUNS,
    ))

  it('is what the action gets: as JSON', () =>
    fc.assert(
      fc.asyncProperty(things(0), (one) => sends('json', 'payload', one)),
      RUNS,
    ))

  it('is what the action gets: as a form', () =>
    fc.assert(
      fc.asyncProperty(things(1), (one) => sends('form', 'payload', one)),
      RUNS,
    ))

  // A form of parts ends lines as mail does, so that texts have no other ends.
  it('is what the action gets: in parts', () => {
    const text = safe.map((one) => one.replace(/[\r\n]/g, '-'))
    return fc.assert(
      fc.asyncProperty(things(1, text), (one) => sends('parts', 'payload', one)),
      RUNS,
    )
  })

  it('is what the action gets: in parts with a file', () => {
    const text = safe.map((one) => one.replace(/[\r\n]/g, '-'))
    return fc.assert(
      fc.asyncProperty(things(1, text), fc.uint8Array({ minLength: 1, maxLength: 99 }), async (one, bytes) => {
        given = undefined
        const file = new Blob([bytes as Uint8Array<ArrayBuffer>], { type: 'image/png' })
        expect((await api.files({}, { payload: { ...one, file } })).name).toBe('noContent')
        const { file: received, ...rest } = given.payload
        expect([await received.bytes(), received.type]).toEqual([bytes, 'image/png'])
        expect(plain(rest)).toEqual(plain(one))
      }),
      RUNS,
    )
  })

  it('is no file that an action received: its bytes may have been read', async () => {
    await api.files({}, { payload: { file: new Blob(['x']) } })
    const received = given.payload
    given = undefined
    const said = "'file' must be a Blob or a File, and in no structure"
    await expect(api.files({}, { payload: received })).rejects.toThrow(new CallError(said))
    expect(given).toBe(undefined)
  })
})

describe('a call', () => {
  const Mixed = endpoint('Mixed', {
    version: '2 beta',
    actions: {
      any: { routing: route.any('/any'), responses: { ok: 'text/plain' } },
      teapot: {
        routing: route.get('/teapot'),
        responses: { ok: Thing, teapot: { status: 418, mediaType: 'text/plain' } },
      },
      bytes: { routing: route.get('/bytes'), responses: { ok: 'application/octet-stream', noContent: true } },
      odd: { routing: route.get('/odd'), responses: { ok: Thing, accepted: { mediaType: Thing.view('times') } } },
      put: {
        routing: route.put('/:id/:rest'),
        params: { id: t.integer(), rest: t.string() },
        responses: { ok: 'text/plain' },
      },
    },
  })
  /** Answers every request with what it is told, and keeps the requests. */
  function faked(make: (request: Request) => Response) {
    const requests: Request[] = []
    const options = {
      baseUrl: 'http://a.test/api//',
      attempts: 1,
      headers: async () => ({ 'X-Own': 'mine' }),
      fetch: async (request: Request) => {
        requests.push(request)
        return make(request)
      },
    }
    return {
      requests,
      api: (client({ Mixed }, options) as any).Mixed,
      with: (more: object) => (client({ Mixed }, { ...options, ...more }) as any).Mixed,
    }
  }
  const text = (body: BodyInit | null, status: number, type?: string): Response =>
    new Response(body, { status, headers: type === undefined ? {} : { 'Content-Type': type } })

  it('goes to the base without its slashes, with its version and the headers of the client', async () => {
    const world = faked(() => text('x', 200, 'text/plain'))
    await world.api.any()
    await world.with({ versionWith: 'header', headers: { 'X-Own': 'plain' } }).any({ unknown: 'a b' })
    await world.with({ versionWith: 'query', headers: undefined }).put({ id: 7, rest: 'a/b' })
    expect(
      world.requests.map(({ method, url, headers }) => [
        method,
        url,
        headers.get('x-own'),
        headers.get('x-api-version'),
      ]),
    ).toEqual([
      ['GET', 'http://a.test/api/v2%20beta/mixed/any', 'mine', null],
      ['GET', 'http://a.test/api/mixed/any?unknown=a+b', 'plain', '2 beta'],
      ['PUT', 'http://a.test/api/mixed/7/a%2Fb?api_version=2+beta', null, null],
    ])
  })

  it('names all params that the path lacks', async () => {
    const world = faked(() => text('x', 200, 'text/plain'))
    await expect(world.api.put({})).rejects.toThrow(new CallError('Mixed.put: the params lack id, rest'))
    await expect(world.api.put({ id: null, rest: 'x' })).rejects.toThrow(new CallError('Mixed.put: the params lack id'))
    await expect(world.api.put({ id: new Date(0), rest: 'x' })).rejects.toThrow(
      new CallError("'id' must be an integer"),
    )
    expect(world.requests).toEqual([])
  })

  it('reads answers by their status and type, and anything else as a failure', async () => {
    const problem = { type: 'about:blank', status: 503, code: 'unavailable' }
    const cases: [Response, string, object][] = [
      [text('short', 418, 'text/plain; charset=utf-8'), 'teapot', { name: 'teapot', status: 418, body: 'short' }],
      [text('{"text":"x","more":1}', 200, 'Application/VND.Thing+json'), 'teapot', { name: 'ok', body: { text: 'x' } }],
      [
        text('<html>', 502, 'text/html'),
        'teapot',
        { name: 'failure', status: 502, body: '<html>', problem: undefined },
      ],
      [
        text(JSON.stringify(problem), 503, 'application/problem+json'),
        'teapot',
        { name: 'failure', body: problem, problem },
      ],
      [text('null', 500, 'application/problem+json'), 'teapot', { name: 'failure', body: null, problem: undefined }],
      [text('{', 500, 'application/json'), 'teapot', { name: 'failure', body: '{', problem: undefined }],
      [text('{"a":1}', 500, 'application/json'), 'teapot', { name: 'failure', body: { a: 1 }, problem: undefined }],
      [text(new Uint8Array([1, 2]), 500), 'teapot', { name: 'failure', body: new Uint8Array([1, 2]) }],
      [text(null, 500), 'teapot', { name: 'failure', body: undefined }],
      [
        text(new Uint8Array([1, 2]), 200, 'application/octet-stream'),
        'bytes',
        { name: 'ok', body: new Uint8Array([1, 2]) },
      ],
      [text(null, 204), 'bytes', { name: 'noContent', status: 204, body: undefined }],
      [text(null, 304), 'bytes', { name: 'failure', status: 304, body: undefined }],
      [
        text('{"moment":"1970-01-01T00:00:00Z"}', 202, 'application/vnd.thing+json'),
        'odd',
        { name: 'accepted', body: { moment: new Date(0) } },
      ],
    ]
    for (const [response, action, expected] of cases)
      expect(await faked(() => response).api[action]()).toMatchObject(expected)
  })

  it('refuses a response that its declaration does not allow, with the location', async () => {
    const world = faked(() => text('{"moment":"soon"}', 200, 'application/vnd.thing+json'))
    const failed = await world.api.odd().catch((error: unknown) => error)
    expect(failed).toBeInstanceOf(ResponseError)
    expect(failed).toMatchObject({ name: 'ResponseError', response: { status: 200 } })
    expect(failed.message).toMatch(/^Mixed\.odd responded with an undeclared body: \/moment must be /)
  })

  it('is not made when its signal has said stop, and its request carries the signal', async () => {
    const world = faked(() => text('x', 200, 'text/plain'))
    await expect(world.api.any({}, { signal: AbortSignal.abort(new Error('enough')) })).rejects.toThrow('enough')
    expect(world.requests).toEqual([])
    const controller = new AbortController()
    await world.api.any({}, { signal: controller.signal })
    controller.abort()
    expect(world.requests[0]?.signal.aborted).toBe(true)
  })

  it('is frozen, as is the client', () => {
    const made = client({ Mixed }, { baseUrl: 'http://a.test' })
    expect([Object.isFrozen(made), Object.isFrozen(made.Mixed)]).toEqual([true, true])
  })
})
