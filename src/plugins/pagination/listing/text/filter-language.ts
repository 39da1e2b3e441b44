// The languages that contracts write filters in: conditions with and, or, not and parentheses, each in its words.
import { attributeRules, Dumping, INVALID, type Loading } from '../../../../extend.ts'
import type { Attribute } from '../../../../index.ts'
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

/** Makes conditions of fields, and knows the limits of each. */
export type FilterReader = Parameters<FilterSyntax['parse']>[2]

/** A word that joins or negates conditions: its name in messages, and its token. */
interface FilterWord {
  readonly name: string
  readonly token: RegExp
}

/** The words of a language. */
export type FilterWords = Readonly<Record<'and' | 'or' | 'not', FilterWord>>

const SPACES = /\s*/y

/** Parses the filters of one language; its subclass parses a condition. */
export abstract class FilterLanguageParser {
  protected readonly tokens: FilterTokens
  protected readonly reader: FilterReader
  protected abstract readonly words: FilterWords
  /** The operator that binds tighter. */
  protected readonly tighter: 'and' | 'or' = 'and'

  constructor(text: string, loading: Loading, reader: FilterReader) {
    this.tokens = new FilterTokens(text, loading)
    this.reader = reader
  }

  /** Parses a condition, or several of one field; `isNegated` if `not` precedes it. */
  protected abstract parseCondition(depth: number, isNegated: boolean): ParsedFilter

  parse(): ParsedFilter {
    this.tokens.take(SPACES)
    const expression = this.parseFilter(0)
    return expression === INVALID || this.tokens.isAtEnd ? expression : this.#failJoined('the end', 'end')
  }

  /** Parses conditions up to a closing parenthesis or the end. */
  protected parseFilter(depth: number): ParsedFilter {
    return this.parseJoined(() => this.#parseTerm(depth))
  }

  /** Parses terms that are joined by `and` and `or`. */
  protected parseJoined(parseTerm: () => ParsedFilter): ParsedFilter {
    const looser = this.tighter === 'and' ? 'or' : 'and'
    const join = (op: 'and' | 'or', parseNext: () => ParsedFilter): ParsedFilter =>
      this.tokens.parseJoined(op, () => this.take(this.words[op].token) !== '', parseNext)
    return join(looser, () => join(this.tighter, parseTerm))
  }

  #parseTerm(depth: number): ParsedFilter {
    return this.parseNegated((isNegated) =>
      this.skip('(')
        ? this.parseGroup(depth, (inner) => this.parseFilter(inner))
        : this.parseCondition(depth, isNegated),
    )
  }

  /** Parses a term that `not` may precede. */
  protected parseNegated(parseTerm: (isNegated: boolean) => ParsedFilter): ParsedFilter {
    const isNegated = this.take(this.words.not.token) !== ''
    const expression = parseTerm(isNegated)
    return expression === INVALID || !isNegated ? expression : negateFilter(expression)
  }

  /** Parses what follows an opening parenthesis, and the closing one. */
  protected parseGroup(depth: number, parseInner: (depth: number) => ParsedFilter): ParsedFilter {
    const expression = this.tokens.parseGroup(depth, parseInner)
    return expression === INVALID || this.skip(')') ? expression : this.#failJoined(')', ')')
  }

  #failJoined(other: string, next: string): typeof INVALID {
    const { and, or } = this.words
    return this.tokens.failUnexpected(`${and.name}, ${or.name} or ${other}`, [and.name, or.name, next])
  }

  /** Takes a token and the spaces after it. */
  protected take(token: RegExp): string {
    const taken = this.tokens.take(token)
    if (taken !== '') this.tokens.take(SPACES)
    return taken
  }

  /** Takes a sign and the spaces after it. */
  protected skip(sign: string): boolean {
    const isSkipped = this.tokens.skip(sign)
    if (isSkipped) this.tokens.take(SPACES)
    return isSkipped
  }
}

/** Returns whether a value is a lone star. */
export const isAnyText = ({ text, before }: Pattern): boolean => text === '' && before

/** Writes the conditions of one language; undefined for those that it cannot express. */
interface FilterWriter {
  readonly words: FilterWords
  /** Writes the path of a field; `within` is the path of the list whose elements it is about, with a trailing dot. */
  writePath?(field: string, within: string): string
  writeComparison(path: string, op: FilterOperator, match: Match, attribute: Attribute): string | undefined
  writePresence(path: string, op: FilterOperator): string
  /** Writes a condition on the elements of a list; languages without it have none. */
  writeElements?(path: string, op: 'any' | 'all' | 'none', where: string): string
}

type FilterFields = ReadonlyMap<string, FilterField>

function writeFilter(
  writer: FilterWriter,
  expression: FilterExpression,
  fields: FilterFields,
  within = '',
): string | undefined {
  if ('of' in expression) {
    const parts = expression.of.map((one) => writeFilter(writer, one, fields, within))
    return joinParts(parts, writer.words[expression.op])
  }
  const { field } = expression
  const path = writer.writePath?.(field, within) ?? field
  if ('where' in expression) {
    if (writer.writeElements === undefined || within !== '') return undefined
    const where = writeFilter(writer, expression.where, fields, `${field}.`)
    return where === undefined ? undefined : writer.writeElements(path, expression.op, where)
  }
  const { attribute } = fields.get(within + field) ?? {}
  if (attribute === undefined || 'texts' in expression) return undefined
  if ('value' in expression) return writer.writeComparison(path, expression.op, expression, attribute)
  if (!('any' in expression)) return writer.writePresence(path, expression.op)
  // `!=` requires that no value matches, `=` that one of them does.
  const { op } = expression
  const parts = expression.any.map((match) => writer.writeComparison(path, op, match, attribute))
  return joinParts(parts, writer.words[op === '=' ? 'or' : 'and'])
}

function joinParts(parts: readonly (string | undefined)[], { name }: FilterWord): string | undefined {
  if (parts.length === 0 || parts.includes(undefined)) return undefined
  return parts.length === 1 ? parts[0] : `(${parts.join(` ${name} `)})`
}

/** Writes a value as text, as its attribute does; undefined for one that it cannot have. */
export function dumpText(value: unknown, attribute: Attribute): string | undefined {
  const dumped = attributeRules.getDumper(attribute)(value, new Dumping('unchecked'))
  return dumped === INVALID ? undefined : String(dumped)
}

/** A language: its parser, its writer, and its words in documents. */
interface FilterLanguage {
  readonly Parser: new (text: string, loading: Loading, reader: FilterReader) => FilterLanguageParser
  readonly writer: FilterWriter
  readonly operators: Readonly<Record<FilterOperator, string>>
  readonly text: string
  readonly star: string
}

/** Creates the syntax of a language. */
export const createFilterSyntax = ({ Parser, writer, operators, text, star }: FilterLanguage): FilterSyntax => ({
  parse: (sent, loading, reader) =>
    sent.length > MAX_FILTER_LENGTH
      ? loading.fail('max-length', { limit: MAX_FILTER_LENGTH })
      : new Parser(sent, loading, reader).parse(),
  write: (expression, fields, dumping) =>
    writeFilter(writer, expression, fields) ??
    dumping.fail('type', { expected: 'a filter that a request could have', kind: 'filter' }),
  text,
  operator: (operator) => operators[operator],
  star,
})
