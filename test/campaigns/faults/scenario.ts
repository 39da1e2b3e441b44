// A scenario: a fault, a load held against it, promises about the requests, and safeguards that
// can be taken out to see the promises broken.
import { availableParallelism, loadavg } from 'node:os'
import type { Settings } from './app/settings.ts'
import type { Load } from './clients.ts'
import { Subject } from './subject.ts'
import type { Protocol } from './talks.ts'

/** Vitest runs other files at the same time, in bursts that the load of the last minute does not show. */
const LEAST = process.env['VITEST'] === undefined ? 1 : 3

/** Milliseconds that something may take here, where others may be at work too: up to four times as on an idle machine. */
export function allowed(ms: number): number {
  return ms * Math.min(4, Math.max(LEAST, (loadavg()[0] ?? 0) / availableParallelism()))
}

/** How a scenario is run. */
export interface Form {
  /** Seconds instead of minutes. */
  readonly short: boolean
  /** The safeguard that is taken out. */
  readonly without: string | undefined
  /** The protocol of server and clients. */
  readonly protocol: Protocol
}

/** One line of the table. */
export interface Row {
  readonly fault: string
  /** The load that was held. */
  readonly load: string
  readonly sent: number
  /** Answers with a status that a client cannot be content with; 503 is one only where it was not to be expected. */
  readonly failed: number
  /** Requests without an answer. */
  readonly lost: number
  readonly note: string
}

/** The outcome of a scenario. */
export interface Outcome {
  readonly rows: readonly Row[]
  /** Promises that were not kept. */
  readonly broken: readonly string[]
  /** The error of the scenario itself: then it has shown nothing, neither that promises are kept nor that they are not. */
  readonly error?: string | undefined
}

/** A fault with its promises. */
export interface Scenario {
  readonly name: string
  /** The promise. */
  readonly says: string
  /** The safeguards that can be taken out, by name. */
  readonly safeguards: readonly string[]
  run(form: Form, account: Account): Promise<void>
}

interface LineOptions {
  readonly note?: string
  /** Whether 503s are no failure. */
  readonly expects503?: boolean
}

/** Gathers what a scenario saw. */
export class Account implements Outcome {
  readonly rows: Row[] = []
  readonly broken: string[] = []
  readonly #subjects: Subject[] = []
  readonly #protocol: Protocol

  constructor(protocol: Protocol) {
    this.#protocol = protocol
  }

  /** Starts a server that ends with the scenario. */
  async start(settings?: Settings): Promise<Subject> {
    const subject = await Subject.start(this.#protocol, settings)
    this.#subjects.push(subject)
    return subject
  }

  /** Ends every server of the scenario. */
  async end(): Promise<void> {
    await Promise.all(this.#subjects.map((subject) => subject.kill()))
  }

  /** Adds a line, of a load and what it was held against; 503s count as failed unless they were to be expected. */
  add(fault: string, load: string, given: Load, { note = '', expects503 = false }: LineOptions = {}): void {
    const { sent, failed, refused, lost, unprocessed } = given
    const notes = [note, unprocessed > 0 ? `${unprocessed} not processed, to be sent again` : ''].filter(Boolean)
    this.rows.push({
      fault,
      load,
      sent,
      failed: failed + (expects503 ? 0 : refused),
      lost: lost.length,
      note: notes.join(', '),
    })
  }

  /** Says what must be true. */
  must(kept: boolean, promise: string): void {
    if (!kept) this.broken.push(promise)
  }

  /** Nothing failed and nothing was lost, and something was asked at all. */
  whole(fault: string, { sent, answered, failed, refused, lost, unprocessed }: Load, least = 100): void {
    this.must(sent >= least, `${fault}: at least ${least} requests, not ${sent}`)
    this.must(failed + refused === 0, `${fault}: no failed request, not ${failed} and ${refused} with 503`)
    this.must(lost.length === 0, `${fault}: no lost request, not ${lost.length} (${[...new Set(lost)].join(', ')})`)
    this.must(answered + unprocessed === sent, `${fault}: an answer to each of ${sent}, not ${answered}`)
  }
}

/** Runs a scenario. */
export async function play(scenario: Scenario, form: Form): Promise<Outcome> {
  const account = new Account(form.protocol)
  try {
    await scenario.run(form, account)
    return account
  } catch (error) {
    return { rows: account.rows, broken: account.broken, error: String(error instanceof Error ? error.stack : error) }
  } finally {
    await account.end()
  }
}
