// Writes a filter as text: the inverse of the parser.

import { attributeRules, Dumping, INVALID } from '../../../extend.ts'
import type { Attribute } from '../../../index.ts'
import { codes } from '../codes.ts'
import type { FilterExpression, Match } from './expression.ts'
import type { FilterField } from './filter-fields.ts'
import { escapeFilterName, escapeFilterValue } from './filter-parser.ts'

type FilterText = string | typeof INVALID

/** Writes a filter over some fields; reports an expression that no request can contain, and returns INVALID. */
export function writeFilterText(
  expression: FilterExpression,
  fields: ReadonlyMap<string, FilterField>,
  dumping: Dumping,
): FilterText {
  return new FilterWriter(fields, dumping).write(expression, 'or')
}

class FilterWriter {
  readonly #fields: ReadonlyMap<string, FilterField>
  readonly #dumping: Dumping
  /** The path of the list that conditions apply to, with a trailing dot. */
  #within = ''

  constructor(fields: ReadonlyMap<string, FilterField>, dumping: Dumping) {
    this.#fields = fields
    this.#dumping = dumping
  }

  /** Writes an expression; `within` is the joining operator that needs no parentheses there. */
  write(expression: FilterExpression, within: 'and' | 'or' | 'nothing'): FilterText {
    if ('of' in expression) return this.#writeJoined(expression.op, expression.of, within)
    if ('where' in expression) return this.#writeElements(expression)
    const { op, field } = expression
    const filterField = this.#fields.get(this.#within + field)
    if (filterField === undefined)
      return this.#dumping.fail(codes.issues['filter-field'], { field, values: [...this.#fields.keys()] })
    const name = `${escapeFilterName(field)}${op}`
    if ('value' in expression) return this.#writeMatches(name, [expression], filterField)
    if ('texts' in expression)
      return this.#writeMatches(
        name,
        expression.texts.map((value) => ({ value })),
        filterField,
      )
    return 'any' in expression ? this.#writeMatches(name, expression.any, filterField) : name
  }

  #writeElements({ op, field, where }: Extract<FilterExpression, { where: unknown }>): FilterText {
    const around = this.#within
    this.#within = `${around}${field}.`
    const written = this.write(where, 'or')
    this.#within = around
    return written === INVALID ? INVALID : `${escapeFilterName(field)}.${op}(${written})`
  }

  #writeMatches(name: string, matches: readonly Match[], { attribute }: FilterField): FilterText {
    if (matches.length === 0) return this.#fail()
    const values = matches.map((match) => formatMatch(match, attribute))
    return values.includes(INVALID) ? this.#fail() : name + values.join(',')
  }

  #writeJoined(op: 'and' | 'or', of: readonly FilterExpression[], within: 'and' | 'or' | 'nothing'): FilterText {
    if (of.length === 0) return this.#fail()
    if (of.length === 1) return this.write(of[0] as FilterExpression, within)
    if (!this.#dumping.enter()) return INVALID
    const parts = of.map((one) => this.write(one, op === 'or' ? 'and' : 'nothing'))
    this.#dumping.leave()
    if (parts.includes(INVALID)) return INVALID
    const text = parts.join(op === 'and' ? '&' : '|')
    return within === 'or' || within === op ? text : `(${text})`
  }

  #fail(): typeof INVALID {
    return this.#dumping.fail('type', { expected: 'a filter that a request could have', kind: 'filter' })
  }
}

function formatMatch(match: Match, attribute: Attribute): FilterText {
  if ('value' in match) {
    // The limits of an attribute do not apply to the values that it is compared with.
    const dumped = attributeRules.getDumper(attribute)(match.value, new Dumping('unchecked'))
    return dumped === INVALID ? INVALID : escapeFilterValue(String(dumped))
  }
  const { text, before, after } = match.pattern
  // A single `*` counts for both ends.
  if (text === '') return '*'
  return `${before ? '*' : ''}${escapeFilterValue(text)}${after ? '*' : ''}`
}
