// The two errors of this folder: a pattern that cannot be compiled, and arguments that cannot be expanded to a path.

/** A text with a mistake, and its label in messages. */
export interface PatternSource {
  readonly label: string
  readonly text: string
}

/** Thrown if a pattern, or a `capture` constraint of it, cannot be compiled. */
export class PatternError extends Error {
  override readonly name: string = 'PatternError'
  /** The text with the mistake: the pattern, or the source of a capture's RegExp. */
  readonly source: string
  /** The offset of the mistake in `source`. */
  readonly position: number

  constructor(source: string | PatternSource, position: number, problem: string, remedy: string) {
    const { label, text } = typeof source === 'string' ? { label: 'pattern', text: source } : source
    super(`${label} ${JSON.stringify(text)}, at ${position}: ${problem}. ${remedy}.`)
    this.source = text
    this.position = position
  }
}

/** The problem with the arguments of an expansion. */
export type ExpandProblem = 'missing' | 'unknown' | 'empty' | 'type' | 'encoding' | 'segment' | 'ambiguous'

/** Thrown if a pattern cannot expand the arguments to a path that matches with the same values. */
export class ExpandError extends Error {
  override readonly name: string = 'ExpandError'
  /** The pattern to expand. */
  readonly source: string
  /** The rule that the arguments violate. */
  readonly problem: ExpandProblem
  /** The names of the arguments concerned. */
  readonly args: readonly string[]

  constructor(source: string, problem: ExpandProblem, args: readonly string[], explanation: string) {
    super(`cannot expand ${JSON.stringify(source)}: ${explanation}.`)
    this.source = source
    this.problem = problem
    this.args = Object.freeze([...args])
  }
}
