// The codes that lists and resources answer with: what is wrong with filters, fields and written values, and what a
// datastore refuses.
import { type Codes, defineCodes } from '../../extend.ts'

/** Problems of params and payloads that only a resource can see. */
export const issues = {
  /**
   * The value is not a filter.
   * @see docs/guide/filtering.md
   */
  'filter-syntax': 'has unexpected {found} at character {place}; expected {expected}{remedy}',
  /** A field must not be filtered by. */
  'filter-field': "must not filter by '{field}'; use some of {values}",
  /** The field does not take this operator. */
  'filter-operator': "must not use {operator} with '{field}'; use one of {values}",
  /** A value does not fit its field. */
  'filter-value': "has an invalid value for '{field}': it {problem}",
  /** A `*` stands where none is allowed. */
  'filter-wildcard': 'must not have * {where}; write {star} instead',
  /** A list stands where one value is needed. */
  'filter-list': 'must have one value after {operator}',
  /** A list has too many values. */
  'filter-values': 'must have at most {limit} values in a list',
  /** There are too many conditions. */
  'filter-conditions': 'must have at most {limit} conditions',
  /**
   * The value is not a selection of fields.
   * @see docs/guide/lists.md
   */
  'fields-syntax': 'is malformed at character {at}',
  /** A name does not exist. */
  'fields-name': "must not name '{field}'; use some of {values}",
  /** A name stands below an attribute that has nothing below it. */
  'fields-below': "must not have names below '{field}'",
  /** A name is given twice. */
  'fields-repeated': "must name '{field}' once",
  /** There are too many names. */
  'fields-names': 'must have at most {limit} names',
  /**
   * An attribute was sent that is not kept where the element is: a related list, a computed one, one of another resource.
   * @see docs/guide/lists.md#one-element
   */
  unwritable: 'cannot be written',
  /** A change names another key than that of the element which it changes. */
  unchangeable: 'cannot be changed, as it is the key',
  /** A value would put the element where its caller cannot see it. */
  'scope-value': 'must not be given, or must be what the scope of the caller says',
  /** Two attributes that are kept in the same place have different values. */
  contradiction: 'must agree with {other}',
  /** A field must not be ordered by. */
  'order-field': "must not order by '{field}'; use some of {values}",
  /** A cursor belongs to another list, or was not made by a link. */
  'pagination-continuation': 'is not a cursor of this list',
} as const

/** Failures that a datastore causes. */
export const failures = {
  /**
   * A row stands in the way: its key exists, or another row refers to it.
   * @see docs/guide/datastores.md
   */
  conflict: { status: 409, title: 'The request conflicts with an existing resource' },
  /** A value fits its declaration, but not its column. */
  'unfit-value': { status: 422, title: 'A value cannot be stored' },
  /**
   * A write would leave the element where its caller cannot see it.
   * @see docs/guide/scopes.md
   */
  'out-of-scope': { status: 422, title: 'The element would be out of the scope of the caller' },
} as const

/** The codes of lists and resources. */
export const codes: Codes<keyof typeof issues, keyof typeof failures> = defineCodes('mapper', { issues, failures })
