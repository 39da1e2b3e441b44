// Finite numbers, from text in the grammar of JSON or from a JSON number.
import { type Attribute, attribute, type Kind, type Options } from './attribute.ts'
import { limitMistakes, refuse } from './checks.ts'
import { INVALID } from './issue.ts'
import { describe, type JsonSchema } from './json-schema.ts'
import { checkOf, exampleNumber } from './numeric.ts'
import type { Nullable, Present } from './types.ts'

/** Declares a finite number (a double: decimal fractions are as exact as those of JSON). */
export function number<const O extends NumberOptions = {}>(options?: O): Attribute<Nullable<number, O>, Present<O>> {
  return attribute(numberKind, undefined, options)
}

/** Options of a number. */
export interface NumberOptions extends Options<number> {
  readonly min?: number
  readonly max?: number
}

const EXPECTED = { expected: 'a finite number' }

const numberKind: Kind<undefined> = {
  name: 'number',
  passes: 'number',
  options: ['min', 'max'],
  loader(_, options) {
    const check = checkOf(options as NumberOptions)
    return function loadNumber(value, loading) {
      const read = typeof value === 'string' && JSON_NUMBER.test(value) ? Number(value) : value
      if (typeof read !== 'number' || !Number.isFinite(read)) return refuse(value, loading, EXPECTED.expected)
      return check(read, loading) ? read + 0 : INVALID
    }
  },
  dumper(_, options) {
    const check = checkOf(options as NumberOptions)
    return function dumpNumber(value, dumping) {
      if (typeof value !== 'number' || !Number.isFinite(value)) return dumping.fail('type', EXPECTED)
      if (dumping.checks) check(value, dumping)
      return value + 0
    }
  },
  jsonSchema: (_, options) => describe(schemaOf(options as NumberOptions), options),
  example: (_, options, seed) => exampleNumber(options as NumberOptions, seed),
  mistakes: (_, options) => limitMistakes(options as NumberOptions),
}

const JSON_NUMBER = /^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?$/

function schemaOf({ min, max }: NumberOptions): JsonSchema {
  return { type: 'number', ...(min !== undefined && { minimum: min }), ...(max !== undefined && { maximum: max }) }
}
