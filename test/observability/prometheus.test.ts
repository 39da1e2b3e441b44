// The page for Prometheus, read by parsers of others, over a socket and through fetch.
import { type Application, application, endpoint, type Plugin, Responses, route, security, t, verifier } from 'edict'
import { type PrometheusOptions, prometheus } from 'edict/prometheus'
import parse from 'parse-prometheus-text-format'
import pg from 'pg'
import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client'
import { afterEach, describe, expect, it } from 'vitest'
import { ask, askFetch, askSocket, mistakesOf, recorder, urlOf } from '../support/ask.ts'

const Notes = endpoint('Notes', {
  actions: {
    show: { routing: route.get('/:id'), params: { id: t.integer() }, responses: { ok: 'text/plain' } },
    create: { routing: route.post('/'), payload: { text: t.string() }, responses: { created: 'text/plain' } },
    broken: { routing: route.get('//broken'), responses: { ok: 'text/plain' } },
    slow: { routing: route.get('//slow'), responses: { ok: 'text/plain' } },
    any: { routing: route.any('//any'), responses: { ok: 'text/plain' } },
  },
})

let finish = (): void => {}

const notes = Notes.implement({
  show: () => 'grüße',
  create: (_, { reply }) => reply.created('made'),
  broken: () => {
    throw new Error('broken')
  },
  slow: () => new Promise((resolve) => (finish = () => resolve('late'))),
  any: () => 'any',
})

const opened: Application[] = []

afterEach(async () => {
  for (const app of opened.splice(0)) await app.close()
})

function made(options: PrometheusOptions = {}, plugins: readonly Plugin[] = []): Application {
  const app = application({
    controllers: [notes],
    plugins: [prometheus(options), ...plugins],
    timeout: 0,
    logger: recorder(),
  })
  opened.push(app)
  return app
}

interface Family {
  readonly name: string
  readonly help: string
  readonly type: string
  readonly metrics: readonly {
    readonly labels?: Readonly<Record<string, string>>
    readonly value?: string
    readonly count?: string
    readonly sum?: string
    readonly buckets?: Readonly<Record<string, string>>
  }[]
}

type Send = typeof askFetch

/** The page as a parser of others reads it, by names. */
async function page(app: Application, send: Send = askFetch): Promise<ReadonlyMap<string, Family>> {
  const { text, status, headers } = await send(app, 'GET /metrics')
  expect([status, headers['content-type']]).toEqual([200, 'text/plain; version=0.0.4; charset=utf-8'])
  expect(text.endsWith('\n')).toBe(true)
  const families = parse(text) as readonly Family[]
  expect(new Set(families.map(({ name }) => name)).size).toBe(families.length)
  return new Map(families.map((one) => [one.name, one]))
}

const requestsOf = (families: ReadonlyMap<string, Family>): string[] =>
  (families.get('http_requests_total')?.metrics ?? []).map(
    ({ labels, value }) => `${labels?.['method']} ${labels?.['route']} ${labels?.['status']}: ${value}`,
  )

const WAYS = [
  ['a socket', askSocket],
  ['fetch', askFetch],
] as const

describe.each(WAYS)('[OBS-02] over %s, the page has', (_, send) => {
  it('counts, durations and sizes by method, route and status', async () => {
    const app = made()
    for (const line of ['GET /notes/1', 'GET /notes/2', 'HEAD /notes/1', 'GET /notes/x', 'GET /broken', 'PUT /notes'])
      await send(app, line)
    for (const path of ['/a', '/b', '/c/%ff']) await send(app, `GET ${path}`)
    await send(app, 'POST /notes', { body: { text: 'abc' } })
    await expect.poll(async () => requestsOf(await page(app, send)).slice(0, 8)).toHaveLength(8)
    const families = await page(app, send)
    expect(requestsOf(families).slice(0, 8)).toEqual([
      'GET /notes/:id 200: 2',
      'HEAD /notes/:id 200: 1',
      'GET /notes/:id 400: 1',
      'GET /broken 500: 1',
      'PUT unmatched 405: 1',
      'GET unmatched 404: 2',
      'GET unmatched 400: 1',
      'POST /notes 201: 1',
    ])
    const durations = families.get('http_request_duration_seconds')
    expect(durations?.type).toBe('HISTOGRAM')
    // The parser takes the series of a histogram for one.
    const { text } = await send(app, 'GET /metrics')
    const line = (name: string, labels: string): string | undefined =>
      text
        .split('\n')
        .find((one) => one.startsWith(`${name}{${labels}}`))
        ?.split(' ')[1]
    const shown = 'method="GET",route="/notes/:id",status="200"'
    expect(line('http_request_duration_seconds_count', shown)).toBe('2')
    expect(line('http_request_duration_seconds_bucket', `${shown},le="+Inf"`)).toBe('2')
    expect(Number(line('http_request_duration_seconds_sum', shown))).toBeGreaterThan(0)
    expect(line('http_response_size_bytes_sum', shown)).toBe('14')
    expect(line('http_response_size_bytes_bucket', `${shown},le="128"`)).toBe('2')
    expect(line('http_request_size_bytes_sum', 'method="POST",route="/notes",status="201"')).toBe('14')
  })

  it('what is in flight, the scrape itself included', async () => {
    const app = made()
    const slow = send(app, 'GET /slow')
    const inFlight = async (): Promise<unknown> =>
      (await page(app, send)).get('http_requests_in_flight')?.metrics[0]?.value
    await expect.poll(inFlight).toBe('2')
    finish()
    await slow
    await expect.poll(inFlight).toBe('1')
  })

  it('event loop delay, memory and processor time, once it is started', async () => {
    const app = made()
    await app.start()
    await expect.poll(async () => (await page(app, send)).has('nodejs_eventloop_lag_p99_seconds')).toBe(true)
    const families = await page(app, send)
    const value = (name: string): number => Number(families.get(name)?.metrics[0]?.value)
    expect(value('process_resident_memory_bytes')).toBeGreaterThan(1e6)
    expect(value('nodejs_heap_size_used_bytes')).toBeLessThan(value('nodejs_heap_size_total_bytes'))
    expect(value('process_cpu_seconds_total')).toBeGreaterThan(0)
    expect(families.get('process_cpu_seconds_total')?.type).toBe('COUNTER')
    expect(Math.abs(value('process_start_time_seconds') - Date.now() / 1000)).toBeLessThan(86_400)
  })

  it('the use of pools', async () => {
    const pool = new pg.Pool({ max: 7 })
    const other = () => ({ used: 3, idle: 1, waiting: 2 })
    const app = made({ pools: { 'main "one"\\\n': pool, other } })
    const families = await page(app, send)
    const told = (name: string): unknown[] | undefined =>
      families.get(name)?.metrics.map(({ labels, value }) => [labels, Number(value)])
    expect(told('db_pool_connections')?.slice(2)).toEqual([
      [{ pool: 'other', state: 'used' }, 3],
      [{ pool: 'other', state: 'idle' }, 1],
    ])
    expect(told('db_pool_waiting')?.[1]).toEqual([{ pool: 'other' }, 2])
    expect(told('db_pool_connections_max')).toHaveLength(1)
    expect((await send(app, 'GET /metrics')).text).toContain(
      'db_pool_connections_max{pool="main \\"one\\"\\\\\\n"} 7\n',
    )
    await pool.end()
  })
})

describe('[OBS-02] the labels are few', () => {
  it('whatever methods and paths clients make up', async () => {
    const app = made()
    for (let i = 0; i < 50; i++) {
      await askFetch(app, `BREW${i} /any`)
      await askFetch(app, `BREW${i} /nowhere/${i}`)
    }
    expect(requestsOf(await page(app))).toEqual(['_OTHER /any 200: 50', '_OTHER unmatched 404: 50'])
  })

  it('and escaped: a route may have signs that mean something in the format', async () => {
    const Quoted = endpoint('Quoted', {
      actions: { show: { routing: route.get('//a"b'), responses: { ok: 'text/plain' } } },
    })
    const app = application({ controllers: [Quoted.implement({ show: () => 'a' })], plugins: [prometheus()] })
    await ask(app, 'GET /a%22b')
    await expect.poll(async () => requestsOf(await page(app))).toContainEqual(expect.stringMatching(/^GET .*b 200: 2$/))
    expect((await askFetch(app, 'GET /metrics')).text).toMatch(/route="[^"\n]*(?:\\"|%22)[^"\n]*"/)
  })
})

describe('[OBS-02] the format follows Accept', () => {
  const OPEN = 'application/openmetrics-text; version=1.0.0; charset=utf-8'
  const TEXT = 'text/plain; version=0.0.4; charset=utf-8'

  it.each([
    ['*/*', TEXT],
    ['text/html', TEXT],
    ['application/openmetrics-text', OPEN],
    ['application/openmetrics-text; version=0.0.1', TEXT],
    ['application/openmetrics-text;version=1.0.0;q=0.5,text/plain;version=0.0.4;q=0.2,*/*;q=0.1', OPEN],
    [
      'application/openmetrics-text;version=1.0.0;escaping=allow-utf-8;q=0.5,application/openmetrics-text;version=0.0.1;q=0.4,text/plain;version=0.0.4;q=0.3',
      OPEN,
    ],
    ['text/plain, application/openmetrics-text;q=0.9', TEXT],
  ])('%s', async (accept, type) => {
    const answer = await ask(made({}, []), 'HEAD /metrics', { headers: { accept } })
    expect([answer.status, answer.headers['content-type']]).toEqual([200, type])
    expect(answer.headers).toMatchObject({ 'cache-control': 'no-store', vary: expect.stringMatching(/accept/i) })
  })

  it('OpenMetrics names counters without _total, has canonical bounds and an end', async () => {
    const app = made({ buckets: [0.5, 1] })
    await askFetch(app, 'GET /notes/1')
    const { text } = await askFetch(app, 'GET /metrics', { headers: { accept: 'application/openmetrics-text' } })
    expect(text).toContain(
      '# TYPE http_requests counter\nhttp_requests_total{method="GET",route="/notes/:id",status="200"} 1\n',
    )
    expect(text).toContain(
      'http_request_duration_seconds_bucket{method="GET",route="/notes/:id",status="200",le="1.0"} 1\n',
    )
    expect(text.endsWith('\n# EOF\n')).toBe(true)
    expect(text.match(/# EOF/g)).toHaveLength(1)
  })
})

describe('[OBS-02] a registry of prom-client is part of the page', () => {
  it('its measurements stand next to ours, and a name that both have is the registry’s', async () => {
    const registry = new Registry()
    const orders = new Counter({ name: 'orders_total', help: 'Orders.', registers: [registry] })
    new Gauge({ name: 'http_requests_in_flight', help: 'Mine.', registers: [registry] }).set(99)
    collectDefaultMetrics({ register: registry })
    orders.inc(3)
    const app = made({ registry })
    await app.start()
    await askFetch(app, 'GET /notes/1')
    const families = await page(app)
    expect(families.get('orders_total')?.metrics[0]?.value).toBe('3')
    expect(families.get('http_requests_in_flight')?.metrics[0]?.value).toBe('99')
    expect(requestsOf(families)).toEqual(['GET /notes/:id 200: 1'])
    expect(families.has('nodejs_eventloop_lag_seconds')).toBe(true)
  })

  it('in the format that it writes', async () => {
    const registry = new Registry()
    registry.setContentType(Registry.OPENMETRICS_CONTENT_TYPE as never)
    new Counter({ name: 'orders', help: 'Orders.', registers: [registry] }).inc()
    const { text, headers } = await askFetch(made({ registry }), 'GET /metrics')
    expect(headers['content-type']).toBe(Registry.OPENMETRICS_CONTENT_TYPE)
    expect(text).toContain('# TYPE http_requests counter')
    expect(text).toContain('orders_total 1')
    expect(text.match(/# EOF/g)).toHaveLength(1)
    expect(text.endsWith('# EOF\n')).toBe(true)
  })
})

describe('[OBS-02] where the page is', () => {
  it('is for the application to say, and no document has it', async () => {
    const app = made({ path: '/internal/metrics' })
    expect((await ask(app, 'HEAD /internal/metrics')).status).toBe(200)
    expect((await askFetch(app, 'GET /metrics')).status).toBe(404)
    expect(JSON.stringify(app.openapi())).not.toContain('metrics')
  })

  it('may need credentials', async () => {
    const Key = security.bearer<string>('Key')
    const app = application({
      controllers: [notes],
      plugins: [prometheus({ security: Key })],
      verifiers: [verifier(Key, (token) => (token === 'hush' ? 'scraper' : undefined))],
    })
    expect((await ask(app, 'GET /metrics')).status).toBe(401)
    expect((await askFetch(app, 'GET /metrics', { headers: { authorization: 'Bearer hush' } })).status).toBe(200)
  })

  it('may be on a port of its own', async () => {
    const metrics = prometheus({ path: false })
    const app = application({ controllers: [notes], plugins: [metrics] })
    expect((await ask(app, 'GET /metrics')).status).toBe(404)
    expect(await urlOf(metrics.page)).not.toBe(await urlOf(app))
    await expect.poll(async () => requestsOf(await page(metrics.page, askSocket))).toEqual(['GET unmatched 404: 2'])
  })

  it('what another plugin answers before is counted, and is not in flight', async () => {
    const closed: Plugin = {
      name: 'closed',
      before: ['prometheus'],
      arrival: ({ url }) => (url === '/notes/1' ? new Responses.ServiceUnavailable() : undefined),
    }
    const app = made({}, [closed])
    await ask(app, 'GET /notes/1')
    const families = await page(app)
    expect(requestsOf(families)[0]).toBe('GET unmatched 503: 2')
    expect(families.get('http_requests_in_flight')?.metrics[0]?.value).toBe('1')
  })

  it('options that do not fit are refused', () => {
    const given = { path: 'metrics', registry: {}, pools: { a: 1 }, buckets: [1, 1], port: 9 }
    const found = mistakesOf(() => made(given as never))
    expect(found.map(({ problem }) => problem)).toHaveLength(5)
  })
})
