// The problem codes of pagination and order; those that lists raise as well are defined by the mapper.
import { type Codes, defineCodes } from '../../extend.ts'

/** Problems of the params `pagination` and `order`. */
export const issues = {
  /**
   * The value is not a list of pairs.
   * @see docs/guide/pagination.md
   */
  'pagination-syntax': 'must be pairs like page=2,items=10',
  /** A pair has a key that does not exist. */
  'pagination-key': "has unknown key '{key}'; use page, items, by, from or total_count",
  /** A pair was sent twice. */
  'pagination-repeated': "must have the key '{key}' once",
  /** A pair has no value. */
  'pagination-empty': "must have a value for '{key}'",
  /** A page or a size is not a positive integer. */
  'pagination-number': "must have a positive integer for '{key}'",
  /** `total_count` is neither true nor false. */
  'pagination-total-count': 'must have true or false for total_count',
  /** The value specifies a page and a cursor, or two cursors. */
  'pagination-mixed': 'must have page, or by with one cursor',
  /** `by` names a field that must not be used. */
  'pagination-field': "must not go by '{field}'; use one of {values}",
  /** `from` does not fit its field. */
  'pagination-from': 'has an invalid from: it {problem}',
  /** There is a `from` without a `by`. */
  'pagination-by': 'must name a field with by',
  /** The request specifies more items than allowed. */
  'pagination-items': 'must request at most {limit} items',
  /** The value conflicts with another param that specifies another page. */
  'pagination-sides': "must not be sent together with '{other}'",
  /** The action does not allow this mode. */
  'pagination-disallowed': 'must not use {mode} here',
  /**
   * The value is not a list of fields.
   * @see docs/guide/pagination.md
   */
  'order-syntax': 'must be {form}',
  /** A field is named twice. */
  'order-repeated': "must name the field '{field}' once",
  /** There are too many fields. */
  'order-fields': 'must have at most {limit} fields',
  /** The order does not begin with the field that pagination uses. */
  'order-by': "must begin with '{field}', as pagination does",
} as const

/** Failures of requests for lists. */
export const failures = {
  /**
   * The URL of a list is so long that the links to its other pages would not fit into the response headers.
   * @see docs/guide/pagination.md
   */
  'uri-too-long': { status: 414, title: 'The URI is too long' },
} as const

/** The codes of pagination. */
export const codes: Codes<keyof typeof issues, keyof typeof failures> = defineCodes('pagination', { issues, failures })
