// The parts that the syntaxes of filters share: tokens, limits, joined conditions and the error of an unexpected character.
import { INVALID, type Loading } from '../../../extend.ts'
import { codes } from '../codes.ts'
import { TextReader } from '../text-reader.ts'
import type { FilterExpression } from './expression.ts'

/** A parsed filter; INVALID if a mistake was reported. */
export type ParsedFilter = FilterExpression | typeof INVALID

const MAX_DEPTH = 8
const MAX_CONDITIONS = 100

/** The tokens of a filter. */
export class FilterTokens extends TextReader {
  readonly #loading: Loading
  #conditions = 0

  constructor(text: string, loading: Loading) {
    super(text)
    this.#loading = loading
  }

  /** Parses conditions that are joined by a sign. */
  parseJoined(op: 'and' | 'or', takeSign: () => boolean, parseNext: () => ParsedFilter): ParsedFilter {
    const of: FilterExpression[] = []
    do {
      const expression = parseNext()
      if (expression === INVALID) return INVALID
      of.push(expression)
    } while (takeSign())
    return of.length === 1 ? (of[0] as FilterExpression) : { op, of }
  }

  /** Parses the conditions between parentheses, within so many others; parsers are recursive, so the depth is limited. */
  parseGroup(depth: number, parse: (depth: number) => ParsedFilter): ParsedFilter {
    return depth === MAX_DEPTH ? this.#loading.fail('depth', { limit: MAX_DEPTH }) : parse(depth + 1)
  }

  /** Parses one more condition, unless the filter has too many. */
  parseCondition(parse: () => ParsedFilter): ParsedFilter {
    if (++this.#conditions <= MAX_CONDITIONS) return parse()
    return this.#loading.fail(codes.issues['filter-conditions'], { limit: MAX_CONDITIONS })
  }

  /** Reports the next character, with the tokens that are possible instead. */
  failUnexpected(expected: string, next: readonly string[], remedy = ''): typeof INVALID {
    const { character, characterNumber } = this
    const found = character === '' ? 'end' : `'${character}'`
    return this.#loading.fail(codes.issues['filter-syntax'], {
      found,
      at: characterNumber,
      expected,
      remedy,
      next,
      character,
    })
  }
}
