// The form of a hostile case: the bytes that are sent, the allowed outcomes, and the servers that are held to them.
import type { Seen } from './wire.ts'

/**
 * One step of a conversation: bytes, a pause in milliseconds, the end of what the client says, its disappearance, or that it
 * stops to read what it is told.
 */
export type Step = string | Uint8Array | { readonly wait: number } | 'END' | 'RESET' | 'DEAF'

/** An outcome: an answer with this status, or a closed connection without an answer. */
export type Outcome = number | 'closed'

/** Further settings of a case, besides the bytes and the allowed outcomes. */
export interface Details {
  /** Which application of the process is asked; `surface` unless said. */
  readonly app?: AppName
  /** True for features that only edict has, such as filters: the peers are not tested. */
  readonly ours?: boolean
  /** The outcomes allowed to any server; by default everything but a 5xx, and closing where edict may close. */
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
  /** A further check on every server: returns the fault. */
  readonly safe?: (seen: Seen) => string | undefined
  /** A further check on edict: returns the fault. */
  readonly own?: (seen: Seen) => string | undefined
}

/** The applications that a contestant serves; others than edict have the first only. */
export type AppName = 'surface' | 'blog' | 'documented' | 'guarded'

/** One hostile case. */
export interface HostileCase extends Details {
  readonly id: string
  readonly says: string
  readonly steps: readonly Step[]
  /** The outcomes allowed to edict. */
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
