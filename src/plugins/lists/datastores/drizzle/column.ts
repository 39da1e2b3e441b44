// Describes one column of a Drizzle table: its kind, its range, and how its values are bound and read.
import { Column as DrizzleColumn, is, SQL } from 'drizzle-orm'
import type { Column } from '../../query.ts'
import { asIs } from '../../resource/codec.ts'
import { quoted } from '../sql/dialect.ts'
import type { DialectName, SqlColumn } from '../sql/sql.ts'
import { placeCheck } from '../sql/statements/place.ts'
import { foldOf } from '../sql/values/domain.ts'
import { type Form, formOf } from './forms.ts'

/** Facts of the table about a column, beyond the column itself. */
export interface Context {
  readonly dialect: DialectName
  /** The name in the database. */
  readonly name: string
  readonly isKey: boolean
}

/** Describes a column. */
export function describeColumn(column: DrizzleColumn, { dialect, name, isKey }: Context): SqlColumn {
  const form = formOf(column, dialect)
  const range = form.kind === 'integer' || form.kind === 'bigint' ? rangeOf(column, dialect) : undefined
  // SQLite is the one that allows nulls in a key.
  const nullable = !column.notNull && !(isKey && dialect !== 'sqlite')
  const { defaultFn, onUpdateFn } = column
  const initial = defaultFn ?? (column.default === undefined ? onUpdateFn : undefined)
  const encode = form.encode ?? ((value: unknown) => column.mapToDriverValue(value))
  const labels = column.columnType.startsWith('PgEnum') ? column.enumValues : undefined
  const fold = foldOf(dialect, column.getSQLType(), labels)
  const described: SqlColumn = {
    name,
    written: quoted(dialect, name),
    kind: form.kind,
    nullable,
    optional:
      nullable || column.hasDefault || !!column.generated || !!column.generatedIdentity || initial !== undefined,
    ...(column.generated && { readOnly: true }),
    ...(range && { range }),
    ...(form.digits && { digits: form.digits }),
    isPlace: form.isPlace ?? placeCheck(dialect, form.kind, range),
    // Drizzle's defaults for a new row can be SQL.
    encode: (value) => (is(value, SQL) ? value : encode(value, column)),
    decode: decoder(form, column),
    ...(form.compare && { compare: form.compare }),
    ...(form.read && { read: form.read }),
    ...(form.readPlace && { readPlace: form.readPlace }),
    ...(form.around && { around: form.around }),
    ...(form.place && { place: form.place }),
    ...(form.nearby && { nearby: form.nearby }),
    ...(form.bound && { bound: form.bound }),
    ...(form.comparison && { comparison: form.comparison }),
    ...(form.unordered && { unordered: form.unordered }),
    ...(form.sortLength && { sortLength: form.sortLength }),
    ...(fold && { fold }),
    ...(initial && { initial }),
    ...(onUpdateFn && { renewed: onUpdateFn }),
  }
  return described
}

function decoder({ decode }: Form, column: DrizzleColumn): SqlColumn['decode'] {
  if (decode !== undefined) return (raw) => decode(raw, column)
  // Most columns of most tables have what their values are.
  const isPlain = column.mapFromDriverValue === DrizzleColumn.prototype.mapFromDriverValue
  return isPlain ? asIs : (raw) => column.mapFromDriverValue(raw)
}

const signed = (bits: bigint): readonly [bigint, bigint] => [-(2n ** (bits - 1n)), 2n ** (bits - 1n) - 1n]
const unsigned = (bits: bigint): readonly [bigint, bigint] => [0n, 2n ** bits - 1n]

/** The whole numbers of each type; a serial of PostgreSQL is signed, and one of MySQL is not. */
const RANGES: Readonly<Record<string, Column['range']>> = {
  tinyint: signed(8n),
  'tinyint unsigned': unsigned(8n),
  smallint: signed(16n),
  'smallint unsigned': unsigned(16n),
  smallserial: signed(16n),
  mediumint: signed(24n),
  'mediumint unsigned': unsigned(24n),
  int: signed(32n),
  'int unsigned': unsigned(32n),
  integer: signed(32n),
  serial: signed(32n),
  bigint: signed(64n),
  'bigint unsigned': unsigned(64n),
  year: [0n, 2155n],
  bigserial: signed(64n),
}

function rangeOf(column: DrizzleColumn, dialect: DialectName): Column['range'] {
  const type = column.getSQLType()
  if (dialect === 'sqlite') return type === 'integer' ? signed(64n) : undefined
  if (dialect === 'mysql' && type === 'serial') return unsigned(64n)
  return Object.hasOwn(RANGES, type) ? RANGES[type] : undefined
}
