// The parser of filters: conditions joined by & and |, with parentheses; names and values are percent-encoded inside.
import { INVALID, type Loading } from '../../../extend.ts'
import type { Pattern } from '../../query/query.ts'
import { codes } from '../codes.ts'
import type { Quantifier } from './expression.ts'
import { FilterTokens, type ParsedFilter } from './filter-tokens.ts'

/** The operators that may follow a field. */
const FILTER_OPERATORS = ['=', '!=', '<', '<=', '>', '>=', '!', '!!', '~=', '!~=', '@='] as const

/** An operator after a field. */
export type FilterOperator = (typeof FILTER_OPERATORS)[number]

/** One parsed condition; a value without `*` is a pattern without wildcards. */
export interface ParsedCondition {
  readonly field: string
  /** The path of the list whose elements the condition applies to, with a trailing dot; empty outside a list. */
  readonly within: string
  readonly op: FilterOperator
  readonly values: readonly Pattern[]
}

/** The default limits of a filter: characters, and values of a list. */
export const MAX_FILTER_LENGTH = 4096
export const DEFAULT_MAX_VALUES = 100

const NAME = /(?:[^,&|()*=!<>~@]|[~@](?!=))*/y
const VALUE = /[^,&|()=!<>]*/y
const OPERATOR = /!~=|~=|@=|!!|!=|!|<=|>=|[<>=]/y
const QUANTIFIED = /^(.+)\.(any|all|none)$/

/** The operators that take one value. */
const SINGLE_VALUE_OPERATORS = new Set<FilterOperator>(['<', '<=', '>', '>='])

/** The limits of a filter, and the functions that convert it to an expression. */
export interface FilterReader {
  readonly maxLength: number
  /** Returns the maximum number of values after an operator, by the path of the field. */
  maxValues(path: string): number
  /** Converts a condition to an expression, or reports why it cannot. */
  toExpression(condition: ParsedCondition): ParsedFilter
  /** Returns whether conditions on the elements of a list are allowed; reports those that are not. */
  mayQuantify(path: string, op: Quantifier): boolean
}

/** Parses a filter. */
export function parseFilter(text: string, loading: Loading, reader: FilterReader): ParsedFilter {
  const { maxLength } = reader
  if (text.length > maxLength) return loading.fail('max-length', { limit: maxLength })
  return new FilterParser(text, loading, reader).parse()
}

class FilterParser {
  readonly #tokens: FilterTokens
  readonly #loading: Loading
  readonly #reader: FilterReader
  /** The path of the list that conditions apply to, with a trailing dot. */
  #within = ''
  /** Whether the last token is a value, to which the next character may have been meant to belong. */
  #afterValue = false

  constructor(text: string, loading: Loading, reader: FilterReader) {
    this.#tokens = new FilterTokens(text, loading)
    this.#loading = loading
    this.#reader = reader
  }

  parse(): ParsedFilter {
    const expression = this.#parseAlternatives(0)
    if (expression === INVALID || this.#tokens.isAtEnd) return expression
    return this.#failUnexpected('&, | or the end', ['&', '|', 'end'])
  }

  #parseAlternatives(depth: number): ParsedFilter {
    return this.#parseJoined('or', '|', () => this.#parseJoined('and', '&', () => this.#parseTerm(depth)))
  }

  #parseJoined(op: 'and' | 'or', sign: string, parseNext: () => ParsedFilter): ParsedFilter {
    return this.#tokens.parseJoined(op, () => this.#tokens.skip(sign), parseNext)
  }

  #parseTerm(depth: number): ParsedFilter {
    this.#afterValue = false
    return this.#tokens.isNext('(') ? this.#parseGroup(depth) : this.#parseCondition(depth)
  }

  #parseGroup(depth: number): ParsedFilter {
    this.#tokens.skip('(')
    const expression = this.#tokens.parseGroup(depth, (inner) => this.#parseAlternatives(inner))
    if (expression === INVALID) return INVALID
    if (!this.#tokens.skip(')')) return this.#failUnexpected('&, | or )', ['&', '|', ')'])
    this.#afterValue = false
    return expression
  }

  #parseElements(name: string, depth: number): ParsedFilter {
    const field = unescapeText(name)
    if (field === undefined) return this.#loading.fail('encoding')
    const [, list, op] = QUANTIFIED.exec(field) ?? []
    if (list === undefined) return this.#failUnexpected('an operator', ['operator'])
    const around = this.#within
    const path = around + list
    if (!this.#reader.mayQuantify(path, op as Quantifier)) return INVALID
    this.#within = `${path}.`
    const where = this.#parseGroup(depth)
    this.#within = around
    return where === INVALID ? INVALID : { op: op as Quantifier, field: list, where }
  }

  #parseCondition(depth: number): ParsedFilter {
    const name = this.#tokens.take(NAME)
    if (name === '') return this.#failUnexpected('a field or (', ['field', '('])
    if (this.#tokens.isNext('(')) return this.#parseElements(name, depth)
    const op = this.#tokens.take(OPERATOR) as FilterOperator | ''
    if (op === '') return this.#failUnexpected('an operator', ['operator'])
    return this.#tokens.parseCondition(() => this.#parseComparison(name, op))
  }

  #parseComparison(name: string, op: FilterOperator): ParsedFilter {
    const field = unescapeText(name)
    if (field === undefined) return this.#loading.fail('encoding')
    const within = this.#within
    const maxValues = this.#reader.maxValues(within + field)
    const values = op === '!' || op === '!!' ? [] : this.#parseValues(op, maxValues)
    return values === INVALID ? INVALID : this.#reader.toExpression({ field, within, op, values })
  }

  #parseValues(op: FilterOperator, maxValues: number): Pattern[] | typeof INVALID {
    const values: Pattern[] = []
    do {
      if (values.length === maxValues) return this.#loading.fail(codes.issues['filter-values'], { limit: maxValues })
      if (values.length === 1 && SINGLE_VALUE_OPERATORS.has(op))
        return this.#loading.fail(codes.issues['filter-list'], { operator: op })
      const value = toPattern(this.#tokens.take(VALUE))
      const text = unescapeText(value.text)
      if (text === undefined) return this.#loading.fail('encoding')
      if (value.text.includes('*'))
        return this.#loading.fail(codes.issues['filter-wildcard'], { where: 'inside a value', star: '%2A' })
      values.push({ ...value, text })
    } while (this.#tokens.skip(','))
    this.#afterValue = true
    return values
  }

  #failUnexpected(expected: string, next: readonly string[]): typeof INVALID {
    const code = this.#tokens.character.codePointAt(0)
    const remedy = this.#afterValue && code !== undefined ? `; write ${percentEncode(code)} in a value` : ''
    return this.#tokens.failUnexpected(expected, next, remedy)
  }
}

/** Splits the wildcards off the ends of a value; a single `*` counts for both. */
function toPattern(value: string): Pattern {
  const before = value.startsWith('*')
  const after = value.endsWith('*')
  const text = value.slice(before ? 1 : 0, after ? -1 : undefined)
  return { text, before, after }
}

function unescapeText(text: string): string | undefined {
  if (!text.includes('%')) return text
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

/** Escapes a value, so that it has no special characters in a filter. */
export const escapeFilterValue = (text: string): string =>
  text.replace(/[%,&|()*=!<>]/g, (sign) => percentEncode(sign.charCodeAt(0)))

/** Escapes the name of a field. */
export const escapeFilterName = (name: string): string =>
  escapeFilterValue(name).replace(/[~@]/g, (sign) => percentEncode(sign.charCodeAt(0)))

const percentEncode = (code: number): string => `%${code.toString(16).toUpperCase()}`
