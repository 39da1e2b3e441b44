// Columns that a mapping works out from others by an expression of SQL: each is cast to the type that its kind has in the
// database, so that its values are read, compared and bound as those of a column of that type.
import { decimals } from '../../../../extend.ts'
import type { ColumnKind, Derived } from '../../query.ts'
import type { DialectName, SqlColumn } from '../sql/sql.ts'
import { foldOf } from '../sql/values/domain.ts'
import type { CatalogueColumn } from './catalogue.ts'
import { bitForm, decimalForm, type Form, numberForm, textForm, wholeForm, wholeRange } from './form.ts'
import { mysqlForm } from './mysql.ts'
import { postgresForm } from './postgres.ts'
import { sqliteForm } from './sqlite.ts'

/** A type of a database, with what a cast to it says. */
interface Typed {
  readonly form: Form
  /** The type behind an expression in a cast; empty where the expression has the right type. */
  readonly as: string
}

const type = (name: string): CatalogueColumn => ({ type: name, declared: name }) as CatalogueColumn
const SAFE = [BigInt(Number.MIN_SAFE_INTEGER), BigInt(Number.MAX_SAFE_INTEGER)] as const

const postgres = (name: string, as = ` as ${name}`): Typed => ({ form: postgresForm(type(name)), as })
const sqlite = (name: string, as: string): Typed => ({ form: sqliteForm(type(name)), as })
const asText = (expression: string): string => `cast(${expression} as char)`
const canonical = (raw: unknown): string => decimals.canonicalDecimal(String(raw))
const asSigned = ['cast(', ' as signed)'] as const

type Types = Readonly<Partial<Record<ColumnKind, Typed>>>

const TYPES: Readonly<Record<DialectName, Types>> = {
  postgres: {
    // A cast would take its collation from it.
    text: postgres('text', ''),
    integer: { form: { ...postgresForm(type('int8')), ...whole('integer') }, as: ' as bigint' },
    bigint: postgres('int8'),
    number: postgres('float8'),
    decimal: postgres('numeric'),
    boolean: postgres('bool'),
    date: postgres('date'),
    dateTime: postgres('timestamptz'),
  },
  mysql: {
    text: { form: { ...textForm(), sortLength: 65_535 }, as: '' },
    integer: { form: { ...whole('integer'), read: asText, around: asSigned }, as: ' as signed' },
    bigint: { form: { ...wholeForm('bigint', wholeRange(64)), read: asText, around: asSigned }, as: ' as signed' },
    number: { form: numberForm, as: ' as double' },
    decimal: {
      form: { ...decimalForm, decode: canonical, read: asText, around: ['cast(', ' as decimal(65, 30))'] },
      as: ' as decimal(65, 30)',
    },
    boolean: { form: { ...bitForm, read: asText }, as: ' as signed' },
    date: { form: mysqlForm(type('date')), as: ' as date' },
    dateTime: { form: mysqlForm(type('datetime')), as: ' as datetime(6)' },
  },
  sqlite: {
    text: sqlite('text', ''),
    integer: sqlite('int', ' as integer'),
    bigint: sqlite('bigint', ' as integer'),
    number: sqlite('real', ' as real'),
    decimal: sqlite('numeric', ' as numeric'),
    boolean: sqlite('boolean', ' as integer'),
    date: sqlite('date', ' as text'),
    dateTime: sqlite('datetime', ' as text'),
  },
}

function whole(kind: 'integer'): Form {
  return wholeForm(kind, SAFE)
}

/** Describes a column that is worked out from others. */
export function derivedColumn(dialect: DialectName, name: string, kind: ColumnKind, derived: Derived): SqlColumn {
  const typed = TYPES[dialect][kind]
  if (typed === undefined)
    throw new TypeError(`No expression can be of the kind ${kind}, only of ${Object.keys(TYPES[dialect]).join(', ')}`)
  const { form, as } = typed
  const fold = foldOf(dialect, kind === 'text' ? 'text' : '')
  return {
    ...form,
    name,
    written: as,
    nullable: true,
    optional: true,
    derived,
    isPlace: (value) => value === null || form.isPlace(value),
    ...(kind === 'text' && fold !== undefined && { fold }),
  }
}
