// Filters in the language of OData: comparisons with and, or, not and parentheses, parts of texts, and lambdas.
import { INVALID } from '../../../../extend.ts'
import type { Attribute } from '../../../../index.ts'
import type { FilterOperator, FilterSyntax, Match, ParsedFilter, Pattern } from '../../../mapper/extend.ts'
import { createFilterSyntax, dumpText, FilterLanguageParser, type FilterWords } from './filter-language.ts'

const PATH = /[A-Za-z_]\w*(?:\/[A-Za-z_]\w*)*/y
const VARIABLE = /[A-Za-z_]\w*/y
const FUNCTION = /(?:contains|startswith|endswith)(?=\s*\()/y
const LAMBDA = /\/(?:any|all)$/
const COMPARATOR = /(?:eq|ne|gt|ge|lt|le|in)(?=[\s(])/y
const TEXT = /'(?:[^']|'')*'/y
const LITERAL = /(?:true|false|null|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[-+]?\d[\w.:+-]*)(?![^\s(),])/iy
const WORDS: FilterWords = {
  and: { name: 'and', token: /and(?=[\s(])/y },
  or: { name: 'or', token: /or(?=[\s(])/y },
  not: { name: 'not', token: /not(?=[\s(])/y },
}

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

class ODataFilterParser extends FilterLanguageParser {
  protected readonly words = WORDS
  /** The path of the list that a lambda is about, with a trailing dot, and the variable for its elements. */
  #within = ''
  #variable: string | undefined

  // `not` binds tighter than a comparison, so it precedes parentheses, a function or a lambda.
  protected parseCondition(depth: number, isNegated: boolean): ParsedFilter {
    return this.tokens.parseCondition(() => this.#parseOperand(depth, isNegated))
  }

  #parseOperand(depth: number, isNegated: boolean): ParsedFilter {
    const name = this.take(FUNCTION)
    if (name !== '') return this.#parseFunction(FUNCTIONS[name] as Omit<Pattern, 'text'>)
    const path = this.take(PATH)
    if (path === '') return this.tokens.failUnexpected('a property, a function, not or (', ['property', 'not', '('])
    if (LAMBDA.test(path) && this.skip('(')) return this.#parseLambda(path, depth)
    if (isNegated) return this.tokens.failUnexpected('( after not', ['('])
    const comparator = this.take(COMPARATOR)
    if (comparator === '') return this.tokens.failUnexpected('an operator', ['operator'])
    return comparator === 'in' ? this.#parseList(path) : this.#parseComparison(path, comparator)
  }

  #parseFunction(part: Omit<Pattern, 'text'>): ParsedFilter {
    this.skip('(')
    const path = this.take(PATH)
    if (path === '') return this.tokens.failUnexpected('a property', ['property'])
    if (!this.skip(',')) return this.tokens.failUnexpected(',', [','])
    const literal = this.#parseLiteral()
    if (literal?.isText !== true) return this.tokens.failUnexpected('a text in quotes', ['text'])
    if (!this.skip(')')) return this.tokens.failUnexpected(')', [')'])
    return this.#toExpression(path, '=', [{ text: literal.text, ...part }])
  }

  #parseLambda(path: string, depth: number): ParsedFilter {
    const [op, list] = [path.endsWith('any') ? 'any' : 'all', toField(path.slice(0, -4))] as const
    const [around, outer] = [this.#within, this.#variable]
    const field = this.#toRelativeField(list)
    if (!this.reader.mayQuantify(around + field, op)) return INVALID
    const where = this.#parseVariable(`${around}${field}.`)
      ? this.parseGroup(depth, (inner) => this.parseFilter(inner))
      : this.tokens.failUnexpected("a variable and ':'", ['variable', ':'])
    this.#within = around
    this.#variable = outer
    return where === INVALID ? INVALID : { op, field, where }
  }

  #parseVariable(within: string): boolean {
    this.#within = within
    this.#variable = this.take(VARIABLE)
    return this.#variable !== '' && this.skip(':')
  }

  #parseComparison(path: string, comparator: string): ParsedFilter {
    const literal = this.#parseLiteral()
    if (literal === undefined) return this.tokens.failUnexpected('a value', ['value'])
    if (isNull(literal)) return this.#parsePresence(path, comparator)
    return this.#toExpression(path, OPERATORS[comparator] as FilterOperator, [toPattern(literal)])
  }

  #parsePresence(path: string, comparator: string): ParsedFilter {
    if (comparator !== 'eq' && comparator !== 'ne')
      return this.tokens.failUnexpected('eq or ne before null', ['eq', 'ne'])
    return this.#toExpression(path, comparator === 'eq' ? '!!' : '!', [])
  }

  #parseList(path: string): ParsedFilter {
    const values: Pattern[] = []
    const maxValues = this.reader.maxValues(this.#within + this.#toRelativeField(toField(path)))
    if (!this.skip('(')) return this.tokens.failUnexpected('(', ['('])
    do {
      const literal = this.#parseLiteral()
      if (literal === undefined || isNull(literal)) return this.tokens.failUnexpected('a value', ['value'])
      if (values.length === maxValues) return this.tokens.failUnexpected(`at most ${maxValues} values`, [')'])
      values.push(toPattern(literal))
    } while (this.skip(','))
    if (!this.skip(')')) return this.tokens.failUnexpected(', or )', [',', ')'])
    return this.#toExpression(path, '=', values)
  }

  #toExpression(path: string, op: FilterOperator, values: readonly Pattern[]): ParsedFilter {
    const field = this.#toRelativeField(toField(path))
    return this.reader.toExpression({ field, within: this.#within, op, values })
  }

  // Within a lambda, the variable stands for an element.
  #toRelativeField(field: string): string {
    const start = this.#variable === undefined ? undefined : `${this.#variable}.`
    return start !== undefined && field.startsWith(start) ? field.slice(start.length) : field
  }

  #parseLiteral(): Literal | undefined {
    const quoted = this.take(TEXT)
    if (quoted !== '') return { text: quoted.slice(1, -1).replaceAll("''", "'"), isText: true }
    const text = this.take(LITERAL)
    return text === '' ? undefined : { text, isText: false }
  }
}

const toField = (path: string): string => path.replaceAll('/', '.')

const toPattern = ({ text }: Literal): Pattern => ({ text, before: false, after: false })

const isNull = ({ text, isText }: Literal): boolean => !isText && text.toLowerCase() === 'null'

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

const writePath = (field: string, within: string): string => `${within === '' ? '' : 'x/'}${field.replaceAll('.', '/')}`

function writeComparison(path: string, op: FilterOperator, match: Match, attribute: Attribute): string | undefined {
  if ('pattern' in match) {
    const { text, before, after } = match.pattern
    const [name] = Object.entries(FUNCTIONS).find(([, one]) => one.before === before && one.after === after) ?? []
    const call = name === undefined ? `${path} eq ${quote(text)}` : `${name}(${path},${quote(text)})`
    return op === '=' ? call : `not (${call})`
  }
  const text = dumpText(match.value, attribute)
  if (text === undefined) return undefined
  const isBare = attribute.core.scalar !== 'string' && isLiteral(text)
  return `${path} ${OPERATOR_TEXTS[op]} ${isBare ? text : quote(text)}`
}

const writeElements = (path: string, op: 'any' | 'all' | 'none', where: string): string =>
  op === 'none' ? `not ${path}/any(x:${where})` : `${path}/${op}(x:${where})`

function isLiteral(text: string): boolean {
  LITERAL.lastIndex = 0
  return LITERAL.exec(text)?.[0] === text
}

const quote = (text: string): string => `'${text.replaceAll("'", "''")}'`

/** The syntax of filters of OData. */
export const oDataFilterSyntax: FilterSyntax = createFilterSyntax({
  Parser: ODataFilterParser,
  writer: {
    words: WORDS,
    writePath,
    writeComparison,
    writePresence: (path, op) => `${path} ${OPERATOR_TEXTS[op]}`,
    writeElements,
  },
  operators: OPERATOR_TEXTS,
  text: "A filter of OData: comparisons like `name eq 'value'`, joined by `and` and `or`, with `not` and parentheses. `name eq null` is true if there is no value.",
  star: '*',
})
