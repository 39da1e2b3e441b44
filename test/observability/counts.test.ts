// Counts agree: of every request of the hostile corpus there is one span, one count and one line, under the status that was sent.
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { context, SpanKind, trace } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base'
import type { Plugin } from 'edict'
import { accessLog } from 'edict/access-log'
import { diagnostics } from 'edict/diagnostics'
import { type RunningServer, serve } from 'edict/node'
import { opentelemetry } from 'edict/opentelemetry'
import { prometheus } from 'edict/prometheus'
import parse from 'parse-prometheus-text-format'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { HostileCase } from '../campaigns/hostile/case.ts'
import { corpus } from '../campaigns/hostile/cases/index.ts'
import { surfaceApp } from '../campaigns/hostile/surface.ts'
import { TIMEOUTS } from '../campaigns/hostile/timeouts.ts'
import { play } from '../campaigns/hostile/wire.ts'
import { askFetch } from '../support/ask.ts'

/** How many requests there were, by status. */
type Counts = Record<number, number>

const quiet = { info() {}, warn() {}, error() {} }
const exporter = new InMemorySpanExporter()
const metrics = prometheus({ path: false })
const ends: number[] = []
const lines: number[] = []
const events: number[] = []
const published = (message: unknown): void =>
  void events.push((message as { readonly ended: { readonly status: number } }).ended.status)
const witness: Plugin = { name: 'witness', end: (_, { status }) => void ends.push(status) }
const log = accessLog({ write: (line) => void lines.push(JSON.parse(line).status) })
let serving: RunningServer

beforeAll(async () => {
  trace.setGlobalTracerProvider(new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }))
  subscribe('edict:request:end', published)
  context.setGlobalContextManager(new AsyncLocalStorageContextManager())
  serving = await serve(surfaceApp(quiet, [opentelemetry(), metrics, log, diagnostics(), witness]), {
    port: 0,
    host: '127.0.0.1',
    signals: false,
    fatal: false,
    logger: quiet,
    timeouts: { headers: TIMEOUTS.headers, request: TIMEOUTS.request, drain: 2000 },
  })
})

afterAll(() => {
  unsubscribe('edict:request:end', published)
  trace.disable()
  context.disable()
})

const isShown = ({ steps }: HostileCase): boolean => !steps.includes('RESET') && !steps.includes('DEAF')

/** Cases of the surface: all in CI, and else a part of each group. */
const cases = corpus
  .flatMap((group) => group.cases)
  .filter(({ app = 'surface' }) => app === 'surface')
  .filter((_, i) => process.env['CI'] !== undefined || i % 6 === 0)

const counted = (statuses: readonly number[]): Counts => {
  const counts: Counts = {}
  for (const status of statuses) counts[status] = (counts[status] ?? 0) + 1
  return counts
}

const spans = (): Counts => {
  const servers = exporter.getFinishedSpans().filter(({ kind }) => kind === SpanKind.SERVER)
  return counted(servers.map(({ attributes }) => attributes['http.response.status_code'] as number))
}

interface Family {
  readonly name: string
  readonly metrics: readonly { readonly labels: { readonly status: string }; readonly value: string }[]
}

async function pageCounts(): Promise<Counts> {
  const families = parse((await askFetch(metrics.page, 'GET /metrics')).text) as readonly Family[]
  const counts: Counts = {}
  for (const { labels, value } of families.find(({ name }) => name === 'http_requests_total')?.metrics ?? [])
    counts[Number(labels.status)] = (counts[Number(labels.status)] ?? 0) + Number(value)
  return counts
}

/** Plays cases, several at a time, and gives the statuses that clients saw. */
async function played(all: readonly HostileCase[]): Promise<number[]> {
  const seen: number[] = []
  const left = [...all]
  const next = async (): Promise<void> => {
    for (let one = left.shift(); one !== undefined; one = left.shift()) {
      const { steps, sequence, head = false, linger = 0, patience = 5000 } = one
      const expected = sequence?.length ?? 1
      const { answers } = await play({ port: serving.port, steps, expected, head, linger, patience })
      seen.push(...answers.map(({ status }) => status))
    }
  }
  await Promise.all(Array.from({ length: 8 }, next))
  return seen
}

it('[OBS-01] [OBS-02] [OBS-04] [OBS-05] clients, spans, counts, log lines and events agree by status under the hostile corpus', async () => {
  const seen = counted(await played(cases.filter(isShown)))
  await expect.poll(spans).toEqual(seen)
  expect(Object.keys(seen).length).toBeGreaterThan(4)
  expect(await pageCounts()).toEqual(seen)
  for (const told of [ends, lines, events]) expect(counted(told)).toEqual(seen)
  // It is unknown what clients that disappear have seen; the counts still agree.
  await played(cases.filter((one) => !isShown(one)))
  await serving.close()
  const all = spans()
  expect(await pageCounts()).toEqual(all)
  for (const told of [ends, lines, events]) expect(counted(told)).toEqual(all)
  expect((await askFetch(metrics.page, 'GET /metrics')).text).toMatch(/^http_requests_in_flight 0$/m)
}, 120_000)
