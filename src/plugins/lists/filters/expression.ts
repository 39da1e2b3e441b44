// A filter in the terms of a media type: fields by their paths, values of the fields' own types.
import type { Pattern } from '../query.ts'

/** What one alternative of a comparison asks for: a value, or a text that matches. */
export type Match = { readonly value: unknown } | { readonly pattern: Pattern }

/** Which elements of a list are wanted. */
export type FilterExpression =
  | { readonly op: 'and' | 'or'; readonly of: readonly FilterExpression[] }
  /** One of the alternatives fits, or none of them does; a field without a value differs from every value. */
  | { readonly op: '=' | '!='; readonly field: string; readonly any: readonly Match[] }
  | { readonly op: '<' | '<=' | '>' | '>='; readonly field: string; readonly value: unknown }
  /** The field has a value (`!`), or has none (`!!`). */
  | { readonly op: '!' | '!!'; readonly field: string }
