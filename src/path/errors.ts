// The two errors of this folder: a pattern that cannot be compiled, and arguments that cannot become a path.

/** A text with a mistake, and the words that say which text it is. */
export interface PatternSource {
  readonly label: string
  readonly text: string
}

/** A pattern, or a `capture` constraint of it, that cannot be compiled. */
export class PatternError extends Error {
  override readonly name: string = 'PatternError'
  /** The text that holds the mistake: the pattern, or the source of a capture's RegExp. */
  readonly source: string
  /** Offset of the mistake in `source`. */
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

/** Arguments from which a pattern cannot build a path that leads back to them. */
export class ExpandError extends Error {
  override readonly name: string = 'ExpandError'
  /** The pattern that was to be expanded. */
  readonly source: string
  /** Which rule the arguments break. */
  readonly problem: ExpandProblem
  /** Names of the arguments concerned. */
  readonly args: readonly string[]

  constructor(source: string, problem: ExpandProblem, args: readonly string[], explanation: string) {
    super(`cannot expand ${JSON.stringify(source)}: ${explanation}.`)
    this.source = source
    this.problem = problem
    this.args = Object.freeze([...args])
  }
}
