// Filter expressions on the fields of a media type: fields by path, and values of the fields' types.
import type { Pattern } from '../../query/query.ts'

/** One alternative of a comparison: a value, or a pattern that the text must match. */
export type Match = { readonly value: unknown } | { readonly pattern: Pattern }

/** The number of elements of a related list that must meet conditions; `all` is true for an empty list. */
export type Quantifier = 'any' | 'all' | 'none'

/** A filter on the elements of a list. */
export type FilterExpression =
  | { readonly op: 'and' | 'or'; readonly of: readonly FilterExpression[] }
  /** One of the alternatives matches, or none does; a field without a value differs from every value. */
  | { readonly op: '=' | '!='; readonly field: string; readonly any: readonly Match[] }
  | { readonly op: '<' | '<=' | '>' | '>='; readonly field: string; readonly value: unknown }
  /** The text contains one of these without regard to case, or none of them. */
  | { readonly op: '~=' | '!~='; readonly field: string; readonly texts: readonly string[] }
  /** A full-text search matches all words of one of these. */
  | { readonly op: '@='; readonly field: string; readonly texts: readonly string[] }
  /** Some element of a related list meets conditions on its fields, or all do, or none does. */
  | { readonly op: Quantifier; readonly field: string; readonly where: FilterExpression }
  /** The field has a value (`!`), or has none (`!!`). */
  | { readonly op: '!' | '!!'; readonly field: string }
