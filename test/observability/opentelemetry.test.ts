// Spans and metrics through the real SDK of OpenTelemetry, over a socket and through fetch.
import { once } from 'node:events'
import { connect } from 'node:net'
import { context, metrics, propagation, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { CompositePropagator, W3CBaggagePropagator, W3CTraceContextPropagator } from '@opentelemetry/core'
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics'
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base'
import {
  type Application,
  type ApplicationOptions,
  application,
  endpoint,
  type Plugin,
  Responses,
  route,
  t,
} from 'edict'
import { type OpenTelemetryOptions, opentelemetry } from 'edict/opentelemetry'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type Asked, ask, askFetch, askSocket, mistakesOf, urlOf } from '../support/ask.ts'
import { Wire } from '../support/serving/wire.ts'

const spans = new InMemorySpanExporter()
const measured = new InMemoryMetricExporter(AggregationTemporality.DELTA)
const reader = new PeriodicExportingMetricReader({ exporter: measured, exportIntervalMillis: 3_600_000 })
const meters = new MeterProvider({ readers: [reader] })

function register(): void {
  trace.setGlobalTracerProvider(new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(spans)] }))
  context.setGlobalContextManager(new AsyncLocalStorageContextManager())
  propagation.setGlobalPropagator(
    new CompositePropagator({ propagators: [new W3CTraceContextPropagator(), new W3CBaggagePropagator()] }),
  )
  metrics.setGlobalMeterProvider(meters)
}

function unregister(): void {
  for (const one of [trace, context, propagation, metrics]) one.disable()
}

beforeAll(register)
afterEach(() => spans.reset())
afterAll(async () => {
  unregister()
  await meters.shutdown()
})

const Notes = endpoint('Notes', {
  actions: {
    show: { routing: route.get('/:id'), params: { id: t.integer(), q: t.string() }, responses: { ok: 'text/plain' } },
    create: { routing: route.post('/'), payload: { text: t.string() }, responses: { ok: 'text/plain' } },
    any: { routing: route.any('//any'), responses: { noContent: true } },
    broken: { routing: route.get('//broken'), responses: { ok: 'text/plain' } },
    stream: { routing: route.get('//stream'), responses: { ok: 'text/plain' } },
    torn: { routing: route.get('//torn'), responses: { ok: 'text/plain' } },
    slow: { routing: route.get('//slow'), responses: { ok: 'text/plain' } },
    held: { routing: route.get('//held'), responses: { ok: 'text/plain' } },
  },
})

const Secrets = endpoint('Secrets', {
  prefix: '/reset',
  actions: {
    reset: {
      routing: route.get('/:token'),
      params: { token: t.string({ secret: true }), key: t.string({ secret: true }), page: t.integer() },
      responses: { ok: 'text/plain' },
    },
  },
})

const tracer = trace.getTracer('the users own')

/** A span of a user, and the baggage that he sees. */
async function inside(): Promise<string> {
  return tracer.startActiveSpan('own', async (span) => {
    await new Promise((resolve) => setTimeout(resolve, 1))
    tracer.startSpan('deeper').end()
    span.end()
    return propagation.getActiveBaggage()?.getEntry('tenant')?.value ?? 'none'
  })
}

async function* pieces(...all: readonly (string | Error)[]): AsyncGenerator<string> {
  for (const one of all) {
    if (one instanceof Error) throw one
    yield one
  }
}

/** Tells when the action `held` was called, and lets it answer. */
const holding = { called: () => {}, answer: Promise.resolve('held') }

const notes = Notes.implement({
  show: inside,
  create: inside,
  any: (_, { reply }) => reply.noContent(),
  broken: () => {
    throw new RangeError('it broke')
  },
  stream: (_, { reply }) => reply.ok(pieces('one', 'two')),
  torn: (_, { reply }) => reply.ok(pieces('one', new RangeError('torn'))),
  slow: () => new Promise<string>(() => {}),
  held: () => {
    holding.called()
    return holding.answer
  },
})

const secrets = Secrets.implement({ reset: () => 'reset' })

interface Settings extends OpenTelemetryOptions {
  readonly controllers?: ApplicationOptions['controllers']
  readonly plugins?: readonly Plugin[]
  readonly timeout?: number
}

function made({ controllers = [notes], plugins = [], timeout = 50, ...options }: Settings = {}): Application {
  const given: ApplicationOptions = {
    controllers,
    plugins: [opentelemetry(options), ...plugins],
    timeout,
    limits: { body: 100 },
    logger: { info() {}, warn() {}, error() {} },
  }
  return application(given)
}

/** A promise and the function that keeps it. */
function promised<T>(): [promise: Promise<T>, keep: (value: T) => void] {
  let keep!: (value: T) => void
  const promise = new Promise<T>((resolve) => {
    keep = resolve
  })
  return [promise, keep]
}

const until = async (holds: () => boolean): Promise<void> => {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 1))
}

const servers = (): ReadableSpan[] => spans.getFinishedSpans().filter(({ kind }) => kind === SpanKind.SERVER)

/** Waits for the one server span of a request. */
async function served(): Promise<ReadableSpan> {
  await until(() => servers().length > 0)
  expect(servers()).toHaveLength(1)
  return servers()[0] as ReadableSpan
}

const WAYS = [
  ['a socket', askSocket],
  ['fetch', askFetch],
] as const

const ROUTED: readonly [line: string, status: number, route: string | undefined, asked?: Asked][] = [
  ['GET /notes/7?q=a', 200, '/notes/:id'],
  ['HEAD /notes/7', 200, '/notes/:id'],
  ['GET /notes/x', 400, '/notes/:id'],
  ['POST /notes', 200, '/notes', { body: { text: 'a' } }],
  ['POST /notes', 400, '/notes', { body: '{', headers: { 'content-type': 'application/json' } }],
  ['POST /notes', 413, '/notes', { body: { text: 'a'.repeat(200) } }],
  ['POST /notes', 415, '/notes', { body: 'a', headers: { 'content-type': 'image/png' } }],
  ['GET /stream', 200, '/stream'],
  ['GET /nowhere', 404, undefined],
  ['GET /%ff', 400, undefined],
  ['PUT /notes', 405, undefined],
  ['OPTIONS /notes', 204, undefined],
]

describe.each(WAYS)('[OBS-01] over %s, every request is one span', (way, send) => {
  it.each(ROUTED)('%s: %i', async (line, status, found, asked) => {
    expect((await send(made(), line, asked)).status).toBe(status)
    const span = await served()
    const [method, url = ''] = line.split(' ')
    expect(span.name).toBe(found === undefined ? method : `${method} ${found}`)
    expect(span.attributes).toEqual({
      'http.request.method': method,
      'url.path': url.split('?')[0],
      'url.scheme': 'http',
      'http.response.status_code': status,
      ...(found !== undefined && { 'http.route': found }),
      ...(way === 'a socket' && {
        'server.address': '127.0.0.1',
        'server.port': expect.any(Number),
        'network.protocol.version': '1.1',
      }),
    })
    expect(span.status.code).toBe(SpanStatusCode.UNSET)
    expect(span.events).toEqual([])
    expect(span.parentSpanContext).toBe(undefined)
  })

  it('failures of the server are errors, with what was thrown', async () => {
    await send(made(), 'GET /broken')
    const broken = await served()
    expect(broken.status.code).toBe(SpanStatusCode.ERROR)
    expect(broken.attributes).toMatchObject({ 'http.response.status_code': 500, 'error.type': 'RangeError' })
    expect(broken.events).toMatchObject([
      { name: 'exception', attributes: { 'exception.type': 'RangeError', 'exception.message': 'it broke' } },
    ])
    spans.reset()
    await send(made(), 'GET /slow')
    expect((await served()).attributes).toMatchObject({
      'http.response.status_code': 503,
      'error.type': 'TimeoutError',
    })
  })

  it('a response that breaks off is an error under the status that was sent', async () => {
    await expect(send(made(), 'GET /torn')).rejects.toThrow()
    const span = await served()
    expect(span.status.code).toBe(SpanStatusCode.ERROR)
    expect(span.attributes).toMatchObject({
      'http.response.status_code': 200,
      'error.type': 'RangeError',
      'edict.outcome': 'failed',
    })
  })

  it('it goes on with the trace of its caller, and spans of the action are its children', async () => {
    const headers = {
      traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
      baggage: 'tenant=acme',
    }
    for (const [line, body] of [
      ['GET /notes/7', undefined],
      ['POST /notes', { text: 'a' }],
    ] as const) {
      expect((await send(made(), line, { headers, body })).text).toBe('acme')
      const span = await served()
      expect(span.parentSpanContext).toMatchObject({ spanId: 'b7ad6b7169203331', isRemote: true })
      const [deeper, own] = spans.getFinishedSpans() as [ReadableSpan, ReadableSpan]
      expect([own.name, deeper.name]).toEqual(['own', 'deeper'])
      expect(own.parentSpanContext?.spanId).toBe(span.spanContext().spanId)
      expect(deeper.parentSpanContext?.spanId).toBe(own.spanContext().spanId)
      for (const one of [deeper, own, span]) expect(one.spanContext().traceId).toBe('0af7651916cd43dd8448eb211c80319c')
      spans.reset()
    }
  })

  it('without trust it begins a trace of its own, linked with that of its caller', async () => {
    const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'
    const answer = await send(made({ trust: false }), 'GET /notes/7', {
      headers: { traceparent, baggage: 'tenant=acme' },
    })
    expect(answer.text).toBe('none')
    const span = await served()
    expect(span.parentSpanContext).toBe(undefined)
    expect(span.links).toMatchObject([{ context: { spanId: 'b7ad6b7169203331' } }])
  })

  it.each(['', 'x', '00-0-0-0', '00-ffffffffffffffffffffffffffffffff-0000000000000000-01', '00-'.repeat(1000)])(
    'a traceparent that is none is no trace: %s',
    async (traceparent) => {
      await send(made(), 'GET /notes/7', { headers: { traceparent } })
      expect((await served()).parentSpanContext).toBe(undefined)
    },
  )

  it('an arrival hook that responds before it, and one behind it', async () => {
    const closed: Plugin = {
      name: 'closed',
      before: ['opentelemetry'],
      arrival: () => new Responses.ServiceUnavailable(),
    }
    for (const plugin of [closed, { ...closed, before: [] }]) {
      await send(made({ plugins: [plugin] }), 'GET /notes/7')
      const span = await served()
      expect([span.name, span.attributes['http.response.status_code']]).toEqual(['GET', 503])
      expect(span.attributes['error.type']).toBe('503')
      spans.reset()
    }
  })

  it('no secret is in it, whatever it is asked to hold', async () => {
    const app = made({
      controllers: [notes, secrets],
      query: true,
      userAgent: true,
      clientAddress: true,
      attributes: (_, { received }) => ({ received }),
    })
    await send(app, 'GET /reset/hush1?key=hush2&page=3', { headers: { 'user-agent': 'reader/1' } })
    const span = await served()
    expect(span.attributes).toMatchObject({
      'url.path': '/reset/[redacted]',
      'url.query': 'key=[redacted]&page=3',
      'user_agent.original': 'reader/1',
      received: 0,
    })
    expect(span.attributes['client.address']).toBe(send === askSocket ? '127.0.0.1' : undefined)
    spans.reset()
    await send(app, 'GET /reset/hush1/more?key=hush2')
    expect(JSON.stringify((await served()).attributes)).not.toContain('hush')
  })

  it('what is skipped leaves nothing', async () => {
    const app = made({ skip: ({ url }) => url === '/notes/1' })
    await send(app, 'GET /notes/1')
    await send(app, 'GET /notes/2')
    expect((await served()).attributes['url.path']).toBe('/notes/2')
  })
})

describe('[OBS-01] a method that nobody knows is _OTHER', () => {
  // Node's parser refuses it before: see below.
  it.each([
    ['BREW /any', 'HTTP /any'],
    ['BREW /nowhere', 'HTTP'],
  ])('%s', async (line, name) => {
    await askFetch(made(), line)
    const span = await served()
    expect(span.name).toBe(name)
    expect(span.attributes).toMatchObject({
      'http.request.method': '_OTHER',
      'http.request.method_original': 'BREW',
    })
  })
})

describe('[OBS-01] what the server sends by itself is a span, too', () => {
  it.each([
    ['a header that is too long', `GET / HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`, 431, 'GET'],
    ['a header of which nothing is read', `GET / HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(40_000)}\r\n\r\n`, 431, 'HTTP'],
    ['a first line that is none', 'nonsense\r\n\r\n', 400, 'HTTP'],
    ['a method that Node does not know', 'BREW /any HTTP/1.1\r\nHost: a\r\n\r\n', 400, 'HTTP'],
    ['two hosts', 'GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n', 400, 'GET'],
    ['an expectation', 'GET / HTTP/1.1\r\nHost: a\r\nExpect: wonders\r\n\r\n', 417, 'GET'],
  ])('%s', async (_, text, status, name) => {
    const socket = connect(Number(new URL(await urlOf(made())).port), '127.0.0.1')
    socket.resume().write(text)
    const span = await served()
    socket.destroy()
    expect(span.name).toBe(name)
    expect(span.attributes['http.response.status_code']).toBe(status)
    expect(span.attributes['http.request.method']).toBe(name === 'HTTP' ? '_OTHER' : name)
  })

  it('a client that leaves is no error', async () => {
    const app = made({ timeout: 100 })
    const socket = connect(Number(new URL(await urlOf(app)).port), '127.0.0.1')
    const head = ['POST /notes HTTP/1.1', 'Host: a', 'Content-Type: application/json', 'Content-Length: 50']
    socket.write([...head, 'Expect: 100-continue', '', ''].join('\r\n'))
    // A reset that arrives together with bytes would count as an ordinary end of them.
    await once(socket, 'data')
    socket.resetAndDestroy()
    const span = await served()
    expect(span.attributes).toMatchObject({ 'http.route': '/notes', 'edict.outcome': 'aborted' })
    expect(span.status.code).toBe(SpanStatusCode.UNSET)
  })

  it.each([
    ['ends too early', 'Content-Length: 50\r\n\r\n{"te'],
    ['has a chunk that is none', 'Transfer-Encoding: chunked\r\n\r\nzz\r\n'],
  ])('a body that %s belongs to its request, and is served there', async (_, rest) => {
    const wire = await Wire.open(Number(new URL(await urlOf(made({ timeout: 0 }))).port), { halfOpen: true })
    wire.send(`POST /notes HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n${rest}`).socket.end()
    expect(await wire.answers(1)).toMatchObject([{ status: 400, body: expect.stringContaining('malformed-body') }])
    await wire.closed
    const span = await served()
    expect([span.name, span.attributes['http.response.status_code']]).toEqual(['POST /notes', 400])
  })

  it('requests of one connection are no children of each other', async () => {
    const app = made()
    for (const id of [1, 2, 3]) await askSocket(app, `GET /notes/${id}`)
    await until(() => servers().length === 3)
    expect(servers().map(({ parentSpanContext }) => parentSpanContext)).toEqual([undefined, undefined, undefined])
    expect(new Set(servers().map((one) => one.spanContext().traceId)).size).toBe(3)
  })

  it('a request within a span is its child', async () => {
    await tracer.startActiveSpan('job', async (job) => {
      await askFetch(made(), 'GET /notes/1', { headers: { traceparent: `00-${'1'.repeat(32)}-${'2'.repeat(16)}-01` } })
      expect((await served()).parentSpanContext?.spanId).toBe(job.spanContext().spanId)
      job.end()
    })
  })
})

type Points = { readonly attributes: object; readonly value: any }[]

async function measurements(): Promise<Record<string, Points>> {
  measured.reset()
  await reader.forceFlush()
  const all = measured.getMetrics().flatMap(({ scopeMetrics }) => scopeMetrics.flatMap(({ metrics: own }) => own))
  return Object.fromEntries(all.map(({ descriptor, dataPoints }) => [descriptor.name, dataPoints as Points]))
}

describe.each(WAYS)('[OBS-01] the metrics of the conventions, over %s', (way, send) => {
  it('duration, requests in progress and sizes, by method, route and status', async () => {
    await measurements()
    const app = made()
    await send(app, 'POST /notes', { body: { text: 'abc' } })
    await send(app, 'GET /broken')
    await send(app, 'GET /nowhere')
    await until(() => servers().length === 3)
    const told = await measurements()
    const common = { 'url.scheme': 'http', ...(way === 'a socket' && { 'network.protocol.version': '1.1' }) }
    const expected = [
      { ...common, 'http.request.method': 'POST', 'http.route': '/notes', 'http.response.status_code': 200 },
      {
        ...common,
        'http.request.method': 'GET',
        'http.route': '/broken',
        'http.response.status_code': 500,
        'error.type': 'RangeError',
      },
      { ...common, 'http.request.method': 'GET', 'http.response.status_code': 404 },
    ]
    for (const name of ['request.duration', 'request.body.size', 'response.body.size'])
      expect(told[`http.server.${name}`]?.map(({ attributes }) => attributes)).toEqual(expected)
    const [posted] = told['http.server.request.duration'] as Points
    expect(posted?.value.buckets.boundaries).toEqual([
      0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10,
    ])
    expect(posted?.value.count).toBe(1)
    expect(told['http.server.request.body.size']?.[0]?.value.sum).toBe(14)
    expect(told['http.server.response.body.size']?.[0]?.value.sum).toBe(4)
    expect(told['http.server.active_requests']?.map(({ value }) => value)).toEqual([0, 0])
  })

  it('a request in progress counts until it ends', async () => {
    await measurements()
    const [called, call] = promised<void>()
    const [held, answerIt] = promised<string>()
    Object.assign(holding, { called: call, answer: held })
    const answer = send(made({ timeout: 10_000 }), 'GET /held')
    await called
    expect((await measurements())['http.server.active_requests']?.[0]?.value).toBe(1)
    answerIt('done')
    await answer
    await served()
    expect((await measurements())['http.server.active_requests']?.[0]?.value).toBe(-1)
  })
})

describe('[OBS-01] without an SDK', () => {
  it('nothing is done, and an SDK that comes later is found', async () => {
    unregister()
    const app = made()
    expect((await ask(app, 'GET /notes/7')).text).toBe('none')
    register()
    expect((await askFetch(app, 'GET /notes/7')).text).toBe('none')
    await served()
  })

  it('options that do not fit are refused', () => {
    const found = mistakesOf(() => made({ trust: 'yes', skip: '/health', propagate: true } as never))
    expect(found.map(({ problem }) => problem)).toHaveLength(3)
  })
})
