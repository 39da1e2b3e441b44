// A regular expression that is matched in time linear in the text, whatever the expression and the text are.
import { Alphabet } from './alphabet.ts'
import { Automaton, hasOnlyAnchors } from './automaton.ts'
import { AssertionMachine } from './assertions.ts'
import { compileRegExpProgram } from './program.ts'
import { parseRegExpSyntax } from './parse-regexp.ts'

/** Returns whether texts match a pattern. */
export interface Matcher {
  /** How many instructions were visited in all tests so far. */
  readonly steps: number
  test(text: string): boolean
}

/**
 * Makes a matcher for texts that a pattern matches as a whole, whether or not it begins with ^ and ends with $; throws an
 * UnsupportedPatternError for what cannot be matched in linear time.
 */
export function compileMatcher(pattern: RegExp): Matcher {
  const program = compileRegExpProgram(parseRegExpSyntax(pattern))
  const alphabet = new Alphabet(program.atoms)
  const unicode = /[uv]/.test(pattern.flags)
  return hasOnlyAnchors(program) ? new Automaton(program, alphabet, unicode) : new AssertionMachine(program, alphabet, unicode)
}
