// Refuses values that no column of a kind can have. Databases would convert them, each in its own way: in MariaDB `'x'` equals
// 0, and SQLite orders every number before every text.
import type { Column, ColumnKind } from '../../../query/query.ts'

/** Refuses a condition with a value that its column cannot have. */
export function refuseIncomparableValue({ kind, name }: Column, value: unknown): void {
  if (isInvalid(kind, value) || UNFIT[kind]?.(value) === true)
    throw new TypeError(
      `A condition on the column '${name}' has a value that no column of the kind ${kind} can have. ` +
        'Remedy: compare it with such a value',
    )
}

function isInvalid(kind: ColumnKind, value: unknown): boolean {
  if (typeof value === 'number') return Number.isNaN(value)
  if (value instanceof Date) return Number.isNaN(value.getTime())
  if (typeof value === 'object') return kind !== 'json' && kind !== 'other' && !(value instanceof Uint8Array)
  return typeof value === 'symbol' || typeof value === 'function'
}

const isNumeric = (value: unknown): boolean =>
  typeof value !== 'string' || (value.trim() !== '' && !Number.isNaN(Number(value)))
const isTemporal = (value: unknown): boolean =>
  value instanceof Date || (typeof value === 'string' && /^-?\d/.test(value))

/** The values to refuse, by kind of column. A number may come as a text: columns of other kinds store it so. */
const UNFIT: Readonly<Partial<Record<ColumnKind, (value: unknown) => boolean>>> = {
  text: (value) => typeof value === 'number' || typeof value === 'boolean',
  integer: (value) => !isNumeric(value),
  bigint: (value) => !isNumeric(value),
  number: (value) => !isNumeric(value),
  decimal: (value) => !isNumeric(value),
  boolean: (value) => typeof value === 'string',
  date: (value) => !isTemporal(value),
  dateTime: (value) => !isTemporal(value) && typeof value !== 'number',
  time: (value) => !isTemporal(value),
}
