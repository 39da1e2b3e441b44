// Filters as query strings of Elasticsearch: terms with a field, ranges, AND, OR, NOT and parentheses.

import { INVALID } from '../../../../extend.ts'
import type { Attribute } from '../../../../index.ts'
import type {
  FilterExpression,
  FilterOperator,
  FilterSyntax,
  Match,
  ParsedFilter,
  Pattern,
} from '../../../mapper/extend.ts'
import { createFilterSyntax, dumpText, FilterLanguageParser, type FilterWords, isAnyText } from './filter-language.ts'

const FIELD = /[A-Za-z_][\w-]*(?:\.[A-Za-z_][\w-]*)*/y
const COMPARATOR = /<=|>=|[<>]/y
const QUOTED = /"(?:[^"\\]|\\.)*"/sy
// Other wildcards and regular expressions must be escaped, so that none is taken literally.
const TERM = /\*?(?:[^\s()[\]{}"<>=!:\\^~*?/&|]|&(?!&)|\|(?!\|)|\\.)*\*?/sy
const WORDS: FilterWords = {
  and: { name: 'AND', token: /(?:AND(?=[\s(])|&&)/y },
  or: { name: 'OR', token: /(?:OR(?=[\s(])|\|\|)/y },
  not: { name: 'NOT', token: /(?:NOT(?=[\s(])|!)/y },
}
const [TO, OPENING, CLOSING] = [/TO(?=\s)/y, /[[{]/y, /[\]}]/y]
const EXISTS = '_exists_'

class QueryStringParser extends FilterLanguageParser {
  protected readonly words = WORDS

  protected parseCondition(depth: number): ParsedFilter {
    const field = this.take(FIELD)
    if (field === '') return this.tokens.failUnexpected('a field, NOT or (', ['field', 'NOT', '('])
    if (!this.skip(':')) return this.tokens.failUnexpected(':', [':'])
    if (this.skip('(')) return this.parseGroup(depth, (inner) => this.#parseValues(field, inner))
    return this.tokens.parseCondition(() => this.#parseValueCondition(field))
  }

  // Several values of one field: `status:(active OR pending)`.
  #parseValues(field: string, depth: number): ParsedFilter {
    const parseValue = (): ParsedFilter =>
      this.parseNegated(() =>
        this.skip('(')
          ? this.parseGroup(depth, (inner) => this.#parseValues(field, inner))
          : this.tokens.parseCondition(() => this.#parseValueCondition(field)),
      )
    return this.parseJoined(parseValue)
  }

  #parseValueCondition(field: string): ParsedFilter {
    if (field === EXISTS) return this.#parsePresence()
    const opening = this.take(OPENING)
    if (opening !== '') return this.#parseRange(field, opening)
    const op = (this.take(COMPARATOR) || '=') as FilterOperator
    const value = this.#parseValue(op === '=' ? 'pattern' : 'value')
    if (value === undefined) return this.tokens.failUnexpected('a value', ['value'])
    return this.reader.toExpression(
      isAnyText(value) ? { field, within: '', op: '!', values: [] } : { field, within: '', op, values: [value] },
    )
  }

  #parsePresence(): ParsedFilter {
    const field = this.take(FIELD)
    if (field === '') return this.tokens.failUnexpected('a field', ['field'])
    return this.reader.toExpression({ field, within: '', op: '!', values: [] })
  }

  #parseRange(field: string, opening: string): ParsedFilter {
    const from = this.#parseBound()
    if (from === undefined) return this.tokens.failUnexpected('a value or *', ['value', '*'])
    if (this.take(TO) === '') return this.tokens.failUnexpected('TO', ['TO'])
    const to = this.#parseBound()
    if (to === undefined) return this.tokens.failUnexpected('a value or *', ['value', '*'])
    const closing = this.take(CLOSING)
    if (closing === '') return this.tokens.failUnexpected('] or }', [']', '}'])
    const bounds: [FilterOperator, Pattern][] = []
    if (!isAnyText(from)) bounds.push([opening === '[' ? '>=' : '>', from])
    if (!isAnyText(to)) bounds.push([closing === ']' ? '<=' : '<', to])
    if (bounds.length === 0) return this.reader.toExpression({ field, within: '', op: '!', values: [] })
    const parts: FilterExpression[] = []
    for (const [op, value] of bounds) {
      const part = this.reader.toExpression({ field, within: '', op, values: [value] })
      if (part === INVALID) return INVALID
      parts.push(part)
    }
    return parts.length === 1 ? (parts[0] as FilterExpression) : { op: 'and', of: parts }
  }

  #parseBound(): Pattern | undefined {
    return this.take(/\*(?=[\s\]}])/y) === '' ? this.#parseValue('value') : ANY
  }

  #parseValue(kind: 'pattern' | 'value'): Pattern | undefined {
    const quoted = this.take(QUOTED)
    if (quoted !== '') return { text: readEscapes(quoted.slice(1, -1)), before: false, after: false }
    const text = this.take(TERM)
    if (text === '') return undefined
    const before = kind === 'pattern' && text.startsWith('*')
    const rest = before ? text.slice(1) : text
    const after = kind === 'pattern' && /(?:^|[^\\])(?:\\\\)*\*$/.test(rest)
    return { text: readEscapes(after ? rest.slice(0, -1) : rest), before, after }
  }
}

const ANY: Pattern = { text: '', before: true, after: true }

const readEscapes = (text: string): string => text.replace(/\\(.)/gs, '$1')

const OPERATORS: Readonly<Record<FilterOperator, string>> = {
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

function writeComparison(field: string, op: FilterOperator, match: Match, attribute: Attribute): string | undefined {
  const value = writeValue(match, attribute)
  if (value === undefined) return undefined
  if (op === '=' || op === '!=') return `${op === '=' ? '' : 'NOT '}${field}:${value}`
  return `${field}:${op}${value}`
}

function writeValue(match: Match, attribute: Attribute): string | undefined {
  if (!('pattern' in match)) {
    const dumped = dumpText(match.value, attribute)
    return dumped === undefined ? undefined : `"${dumped.replace(/[\\"]/g, '\\$&')}"`
  }
  const { text, before, after } = match.pattern
  return `${before ? '*' : ''}${text.replace(/[\\\s()[\]{}"<>=!:^~*?/&|]/g, '\\$&')}${after && text !== '' ? '*' : ''}`
}

/** The syntax of query strings. */
export const queryStringSyntax: FilterSyntax = createFilterSyntax({
  Parser: QueryStringParser,
  writer: { words: WORDS, writeComparison, writePresence: (field, op) => `${OPERATORS[op]}${field}` },
  operators: OPERATORS,
  text: 'A query string: terms like `name:"value"`, `year:[1900 TO 1950]` or `year:>=1900`, joined by `AND` and `OR`, with `NOT` and parentheses. `_exists_:name` is true if there is a value.',
  star: '\\*',
})
