// Conditions that an application sets itself, written as an object: `{ blog_id: 7, published_at: { '<=': now } }`.

import type { Value } from '../../../extend.ts'
import type { Attributes, FieldPath } from '../../../index.ts'
import type { ByPath } from '../fields/field.ts'
import type { FilterExpression } from './expression.ts'

/** The condition on one field: a value, one of several, null for none, or a comparison. */
export type Condition<V> =
  | V
  | null
  | readonly V[]
  | { readonly '!='?: V | null; readonly '<'?: V; readonly '<='?: V; readonly '>'?: V; readonly '>='?: V }
  | (V extends string ? TextCondition : never)
  | (V extends readonly (infer E)[] ? ElementCondition<E> : never)

/** A substring that must or must not occur, ignoring case, or words of a full-text search. */
export interface TextCondition {
  readonly '~='?: string | readonly string[]
  readonly '!~='?: string | readonly string[]
  readonly '@='?: string | readonly string[]
}

/** Conditions that any element of a related list meets, or all, or none: each element all of the conditions at once. */
export interface ElementCondition<E> {
  readonly any?: WhereOf<E>
  readonly all?: WhereOf<E>
  readonly none?: WhereOf<E>
}

/** Conditions by the paths of fields; all of them must hold. */
export type Where<A extends Attributes> = {
  readonly [F in keyof A]?: Condition<Exclude<Value<A[F]>, null | undefined>>
} & ByPath<A, unknown>

/** The same on the values of an element. */
export type WhereOf<T> = {
  readonly [F in keyof T]?: Condition<Exclude<T[F], null | undefined>>
} & { readonly [P in Exclude<FieldPath<T>, keyof T>]?: unknown }

const COMPARISONS: readonly string[] = ['!=', '<', '<=', '>', '>=', '~=', '!~=', '@=', 'any', 'all', 'none']

/** Translates conditions into a filter expression. */
export function whereExpression(where: Readonly<Record<string, unknown>>): FilterExpression {
  return { op: 'and', of: Object.entries(where).flatMap(([field, condition]) => fieldExpressions(field, condition)) }
}

function fieldExpressions(field: string, condition: unknown): FilterExpression[] {
  if (condition === undefined)
    throw new TypeError(`The condition on '${field}' is undefined; leave the field out, or use null for "has no value"`)
  if (!isComparison(condition)) return [equality('=', field, condition)]
  return Object.entries(condition).map(([op, value]) => {
    if (!COMPARISONS.includes(op)) throw new TypeError(`'${op}' does not compare; use one of ${COMPARISONS.join(' ')}`)
    return op === '!=' ? equality('!=', field, value) : compared(op, field, value)
  })
}

function compared(op: string, field: string, value: unknown): FilterExpression {
  if (op === 'any' || op === 'all' || op === 'none')
    return { op, field, where: whereExpression(value as Record<string, unknown>) }
  if (op === '~=' || op === '!~=' || op === '@=') return { op, field, texts: [value].flat().map(String) }
  return { op: op as '<' | '<=' | '>' | '>=', field, value }
}

function equality(op: '=' | '!=', field: string, value: unknown): FilterExpression {
  if (value === null) return { op: op === '=' ? '!!' : '!', field }
  const values: readonly unknown[] = Array.isArray(value) ? value : [value]
  return { op, field, any: values.map((one) => ({ value: one })) }
}

const isComparison = (condition: unknown): condition is Record<string, unknown> =>
  typeof condition === 'object' && condition !== null && !(condition instanceof Date) && !Array.isArray(condition)
