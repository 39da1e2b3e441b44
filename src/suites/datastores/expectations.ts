// The expectations of the datastore suite, and the messages of failed ones.
import { isEqualColumnValue } from '../../plugins/mapper/extend.ts'
import type { ColumnKind, Datastore, Reference, Select } from '../../plugins/mapper/index.ts'
import { bindCount, bindSelect, formatForMessage, type SuiteModel, type Tables } from './suite-model.ts'

/** A datastore under test, and the model that its queries are written for. */
export interface SuiteSubject<T> {
  readonly model: SuiteModel
  readonly datastore: Datastore<T>
  readonly tables: Tables<T>
}

/** Creates the error for an expectation that was not met. */
export function createMismatchError(what: string, query: unknown, expected: unknown, actual: unknown): Error {
  return new Error(
    `${what}\nquery:    ${formatForMessage(query)}\nexpected: ${formatForMessage(expected)}\nactual:   ${formatForMessage(actual)}`,
  )
}

/** Throws if two plain values are not equal. */
export function expectSame(what: string, query: unknown, expected: unknown, actual: unknown): void {
  if (!isDeepEqual(expected, actual)) throw createMismatchError(what, query, expected, actual)
}

// The order of an object's keys does not matter.
function isDeepEqual(a: unknown, b: unknown): boolean {
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return Object.is(a, b)
  if (Array.isArray(a) !== Array.isArray(b)) return false
  const [keys, others] = [Object.keys(a), Object.keys(b)]
  return (
    keys.length === others.length &&
    keys.every((key) => Object.hasOwn(b, key) && isDeepEqual(a[key as never], b[key as never]))
  )
}

/** Returns whether a value that was read is the expected one, and is of the kind. */
function isExpectedValue(kind: ColumnKind, expected: unknown, actual: unknown): boolean {
  if (expected === null || actual === null) return expected === actual
  if (kind === 'json') return isDeepEqual(expected, actual)
  return isEqualColumnValue(kind, expected, actual)
}

/** Throws if a query does not read exactly these rows, in this order. */
export async function expectRows<T>(
  { datastore, tables }: SuiteSubject<T>,
  what: string,
  query: Select<string>,
  expected: readonly (readonly unknown[])[],
): Promise<void> {
  const { rows } = await datastore.select(bindSelect(query, tables))
  const [wanted, actual] = [expected, rows].map((all) => sortByKeys(query, all)) as [typeof rows, typeof rows]
  if (!areEqualRows(query.columns, wanted, actual)) throw createMismatchError(what, query, wanted, actual)
}

/** Throws if two queries of the same columns have not read equal rows. */
export function expectEqualRows(
  what: string,
  query: Pick<Select, 'columns'>,
  expected: readonly (readonly unknown[])[],
  actual: readonly (readonly unknown[])[],
): void {
  if (!areEqualRows(query.columns, expected, actual)) throw createMismatchError(what, query, expected, actual)
}

// The keys of a query come in any order; its first columns are those of the keys.
function sortByKeys({ perKey }: Select<string>, rows: readonly (readonly unknown[])[]): typeof rows {
  if (perKey === undefined) return rows
  const formatKey = (row: readonly unknown[]): string => formatForMessage(row.slice(0, perKey.columns.length))
  return rows.toSorted((a, b) => (formatKey(a) < formatKey(b) ? -1 : Number(formatKey(a) > formatKey(b))))
}

function areEqualRows(
  columns: readonly Reference[],
  expected: readonly (readonly unknown[])[],
  actual: typeof expected,
): boolean {
  if (actual.length !== expected.length) return false
  return expected.every((row, i) => {
    const other = actual[i]!
    return (
      other.length === row.length && row.every((value, j) => isExpectedValue(columns[j]!.column.kind, value, other[j]))
    )
  })
}

/** Throws if a query does not count this many rows. */
export async function expectCount<T>(
  { datastore, tables }: SuiteSubject<T>,
  what: string,
  query: Select<string>,
  expected: number,
): Promise<void> {
  const counted = await datastore.count(bindCount(query, tables))
  if (counted !== expected) throw createMismatchError(`${what} (counted)`, query, expected, counted)
}
