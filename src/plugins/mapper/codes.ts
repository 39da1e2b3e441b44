// The problem codes of lists and resources: invalid filters, fields and written values, and failures of a datastore.
import { type Codes, defineCodes } from '../../extend.ts'

/** Problems of params and payloads that only a resource can detect. */
export const issues = {
  /**
   * The value is not a filter.
   * @see docs/guide/filtering.md
   */
  'filter-syntax': 'has unexpected {found} at character {at}; expected {expected}{remedy}',
  /** A field must not be filtered by. */
  'filter-field': "must not filter by '{field}'; use some of {values}",
  /** The field does not take this operator. */
  'filter-operator': "must not use {operator} with '{field}'; use one of {values}",
  /** A value does not fit its field. */
  'filter-value': "has an invalid value for '{field}': it {problem}",
  /** A `*` is where none is allowed. */
  'filter-wildcard': 'must not have * {where}; write {star} instead',
  /** A list is where one value is required. */
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
  /** A name is below an attribute that has no attributes. */
  'fields-below': "must not have names below '{field}'",
  /** A name is given twice. */
  'fields-repeated': "must name '{field}' once",
  /** There are too many names. */
  'fields-names': 'must have at most {limit} names',
  /**
   * An attribute was sent that is not a column of the element: a related list, a computed attribute, or one of another resource.
   * @see docs/guide/lists.md#one-element
   */
  unwritable: 'cannot be written',
  /** A change contains another key than that of the changed element. */
  unchangeable: 'cannot be changed, as it is the key',
  /** A value would move the element out of the caller's scope. */
  'scope-value': 'must not be given, or must be what the scope of the caller says',
  /** Two attributes of the same column have different values. */
  contradiction: 'must agree with {other}',
  /**
   * Another element has this value.
   * @see docs/guide/writes.md#conflicts
   */
  taken: 'is already taken',
  /** Another element has the same values in all of these attributes. */
  'taken-together': 'is already taken together with {others}',
  /**
   * A related list names an element that does not exist, or that the caller does not see.
   * @see docs/guide/writes.md#related-lists
   */
  'unknown-related': 'is no element that can be in this list',
  /** A related list has a member twice. */
  'repeated-related': 'repeats {other}',
  /** The value refers to an element that does not exist. */
  'missing-reference': 'refers to an element that does not exist',
  /** A field must not be ordered by. */
  'order-field': "must not order by '{field}'; use some of {values}",
  /** A cursor belongs to another list, or does not come from a link. */
  'pagination-continuation': 'is not a cursor of this list',
} as const

/** Failures that a datastore causes. */
export const failures = {
  /**
   * Another row conflicts: the key exists, or a reference is missing or in use. `errors` names the attributes.
   * @see docs/guide/writes.md#conflicts
   */
  conflict: { status: 409, title: 'The request conflicts with an existing resource' },
  /** A value fits its declaration, but not its column. */
  'unfit-value': { status: 422, title: 'A value cannot be stored' },
  /**
   * A write would leave the element outside the caller's scope.
   * @see docs/guide/scopes.md
   */
  'out-of-scope': { status: 422, title: 'The element would be out of the scope of the caller' },
} as const

/** The codes of lists and resources. */
export const codes: Codes<keyof typeof issues, keyof typeof failures> = defineCodes('mapper', { issues, failures })
