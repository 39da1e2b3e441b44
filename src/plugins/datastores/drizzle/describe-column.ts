// Describes one column of a Drizzle table: its kind, its range, and the functions that bind and read its values.
import { Column as DrizzleColumn, is, SQL } from 'drizzle-orm'
import { asIs } from '../../query/as-is.ts'
import { quoteIdentifier } from '../sql/dialect.ts'
import type { DialectName, SqlColumn } from '../sql/sql.ts'
import { findComparisonRewrite } from '../sql/values/comparison-rewrites.ts'
import { createCursorValueCheck } from '../sql/values/cursor-values.ts'
import { findDrizzleCodec, getEnumLabels } from './drizzle-codecs.ts'

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
  // Only SQLite allows nulls in a key.
  const nullable = !column.notNull && !(isKey && dialect !== 'sqlite')
  const { defaultFn, onUpdateFn } = column
  const initialFn = defaultFn ?? (column.default === undefined ? onUpdateFn : undefined)
  const encode = codec.encode ?? ((value: unknown) => column.mapToDriverValue(value))
  const isCursorValue = codec.isCursorValue ?? createCursorValueCheck(dialect, codec.kind, codec.range)
  const rewrite = findComparisonRewrite(dialect, column.getSQLType(), getEnumLabels(column))
  return {
    ...codec,
    name,
    sqlName: quoteIdentifier(dialect, name),
    nullable,
    optional:
      nullable || column.hasDefault || !!column.generated || !!column.generatedIdentity || initialFn !== undefined,
    ...(column.generated && { readOnly: true }),
    // A joined row can be missing, so that the cursor value of every column can be null.
    isCursorValue: (value) => value === null || isCursorValue(value),
    // Drizzle's default for a new row can be SQL.
    encode: (value) => (is(value, SQL) ? value : encode(value)),
    decode: codec.decode ?? createDecoder(column),
    ...(rewrite && { rewriteComparison: rewrite }),
    ...(initialFn && { defaultFn: initialFn }),
    ...(onUpdateFn && { onUpdateFn }),
  }
}

function createDecoder(column: DrizzleColumn): SqlColumn['decode'] {
  // Most columns return their values unchanged: no call is needed for them.
  const isPlain = column.mapFromDriverValue === DrizzleColumn.prototype.mapFromDriverValue
  return isPlain ? asIs : (raw) => column.mapFromDriverValue(raw)
}
