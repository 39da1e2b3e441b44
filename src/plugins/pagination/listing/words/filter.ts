// Filters in words, the part of AIP-160 that a list can be asked: comparisons with AND, OR, NOT and parentheses.
import { Dumping, INVALID, type Loading } from '../../../../extend.ts'
import {
  type FilterExpression,
  type FilterField,
  type FilterOperator,
  type FilterSyntax,
  listCodes,
  MAX_FILTER_LENGTH,
  type Match,
  type Pattern,
} from '../../../lists/extend.ts'
import { negated } from './negated.ts'

type Made = FilterExpression | typeof INVALID
type Make = Parameters<FilterSyntax['parse']>[2]['condition']

const MAX_DEPTH = 8
const MAX_CONDITIONS = 100

const SPACE = /\s*/y
const NAME = /[A-Za-z_][\w-]*(?:\.[A-Za-z_][\w-]*)*/y
const COMPARATOR = /<=|>=|!=|[<>=:]/y
const QUOTED = /"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'/sy
const PLAIN = /[^\s()"'<>=!:,]+/y
const WORD = { AND: /AND(?=[\s(])/y, OR: /OR(?=[\s(])/y, NOT: /NOT(?=[\s(])/y }

class Parser {
  readonly #text: string
  readonly #loading: Loading
  readonly #make: Make
  #at = 0
  #conditions = 0

  constructor(text: string, loading: Loading, make: Make) {
    this.#text = text
    this.#loading = loading
    this.#make = make
  }

  parse(): Made {
    const made = this.#all(0)
    if (made === INVALID || this.#at === this.#text.length) return made
    return this.#unexpected('AND, OR or the end', ['AND', 'OR', 'end'])
  }

  // OR binds closer than AND there.
  #all(depth: number): Made {
    return this.#joined('and', WORD.AND, () => this.#joined('or', WORD.OR, () => this.#term(depth)))
  }

  #joined(op: 'and' | 'or', word: RegExp, next: () => Made): Made {
    const of: FilterExpression[] = []
    do {
      const made = next()
      if (made === INVALID) return INVALID
      of.push(made)
    } while (this.#take(word) !== undefined)
    return of.length === 1 ? (of[0] as FilterExpression) : { op, of }
  }

  #term(depth: number): Made {
    const isNegated = this.#take(WORD.NOT) !== undefined || this.#take(/-/y) !== undefined
    const made = this.#take(/\(/y) === undefined ? this.#condition() : this.#group(depth)
    return made === INVALID || !isNegated ? made : negated(made)
  }

  #group(depth: number): Made {
    // The parser calls itself for each level, so that depth has to end.
    if (depth === MAX_DEPTH) return this.#loading.fail('depth', { limit: MAX_DEPTH })
    const made = this.#all(depth + 1)
    if (made === INVALID) return INVALID
    return this.#take(/\)/y) === undefined ? this.#unexpected('AND, OR or )', ['AND', 'OR', ')']) : made
  }

  #condition(): Made {
    const field = this.#take(NAME)
    if (field === undefined) return this.#unexpected('a field, NOT or (', ['field', 'NOT', '('])
    const comparator = this.#take(COMPARATOR)
    if (comparator === undefined) return this.#unexpected('an operator', ['operator'])
    if (++this.#conditions > MAX_CONDITIONS)
      return this.#loading.fail(listCodes.issues['filter-conditions'], { limit: MAX_CONDITIONS })
    const value = this.#value()
    if (value === undefined) return this.#unexpected('a value', ['value'])
    if (isNull(value)) return this.#presence(field, comparator)
    if (comparator === ':' && isAny(value)) return this.#make({ field, within: '', op: '!', values: [] })
    const op = (comparator === ':' ? '=' : comparator) as FilterOperator
    return this.#make({ field, within: '', op, values: [value] })
  }

  #presence(field: string, comparator: string): Made {
    if (comparator !== '=' && comparator !== '!=') return this.#unexpected('= or != before null', ['=', '!='])
    return this.#make({ field, within: '', op: comparator === '=' ? '!!' : '!', values: [] })
  }

  #value(): (Pattern & { readonly plain: boolean }) | undefined {
    const quoted = this.#take(QUOTED)
    const text = quoted === undefined ? this.#take(PLAIN) : quoted.slice(1, -1)
    if (text === undefined) return undefined
    const before = text.startsWith('*')
    const after = text.length > 1 ? endsOpen(text) : before
    const inner = text.slice(before ? 1 : 0, after && text.length > 1 ? -1 : undefined)
    return { text: inner.replace(/\\(.)/gs, '$1'), before, after, plain: quoted === undefined }
  }

  #take(token: RegExp): string | undefined {
    this.#skip()
    token.lastIndex = this.#at
    const taken = token.exec(this.#text)?.[0]
    if (taken === undefined) return undefined
    this.#at += taken.length
    this.#skip()
    return taken
  }

  #skip(): void {
    SPACE.lastIndex = this.#at
    this.#at += SPACE.exec(this.#text)?.[0].length ?? 0
  }

  #unexpected(expected: string, next: readonly string[]): typeof INVALID {
    const code = this.#text.codePointAt(this.#at)
    const character = code === undefined ? '' : String.fromCodePoint(code)
    const found = character === '' ? 'end' : `'${character}'`
    // Counted as clients count: by characters, not by the units of a string.
    const place = [...this.#text.slice(0, this.#at)].length + 1
    const detail = { found, place, expected, remedy: '', next, character }
    return this.#loading.fail(listCodes.issues['filter-syntax'], detail)
  }
}

// A star behind an odd number of backslashes means itself.
function endsOpen(text: string): boolean {
  if (!text.endsWith('*')) return false
  let from = text.length - 1
  while (from > 0 && text[from - 1] === '\\') from--
  return (text.length - 1 - from) % 2 === 0
}

const isNull = ({ text, plain, before }: Pattern & { readonly plain: boolean }): boolean =>
  plain && !before && text === 'null'

const isAny = ({ text, before }: Pattern): boolean => text === '' && before

/** The syntax of filters in words. */
export const filterWords: FilterSyntax = {
  parse(text, loading, { condition }) {
    if (text.length > MAX_FILTER_LENGTH) return loading.fail('max-length', { limit: MAX_FILTER_LENGTH })
    return new Parser(text, loading, condition).parse()
  },
  write: (expression, fields, dumping) => written(expression, fields) ?? refused(dumping),
  text: 'A filter: comparisons like `name = "value"`, joined by `AND` and `OR`, with `NOT` and parentheses; `OR` binds tighter than `AND`. `name = null` is true if there is no value, `name:*` if there is one.',
  operator: (operator) => WORDS[operator],
  star: '\\*',
}

const WORDS: Readonly<Record<FilterOperator, string>> = {
  '=': '=',
  '!=': '!=',
  '<': '<',
  '<=': '<=',
  '>': '>',
  '>=': '>=',
  '!': ':*',
  '!!': '= null',
  '~=': '~=',
  '!~=': '!~=',
  '@=': '@=',
}

const refused = (dumping: Dumping): typeof INVALID =>
  dumping.fail('type', { expected: 'a filter that a request could have', kind: 'filter' })

type Fields = ReadonlyMap<string, FilterField>

function written(expression: FilterExpression, fields: Fields): string | undefined {
  if ('of' in expression) return joined(expression.of, expression.op, fields)
  const { op, field } = expression
  const known = fields.get(field)
  if (known === undefined || 'where' in expression || 'texts' in expression) return undefined
  if ('value' in expression) return compared(field, op, [expression], known)
  if (!('any' in expression)) return `${field}${op === '!' ? ':*' : ' = null'}`
  // No value of several fits, or one of them does.
  const each = expression.any.map((match) => compared(field, op, [match], known))
  return grouped(each, op === '=' ? 'OR' : 'AND')
}

const joined = (of: readonly FilterExpression[], op: 'and' | 'or', fields: Fields): string | undefined =>
  grouped(
    of.map((one) => written(one, fields)),
    op === 'and' ? 'AND' : 'OR',
  )

function grouped(parts: readonly (string | undefined)[], word: string): string | undefined {
  if (parts.length === 0 || parts.includes(undefined)) return undefined
  return parts.length === 1 ? parts[0] : `(${parts.join(` ${word} `)})`
}

function compared(
  field: string,
  op: string,
  [match]: readonly [Match],
  { attribute }: FilterField,
): string | undefined {
  if ('pattern' in match) {
    const { text, before, after } = match.pattern
    return `${field} ${op} "${before ? '*' : ''}${escaped(text)}${after && text !== '' ? '*' : ''}"`
  }
  const dumped = attribute.core.dumper(match.value, new Dumping(false))
  return dumped === INVALID ? undefined : `${field} ${op} "${escaped(String(dumped))}"`
}

const escaped = (text: string): string => text.replace(/[\\"*]/g, '\\$&')
