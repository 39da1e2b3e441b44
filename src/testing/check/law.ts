// The interface of a law: a property of actions, checked by cases that are drawn, run, and shrunk when they fail.
import type { ResolvedAction } from '../../design/resolve/resolved.ts'
import type { TestSession } from '../session/test-session.ts'
import type { Draw } from '../values/draw.ts'
import type { Subject } from './subject.ts'

/** One law about actions; C is the type of its cases. */
export interface Law<C = unknown> {
  /** The name used in the options `except` and `only`. */
  readonly name: string
  /** A one-sentence description of the law. */
  readonly description: string
  /** The things that an application needs for the law to have a case. */
  readonly needs: string
  /** The remedy for a law without a case. */
  readonly remedy: string
  /**
   * The number of cases per round; laws that depend on rare values have several.
   * @default 1
   */
  readonly casesPerRound?: number
  /** Draws a case; returns undefined when the law does not apply to the action. */
  drawCase(subject: Subject, action: ResolvedAction, draw: Draw): C | undefined
  /** Runs a case; throws LawViolation when the law is violated and SkipCase when the case proves nothing. */
  run(one: C, session: TestSession, subject: Subject): Promise<void>
  /** Yields smaller cases that may fail in the same way. */
  shrink(one: C, subject: Subject): Iterable<C>
}

/** Defines a law; hides the type of its cases from other code. */
export const defineLaw = <C>(law: Law<C>): Law => law as Law

/** Returns whether a status demands authentication or denies permission. */
export const isAccessDenied = (status: number): boolean => status === 401 || status === 403
