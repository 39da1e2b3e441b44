// Values that no column of a kind can have. Databases would take them for something else, each in its own way: MariaDB has
// 'x' equal to 0, and SQLite has every number before every text.
import type { Column, ColumnKind } from '../../../query/query.ts'

/** Refuses a condition with a value that its column cannot have. */
export function refuseUnfit({ kind, name }: Column, value: unknown): void {
  if (isNothing(kind, value) || UNFIT[kind]?.(value) === true)
    throw new TypeError(
      `A condition on the column '${name}' has a value that no column of the kind ${kind} can have. ` +
        'Remedy: compare it with such a value',
    )
}

function isNothing(kind: ColumnKind, value: unknown): boolean {
  if (typeof value === 'number') return Number.isNaN(value)
  if (value instanceof Date) return Number.isNaN(value.getTime())
  if (typeof value === 'object') return kind !== 'json' && kind !== 'other' && !(value instanceof Uint8Array)
  return typeof value === 'symbol' || typeof value === 'function'
}

const isNumeric = (value: unknown): boolean =>
  typeof value !== 'string' || (value.trim() !== '' && !Number.isNaN(Number(value)))
const isTimely = (value: unknown): boolean =>
  value instanceof Date || (typeof value === 'string' && /^-?\d/.test(value))

/** By kind: whether a value is none of it. A number may come as a text, which other columns keep it as. */
const UNFIT: Readonly<Partial<Record<ColumnKind, (value: unknown) => boolean>>> = {
  text: (value) => typeof value === 'number' || typeof value === 'boolean',
  integer: (value) => !isNumeric(value),
  bigint: (value) => !isNumeric(value),
  number: (value) => !isNumeric(value),
  decimal: (value) => !isNumeric(value),
  boolean: (value) => typeof value === 'string',
  date: (value) => !isTimely(value),
  dateTime: (value) => !isTimely(value) && typeof value !== 'number',
  time: (value) => !isTimely(value),
}
