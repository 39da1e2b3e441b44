// What a hostile case is: what is sent, what may come back, and who is held to it.
import type { Seen } from './wire.ts'

/**
 * One step of a conversation: bytes, a pause in milliseconds, the end of what the client says, its disappearance, or that it
 * stops to read what it is told.
 */
export type Step = string | Uint8Array | { readonly wait: number } | 'END' | 'RESET' | 'DEAF'

/** What a server may do: answer with this status, or close the connection without a word. */
export type Outcome = number | 'closed'

/** What is said of a case beyond what is sent and what may come back. */
export interface Details {
  /** Which application of the process is asked; `surface` unless said. */
  readonly app?: AppName
  /** True for what only edict offers, such as filters: nobody else is asked. */
  readonly ours?: boolean
  /** What any server may do; without it everything but a failure of the server, and closing where edict may close. */
  readonly anyone?: readonly Outcome[]
  /** The statuses of all answers in their order, where there are several. */
  readonly sequence?: readonly number[]
  /** True when the answers have no bodies, because HEAD was asked. */
  readonly head?: boolean
  /** How long to listen on for answers that should not come, in milliseconds. */
  readonly linger?: number
  /** How long to wait for the answer at most, in milliseconds. */
  readonly patience?: number
  /** Milliseconds of CPU that it may cost, where it is many requests in one. */
  readonly cpu?: number
  /** What every server owes besides: says what is wrong. */
  readonly safe?: (seen: Seen) => string | undefined
  /** What edict owes besides: says what is wrong. */
  readonly own?: (seen: Seen) => string | undefined
}

/** The applications that a contestant serves; others than edict have the first only. */
export type AppName = 'surface' | 'blog' | 'documented' | 'guarded'

/** One hostile case. */
export interface HostileCase extends Details {
  readonly id: string
  readonly says: string
  readonly steps: readonly Step[]
  /** What edict may do. */
  readonly allow: readonly Outcome[]
}

/** Cases of one subject. */
export interface Group {
  readonly name: string
  readonly title: string
  readonly cases: readonly HostileCase[]
}

/** A case as a row of a table: a sentence, what is sent, what edict may do. */
export type Row = readonly [
  says: string,
  send: Step | readonly Step[],
  allow: Outcome | readonly Outcome[],
  more?: Details,
]

/** Makes a group of rows, numbered in their order; `common` holds for all of them. */
export function group(name: string, title: string, rows: readonly Row[], common: Details = {}): Group {
  const cases = rows.map(([says, send, allow, more], index): HostileCase => {
    const id = `${name}-${String(index + 1).padStart(2, '0')}`
    const steps = Array.isArray(send) ? (send as readonly Step[]) : [send as Step]
    return { ...common, ...more, id, says, steps, allow: Array.isArray(allow) ? allow : [allow as Outcome] }
  })
  return { name, title, cases }
}
