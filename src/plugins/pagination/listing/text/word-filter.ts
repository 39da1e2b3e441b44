// Filters in words, a subset of AIP-160: comparisons with AND, OR, NOT and parentheses.
import { attributeRules, Dumping, INVALID, type Loading } from '../../../../extend.ts'
import {
  type FilterExpression,
  type FilterField,
  type FilterOperator,
  type FilterSyntax,
  listCodes,
  MAX_FILTER_LENGTH,
  type Match,
  type Pattern,
} from '../../../mapper/extend.ts'
import { negateFilter } from './negate-filter.ts'

type ParsedFilter = FilterExpression | typeof INVALID
type ToExpression = Parameters<FilterSyntax['parse']>[2]['toExpression']

const MAX_DEPTH = 8
const MAX_CONDITIONS = 100

const SPACES = /\s*/y
const NAME = /[A-Za-z_][\w-]*(?:\.[A-Za-z_][\w-]*)*/y
const COMPARATOR = /<=|>=|!=|[<>=:]/y
const QUOTED = /"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'/sy
const UNQUOTED = /[^\s()"'<>=!:,]+/y
const KEYWORDS = { AND: /AND(?=[\s(])/y, OR: /OR(?=[\s(])/y, NOT: /NOT(?=[\s(])/y }

class WordFilterParser {
  readonly #text: string
  readonly #loading: Loading
  readonly #toExpression: ToExpression
  #position = 0
  #conditions = 0

  constructor(text: string, loading: Loading, toExpression: ToExpression) {
    this.#text = text
    this.#loading = loading
    this.#toExpression = toExpression
  }

  parse(): ParsedFilter {
    const expression = this.#parseAll(0)
    if (expression === INVALID || this.#position === this.#text.length) return expression
    return this.#failUnexpected('AND, OR or the end', ['AND', 'OR', 'end'])
  }

  // In AIP-160, OR binds tighter than AND.
  #parseAll(depth: number): ParsedFilter {
    return this.#parseJoined('and', KEYWORDS.AND, () =>
      this.#parseJoined('or', KEYWORDS.OR, () => this.#parseTerm(depth)),
    )
  }

  #parseJoined(op: 'and' | 'or', word: RegExp, next: () => ParsedFilter): ParsedFilter {
    const of: FilterExpression[] = []
    do {
      const expression = next()
      if (expression === INVALID) return INVALID
      of.push(expression)
    } while (this.#take(word) !== undefined)
    return of.length === 1 ? (of[0] as FilterExpression) : { op, of }
  }

  #parseTerm(depth: number): ParsedFilter {
    const isNegated = this.#take(KEYWORDS.NOT) !== undefined || this.#take(/-/y) !== undefined
    const expression = this.#take(/\(/y) === undefined ? this.#parseCondition() : this.#parseGroup(depth)
    return expression === INVALID || !isNegated ? expression : negateFilter(expression)
  }

  #parseGroup(depth: number): ParsedFilter {
    // The parser is recursive, so the depth is limited.
    if (depth === MAX_DEPTH) return this.#loading.fail('depth', { limit: MAX_DEPTH })
    const expression = this.#parseAll(depth + 1)
    if (expression === INVALID) return INVALID
    return this.#take(/\)/y) === undefined ? this.#failUnexpected('AND, OR or )', ['AND', 'OR', ')']) : expression
  }

  #parseCondition(): ParsedFilter {
    const field = this.#take(NAME)
    if (field === undefined) return this.#failUnexpected('a field, NOT or (', ['field', 'NOT', '('])
    const comparator = this.#take(COMPARATOR)
    if (comparator === undefined) return this.#failUnexpected('an operator', ['operator'])
    if (++this.#conditions > MAX_CONDITIONS)
      return this.#loading.fail(listCodes.issues['filter-conditions'], { limit: MAX_CONDITIONS })
    const value = this.#parseValue()
    if (value === undefined) return this.#failUnexpected('a value', ['value'])
    if (isNull(value)) return this.#parsePresence(field, comparator)
    if (comparator === ':' && isAny(value)) return this.#toExpression({ field, within: '', op: '!', values: [] })
    const op = (comparator === ':' ? '=' : comparator) as FilterOperator
    return this.#toExpression({ field, within: '', op, values: [value] })
  }

  #parsePresence(field: string, comparator: string): ParsedFilter {
    if (comparator !== '=' && comparator !== '!=') return this.#failUnexpected('= or != before null', ['=', '!='])
    return this.#toExpression({ field, within: '', op: comparator === '=' ? '!!' : '!', values: [] })
  }

  #parseValue(): (Pattern & { readonly plain: boolean }) | undefined {
    const quoted = this.#take(QUOTED)
    const text = quoted === undefined ? this.#take(UNQUOTED) : quoted.slice(1, -1)
    if (text === undefined) return undefined
    const before = text.startsWith('*')
    const after = text.length > 1 ? hasOpenEnd(text) : before
    const inner = text.slice(before ? 1 : 0, after && text.length > 1 ? -1 : undefined)
    return { text: inner.replace(/\\(.)/gs, '$1'), before, after, plain: quoted === undefined }
  }

  #take(token: RegExp): string | undefined {
    this.#skipSpaces()
    token.lastIndex = this.#position
    const taken = token.exec(this.#text)?.[0]
    if (taken === undefined) return undefined
    this.#position += taken.length
    this.#skipSpaces()
    return taken
  }

  #skipSpaces(): void {
    SPACES.lastIndex = this.#position
    this.#position += SPACES.exec(this.#text)?.[0].length ?? 0
  }

  #failUnexpected(expected: string, next: readonly string[]): typeof INVALID {
    const code = this.#text.codePointAt(this.#position)
    const character = code === undefined ? '' : String.fromCodePoint(code)
    const found = character === '' ? 'end' : `'${character}'`
    // Counted in characters, not in UTF-16 code units.
    const position = [...this.#text.slice(0, this.#position)].length + 1
    const detail = { found, place: position, expected, remedy: '', next, character }
    return this.#loading.fail(listCodes.issues['filter-syntax'], detail)
  }
}

// A star after an odd number of backslashes is literal.
function hasOpenEnd(text: string): boolean {
  if (!text.endsWith('*')) return false
  let from = text.length - 1
  while (from > 0 && text[from - 1] === '\\') from--
  return (text.length - 1 - from) % 2 === 0
}

const isNull = ({ text, plain, before }: Pattern & { readonly plain: boolean }): boolean =>
  plain && !before && text === 'null'

const isAny = ({ text, before }: Pattern): boolean => text === '' && before

/** The syntax of filters in words. */
export const wordFilterSyntax: FilterSyntax = {
  parse(text, loading, { toExpression }) {
    if (text.length > MAX_FILTER_LENGTH) return loading.fail('max-length', { limit: MAX_FILTER_LENGTH })
    return new WordFilterParser(text, loading, toExpression).parse()
  },
  write: (expression, fields, dumping) => formatExpression(expression, fields) ?? failDumping(dumping),
  text: 'A filter: comparisons like `name = "value"`, joined by `AND` and `OR`, with `NOT` and parentheses; `OR` binds tighter than `AND`. `name = null` is true if there is no value, `name:*` if there is one.',
  operator: (operator) => OPERATOR_TEXTS[operator],
  star: '\\*',
}

const OPERATOR_TEXTS: Readonly<Record<FilterOperator, string>> = {
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

const failDumping = (dumping: Dumping): typeof INVALID =>
  dumping.fail('type', { expected: 'a filter that a request could have', kind: 'filter' })

type FilterFields = ReadonlyMap<string, FilterField>

function formatExpression(expression: FilterExpression, fields: FilterFields): string | undefined {
  if ('of' in expression) return formatJoined(expression.of, expression.op, fields)
  const { op, field } = expression
  const filterField = fields.get(field)
  if (filterField === undefined || 'where' in expression || 'texts' in expression) return undefined
  if ('value' in expression) return formatComparison(field, op, [expression], filterField)
  if (!('any' in expression)) return `${field}${op === '!' ? ':*' : ' = null'}`
  // `!=` requires that no value matches, `=` that one of them does.
  const comparisons = expression.any.map((match) => formatComparison(field, op, [match], filterField))
  return groupParts(comparisons, op === '=' ? 'OR' : 'AND')
}

const formatJoined = (of: readonly FilterExpression[], op: 'and' | 'or', fields: FilterFields): string | undefined =>
  groupParts(
    of.map((one) => formatExpression(one, fields)),
    op === 'and' ? 'AND' : 'OR',
  )

function groupParts(parts: readonly (string | undefined)[], word: string): string | undefined {
  if (parts.length === 0 || parts.includes(undefined)) return undefined
  return parts.length === 1 ? parts[0] : `(${parts.join(` ${word} `)})`
}

function formatComparison(
  field: string,
  op: string,
  [match]: readonly [Match],
  { attribute }: FilterField,
): string | undefined {
  if ('pattern' in match) {
    const { text, before, after } = match.pattern
    return `${field} ${op} "${before ? '*' : ''}${escapeQuoted(text)}${after && text !== '' ? '*' : ''}"`
  }
  const dumped = attributeRules.getDumper(attribute)(match.value, new Dumping(false))
  return dumped === INVALID ? undefined : `${field} ${op} "${escapeQuoted(String(dumped))}"`
}

const escapeQuoted = (text: string): string => text.replace(/[\\"*]/g, '\\$&')
