// Metrics of the process: memory, CPU time, and event loop delay. Node only.
import type { MetricFamily } from './exposition-format.ts'

/** The delays of the event loop, in nanoseconds, as `node:perf_hooks` measures them. */
interface DelayHistogram {
  readonly count: number
  readonly mean: number
  readonly max: number
  percentile(percentile: number): number
  enable(): void
  disable(): void
  reset(): void
}

interface PerfHooks {
  monitorEventLoopDelay?(settings: { readonly resolution: number }): DelayHistogram
}

/** The parts of Node's `process` that are used; other runtimes have some of them or none. */
interface ProcessLike {
  getBuiltinModule?(name: string): unknown
  memoryUsage?(): Readonly<Record<'rss' | 'heapTotal' | 'heapUsed' | 'external', number>>
  cpuUsage?(): Readonly<Record<'user' | 'system', number>>
}

const getProcess = (): ProcessLike => (globalThis as { readonly process?: ProcessLike }).process ?? {}

const getPerfHooks = (): PerfHooks | undefined => getProcess().getBuiltinModule?.('node:perf_hooks') as PerfHooks | undefined

const NANO = 1e-9
const MICRO = 1e-6

/** The measurements of this process. */
export class RuntimeMeter {
  #delay: DelayHistogram | undefined

  /** Begins to watch the event loop. */
  start(): void {
    this.#delay ??= getPerfHooks()?.monitorEventLoopDelay?.({ resolution: 10 })
    this.#delay?.enable()
  }

  /** Ends that. */
  close(): void {
    this.#delay?.disable()
    this.#delay = undefined
  }

  /** All of it; the delays are those since the last time. */
  collectFamilies(): readonly MetricFamily[] {
    return [...this.#collectDelayFamilies(), ...collectProcessFamilies()]
  }

  #collectDelayFamilies(): readonly MetricFamily[] {
    const delay = this.#delay
    if (delay === undefined || delay.count === 0) return []
    const one = (name: string, nanoseconds: number, help: string): MetricFamily => ({
      name: `nodejs_eventloop_lag_${name}_seconds`,
      type: 'gauge',
      help: `${help} of the delay of the event loop since the last page.`,
      samples: [{ value: nanoseconds * NANO }],
    })
    const families = [
      one('mean', delay.mean, 'The mean'),
      one('max', delay.max, 'The most'),
      ...[50, 90, 99].map((p) => one(`p${p}`, delay.percentile(p), `The ${p}th percentile`)),
    ]
    delay.reset()
    return families
  }
}

function collectProcessFamilies(): readonly MetricFamily[] {
  const process = getProcess()
  if (process.memoryUsage === undefined || process.cpuUsage === undefined) return []
  const { rss, heapTotal, heapUsed, external } = process.memoryUsage()
  const { user, system } = process.cpuUsage()
  const single = (type: MetricFamily['type'], name: string, help: string, value: number): MetricFamily => ({
    name,
    type,
    help,
    samples: [{ value }],
  })
  return [
    single('counter', 'process_cpu_user_seconds', 'Seconds of processor time in user mode.', user * MICRO),
    single('counter', 'process_cpu_system_seconds', 'Seconds of processor time in the system.', system * MICRO),
    single('counter', 'process_cpu_seconds', 'Seconds of processor time.', (user + system) * MICRO),
    single('gauge', 'process_resident_memory_bytes', 'Memory of the process that is resident.', rss),
    single('gauge', 'nodejs_heap_size_total_bytes', 'Size of the heap.', heapTotal),
    single('gauge', 'nodejs_heap_size_used_bytes', 'Memory of the heap that is in use.', heapUsed),
    single('gauge', 'nodejs_external_memory_bytes', 'Memory outside the heap that objects hold.', external),
    single(
      'gauge',
      'process_start_time_seconds',
      'When the process began, in Unix time.',
      performance.timeOrigin / 1000,
    ),
  ]
}
