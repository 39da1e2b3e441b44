// A regular expression that is matched in time linear in the text, for every expression and every text.
import { Alphabet } from './alphabet.ts'
import { AssertionMachine } from './assertions.ts'
import { Automaton, hasOnlyAnchors } from './automaton.ts'
import { parseRegExpSyntax } from './parse-regexp.ts'
import { compileRegExpProgram } from './program.ts'

/** A compiled pattern that tests texts. */
export interface Matcher {
  /** The total number of visited instructions in all tests. */
  readonly steps: number
  test(text: string): boolean
}

/**
 * Creates a matcher for texts that a pattern matches completely, with or without ^ and $; throws an
 * UnsupportedPatternError for syntax that cannot be matched in linear time.
 */
export function compileMatcher(pattern: RegExp): Matcher {
  const program = compileRegExpProgram(parseRegExpSyntax(pattern))
  const alphabet = new Alphabet(program.atoms)
  const unicode = /[uv]/.test(pattern.flags)
  return hasOnlyAnchors(program)
    ? new Automaton(program, alphabet, unicode)
    : new AssertionMachine(program, alphabet, unicode)
}
