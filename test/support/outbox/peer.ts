// Processes with an outbox, which tests tell what to do and kill.
import { type ChildProcess, fork } from 'node:child_process'
import { expect } from 'vitest'
import { bundled } from '../bundle.ts'
import type { Order, Report } from './process.ts'

const PROGRAM = new URL('./process.ts', import.meta.url)

/** The deliveries of all processes: a message of a known key is the same message again. */
export class Mailbox {
  readonly texts: string[] = []
  /** The messages that came again. */
  repeated = 0
  readonly #keys = new Set<string>()

  keep(key: string, text: string): void {
    if (this.#keys.has(key)) this.repeated++
    else this.texts.push(text)
    this.#keys.add(key)
  }
}

/** A process with an outbox. */
export class Peer {
  readonly reports: Report[] = []
  delivered = 0
  readonly #process: ChildProcess
  readonly #ended: Promise<void>

  constructor(child: ChildProcess, mailbox: Mailbox) {
    this.#process = child
    this.#ended = new Promise((resolve) => child.once('exit', () => resolve()))
    child.on('message', (report: Report) => {
      this.reports.push(report)
      if (!('delivered' in report)) return
      this.delivered += report.delivered.length
      for (const { key, text } of report.delivered) mailbox.keep(key, text)
      if (child.connected) child.send({ kept: report.number } satisfies Order, () => {})
    })
  }

  async tell(order: Order, answer: string): Promise<void> {
    const before = this.#count(answer)
    this.#process.send(order)
    await this.hears(answer, before + 1)
  }

  async hears(answer: string, times = 1): Promise<void> {
    await expect.poll(() => this.#count(answer), { timeout: 60_000, interval: 5 }).toBeGreaterThanOrEqual(times)
  }

  #count(answer: string): number {
    return this.reports.filter((report) => answer in report).length
  }

  async kill(): Promise<void> {
    this.#process.kill('SIGKILL')
    await this.#ended
  }
}

/** Starts a process on a database; `client`, dialect and URL, and those of a carrier, are its arguments. */
export async function startPeer(mailbox: Mailbox, ...args: readonly string[]): Promise<Peer> {
  const peer = new Peer(fork(await bundled(PROGRAM, { guarded: false }), [...args], { execArgv: [] }), mailbox)
  await peer.hears('ready')
  return peer
}
