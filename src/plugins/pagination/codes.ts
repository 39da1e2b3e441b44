// The codes that pagination and order answer with; those that lists raise as well are defined there.
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
  /** A page or a size is not a whole number from 1 on. */
  'pagination-number': "must have a positive integer for '{key}'",
  /** `total_count` is neither true nor false. */
  'pagination-total-count': 'must have true or false for total_count',
  /** The value asks for a page and for a cursor, or for two cursors. */
  'pagination-mixed': 'must have page, or by with one cursor',
  /** `by` names a field that must not be used. */
  'pagination-field': "must not go by '{field}'; use one of {values}",
  /** `from` does not fit its field. */
  'pagination-from': 'has an invalid from: it {problem}',
  /** There is a `from` and no `by`. */
  'pagination-by': 'must name a field with by',
  /** The request asks for more items than allowed. */
  'pagination-items': 'must ask for at most {limit} items',
  /** The value is sent beside another that means another part of the list. */
  'pagination-sides': "must not be sent beside '{other}'",
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
  /** The order begins with another field than pagination goes by. */
  'order-by': "must begin with '{field}', as pagination does",
} as const

/** Failures of requests for lists. */
export const failures = {
  /**
   * The URL of a list is so long that the links to its other pages would not fit into the headers of an answer.
   * @see docs/guide/pagination.md
   */
  'uri-too-long': { status: 414, title: 'The URI is too long' },
} as const

/** The codes of pagination. */
export const codes: Codes<keyof typeof issues, keyof typeof failures> = defineCodes('pagination', { issues, failures })
