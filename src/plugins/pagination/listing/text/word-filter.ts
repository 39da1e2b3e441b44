// Filters in words, a subset of AIP-160: comparisons with AND, OR, NOT and parentheses.
import { attributeRules, Dumping, INVALID, type Loading } from '../../../../extend.ts'
import {
  type FilterExpression,
  type FilterField,
  type FilterOperator,
  type FilterSyntax,
  FilterTokens,
  MAX_FILTER_LENGTH,
  type Match,
  type ParsedFilter,
  type Pattern,
} from '../../../mapper/extend.ts'
import { negateFilter } from './negate-filter.ts'

type ToExpression = Parameters<FilterSyntax['parse']>[2]['toExpression']

const SPACES = /\s*/y
const NAME = /[A-Za-z_][\w-]*(?:\.[A-Za-z_][\w-]*)*/y
const COMPARATOR = /<=|>=|!=|[<>=:]/y
const QUOTED = /"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'/sy
const UNQUOTED = /[^\s()"'<>=!:,]+/y
const [OPENING, CLOSING, MINUS] = [/\(/y, /\)/y, /-/y]
const KEYWORDS = { AND: /AND(?=[\s(])/y, OR: /OR(?=[\s(])/y, NOT: /NOT(?=[\s(])/y }

class WordFilterParser {
  readonly #tokens: FilterTokens
  readonly #toExpression: ToExpression

  constructor(text: string, loading: Loading, toExpression: ToExpression) {
    this.#tokens = new FilterTokens(text, loading)
    this.#toExpression = toExpression
  }

  parse(): ParsedFilter {
    const expression = this.#parseAll(0)
    if (expression === INVALID || this.#tokens.isAtEnd) return expression
    return this.#tokens.failUnexpected('AND, OR or the end', ['AND', 'OR', 'end'])
  }

  // In AIP-160, OR binds tighter than AND.
  #parseAll(depth: number): ParsedFilter {
    return this.#parseJoined('and', KEYWORDS.AND, () =>
      this.#parseJoined('or', KEYWORDS.OR, () => this.#parseTerm(depth)),
    )
  }

  #parseJoined(op: 'and' | 'or', word: RegExp, parseNext: () => ParsedFilter): ParsedFilter {
    return this.#tokens.parseJoined(op, () => this.#take(word) !== '', parseNext)
  }

  #parseTerm(depth: number): ParsedFilter {
    const isNegated = this.#take(KEYWORDS.NOT) !== '' || this.#take(MINUS) !== ''
    const expression = this.#take(OPENING) === '' ? this.#parseCondition() : this.#parseGroup(depth)
    return expression === INVALID || !isNegated ? expression : negateFilter(expression)
  }

  #parseGroup(depth: number): ParsedFilter {
    const expression = this.#tokens.parseGroup(depth, (inner) => this.#parseAll(inner))
    if (expression === INVALID || this.#take(CLOSING) !== '') return expression
    return this.#tokens.failUnexpected('AND, OR or )', ['AND', 'OR', ')'])
  }

  #parseCondition(): ParsedFilter {
    const field = this.#take(NAME)
    if (field === '') return this.#tokens.failUnexpected('a field, NOT or (', ['field', 'NOT', '('])
    const comparator = this.#take(COMPARATOR)
    if (comparator === '') return this.#tokens.failUnexpected('an operator', ['operator'])
    return this.#tokens.parseCondition(() => this.#parseComparison(field, comparator))
  }

  #parseComparison(field: string, comparator: string): ParsedFilter {
    const value = this.#parseValue()
    if (value === undefined) return this.#tokens.failUnexpected('a value', ['value'])
    if (isNull(value)) return this.#parsePresence(field, comparator)
    if (comparator === ':' && isAny(value)) return this.#toExpression({ field, within: '', op: '!', values: [] })
    const op = (comparator === ':' ? '=' : comparator) as FilterOperator
    return this.#toExpression({ field, within: '', op, values: [value] })
  }

  #parsePresence(field: string, comparator: string): ParsedFilter {
    if (comparator !== '=' && comparator !== '!=')
      return this.#tokens.failUnexpected('= or != before null', ['=', '!='])
    return this.#toExpression({ field, within: '', op: comparator === '=' ? '!!' : '!', values: [] })
  }

  #parseValue(): (Pattern & { readonly plain: boolean }) | undefined {
    const quoted = this.#take(QUOTED)
    const text = quoted === '' ? this.#take(UNQUOTED) : quoted.slice(1, -1)
    if (quoted === '' && text === '') return undefined
    const before = text.startsWith('*')
    const after = text.length > 1 ? hasOpenEnd(text) : before
    const inner = text.slice(before ? 1 : 0, after && text.length > 1 ? -1 : undefined)
    return { text: inner.replace(/\\(.)/gs, '$1'), before, after, plain: quoted === '' }
  }

  #take(token: RegExp): string {
    this.#tokens.take(SPACES)
    const taken = this.#tokens.take(token)
    if (taken !== '') this.#tokens.take(SPACES)
    return taken
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
  const dumped = attributeRules.getDumper(attribute)(match.value, new Dumping('unchecked'))
  return dumped === INVALID ? undefined : `${field} ${op} "${escapeQuoted(String(dumped))}"`
}

const escapeQuoted = (text: string): string => text.replace(/[\\"*]/g, '\\$&')
