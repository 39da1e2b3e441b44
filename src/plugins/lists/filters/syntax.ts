// The text of a filter: conditions joined by & and |, with parentheses; names and values are escaped once more inside.
import { INVALID, type Loading } from '../../../extend.ts'
import { codes } from '../codes.ts'
import type { Pattern } from '../query.ts'
import type { FilterExpression, Quantifier } from './expression.ts'

/** Everything that may stand behind a field. */
const FILTER_OPERATORS = ['=', '!=', '<', '<=', '>', '>=', '!', '!!', '~=', '!~=', '@='] as const

/** An operator after a field. */
export type FilterOperator = (typeof FILTER_OPERATORS)[number]

/** One parsed condition; a value without * is a pattern without wildcards. */
export interface Condition {
  readonly field: string
  /** The path of the list whose elements the condition is about, with a dot behind it; empty outside of one. */
  readonly within: string
  readonly op: FilterOperator
  readonly values: readonly Pattern[]
}

/** The default limits of a filter: characters, and values of a list. */
export const MAX_FILTER_LENGTH = 4096
export const MAX_VALUES = 100
const MAX_DEPTH = 8
const MAX_CONDITIONS = 100

const NAME = /(?:[^,&|()*=!<>~@]|[~@](?!=))*/y
const VALUE = /[^,&|()=!<>]*/y
const OPERATOR = /!~=|~=|@=|!!|!=|!|<=|>=|[<>=]/y
const QUANTIFIED = /^(.+)\.(any|all|none)$/

/** The operators behind which one value stands. */
const ONE_VALUE = new Set<FilterOperator>(['<', '<=', '>', '>='])

type Made = FilterExpression | typeof INVALID

/** The limits of a filter, and the functions that turn it into an expression. */
export interface Reading {
  readonly maxLength: number
  /** The most values of a list of a field. */
  maxValues(path: string): number
  /** Turns a condition into an expression, or reports why it cannot. */
  condition(condition: Condition): Made
  /** Reports conditions on the elements of a list that must not be asked; true where they may. */
  elements(path: string, op: Quantifier): boolean
}

/** Reads a filter. */
export function parseFilter(text: string, loading: Loading, reading: Reading): Made {
  const { maxLength } = reading
  if (text.length > maxLength) return loading.fail('max-length', { limit: maxLength })
  return new Parser(text, loading, reading).parse()
}

class Parser {
  readonly #text: string
  readonly #loading: Loading
  readonly #reading: Reading
  /** The path of the list that conditions are about, with a dot behind it. */
  #within = ''
  #at = 0
  #conditions = 0
  /** Whether what was read last is a value, which the next character may have been meant to belong to. */
  #afterValue = false

  constructor(text: string, loading: Loading, reading: Reading) {
    this.#text = text
    this.#loading = loading
    this.#reading = reading
  }

  parse(): Made {
    const made = this.#alternatives(0)
    if (made === INVALID || this.#at === this.#text.length) return made
    return this.#unexpected('&, | or the end', ['&', '|', 'end'])
  }

  #alternatives(depth: number): Made {
    return this.#joined('or', '|', () => this.#joined('and', '&', () => this.#term(depth)))
  }

  #joined(op: 'and' | 'or', sign: string, next: () => Made): Made {
    const first = next()
    if (first === INVALID || this.#text[this.#at] !== sign) return first
    const of: FilterExpression[] = [first]
    while (this.#skip(sign)) {
      const made = next()
      if (made === INVALID) return INVALID
      of.push(made)
    }
    return { op, of }
  }

  #term(depth: number): Made {
    this.#afterValue = false
    return this.#text[this.#at] === '(' ? this.#group(depth) : this.#condition(depth)
  }

  #group(depth: number): Made {
    this.#at++
    // The parser calls itself for each level, so that depth has to end.
    if (depth === MAX_DEPTH) return this.#loading.fail('depth', { limit: MAX_DEPTH })
    const made = this.#alternatives(depth + 1)
    if (made === INVALID) return INVALID
    if (!this.#skip(')')) return this.#unexpected('&, | or )', ['&', '|', ')'])
    this.#afterValue = false
    return made
  }

  #elements(name: string, depth: number): Made {
    const field = unescaped(name)
    if (field === undefined) return this.#loading.fail('encoding')
    const [, list, op] = QUANTIFIED.exec(field) ?? []
    if (list === undefined) return this.#unexpected('an operator', ['operator'])
    const around = this.#within
    const path = around + list
    if (!this.#reading.elements(path, op as Quantifier)) return INVALID
    this.#within = `${path}.`
    const where = this.#group(depth)
    this.#within = around
    return where === INVALID ? INVALID : { op: op as Quantifier, field: list, where }
  }

  #condition(depth: number): Made {
    const name = this.#take(NAME)
    if (name === '') return this.#unexpected('a field or (', ['field', '('])
    if (this.#text[this.#at] === '(') return this.#elements(name, depth)
    const op = this.#take(OPERATOR) as FilterOperator | ''
    if (op === '') return this.#unexpected('an operator', ['operator'])
    if (++this.#conditions > MAX_CONDITIONS)
      return this.#loading.fail(codes.issues['filter-conditions'], { limit: MAX_CONDITIONS })
    const field = unescaped(name)
    if (field === undefined) return this.#loading.fail('encoding')
    const within = this.#within
    const most = this.#reading.maxValues(within + field)
    const values = op === '!' || op === '!!' ? [] : this.#values(op, most)
    return values === INVALID ? INVALID : this.#reading.condition({ field, within, op, values })
  }

  #values(op: FilterOperator, most: number): Pattern[] | typeof INVALID {
    const values: Pattern[] = []
    do {
      if (values.length === most) return this.#loading.fail(codes.issues['filter-values'], { limit: most })
      if (values.length === 1 && ONE_VALUE.has(op))
        return this.#loading.fail(codes.issues['filter-list'], { operator: op })
      const value = patternOf(this.#take(VALUE))
      const text = unescaped(value.text)
      if (text === undefined) return this.#loading.fail('encoding')
      if (value.text.includes('*'))
        return this.#loading.fail(codes.issues['filter-wildcard'], { where: 'inside a value', star: '%2A' })
      values.push({ ...value, text })
    } while (this.#skip(','))
    this.#afterValue = true
    return values
  }

  #take(token: RegExp): string {
    token.lastIndex = this.#at
    const taken = token.exec(this.#text)?.[0] ?? ''
    this.#at += taken.length
    return taken
  }

  #skip(sign: string): boolean {
    const found = this.#text[this.#at] === sign
    if (found) this.#at++
    return found
  }

  #unexpected(expected: string, next: readonly string[]): typeof INVALID {
    const code = this.#text.codePointAt(this.#at)
    const character = code === undefined ? '' : String.fromCodePoint(code)
    const found = character === '' ? 'end' : `'${character}'`
    const remedy = this.#afterValue && code !== undefined ? `; write ${percent(code)} in a value` : ''
    // Counted as clients count: by characters, not by the units of a string.
    const place = [...this.#text.slice(0, this.#at)].length + 1
    return this.#loading.fail(codes.issues['filter-syntax'], { found, place, expected, remedy, next, character })
  }
}

/** Splits the signs for any text off the ends of a value; alone, the sign stands for both. */
function patternOf(value: string): Pattern {
  const before = value.startsWith('*')
  const after = value.endsWith('*')
  const text = value.slice(before ? 1 : 0, after ? -1 : undefined)
  return { text, before, after }
}

function unescaped(text: string): string | undefined {
  if (!text.includes('%')) return text
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

/** Escapes a value, so that it means nothing but itself in a filter. */
export const escapedInFilter = (text: string): string =>
  text.replace(/[%,&|()*=!<>]/g, (sign) => percent(sign.charCodeAt(0)))

/** Escapes a name. */
export const escapedName = (name: string): string =>
  escapedInFilter(name).replace(/[~@]/g, (sign) => percent(sign.charCodeAt(0)))

const percent = (code: number): string => `%${code.toString(16).toUpperCase()}`
