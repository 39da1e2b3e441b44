// Derived columns: a mapping computes them from others by a SQL expression. Each is cast to the type of its kind in the
// database, so that its values are read, compared and bound like those of a column of that type.
import { decimals } from '../../../extend.ts'
import type { AggregateDescription, ColumnKind, Derived } from '../../query/query.ts'
import type { DialectName, SqlColumn } from '../sql/sql.ts'
import { findComparisonRewrite } from '../sql/values/comparison-rewrites.ts'
import type { CatalogueColumn } from './catalogue.ts'
import {
  bitCodec,
  type ColumnCodec,
  computeIntegerRange,
  createIntegerCodec,
  createTextCodec,
  decimalCodec,
  numberCodec,
} from './column-codec.ts'
import { findMysqlCodec } from './mysql-types.ts'
import { findPostgresCodec } from './postgres-types.ts'
import { findSqliteCodec } from './sqlite-types.ts'

/** A type of a database, and the cast to it. */
interface DerivedType {
  readonly codec: ColumnCodec
  /** The end of the cast, after the expression; empty if the expression already has the type. */
  readonly castSql: string
}

const toColumnOfType = (name: string): CatalogueColumn => ({ type: name, declaredType: name }) as CatalogueColumn
const SAFE_INTEGER_RANGE = [BigInt(Number.MIN_SAFE_INTEGER), BigInt(Number.MAX_SAFE_INTEGER)] as const

const createPostgresType = (name: string, castSql = ` as ${name}`): DerivedType => ({
  codec: findPostgresCodec(toColumnOfType(name)),
  castSql,
})
const createSqliteType = (name: string, castSql: string): DerivedType => ({
  codec: findSqliteCodec(toColumnOfType(name)),
  castSql,
})
const castToChar = (expression: string): string => `cast(${expression} as char)`
const toCanonicalDecimal = (raw: unknown): string => decimals.normalizeDecimal(String(raw))
const SIGNED_PARAMETER = ['cast(', ' as signed)'] as const

type DerivedTypes = Readonly<Partial<Record<ColumnKind, DerivedType>>>

const DERIVED_TYPES: Readonly<Record<DialectName, DerivedTypes>> = {
  postgres: {
    // A cast would replace the collation of the expression.
    text: createPostgresType('text', ''),
    integer: {
      codec: { ...findPostgresCodec(toColumnOfType('int8')), ...createSafeIntegerCodec('integer') },
      castSql: ' as bigint',
    },
    bigint: createPostgresType('int8'),
    number: createPostgresType('float8'),
    decimal: createPostgresType('numeric'),
    boolean: createPostgresType('bool'),
    date: createPostgresType('date'),
    dateTime: createPostgresType('timestamptz'),
  },
  mysql: {
    text: { codec: { ...createTextCodec(), maxTextLength: 65_535 }, castSql: '' },
    integer: {
      codec: { ...createSafeIntegerCodec('integer'), toSelectSql: castToChar, parameterWrapper: SIGNED_PARAMETER },
      castSql: ' as signed',
    },
    bigint: {
      codec: {
        ...createIntegerCodec('bigint', computeIntegerRange(64)),
        toSelectSql: castToChar,
        parameterWrapper: SIGNED_PARAMETER,
      },
      castSql: ' as signed',
    },
    number: { codec: numberCodec, castSql: ' as double' },
    decimal: {
      codec: {
        ...decimalCodec,
        decode: toCanonicalDecimal,
        toSelectSql: castToChar,
        parameterWrapper: ['cast(', ' as decimal(65, 30))'],
      },
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

/** Describes a column that is computed from others. */
export const describeDerivedColumn = (
  dialect: DialectName,
  name: string,
  kind: ColumnKind,
  derived: Derived,
): SqlColumn => ({ ...describeExpression(dialect, name, kind), derived })

function describeExpression(dialect: DialectName, name: string, kind: ColumnKind): SqlColumn {
  const derivedType = DERIVED_TYPES[dialect][kind]
  if (derivedType === undefined)
    throw new TypeError(
      `No expression can be of the kind ${kind}, only of ${Object.keys(DERIVED_TYPES[dialect]).join(', ')}`,
    )
  const { codec, castSql } = derivedType
  const fold = findComparisonRewrite(dialect, kind === 'text' ? 'text' : '')
  return {
    ...codec,
    name,
    sqlName: castSql,
    nullable: true,
    optional: true,
    isCursorValue: (value) => value === null || codec.isCursorValue(value),
    ...(kind === 'text' && fold !== undefined && { rewriteComparison: fold }),
  }
}

/** Describes the values of an aggregate. */
export function describeAggregateColumn(
  dialect: DialectName,
  name: string,
  { operation, kind, of }: AggregateDescription,
): SqlColumn {
  const own = { name, aggregate: operation, optional: true }
  if (operation === 'min' || operation === 'max') {
    const extremeOf = of as SqlColumn
    const { isCursorValue } = extremeOf
    // A check of the database may still correct the column, so that this one inherits from it.
    return Object.create(extremeOf, {
      ...Object.getOwnPropertyDescriptors({ ...own, sqlName: '', nullable: true, extremeOf, derived: undefined }),
      isCursorValue: { value: (value: unknown) => value === null || isCursorValue.call(extremeOf, value) },
    }) as SqlColumn
  }
  const isInexact = operation === 'sum' && (kind === 'number' || (kind === 'decimal' && dialect === 'sqlite'))
  return {
    ...describeExpression(dialect, name, kind),
    ...own,
    nullable: false,
    ...(isInexact && { unorderedReason: 'the sum of fractions depends on the order in which the database adds them' }),
  }
}
