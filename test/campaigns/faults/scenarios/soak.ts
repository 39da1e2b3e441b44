// The same load for a long time: what a process keeps must not grow, and its event loop must not become slower.
import { setTimeout as sleep } from 'node:timers/promises'
import { type Heard, Load, post } from '../clients.ts'
import { notesFile } from '../file.ts'
import { type Account, allowed, type Scenario } from '../scenario.ts'
import type { Subject } from '../subject.ts'
import type { Asked } from '../talks.ts'

interface Sample {
  /** Seconds since the first one. */
  readonly at: number
  readonly heap: number
  readonly descriptors: number
  readonly delay: number
}

const paths = [
  '/text',
  '/wait/2',
  '/notes?pagination=items=5',
  '/nowhere',
  '/wait/x',
  '/large/20',
  '/mistakes/synchronous',
]

/** Everything that an ordinary day brings: texts, lists, writes, refusals, errors. */
function ask(n: number): string | Asked {
  if (n % 50 === 0) return post('/notes', { text: `note ${n}` })
  return n % 8 === 7 ? post('/echo', { text: 'x'.repeat(n % 500) }) : (paths[n % paths.length] as string)
}

/** By how much a value grows in a second: the line through all samples with the smallest squares. */
function slope(samples: readonly Sample[], value: (sample: Sample) => number): number {
  const mean = (of: (sample: Sample) => number): number =>
    samples.reduce((sum, one) => sum + of(one), 0) / samples.length
  const [time, level] = [mean(({ at }) => at), mean(value)]
  const covariance = mean((one) => (one.at - time) * (value(one) - level))
  return covariance / mean(({ at }) => (at - time) ** 2)
}

const known = new Set([200, 201, 400, 404, 500])

async function sampled(subject: Subject, seconds: number, every: number): Promise<Sample[]> {
  await subject.gauge()
  const samples: Sample[] = []
  const started = performance.now()
  while (performance.now() - started < seconds * 1000) {
    await sleep(every * 1000)
    const { heap, delay } = await subject.gauge()
    samples.push({ at: (performance.now() - started) / 1000, heap, delay, descriptors: subject.descriptors() })
  }
  return samples
}

/** Holds the samples to the promises, and describes them. */
function judge(samples: readonly Sample[], account: Account): string {
  const [first, last] = [samples[0], samples.at(-1)] as [Sample, Sample]
  const time = last.at - first.at
  const grown = slope(samples, ({ heap }) => heap) * time
  const opened = slope(samples, ({ descriptors }) => descriptors) * time
  const delay = samples.map((one) => one.delay).sort((a, b) => a - b)[Math.floor(samples.length / 2)] ?? 0
  // A heap that is level still breathes: caches that fill, code that is compiled.
  account.must(grown < 3, `soak: the heap is level, but grew by ${grown.toFixed(1)} MB`)
  account.must(Math.abs(opened) < 5, `soak: file descriptors are level, but went by ${opened.toFixed(1)}`)
  account.must(delay < allowed(150), `soak: the event loop is in time, not late by ${delay.toFixed(0)} ms`)
  return [
    `heap ${first.heap.toFixed(1)} → ${last.heap.toFixed(1)} MB (line: ${grown >= 0 ? '+' : ''}${grown.toFixed(2)} MB)`,
    `descriptors ${first.descriptors} → ${last.descriptors}`,
    `event loop in time within ${delay.toFixed(0)} ms (99 %, median of samples)`,
  ].join(', ')
}

/** The promise about long running. */
export const soak: Scenario = {
  name: 'soak',
  says: 'heap and file descriptors stay level and the event loop in time, however long it runs',
  safeguards: ['release'],
  async run({ short, without }, account) {
    const [warm, seconds, every] = short ? [3, 12, 1] : [30, 600, 10]
    const file = await notesFile()
    const subject = await account.start({ leak: without === 'release', database: file.url })
    let wrong = 0
    const heard = ({ status }: Heard): void => {
      if (!known.has(status)) wrong++
    }
    const load = new Load(subject, { clients: 20, ask, pause: 5, heard, keeps: false })
    await sleep(warm * 1000)
    const samples = await sampled(subject, seconds, every)
    await load.stop()
    const row = { sent: load.sent, failed: wrong, lost: load.lost.length, note: judge(samples, account) }
    account.rows.push({ fault: `${seconds} s of everything`, load: '20 clients', ...row })
    account.must(wrong + load.lost.length === 0, `soak: every answer as expected, ${wrong} were not`)
    await subject.kill()
    file.remove()
  },
}
