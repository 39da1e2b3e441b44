// In the process of a contestant: says where it listens, and measures itself around each case when it is told to.
import { readFileSync, writeFileSync } from 'node:fs'

/** The cost of one case to the process that served it. */
export interface Cost {
  /** Milliseconds of CPU, all threads together. */
  readonly cpu: number
  /** Milliseconds of CPU that a fixed piece of work took right after it: how fast the machine is at the moment. */
  readonly yardstick: number
  /** Megabytes that the resident memory grew by at its peak. */
  readonly memory: number
  /** Names that were added to Object.prototype. */
  readonly polluted: readonly string[]
}

/** The messages between the two processes. */
export type ToServer = 'mark' | 'mark thoroughly' | 'measure' | 'heap'
export type FromServer =
  | { readonly ports: Readonly<Record<string, number>> }
  | { readonly marked: true }
  | { readonly cost: Cost }
  | { readonly heap: number }

const MEGABYTE = 1024 * 1024
/** Milliseconds of CPU from which the speed of the machine matters. */
const WORTH_A_YARDSTICK = 20
let cpuBefore = process.cpuUsage()
let memoryBefore = 0

/** Tells the parent process the ports by the names of the applications, and answers its questions from then on. */
export function underGauge(ports: Readonly<Record<string, number>>): void {
  const say = (message: FromServer): void => void process.send?.(message)
  process.on('message', (question: ToServer) => {
    if (question === 'mark' || question === 'mark thoroughly')
      void mark(question === 'mark thoroughly').then(() => say({ marked: true }))
    else if (question === 'measure') say({ cost: measure() })
    else void heap().then((megabytes) => say({ heap: megabytes }))
  })
  process.on('disconnect', () => process.exit(0))
  say({ ports })
}

/** `thorough` takes longer: all garbage is collected, and the threads that do it are waited for. */
async function mark(thorough: boolean): Promise<void> {
  if (thorough) {
    collectGarbage()
    await new Promise((resolve) => setTimeout(resolve, 50))
  } else collectGarbage('minor')
  resetPeak()
  memoryBefore = resident('VmRSS')
  cpuBefore = process.cpuUsage()
}

function measure(): Cost {
  const { user, system } = process.cpuUsage(cpuBefore)
  const memory = (resident('VmHWM') - memoryBefore) / MEGABYTE
  const cpu = (user + system) / 1000
  const polluted = Object.getOwnPropertyNames(Object.prototype).filter(isNew)
  return { cpu, yardstick: cpu < WORTH_A_YARDSTICK ? 0 : yardstick(), memory, polluted }
}

// A busy machine makes the same work dearer, up to several times, so that milliseconds alone say little.
function yardstick(): number {
  const before = process.cpuUsage()
  let sum = 0
  for (let i = 0; i < 2_000_000; i++) sum = (sum * 31 + i) % 65_537
  const { user, system } = process.cpuUsage(before)
  return sum < 0 ? 0 : (user + system) / 1000
}

async function heap(): Promise<number> {
  // Objects that the first collection releases hold on to those that the next ones find.
  for (let i = 0; i < 4; i++) {
    collectGarbage()
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  const { heapUsed, external } = process.memoryUsage()
  return (heapUsed + external) / MEGABYTE
}

const collectGarbage = (type: 'major' | 'minor' = 'major'): void =>
  (globalThis as { gc?: (options: { type: string }) => void }).gc?.({ type })

// Linux forgets the highest resident size when this is written; elsewhere the growth of the present size has to do.
function resetPeak(): void {
  if (process.platform === 'linux') writeFileSync('/proc/self/clear_refs', '5')
}

function resident(which: 'VmRSS' | 'VmHWM'): number {
  if (process.platform !== 'linux') return process.memoryUsage.rss()
  const found = new RegExp(`^${which}:\\s*(\\d+) kB`, 'm').exec(readFileSync('/proc/self/status', 'utf8'))
  return Number(found?.[1] ?? 0) * 1024
}

const original = new Set(Object.getOwnPropertyNames(Object.prototype))
const isNew = (name: string): boolean => !original.has(name)
