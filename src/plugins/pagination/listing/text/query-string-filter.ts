// Filters as query strings of Elasticsearch: terms with a field, ranges, AND, OR, NOT and parentheses.
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
const FIELD = /[A-Za-z_][\w-]*(?:\.[A-Za-z_][\w-]*)*/y
const COMPARATOR = /<=|>=|[<>]/y
const QUOTED = /"(?:[^"\\]|\\.)*"/sy
// Other wildcards and regular expressions must be escaped, so that none is taken literally.
const TERM = /\*?(?:[^\s()[\]{}"<>=!:\\^~*?/&|]|&(?!&)|\|(?!\|)|\\.)*\*?/sy
const KEYWORDS = { and: /(?:AND(?=[\s(])|&&)/y, or: /(?:OR(?=[\s(])|\|\|)/y, not: /(?:NOT(?=[\s(])|!)/y }
const [TO, OPENING, CLOSING] = [/TO(?=\s)/y, /[[{]/y, /[\]}]/y]
const EXISTS = '_exists_'

class QueryStringParser {
  readonly #tokens: FilterTokens
  readonly #toExpression: ToExpression

  constructor(text: string, loading: Loading, toExpression: ToExpression) {
    this.#tokens = new FilterTokens(text, loading)
    this.#toExpression = toExpression
  }

  parse(): ParsedFilter {
    this.#tokens.take(SPACES)
    const expression = this.#parseAlternatives(0)
    if (expression === INVALID || this.#tokens.isAtEnd) return expression
    return this.#tokens.failUnexpected('AND, OR or the end', ['AND', 'OR', 'end'])
  }

  #parseAlternatives(depth: number): ParsedFilter {
    return this.#parseJoined('or', () => this.#parseJoined('and', () => this.#parseTerm(depth)))
  }

  #parseJoined(op: 'and' | 'or', parseNext: () => ParsedFilter): ParsedFilter {
    return this.#tokens.parseJoined(op, () => this.#take(KEYWORDS[op]) !== '', parseNext)
  }

  #parseTerm(depth: number): ParsedFilter {
    const isNegated = this.#take(KEYWORDS.not) !== ''
    const expression = this.#skip('(') ? this.#parseGroup(depth) : this.#parseField(depth)
    return expression === INVALID || !isNegated ? expression : negateFilter(expression)
  }

  #parseGroup(depth: number): ParsedFilter {
    return this.#close(this.#tokens.parseGroup(depth, (inner) => this.#parseAlternatives(inner)))
  }

  #close(expression: ParsedFilter): ParsedFilter {
    if (expression === INVALID || this.#skip(')')) return expression
    return this.#tokens.failUnexpected('AND, OR or )', ['AND', 'OR', ')'])
  }

  #parseField(depth: number): ParsedFilter {
    const field = this.#take(FIELD)
    if (field === '') return this.#tokens.failUnexpected('a field, NOT or (', ['field', 'NOT', '('])
    if (!this.#skip(':')) return this.#tokens.failUnexpected(':', [':'])
    if (this.#skip('(')) return this.#close(this.#tokens.parseGroup(depth, (inner) => this.#parseValues(field, inner)))
    return this.#tokens.parseCondition(() => this.#parseCondition(field))
  }

  // Several values of one field: `status:(active OR pending)`.
  #parseValues(field: string, depth: number): ParsedFilter {
    const parseValue = (): ParsedFilter => {
      const isNegated = this.#take(KEYWORDS.not) !== ''
      const expression = this.#skip('(')
        ? this.#close(this.#tokens.parseGroup(depth, (inner) => this.#parseValues(field, inner)))
        : this.#tokens.parseCondition(() => this.#parseCondition(field))
      return expression === INVALID || !isNegated ? expression : negateFilter(expression)
    }
    return this.#parseJoined('or', () => this.#parseJoined('and', parseValue))
  }

  #parseCondition(field: string): ParsedFilter {
    if (field === EXISTS) return this.#parsePresence()
    const opening = this.#take(OPENING)
    if (opening !== '') return this.#parseRange(field, opening)
    const op = (this.#take(COMPARATOR) || '=') as FilterOperator
    const value = this.#parseValue(op === '=')
    if (value === undefined) return this.#tokens.failUnexpected('a value', ['value'])
    return this.#toExpression(
      isAny(value) ? { field, within: '', op: '!', values: [] } : { field, within: '', op, values: [value] },
    )
  }

  #parsePresence(): ParsedFilter {
    const field = this.#take(FIELD)
    if (field === '') return this.#tokens.failUnexpected('a field', ['field'])
    return this.#toExpression({ field, within: '', op: '!', values: [] })
  }

  #parseRange(field: string, opening: string): ParsedFilter {
    const from = this.#parseBound()
    if (from === undefined) return this.#tokens.failUnexpected('a value or *', ['value', '*'])
    if (this.#take(TO) === '') return this.#tokens.failUnexpected('TO', ['TO'])
    const to = this.#parseBound()
    if (to === undefined) return this.#tokens.failUnexpected('a value or *', ['value', '*'])
    const closing = this.#take(CLOSING)
    if (closing === '') return this.#tokens.failUnexpected('] or }', [']', '}'])
    const bounds: [FilterOperator, Pattern][] = []
    if (!isAny(from)) bounds.push([opening === '[' ? '>=' : '>', from])
    if (!isAny(to)) bounds.push([closing === ']' ? '<=' : '<', to])
    if (bounds.length === 0) return this.#toExpression({ field, within: '', op: '!', values: [] })
    const parts: FilterExpression[] = []
    for (const [op, value] of bounds) {
      const part = this.#toExpression({ field, within: '', op, values: [value] })
      if (part === INVALID) return INVALID
      parts.push(part)
    }
    return parts.length === 1 ? (parts[0] as FilterExpression) : { op: 'and', of: parts }
  }

  #parseBound(): Pattern | undefined {
    return this.#take(/\*(?=[\s\]}])/y) === '' ? this.#parseValue(false) : ANY
  }

  #parseValue(hasWildcards: boolean): Pattern | undefined {
    const quoted = this.#take(QUOTED)
    if (quoted !== '') return { text: readEscapes(quoted.slice(1, -1)), before: false, after: false }
    const text = this.#take(TERM)
    if (text === '') return undefined
    const before = hasWildcards && text.startsWith('*')
    const rest = before ? text.slice(1) : text
    const after = hasWildcards && /(?:^|[^\\])(?:\\\\)*\*$/.test(rest)
    return { text: readEscapes(after ? rest.slice(0, -1) : rest), before, after }
  }

  #take(token: RegExp): string {
    const taken = this.#tokens.take(token)
    if (taken !== '') this.#tokens.take(SPACES)
    return taken
  }

  #skip(sign: string): boolean {
    const isSkipped = this.#tokens.skip(sign)
    if (isSkipped) this.#tokens.take(SPACES)
    return isSkipped
  }
}

const ANY: Pattern = { text: '', before: true, after: true }

/** Returns whether a value is a lone `*`. */
const isAny = ({ text, before }: Pattern): boolean => text === '' && before

const readEscapes = (text: string): string => text.replace(/\\(.)/gs, '$1')

/** The syntax of query strings. */
export const queryStringSyntax: FilterSyntax = {
  parse(text, loading, { toExpression }) {
    if (text.length > MAX_FILTER_LENGTH) return loading.fail('max-length', { limit: MAX_FILTER_LENGTH })
    return new QueryStringParser(text, loading, toExpression).parse()
  },
  write: (expression, fields, dumping) => formatExpression(expression, fields) ?? failDumping(dumping),
  text: 'A query string: terms like `name:"value"`, `year:[1900 TO 1950]` or `year:>=1900`, joined by `AND` and `OR`, with `NOT` and parentheses. `_exists_:name` is true if there is a value.',
  operator: (operator) => OPERATOR_TEXTS[operator],
  star: '\\*',
}

const OPERATOR_TEXTS: Readonly<Record<FilterOperator, string>> = {
  '=': ':',
  '!=': 'NOT :',
  '<': ':<',
  '<=': ':<=',
  '>': ':>',
  '>=': ':>=',
  '!': '_exists_:',
  '!!': 'NOT _exists_:',
  '~=': '~=',
  '!~=': '!~=',
  '@=': '@=',
}

const failDumping = (dumping: Dumping): typeof INVALID =>
  dumping.fail('type', { expected: 'a filter that a request could have', kind: 'filter' })

type FilterFields = ReadonlyMap<string, FilterField>

function formatExpression(expression: FilterExpression, fields: FilterFields): string | undefined {
  if ('of' in expression)
    return groupParts(
      expression.of.map((one) => formatExpression(one, fields)),
      expression.op === 'and' ? 'AND' : 'OR',
    )
  const { op, field } = expression
  const filterField = fields.get(field)
  if (filterField === undefined || 'where' in expression || 'texts' in expression) return undefined
  if ('value' in expression) return formatComparison(field, op, expression, filterField)
  if (!('any' in expression)) return `${OPERATOR_TEXTS[op as FilterOperator]}${field}`
  // `!=` requires that no value matches, `=` that one of them does.
  const parts = expression.any.map((match) => formatComparison(field, op, match, filterField))
  return groupParts(parts, op === '=' ? 'OR' : 'AND')
}

function groupParts(parts: readonly (string | undefined)[], word: string): string | undefined {
  if (parts.length === 0 || parts.includes(undefined)) return undefined
  return parts.length === 1 ? parts[0] : `(${parts.join(` ${word} `)})`
}

function formatComparison(field: string, op: string, match: Match, { attribute }: FilterField): string | undefined {
  const value = formatValue(match, attribute)
  if (value === undefined) return undefined
  if (op === '=' || op === '!=') return `${op === '=' ? '' : 'NOT '}${field}:${value}`
  return `${field}:${op}${value}`
}

function formatValue(match: Match, attribute: FilterField['attribute']): string | undefined {
  if (!('pattern' in match)) {
    const dumped = attributeRules.getDumper(attribute)(match.value, new Dumping('unchecked'))
    return dumped === INVALID ? undefined : `"${String(dumped).replace(/[\\"]/g, '\\$&')}"`
  }
  const { text, before, after } = match.pattern
  return `${before ? '*' : ''}${text.replace(/[\\\s()[\]{}"<>=!:^~*?/&|]/g, '\\$&')}${after && text !== '' ? '*' : ''}`
}
