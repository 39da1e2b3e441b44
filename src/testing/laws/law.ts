// A law: what holds for every action of a kind, as a case that is drawn, tried, and made smaller where it fails.
import type { ResolvedAction } from '../../design/resolve/resolved.ts'
import type { Session } from '../check/session.ts'
import type { Subject } from '../check/subject.ts'
import type { Draw } from '../values/draw.ts'

/** One law about actions; C is a case of it. */
export interface Law<C = unknown> {
  /** The name by which options leave it out. */
  readonly name: string
  /** The law in a sentence. */
  readonly says: string
  /** How many cases a round has of it, where not one: laws that need certain values have several. */
  readonly times?: number
  /** Draws a case; undefined where an action is none of its business. */
  draw(subject: Subject, action: ResolvedAction, draw: Draw): C | undefined
  /** Tries a case: throws Broken where the law does not hold, and Void where the case says nothing. */
  run(one: C, session: Session, subject: Subject): Promise<void>
  /** Smaller cases that may show the same. */
  smaller(one: C, subject: Subject): Iterable<C>
}

/** Makes a law; its cases are opaque to all other code. */
export const law = <C>(made: Law<C>): Law => made as Law

/** Returns whether an action has one of some verbs. */
export const hasVerb = ({ routes }: ResolvedAction, ...verbs: readonly string[]): boolean =>
  routes.some(({ verb }) => verbs.includes(verb))

/** Statuses that tell a client to authenticate, or that it lacks permission. */
export const isElsewhere = (status: number): boolean => status === 401 || status === 403
