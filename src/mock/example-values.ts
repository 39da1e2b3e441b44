// Creates values for the rows of a mock: varied, deterministic, and valid for their attribute.
import { attributeRules } from '../design/attribute-rules.ts'
import { type AnyOptions, type Attribute, isBuiltinScalar } from '../schema/attribute.ts'
import { Dumping } from '../schema/dumping.ts'
import type { ExampleSeed } from '../schema/example.ts'
import { INVALID } from '../schema/issue.ts'
import { Loading } from '../schema/loading.ts'
import type { NumberOptions } from '../schema/scalars/number.ts'
import type { StringOptions } from '../schema/scalars/string.ts'
import { createText } from './example-texts.ts'

type ValueMaker = (options: AnyOptions, seed: ExampleSeed) => unknown

const padTwo = (number: number): string => String(number).padStart(2, '0')

const createDay = (seed: ExampleSeed): string =>
  `20${padTwo(20 + seed.at('year').numberBelow(5))}-${padTwo(1 + seed.at('month').numberBelow(12))}-${padTwo(1 + seed.at('day').numberBelow(28))}`

const VALUE_MAKERS: Readonly<Record<string, ValueMaker | undefined>> = {
  string: (options, seed) => createText(options as StringOptions, seed),
  date: (_, seed) => createDay(seed),
  dateTime: (_, seed) => new Date(Date.parse(createDay(seed)) + seed.at('second').numberBelow(86_400) * 1000),
  time: (_, seed) => `${padTwo(seed.at('hour').numberBelow(24))}:${padTwo(15 * seed.at('quarter').numberBelow(4))}:00`,
  number: (options, seed) => createNumber(options as NumberOptions, seed),
}

function createNumber({ min, max, values }: NumberOptions, seed: ExampleSeed): number | undefined {
  if (values !== undefined) return undefined
  const least = min ?? Math.min(0, max ?? 0)
  const span = Math.min((max ?? least + 100) - least, 100)
  // Quarters have an exact floating-point representation, and some values are equal.
  return least + Math.floor((span * seed.numberBelow(41)) / 10) / 4
}

const NO_EXAMPLE = { example: undefined, default: undefined } as unknown as AnyOptions

/** Creates a value of an attribute; undefined if its kind has no examples. */
export function createValue(attribute: Attribute, seed: ExampleSeed): unknown {
  const { options, core } = attribute
  if (options.example !== undefined && seed.numberBelow(4) === 0) return options.example
  // Custom kinds use their own examples, because only these are realistic.
  const make = isBuiltinScalar(attribute) ? VALUE_MAKERS[core.scalar ?? ''] : undefined
  const value = make?.(options, seed) ?? attributeRules.makeExample(core.derive(NO_EXAMPLE), seed)
  return value !== undefined && toJsonValue(attribute, value) !== undefined
    ? value
    : attributeRules.makeExample({ core }, seed)
}

/** Converts a value to JSON; undefined if the attribute does not allow it. */
export function toJsonValue(attribute: Attribute, value: unknown): unknown {
  const dumping = new Dumping(true)
  const dumped = attributeRules.getDumper(attribute)(value, dumping)
  return dumped === INVALID || dumping.issues !== null ? undefined : dumped
}

/** Converts a value from another attribute; undefined if this attribute does not allow it. */
export function reloadValue(attribute: Attribute, value: unknown): unknown {
  const plain = toJsonValue(attribute, value)
  const loaded = plain === undefined ? INVALID : attributeRules.getLoader(attribute)(plain, new Loading(false))
  return loaded === INVALID ? undefined : loaded
}

/** Parses a value of a path as another attribute; undefined if it is invalid. */
export function parsePathValue(attribute: Attribute, value: unknown): unknown {
  const text = value instanceof Date ? value.toISOString() : String(value)
  const loading = new Loading(true)
  const loaded = attributeRules.getLoader(attribute)(text, loading)
  return loaded === INVALID || loading.issues !== null ? undefined : loaded
}
