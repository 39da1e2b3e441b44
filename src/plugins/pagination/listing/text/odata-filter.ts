// Filters in the language of OData: comparisons with and, or, not and parentheses, parts of texts, and lambdas.
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

type FilterReader = Parameters<FilterSyntax['parse']>[2]

const SPACES = /\s*/y
const PATH = /[A-Za-z_]\w*(?:\/[A-Za-z_]\w*)*/y
const VARIABLE = /[A-Za-z_]\w*/y
const FUNCTION = /(?:contains|startswith|endswith)(?=\s*\()/y
const LAMBDA = /\/(?:any|all)$/
const COMPARATOR = /(?:eq|ne|gt|ge|lt|le|in)(?=[\s(])/y
const TEXT = /'(?:[^']|'')*'/y
const LITERAL = /(?:true|false|null|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[-+]?\d[\w.:+-]*)(?![^\s(),])/iy
const KEYWORDS = { and: /and(?=[\s(])/y, or: /or(?=[\s(])/y, not: /not(?=[\s(])/y }

const OPERATORS: Readonly<Record<string, FilterOperator>> = {
  eq: '=',
  ne: '!=',
  gt: '>',
  ge: '>=',
  lt: '<',
  le: '<=',
}

/** The parts of a text that a function compares: whether any text may precede and follow it. */
const FUNCTIONS: Readonly<Record<string, Omit<Pattern, 'text'>>> = {
  contains: { before: true, after: true },
  startswith: { before: false, after: true },
  endswith: { before: true, after: false },
}

interface Literal {
  readonly text: string
  readonly isText: boolean
}

class ODataFilterParser {
  readonly #tokens: FilterTokens
  readonly #reader: FilterReader
  /** The path of the list that a lambda is about, with a trailing dot, and the variable for its elements. */
  #within = ''
  #variable: string | undefined

  constructor(text: string, loading: Loading, reader: FilterReader) {
    this.#tokens = new FilterTokens(text, loading)
    this.#reader = reader
  }

  parse(): ParsedFilter {
    this.#tokens.take(SPACES)
    const expression = this.#parseAlternatives(0)
    if (expression === INVALID || this.#tokens.isAtEnd) return expression
    return this.#tokens.failUnexpected('and, or or the end', ['and', 'or', 'end'])
  }

  #parseAlternatives(depth: number): ParsedFilter {
    return this.#parseJoined('or', () => this.#parseJoined('and', () => this.#parseTerm(depth)))
  }

  #parseJoined(op: 'and' | 'or', parseNext: () => ParsedFilter): ParsedFilter {
    return this.#tokens.parseJoined(op, () => this.#take(KEYWORDS[op]) !== '', parseNext)
  }

  #parseTerm(depth: number): ParsedFilter {
    const isNegated = this.#take(KEYWORDS.not) !== ''
    const expression = this.#tokens.isNext('(')
      ? this.#parseGroup(depth, () => undefined)
      : this.#tokens.parseCondition(() => this.#parseCondition(depth, isNegated))
    return expression === INVALID || !isNegated ? expression : negateFilter(expression)
  }

  #parseGroup(depth: number, begin: () => typeof INVALID | undefined): ParsedFilter {
    this.#skip('(')
    if (begin() === INVALID) return INVALID
    const expression = this.#tokens.parseGroup(depth, (inner) => this.#parseAlternatives(inner))
    if (expression === INVALID || this.#skip(')')) return expression
    return this.#tokens.failUnexpected('and, or or )', ['and', 'or', ')'])
  }

  // `not` binds tighter than a comparison, so it precedes parentheses, a function or a lambda.
  #parseCondition(depth: number, isNegated: boolean): ParsedFilter {
    const name = this.#take(FUNCTION)
    if (name !== '') return this.#parseFunction(FUNCTIONS[name] as Omit<Pattern, 'text'>)
    const path = this.#take(PATH)
    if (path === '') return this.#tokens.failUnexpected('a property, a function, not or (', ['property', 'not', '('])
    if (LAMBDA.test(path) && this.#tokens.isNext('(')) return this.#parseLambda(path, depth)
    if (isNegated) return this.#tokens.failUnexpected('( after not', ['('])
    const comparator = this.#take(COMPARATOR)
    if (comparator === '') return this.#tokens.failUnexpected('an operator', ['operator'])
    return comparator === 'in' ? this.#parseList(path) : this.#parseComparison(path, comparator)
  }

  #parseFunction(part: Omit<Pattern, 'text'>): ParsedFilter {
    this.#skip('(')
    const path = this.#take(PATH)
    if (path === '') return this.#tokens.failUnexpected('a property', ['property'])
    if (!this.#skip(',')) return this.#tokens.failUnexpected(',', [','])
    const literal = this.#parseLiteral()
    if (literal?.isText !== true) return this.#tokens.failUnexpected('a text in quotes', ['text'])
    if (!this.#skip(')')) return this.#tokens.failUnexpected(')', [')'])
    return this.#toExpression(path, '=', [{ text: literal.text, ...part }])
  }

  #parseLambda(path: string, depth: number): ParsedFilter {
    const [op, list] = [path.endsWith('any') ? 'any' : 'all', toField(path.slice(0, -4))] as const
    const [around, outer] = [this.#within, this.#variable]
    const field = this.#toRelativeField(list)
    if (!this.#reader.mayQuantify(around + field, op)) return INVALID
    const where = this.#parseGroup(depth, () => {
      this.#within = `${around}${field}.`
      this.#variable = this.#take(VARIABLE)
      if (this.#variable !== '' && this.#skip(':')) return undefined
      return this.#tokens.failUnexpected("a variable and ':'", ['variable', ':'])
    })
    this.#within = around
    this.#variable = outer
    return where === INVALID ? INVALID : { op, field, where }
  }

  #parseComparison(path: string, comparator: string): ParsedFilter {
    const literal = this.#parseLiteral()
    if (literal === undefined) return this.#tokens.failUnexpected('a value', ['value'])
    if (isNull(literal)) return this.#parsePresence(path, comparator)
    return this.#toExpression(path, OPERATORS[comparator] as FilterOperator, [toPattern(literal)])
  }

  #parsePresence(path: string, comparator: string): ParsedFilter {
    if (comparator !== 'eq' && comparator !== 'ne')
      return this.#tokens.failUnexpected('eq or ne before null', ['eq', 'ne'])
    return this.#toExpression(path, comparator === 'eq' ? '!!' : '!', [])
  }

  #parseList(path: string): ParsedFilter {
    const values: Pattern[] = []
    const maxValues = this.#reader.maxValues(this.#within + this.#toRelativeField(toField(path)))
    if (!this.#skip('(')) return this.#tokens.failUnexpected('(', ['('])
    do {
      const literal = this.#parseLiteral()
      if (literal === undefined || isNull(literal)) return this.#tokens.failUnexpected('a value', ['value'])
      if (values.length === maxValues) return this.#tokens.failUnexpected(`at most ${maxValues} values`, [')'])
      values.push(toPattern(literal))
    } while (this.#skip(','))
    if (!this.#skip(')')) return this.#tokens.failUnexpected(', or )', [',', ')'])
    return this.#toExpression(path, '=', values)
  }

  #toExpression(path: string, op: FilterOperator, values: readonly Pattern[]): ParsedFilter {
    const field = this.#toRelativeField(toField(path))
    return this.#reader.toExpression({ field, within: this.#within, op, values })
  }

  // Within a lambda, the variable stands for an element.
  #toRelativeField(field: string): string {
    const start = this.#variable === undefined ? undefined : `${this.#variable}.`
    return start !== undefined && field.startsWith(start) ? field.slice(start.length) : field
  }

  #parseLiteral(): Literal | undefined {
    const quoted = this.#take(TEXT)
    if (quoted !== '') return { text: quoted.slice(1, -1).replaceAll("''", "'"), isText: true }
    const text = this.#take(LITERAL)
    return text === '' ? undefined : { text, isText: false }
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

const toField = (path: string): string => path.replaceAll('/', '.')

const toPattern = ({ text }: Literal): Pattern => ({ text, before: false, after: false })

const isNull = ({ text, isText }: Literal): boolean => !isText && text.toLowerCase() === 'null'

/** The syntax of filters of OData. */
export const oDataFilterSyntax: FilterSyntax = {
  parse(text, loading, reader) {
    if (text.length > MAX_FILTER_LENGTH) return loading.fail('max-length', { limit: MAX_FILTER_LENGTH })
    return new ODataFilterParser(text, loading, reader).parse()
  },
  write: (expression, fields, dumping) => formatExpression(expression, fields, '') ?? failDumping(dumping),
  text: "A filter of OData: comparisons like `name eq 'value'`, joined by `and` and `or`, with `not` and parentheses. `name eq null` is true if there is no value.",
  operator: (operator) => OPERATOR_TEXTS[operator],
  star: '*',
}

const OPERATOR_TEXTS: Readonly<Record<FilterOperator, string>> = {
  '=': 'eq',
  '!=': 'ne',
  '<': 'lt',
  '<=': 'le',
  '>': 'gt',
  '>=': 'ge',
  '!': 'ne null',
  '!!': 'eq null',
  '~=': '~=',
  '!~=': '!~=',
  '@=': '@=',
}

const failDumping = (dumping: Dumping): typeof INVALID =>
  dumping.fail('type', { expected: 'a filter that a request could have', kind: 'filter' })

type FilterFields = ReadonlyMap<string, FilterField>

/** Writes a filter; `within` is the path of the list whose elements it is about, with a trailing dot. */
function formatExpression(expression: FilterExpression, fields: FilterFields, within: string): string | undefined {
  if ('of' in expression) {
    const parts = expression.of.map((one) => formatExpression(one, fields, within))
    return joinParts(parts, expression.op)
  }
  const { op, field } = expression
  const path = `${within === '' ? '' : 'x/'}${field.replaceAll('.', '/')}`
  if ('where' in expression) {
    const where = within === '' ? formatExpression(expression.where, fields, `${field}.`) : undefined
    if (where === undefined) return undefined
    return op === 'none' ? `not ${path}/any(x:${where})` : `${path}/${op}(x:${where})`
  }
  const filterField = fields.get(within + field)
  if (filterField === undefined || 'texts' in expression) return undefined
  if ('value' in expression) return formatComparison(path, op, expression, filterField)
  if (!('any' in expression)) return `${path} ${OPERATOR_TEXTS[op as FilterOperator]}`
  // `!=` requires that no value matches, `=` that one of them does.
  const parts = expression.any.map((match) => formatComparison(path, op, match, filterField))
  return joinParts(parts, op === '=' ? 'or' : 'and')
}

function joinParts(parts: readonly (string | undefined)[], word: string): string | undefined {
  if (parts.length === 0 || parts.includes(undefined)) return undefined
  return parts.length === 1 ? parts[0] : `(${parts.join(` ${word} `)})`
}

function formatComparison(path: string, op: string, match: Match, { attribute }: FilterField): string | undefined {
  if ('pattern' in match) {
    const { text, before, after } = match.pattern
    const [name] = Object.entries(FUNCTIONS).find(([, one]) => one.before === before && one.after === after) ?? []
    const call = name === undefined ? `${path} eq ${quote(text)}` : `${name}(${path},${quote(text)})`
    return op === '=' ? call : `not (${call})`
  }
  const dumped = attributeRules.getDumper(attribute)(match.value, new Dumping('unchecked'))
  if (dumped === INVALID) return undefined
  const text = String(dumped)
  const isBare = attribute.core.scalar !== 'string' && isLiteral(text)
  return `${path} ${OPERATOR_TEXTS[op as FilterOperator]} ${isBare ? text : quote(text)}`
}

function isLiteral(text: string): boolean {
  LITERAL.lastIndex = 0
  return LITERAL.exec(text)?.[0] === text
}

const quote = (text: string): string => `'${text.replaceAll("'", "''")}'`
