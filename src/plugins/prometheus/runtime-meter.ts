// Metrics of the process: memory, CPU time, and event loop delay. Node only.
import type { MetricFamily } from './exposition-format.ts'

/** The delays of the event loop in nanoseconds, from `node:perf_hooks`. */
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

/** The used parts of Node's `process`; other runtimes may lack some of them. */
interface ProcessLike {
  getBuiltinModule?(name: string): unknown
  memoryUsage?(): Readonly<Record<'rss' | 'heapTotal' | 'heapUsed' | 'external', number>>
  cpuUsage?(): Readonly<Record<'user' | 'system', number>>
}

const getProcess = (): ProcessLike => (globalThis as { readonly process?: ProcessLike }).process ?? {}

const NANO = 1e-9
const MICRO = 1e-6

/** The metrics of this process. */
export class RuntimeMeter {
  #delay: DelayHistogram | undefined

  /** Starts to monitor the event loop. */
  start(): void {
    this.#delay ??= (
      getProcess().getBuiltinModule?.('node:perf_hooks') as PerfHooks | undefined
    )?.monitorEventLoopDelay?.({ resolution: 10 })
    this.#delay?.enable()
  }

  /** Stops to monitor the event loop. */
  close(): void {
    this.#delay?.disable()
    this.#delay = undefined
  }

  /** Collects the metrics. The delays are those since the last call. */
  collectFamilies(): readonly MetricFamily[] {
    return [...this.#collectDelayFamilies(), ...collectProcessFamilies()]
  }

  #collectDelayFamilies(): readonly MetricFamily[] {
    const delay = this.#delay
    if (delay === undefined || delay.count === 0) return []
    const createGauge = (name: string, nanoseconds: number, help: string): MetricFamily => ({
      name: `nodejs_eventloop_lag_${name}_seconds`,
      type: 'gauge',
      help: `${help} of the delay of the event loop since the last page.`,
      samples: [{ value: nanoseconds * NANO }],
    })
    const families = [
      createGauge('mean', delay.mean, 'The mean'),
      createGauge('max', delay.max, 'The most'),
      ...[50, 90, 99].map((p) => createGauge(`p${p}`, delay.percentile(p), `The ${p}th percentile`)),
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
  const createFamily = (type: MetricFamily['type'], name: string, help: string, value: number): MetricFamily => ({
    name,
    type,
    help,
    samples: [{ value }],
  })
  return [
    createFamily('counter', 'process_cpu_user_seconds', 'Seconds of processor time in user mode.', user * MICRO),
    createFamily('counter', 'process_cpu_system_seconds', 'Seconds of processor time in the system.', system * MICRO),
    createFamily('counter', 'process_cpu_seconds', 'Seconds of processor time.', (user + system) * MICRO),
    createFamily('gauge', 'process_resident_memory_bytes', 'Memory of the process that is resident.', rss),
    createFamily('gauge', 'nodejs_heap_size_total_bytes', 'Size of the heap.', heapTotal),
    createFamily('gauge', 'nodejs_heap_size_used_bytes', 'Memory of the heap that is in use.', heapUsed),
    createFamily('gauge', 'nodejs_external_memory_bytes', 'Memory outside the heap that objects hold.', external),
    createFamily(
      'gauge',
      'process_start_time_seconds',
      'When the process began, in Unix time.',
      performance.timeOrigin / 1000,
    ),
  ]
}
