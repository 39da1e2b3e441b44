// Describes one column of a Drizzle table: its kind, its range, and how its values are bound and read.
import { Column as DrizzleColumn, is, SQL } from 'drizzle-orm'
import type { Column } from '../../query/query.ts'
import { asIs } from '../../query/as-is.ts'
import { quoteIdentifier } from '../sql/dialect.ts'
import type { DialectName, SqlColumn } from '../sql/sql.ts'
import { createCursorValueCheck } from '../sql/values/cursor-values.ts'
import { findFold } from '../sql/values/comparison-folds.ts'
import { type DrizzleCodec, findDrizzleCodec } from './drizzle-codecs.ts'

/** Facts of the table about a column, beyond the column itself. */
export interface ColumnContext {
  readonly dialect: DialectName
  /** The name in the database. */
  readonly name: string
  readonly isKey: boolean
}

/** Describes a column. */
export function describeColumn(column: DrizzleColumn, { dialect, name, isKey }: ColumnContext): SqlColumn {
  const form = findDrizzleCodec(column, dialect)
  const range = form.kind === 'integer' || form.kind === 'bigint' ? findIntegerRange(column, dialect) : undefined
  // SQLite is the one that allows nulls in a key.
  const nullable = !column.notNull && !(isKey && dialect !== 'sqlite')
  const { defaultFn, onUpdateFn } = column
  const initial = defaultFn ?? (column.default === undefined ? onUpdateFn : undefined)
  const encode = form.encode ?? ((value: unknown) => column.mapToDriverValue(value))
  const labels = column.columnType.startsWith('PgEnum') ? column.enumValues : undefined
  const fold = findFold(dialect, column.getSQLType(), labels)
  const described: SqlColumn = {
    name,
    sqlName: quoteIdentifier(dialect, name),
    kind: form.kind,
    nullable,
    optional:
      nullable || column.hasDefault || !!column.generated || !!column.generatedIdentity || initial !== undefined,
    ...(column.generated && { readOnly: true }),
    ...(range && { range }),
    ...(form.digits && { digits: form.digits }),
    isCursorValue: form.isCursorValue ?? createCursorValueCheck(dialect, form.kind, range),
    // Drizzle's defaults for a new row can be SQL.
    encode: (value) => (is(value, SQL) ? value : encode(value, column)),
    decode: createDecoder(form, column),
    ...(form.encodeForComparison && { encodeForComparison: form.encodeForComparison }),
    ...(form.toSelectSql && { toSelectSql: form.toSelectSql }),
    ...(form.toCursorSql && { toCursorSql: form.toCursorSql }),
    ...(form.parameterSql && { parameterSql: form.parameterSql }),
    ...(form.toCursorValue && { toCursorValue: form.toCursorValue }),
    ...(form.filterByEnds && { filterByEnds: form.filterByEnds }),
    ...(form.bindCursorValue && { bindCursorValue: form.bindCursorValue }),
    ...(form.writeComparison && { writeComparison: form.writeComparison }),
    ...(form.unordered && { unordered: form.unordered }),
    ...(form.sortLength && { sortLength: form.sortLength }),
    ...(fold && { foldComparison: fold }),
    ...(initial && { defaultFn: initial }),
    ...(onUpdateFn && { onUpdateFn }),
  }
  return described
}

function createDecoder({ decode }: DrizzleCodec, column: DrizzleColumn): SqlColumn['decode'] {
  if (decode !== undefined) return (raw) => decode(raw, column)
  // Most columns of most tables have what their values are.
  const isPlain = column.mapFromDriverValue === DrizzleColumn.prototype.mapFromDriverValue
  return isPlain ? asIs : (raw) => column.mapFromDriverValue(raw)
}

const computeSignedRange = (bits: bigint): readonly [bigint, bigint] => [-(2n ** (bits - 1n)), 2n ** (bits - 1n) - 1n]
const computeUnsignedRange = (bits: bigint): readonly [bigint, bigint] => [0n, 2n ** bits - 1n]

/** The whole numbers of each type; a serial of PostgreSQL is signed, and one of MySQL is not. */
const INTEGER_RANGES: Readonly<Record<string, Column['range']>> = {
  tinyint: computeSignedRange(8n),
  'tinyint unsigned': computeUnsignedRange(8n),
  smallint: computeSignedRange(16n),
  'smallint unsigned': computeUnsignedRange(16n),
  smallserial: computeSignedRange(16n),
  mediumint: computeSignedRange(24n),
  'mediumint unsigned': computeUnsignedRange(24n),
  int: computeSignedRange(32n),
  'int unsigned': computeUnsignedRange(32n),
  integer: computeSignedRange(32n),
  serial: computeSignedRange(32n),
  bigint: computeSignedRange(64n),
  'bigint unsigned': computeUnsignedRange(64n),
  year: [0n, 2155n],
  bigserial: computeSignedRange(64n),
}

function findIntegerRange(column: DrizzleColumn, dialect: DialectName): Column['range'] {
  const type = column.getSQLType()
  if (dialect === 'sqlite') return type === 'integer' ? computeSignedRange(64n) : undefined
  if (dialect === 'mysql' && type === 'serial') return computeUnsignedRange(64n)
  return Object.hasOwn(INTEGER_RANGES, type) ? INTEGER_RANGES[type] : undefined
}
