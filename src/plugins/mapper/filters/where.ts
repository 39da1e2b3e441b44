// Conditions of the application, written as an object: `{ blog_id: 7, published_at: { '<=': now } }`.

import { describeValue, form, type Value } from '../../../extend.ts'
import type { Attributes, FieldPath } from '../../../index.ts'
import type { ByPath } from '../fields/field-paths.ts'
import type { FilterExpression } from './expression.ts'

/**
 * The condition on one field: a value, a list of alternatives, null for no value, or a comparison. One of a list of values
 * is a condition that some value of the list meets.
 */
export type Condition<V> = V extends readonly (infer E)[]
  ? ElementCondition<E> | (E extends object ? never : ValueCondition<E>)
  : ValueCondition<V>

/** The condition on a field with values of the type V. */
type ValueCondition<V> =
  | V
  | null
  | readonly V[]
  | {
      readonly '!='?: V | null | Optional<V>
      readonly '<'?: V | Optional<V>
      readonly '<='?: V | Optional<V>
      readonly '>'?: V | Optional<V>
      readonly '>='?: V | Optional<V>
    }
  | (V extends string ? TextCondition : never)

// A symbol, because a client can send every text as the name of a member. Other copies of this package know it, too.
const OPTIONAL: unique symbol = Symbol.for('edict.optional') as never

/** A condition that is left out when its value is undefined. */
export interface Optional<out V> {
  readonly [OPTIONAL]: V | undefined
}

/** Marks a condition as optional: a list without it is meant if its value is undefined. */
export const optional = <const V>(value: V): Optional<Exclude<V, undefined>> =>
  Object.freeze({ [OPTIONAL]: value as Exclude<V, undefined> | undefined })

/** A substring that must or must not occur, ignoring case, or words of a full-text search. */
export interface TextCondition {
  readonly '~='?: string | readonly string[]
  readonly '!~='?: string | readonly string[]
  readonly '@='?: string | readonly string[]
}

/** Conditions that any, all or none of the elements of a related list meet; they apply to each element together. */
export interface ElementCondition<E> {
  readonly any?: WhereOf<E>
  readonly all?: WhereOf<E>
  readonly none?: WhereOf<E>
}

type MaybeOptional<C> = C | Optional<C>

/** Conditions by field path; all of them must hold. */
// Without `object`, the compiler takes a key of a wrong type for conditions if there are no paths.
export type Where<A extends Attributes> = {
  readonly [F in keyof A]?: MaybeOptional<Condition<Exclude<Value<A[F]>, null | undefined>>>
} & ByPath<A, unknown> &
  object

/** Conditions by field path for elements of the type T. */
export type WhereOf<T> = {
  readonly [F in keyof T]?: MaybeOptional<Condition<Exclude<T[F], null | undefined>>>
} & { readonly [P in Exclude<FieldPath<T>, keyof T>]?: unknown }

const COMPARISON_KEYS: readonly string[] = ['!=', '<', '<=', '>', '>=', '~=', '!~=', '@=', 'any', 'all', 'none']

/** Several conditions, all of which must hold. */
type Conjunction = FilterExpression & { readonly op: 'and'; readonly of: readonly FilterExpression[] }

/** Parses conditions to a filter expression; throws for an empty condition, which every element would meet. */
export const parseWhere = (where: unknown): Conjunction => parseConditions(where, false)

/** Parses the conditions of a list, without the optional ones whose value is undefined. */
export const parseListWhere = (where: unknown): Conjunction => parseConditions(where, true)

const parseConditions = (where: unknown, mayOmit: boolean): Conjunction => ({
  op: 'and',
  of: listConditions(where).flatMap(([field, condition]) => parseFieldConditions(field, condition, mayOmit)),
})

const isOptional = (value: unknown): value is Optional<unknown> =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, OPTIONAL)

/** Returns the value of an optional condition, and any other value as it is. */
function unwrapOptional(value: unknown, field: string, mayOmit: boolean): unknown {
  if (!isOptional(value)) return value
  if (!mayOmit)
    throw new TypeError(
      `The condition on '${field}' is optional, and none can be left out here: it decides what a caller reaches. Remedy: give its value`,
    )
  return value[OPTIONAL]
}

function listConditions(where: unknown): [string, unknown][] {
  if (!isPlainObject(where))
    throw new TypeError(`Conditions are ${describeValue(where)}. Remedy: give them as an object, { author_id: 7 }`)
  refuseSymbols(where, 'Conditions')
  return Object.entries(where)
}

// `Object.entries` skips symbols and inherited properties: such conditions would be lost silently.
function refuseSymbols(value: object, subject: string): void {
  if (Object.getOwnPropertySymbols(value).length > 0)
    throw new TypeError(`${subject} have a symbol for a name. Remedy: name them by texts`)
}

function isPlainObject(value: unknown): value is Readonly<Record<string, unknown>> {
  if (!form.isSettings(value)) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === null || Object.getPrototypeOf(prototype) === null
}

/** Returns whether the condition on a field is other than one value: several values, or comparisons. */
export const isCondition = (value: unknown): boolean => Array.isArray(value) || isPlainObject(value)

function parseFieldConditions(field: string, given: unknown, mayOmit: boolean): FilterExpression[] {
  if (given === undefined)
    throw new TypeError(
      `The condition on '${field}' is undefined; leave the field out, mark it with optional(…), or use null for "has no value"`,
    )
  const condition = unwrapOptional(given, field, mayOmit)
  if (condition === undefined) return []
  if (!isPlainObject(condition)) return [parseEquality('=', field, condition)]
  refuseSymbols(condition, `The comparisons with '${field}'`)
  const comparisons = Object.entries(condition)
  if (comparisons.length === 0)
    throw new TypeError(
      `The condition on '${field}' is an empty object. Remedy: leave the field out, or use one of ${COMPARISON_KEYS.join(' ')}`,
    )
  return comparisons.flatMap(([op, operand]) => {
    if (!COMPARISON_KEYS.includes(op))
      throw new TypeError(`'${op}' does not compare; use one of ${COMPARISON_KEYS.join(' ')}`)
    if (operand === undefined)
      throw new TypeError(`The condition '${op}' on '${field}' is undefined. Remedy: leave it out, or use optional(…)`)
    const value = unwrapOptional(operand, field, mayOmit)
    if (value === undefined) return []
    if (op === 'any' || op === 'all' || op === 'none') return parseElementConditions(op, field, value, mayOmit)
    return op === '!=' ? parseEquality('!=', field, value) : parseComparison(op, field, value)
  })
}

// Without any of its conditions, "any" would still ask for an element.
function parseElementConditions(
  op: 'any' | 'all' | 'none',
  field: string,
  value: unknown,
  mayOmit: boolean,
): FilterExpression[] {
  const where = parseConditions(value, mayOmit)
  return where.of.length === 0 && Object.keys(value as object).length > 0 ? [] : [{ op, field, where }]
}

function parseComparison(op: string, field: string, value: unknown): FilterExpression {
  if (op === '~=' || op === '!~=' || op === '@=') return { op, field, texts: parseTexts(op, field, value) }
  if (value === null)
    throw new TypeError(`The condition '${op}' on '${field}' is null, which is neither before nor after anything`)
  return { op: op as '<' | '<=' | '>' | '>=', field, value }
}

function parseTexts(op: string, field: string, value: unknown): readonly string[] {
  const texts: readonly unknown[] = Array.isArray(value) ? Array.from(value) : [value]
  const invalid = texts.find((one) => typeof one !== 'string')
  if (texts.length > 0 && (invalid !== undefined || texts.includes(undefined)))
    throw new TypeError(
      `The condition '${op}' on '${field}' has ${describeValue(invalid)}. Remedy: give a text, or a list of texts`,
    )
  return texts as readonly string[]
}

function parseEquality(op: '=' | '!=', field: string, value: unknown): FilterExpression {
  if (value === null) return { op: op === '=' ? '!!' : '!', field }
  if (!Array.isArray(value)) return { op, field, any: [{ value }] }
  // A hole in a sparse array becomes undefined here.
  const values: readonly unknown[] = Array.from(value)
  if (values.includes(null) || values.includes(undefined))
    throw new TypeError(
      `The list of values for '${field}' has ${values.includes(null) ? 'null' : 'undefined'}, which equals none of them. ` +
        'Remedy: leave it out; null alone stands for "has no value"',
    )
  return { op, field, any: values.map((one) => ({ value: one })) }
}
