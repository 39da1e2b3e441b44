// A regular expression that is matched in time linear in the text, whatever the expression and the text are.
import { Alphabet } from './alphabet.ts'
import { Automaton, isEdged } from './automaton.ts'
import { DemandingMachine } from './demands.ts'
import { compileProgram } from './program.ts'
import { parsePattern } from './syntax.ts'

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
export function wholeMatcher(pattern: RegExp): Matcher {
  const program = compileProgram(parsePattern(pattern))
  const alphabet = new Alphabet(program.atoms)
  const unicode = /[uv]/.test(pattern.flags)
  return isEdged(program) ? new Automaton(program, alphabet, unicode) : new DemandingMachine(program, alphabet, unicode)
}
