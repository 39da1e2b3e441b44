// Columns that a mapping works out from others by an expression of SQL: each is cast to the type that its kind has in the
// database, so that its values are read, compared and bound as those of a column of that type.
import { decimals } from '../../../extend.ts'
import type { ColumnKind, Derived } from '../../query/query.ts'
import type { DialectName, SqlColumn } from '../sql/sql.ts'
import { findFold } from '../sql/values/comparison-folds.ts'
import type { CatalogueColumn } from './catalogue.ts'
import { bitCodec, decimalCodec, type ColumnCodec, numberCodec, createTextCodec, createIntegerCodec, computeIntegerRange } from './column-codec.ts'
import { findMysqlCodec } from './mysql-types.ts'
import { findPostgresCodec } from './postgres-types.ts'
import { findSqliteCodec } from './sqlite-types.ts'

/** A type of a database, with what a cast to it says. */
interface DerivedType {
  readonly codec: ColumnCodec
  /** The type behind an expression in a cast; empty where the expression has the right type. */
  readonly castSql: string
}

const toColumnOfType = (name: string): CatalogueColumn => ({ type: name, declaredType: name }) as CatalogueColumn
const SAFE_INTEGER_RANGE = [BigInt(Number.MIN_SAFE_INTEGER), BigInt(Number.MAX_SAFE_INTEGER)] as const

const createPostgresType = (name: string, as = ` as ${name}`): DerivedType => ({ codec: findPostgresCodec(toColumnOfType(name)), castSql: as })
const createSqliteType = (name: string, as: string): DerivedType => ({ codec: findSqliteCodec(toColumnOfType(name)), castSql: as })
const castToChar = (expression: string): string => `cast(${expression} as char)`
const toCanonicalDecimal = (raw: unknown): string => decimals.normalizeDecimal(String(raw))
const SIGNED_PARAMETER = ['cast(', ' as signed)'] as const

type DerivedTypes = Readonly<Partial<Record<ColumnKind, DerivedType>>>

const DERIVED_TYPES: Readonly<Record<DialectName, DerivedTypes>> = {
  postgres: {
    // A cast would take its collation from it.
    text: createPostgresType('text', ''),
    integer: { codec: { ...findPostgresCodec(toColumnOfType('int8')), ...createSafeIntegerCodec('integer') }, castSql: ' as bigint' },
    bigint: createPostgresType('int8'),
    number: createPostgresType('float8'),
    decimal: createPostgresType('numeric'),
    boolean: createPostgresType('bool'),
    date: createPostgresType('date'),
    dateTime: createPostgresType('timestamptz'),
  },
  mysql: {
    text: { codec: { ...createTextCodec(), sortLength: 65_535 }, castSql: '' },
    integer: { codec: { ...createSafeIntegerCodec('integer'), toSelectSql: castToChar, parameterSql: SIGNED_PARAMETER }, castSql: ' as signed' },
    bigint: { codec: { ...createIntegerCodec('bigint', computeIntegerRange(64)), toSelectSql: castToChar, parameterSql: SIGNED_PARAMETER }, castSql: ' as signed' },
    number: { codec: numberCodec, castSql: ' as double' },
    decimal: {
      codec: { ...decimalCodec, decode: toCanonicalDecimal, toSelectSql: castToChar, parameterSql: ['cast(', ' as decimal(65, 30))'] },
      castSql: ' as decimal(65, 30)',
    },
    boolean: { codec: { ...bitCodec, toSelectSql: castToChar }, castSql: ' as signed' },
    date: { codec: findMysqlCodec(toColumnOfType('date')), castSql: ' as date' },
    dateTime: { codec: findMysqlCodec(toColumnOfType('datetime')), castSql: ' as datetime(6)' },
  },
  sqlite: {
    text: createSqliteType('text', ''),
    integer: createSqliteType('int', ' as integer'),
    bigint: createSqliteType('bigint', ' as integer'),
    number: createSqliteType('real', ' as real'),
    decimal: createSqliteType('numeric', ' as numeric'),
    boolean: createSqliteType('boolean', ' as integer'),
    date: createSqliteType('date', ' as text'),
    dateTime: createSqliteType('datetime', ' as text'),
  },
}

function createSafeIntegerCodec(kind: 'integer'): ColumnCodec {
  return createIntegerCodec(kind, SAFE_INTEGER_RANGE)
}

/** Describes a column that is worked out from others. */
export function describeDerivedColumn(dialect: DialectName, name: string, kind: ColumnKind, derived: Derived): SqlColumn {
  const typed = DERIVED_TYPES[dialect][kind]
  if (typed === undefined)
    throw new TypeError(`No expression can be of the kind ${kind}, only of ${Object.keys(DERIVED_TYPES[dialect]).join(', ')}`)
  const { codec: form, castSql: as } = typed
  const fold = findFold(dialect, kind === 'text' ? 'text' : '')
  return {
    ...form,
    name,
    sqlName: as,
    nullable: true,
    optional: true,
    derived,
    isCursorValue: (value) => value === null || form.isCursorValue(value),
    ...(kind === 'text' && fold !== undefined && { foldComparison: fold }),
  }
}
