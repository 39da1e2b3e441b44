// Writes a filter as text: the inverse of parsing.

import { Dumping, INVALID } from '../../../extend.ts'
import type { Attribute } from '../../../index.ts'
import { codes } from '../codes.ts'
import type { FilterExpression, Match } from './expression.ts'
import type { FilterField } from './field.ts'
import { escapedInFilter, escapedName } from './syntax.ts'

type Written = string | typeof INVALID

/** Writes a filter over some fields; INVALID, with a report, for one that no request could have. */
export function writeFilter(
  expression: FilterExpression,
  fields: ReadonlyMap<string, FilterField>,
  dumping: Dumping,
): Written {
  return new Writer(fields, dumping).write(expression, 'or')
}

class Writer {
  readonly #fields: ReadonlyMap<string, FilterField>
  readonly #dumping: Dumping
  /** The path of the list that conditions are about, with a dot behind it. */
  #below = ''

  constructor(fields: ReadonlyMap<string, FilterField>, dumping: Dumping) {
    this.#fields = fields
    this.#dumping = dumping
  }

  /** Writes an expression; `within` tells which joined ones can stand there without parentheses. */
  write(expression: FilterExpression, within: 'and' | 'or' | 'nothing'): Written {
    if ('of' in expression) return this.#joined(expression.op, expression.of, within)
    if ('where' in expression) return this.#elements(expression)
    const { op, field } = expression
    const known = this.#fields.get(this.#below + field)
    if (known === undefined)
      return this.#dumping.fail(codes.issues['filter-field'], { field, values: [...this.#fields.keys()] })
    const name = `${escapedName(field)}${op}`
    if ('value' in expression) return this.#list(name, [expression], known)
    if ('texts' in expression)
      return this.#list(
        name,
        expression.texts.map((value) => ({ value })),
        known,
      )
    return 'any' in expression ? this.#list(name, expression.any, known) : name
  }

  #elements({ op, field, where }: Extract<FilterExpression, { where: unknown }>): Written {
    const around = this.#below
    this.#below = `${around}${field}.`
    const written = this.write(where, 'or')
    this.#below = around
    return written === INVALID ? INVALID : `${escapedName(field)}.${op}(${written})`
  }

  #list(name: string, matches: readonly Match[], { attribute }: FilterField): Written {
    if (matches.length === 0) return this.#refused()
    const values = matches.map((match) => written(match, attribute))
    return values.includes(INVALID) ? this.#refused() : name + values.join(',')
  }

  #joined(op: 'and' | 'or', of: readonly FilterExpression[], within: 'and' | 'or' | 'nothing'): Written {
    if (of.length === 0) return this.#refused()
    if (of.length === 1) return this.write(of[0] as FilterExpression, within)
    if (!this.#dumping.enter()) return INVALID
    const parts = of.map((one) => this.write(one, op === 'or' ? 'and' : 'nothing'))
    this.#dumping.leave()
    if (parts.includes(INVALID)) return INVALID
    const text = parts.join(op === 'and' ? '&' : '|')
    return within === 'or' || within === op ? text : `(${text})`
  }

  #refused(): typeof INVALID {
    return this.#dumping.fail('type', { expected: 'a filter that a request could have', kind: 'filter' })
  }
}

function written(match: Match, attribute: Attribute): Written {
  if ('value' in match) {
    // The limits of an attribute do not hold for what it is compared with.
    const dumped = attribute.core.dumper(match.value, new Dumping(false))
    return dumped === INVALID ? INVALID : escapedInFilter(String(dumped))
  }
  const { text, before, after } = match.pattern
  // One sign alone stands for both ends.
  if (text === '') return '*'
  return `${before ? '*' : ''}${escapedInFilter(text)}${after ? '*' : ''}`
}
