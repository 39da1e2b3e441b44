// Filters in words, a subset of AIP-160: comparisons with AND, OR, NOT and parentheses.
import type { Attribute } from '../../../../index.ts'
import type { FilterOperator, FilterSyntax, Match, ParsedFilter, Pattern } from '../../../mapper/extend.ts'
import { createFilterSyntax, dumpText, FilterLanguageParser, type FilterWords, isAnyText } from './filter-language.ts'

const NAME = /[A-Za-z_][\w-]*(?:\.[A-Za-z_][\w-]*)*/y
const COMPARATOR = /<=|>=|!=|[<>=:]/y
const QUOTED = /"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'/sy
const UNQUOTED = /[^\s()"'<>=!:,]+/y
const WORDS: FilterWords = {
  and: { name: 'AND', token: /AND(?=[\s(])/y },
  or: { name: 'OR', token: /OR(?=[\s(])/y },
  not: { name: 'NOT', token: /NOT(?=[\s(])|-/y },
}

class WordFilterParser extends FilterLanguageParser {
  protected readonly words = WORDS
  // So it is in AIP-160.
  protected override readonly tighter = 'or'

  protected parseCondition(): ParsedFilter {
    const field = this.take(NAME)
    if (field === '') return this.tokens.failUnexpected('a field, NOT or (', ['field', 'NOT', '('])
    const comparator = this.take(COMPARATOR)
    if (comparator === '') return this.tokens.failUnexpected('an operator', ['operator'])
    return this.tokens.parseCondition(() => this.#parseComparison(field, comparator))
  }

  #parseComparison(field: string, comparator: string): ParsedFilter {
    const value = this.#parseValue()
    if (value === undefined) return this.tokens.failUnexpected('a value', ['value'])
    if (isNull(value)) return this.#parsePresence(field, comparator)
    if (comparator === ':' && isAnyText(value))
      return this.reader.toExpression({ field, within: '', op: '!', values: [] })
    const op = (comparator === ':' ? '=' : comparator) as FilterOperator
    return this.reader.toExpression({ field, within: '', op, values: [value] })
  }

  #parsePresence(field: string, comparator: string): ParsedFilter {
    if (comparator !== '=' && comparator !== '!=') return this.tokens.failUnexpected('= or != before null', ['=', '!='])
    return this.reader.toExpression({ field, within: '', op: comparator === '=' ? '!!' : '!', values: [] })
  }

  #parseValue(): (Pattern & { readonly plain: boolean }) | undefined {
    const quoted = this.take(QUOTED)
    const text = quoted === '' ? this.take(UNQUOTED) : quoted.slice(1, -1)
    if (quoted === '' && text === '') return undefined
    const before = text.startsWith('*')
    const after = text.length > 1 ? hasOpenEnd(text) : before
    const inner = text.slice(before ? 1 : 0, after && text.length > 1 ? -1 : undefined)
    return { text: inner.replace(/\\(.)/gs, '$1'), before, after, plain: quoted === '' }
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

const OPERATORS: Readonly<Record<FilterOperator, string>> = {
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

function writeComparison(field: string, op: FilterOperator, match: Match, attribute: Attribute): string | undefined {
  if ('pattern' in match) {
    const { text, before, after } = match.pattern
    return `${field} ${op} "${before ? '*' : ''}${escapeQuoted(text)}${after && text !== '' ? '*' : ''}"`
  }
  const text = dumpText(match.value, attribute)
  return text === undefined ? undefined : `${field} ${op} "${escapeQuoted(text)}"`
}

const escapeQuoted = (text: string): string => text.replace(/[\\"*]/g, '\\$&')

/** The syntax of filters in words. */
export const wordFilterSyntax: FilterSyntax = createFilterSyntax({
  Parser: WordFilterParser,
  writer: {
    words: WORDS,
    writeComparison,
    writePresence: (field, op) => `${field}${op === '!' ? ':*' : ' = null'}`,
  },
  operators: OPERATORS,
  text: 'A filter: comparisons like `name = "value"`, joined by `AND` and `OR`, with `NOT` and parentheses; `OR` binds tighter than `AND`. `name = null` is true if there is no value, `name:*` if there is one.',
  star: '\\*',
})
