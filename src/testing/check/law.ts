// A law: what holds for every action of a kind, as a case that is drawn, tried, and made smaller where it fails.
import type { ResolvedAction } from '../../design/resolve/resolved.ts'
import type { TestSession } from '../session/test-session.ts'
import type { Subject } from './subject.ts'
import type { Draw } from '../values/draw.ts'

/** One law about actions; C is a case of it. */
export interface Law<C = unknown> {
  /** The name by which options leave it out. */
  readonly name: string
  /** The law in a sentence. */
  readonly description: string
  /** How many cases a round has of it, where not one: laws that need certain values have several. */
  readonly casesPerRound?: number
  /** Draws a case; undefined where an action is none of its business. */
  drawCase(subject: Subject, action: ResolvedAction, draw: Draw): C | undefined
  /** Tries a case: throws Broken where the law does not hold, and Void where the case says nothing. */
  run(one: C, session: TestSession, subject: Subject): Promise<void>
  /** Smaller cases that may show the same. */
  shrink(one: C, subject: Subject): Iterable<C>
}

/** Makes a law; its cases are opaque to all other code. */
export const defineLaw = <C>(made: Law<C>): Law => made as Law

/** Returns whether an action has one of some verbs. */
export const hasVerb = ({ routes }: ResolvedAction, ...verbs: readonly string[]): boolean =>
  routes.some(({ verb }) => verbs.includes(verb))

/** Statuses that tell a client to authenticate, or that it lacks permission. */
export const isAccessDenied = (status: number): boolean => status === 401 || status === 403
