// Describes one column of a Drizzle table: its kind, its range, and the functions that bind and read its values.
import { Column as DrizzleColumn, is, SQL } from 'drizzle-orm'
import { asIs } from '../../query/as-is.ts'
import type { Column } from '../../query/query.ts'
import { quoteIdentifier } from '../sql/dialect.ts'
import type { DialectName, SqlColumn } from '../sql/sql.ts'
import { findComparisonRewrite } from '../sql/values/comparison-rewrites.ts'
import { createCursorValueCheck } from '../sql/values/cursor-values.ts'
import { type DrizzleCodec, findDrizzleCodec } from './drizzle-codecs.ts'

/** The facts about a column that its table knows. */
export interface ColumnContext {
  readonly dialect: DialectName
  /** The name in the database. */
  readonly name: string
  readonly isKey: boolean
}

/** Describes a column. */
export function describeColumn(column: DrizzleColumn, { dialect, name, isKey }: ColumnContext): SqlColumn {
  const codec = findDrizzleCodec(column, dialect)
  const range = codec.kind === 'integer' || codec.kind === 'bigint' ? findIntegerRange(column, dialect) : undefined
  // Only SQLite allows nulls in a key.
  const nullable = !column.notNull && !(isKey && dialect !== 'sqlite')
  const { defaultFn, onUpdateFn } = column
  const initialFn = defaultFn ?? (column.default === undefined ? onUpdateFn : undefined)
  const encode = codec.encode ?? ((value: unknown) => column.mapToDriverValue(value))
  const labels = column.columnType.startsWith('PgEnum') ? column.enumValues : undefined
  const fold = findComparisonRewrite(dialect, column.getSQLType(), labels)
  const described: SqlColumn = {
    name,
    sqlName: quoteIdentifier(dialect, name),
    kind: codec.kind,
    nullable,
    optional:
      nullable || column.hasDefault || !!column.generated || !!column.generatedIdentity || initialFn !== undefined,
    ...(column.generated && { readOnly: true }),
    ...(range && { range }),
    ...(codec.digits && { digits: codec.digits }),
    isCursorValue: codec.isCursorValue ?? createCursorValueCheck(dialect, codec.kind, range),
    // Drizzle's default for a new row can be SQL.
    encode: (value) => (is(value, SQL) ? value : encode(value, column)),
    decode: createDecoder(codec, column),
    ...(codec.encodeForComparison && { encodeForComparison: codec.encodeForComparison }),
    ...(codec.toSelectSql && { toSelectSql: codec.toSelectSql }),
    ...(codec.toCursorSql && { toCursorSql: codec.toCursorSql }),
    ...(codec.parameterWrapper && { parameterWrapper: codec.parameterWrapper }),
    ...(codec.toCursorValue && { toCursorValue: codec.toCursorValue }),
    ...(codec.filterByTruncatedValue && { filterByTruncatedValue: codec.filterByTruncatedValue }),
    ...(codec.bindCursorValue && { bindCursorValue: codec.bindCursorValue }),
    ...(codec.writeComparison && { writeComparison: codec.writeComparison }),
    ...(codec.unorderedReason && { unorderedReason: codec.unorderedReason }),
    ...(codec.maxTextLength && { maxTextLength: codec.maxTextLength }),
    ...(fold && { rewriteComparison: fold }),
    ...(initialFn && { defaultFn: initialFn }),
    ...(onUpdateFn && { onUpdateFn }),
  }
  return described
}

function createDecoder({ decode }: DrizzleCodec, column: DrizzleColumn): SqlColumn['decode'] {
  if (decode !== undefined) return (raw) => decode(raw, column)
  // Most columns return their values unchanged: no call is needed for them.
  const isPlain = column.mapFromDriverValue === DrizzleColumn.prototype.mapFromDriverValue
  return isPlain ? asIs : (raw) => column.mapFromDriverValue(raw)
}

const computeSignedRange = (bits: bigint): readonly [bigint, bigint] => [-(2n ** (bits - 1n)), 2n ** (bits - 1n) - 1n]
const computeUnsignedRange = (bits: bigint): readonly [bigint, bigint] => [0n, 2n ** bits - 1n]

/** The range of each integer type; a serial is signed in PostgreSQL, and unsigned in MySQL. */
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
