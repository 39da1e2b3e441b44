// Checks the declarations of Drizzle against the database: corrects a declaration where a list would not be exact.
import type { Column as DrizzleColumn, Table as DrizzleTable } from 'drizzle-orm'
import { getTableColumns } from 'drizzle-orm'
import { InexactListError, type ListTables, type Table } from '../../query/query.ts'
import { buildIndexes, type CatalogueColumn, findUniqueSets, readCatalogue } from '../catalogue/catalogue.ts'
import { findMysqlCodec } from '../catalogue/mysql-types.ts'
import type { DialectName, SqlClient, SqlColumn, SqlTable } from '../sql/sql.ts'
import { chooseCursorCodec, decodeMarked, rowIdColumn, useForCursorOnly } from '../sql/values/sqlite-cursor-codecs.ts'

/** The columns of a table in the database, and the sets of columns by which it was joined. */
interface KnownTable {
  readonly columns: readonly CatalogueColumn[]
  readonly joinedBy: Set<string>
}

/** Creates the check of a database's lists; it reads the catalogue once, before the first. */
export function createListCheck(): (client: SqlClient, list: ListTables) => Promise<void> | undefined {
  const known = new Map<SqlTable, KnownTable>()
  const checkedOrders = new WeakSet<object>()
  const schemas = new Map<string, Promise<readonly CatalogueColumn[]>>()
  const readTable = async (client: SqlClient, table: SqlTable): Promise<void> => {
    const schema = parseSchema(table)
    const reading = schemas.get(schema) ?? readCatalogue(client, schema === '' ? [] : [schema])
    schemas.set(schema, reading)
    // If the catalogue cannot be read, the next list tries again.
    const columns = await reading.catch((error: unknown) => {
      schemas.delete(schema)
      throw error
    })
    const tableColumns = columns.filter(
      (one) => one.table === table.name && (schema === '' ? one.visible : one.schema === schema),
    )
    correctTable(client.dialect, table, tableColumns)
    known.set(table, { columns: tableColumns, joinedBy: new Set() })
  }
  const readAll = async (client: SqlClient, tables: readonly SqlTable[]): Promise<void> => {
    for (const table of tables) await readTable(client, table)
  }
  return (client, list) => {
    const tables = [list.from, ...list.joins.map(({ table }) => table)] as SqlTable[]
    const unread = [list.from, ...listJoinedTables(list)].filter((table) => !known.has(table as SqlTable)) as SqlTable[]
    if (unread.length > 0) return readAll(client, unread)
    if (!checkedOrders.has(list.order)) {
      checkOrder(list, tables)
      checkedOrders.add(list.order)
    }
    checkJoins(list, known)
    return undefined
  }
}

const listJoinedTables = ({ joins }: Pick<ListTables, 'joins'>): readonly Table[] =>
  joins.flatMap(({ table, aggregate }) => [table, ...(aggregate === undefined ? [] : listJoinedTables(aggregate))])

// Filters create new joins for each request, so joins are identified by the columns that they connect.
function checkJoins({ joins }: Pick<ListTables, 'joins'>, known: ReadonlyMap<SqlTable, KnownTable>): void {
  for (const { table, on, aggregate } of joins) {
    if (aggregate !== undefined) {
      checkJoins(aggregate, known)
      continue
    }
    const names = on.map(([, { name }]) => name)
    const { columns, joinedBy } = known.get(table as SqlTable) as KnownTable
    if (joinedBy.has(names.join())) continue
    checkJoin(table.name, names, columns)
    joinedBy.add(names.join())
  }
}

function checkOrder({ order }: ListTables, tables: readonly SqlTable[]): void {
  for (const { reference } of order) {
    const { name, unorderedReason: unordered } = reference.column
    const table = tables[reference.source] as SqlTable
    if (unordered !== undefined)
      throw new InexactListError(`The list of ${table.name} goes by '${name}', and ${unordered}`)
  }
}

const parseSchema = ({ sqlName }: SqlTable): string =>
  /^(?:"([^"]*)"|`([^`]*)`)\./.exec(sqlName)?.slice(1).join('') ?? ''

type Mutable<T> = { -readonly [K in keyof T]: T[K] }

function correctTable(dialect: DialectName, table: SqlTable, found: readonly CatalogueColumn[]): void {
  const declared = getTableColumns(table.source as DrizzleTable)
  for (const [key, column] of table.columns) {
    const real = found.find(({ name }) => name === column.name)
    if (real === undefined) continue
    const mutable = column as Mutable<SqlColumn>
    if (real.nullable) mutable.nullable = true
    CORRECTIONS[dialect](mutable, real, declared[key] as DrizzleColumn)
  }
  const tableColumns = [...table.columns.values()]
  const indexes = buildIndexes(dialect, found, ({ name }) => tableColumns.find((column) => column.name === name))
  ;(table as Mutable<SqlTable>).indexes = indexes
  const keys = table.key.map((name) => table.columns.get(name))
  if (dialect === 'sqlite' && found.some(({ hasRowId }) => hasRowId) && keys.some((column) => column?.nullable))
    (table as Mutable<SqlTable>).rowId = rowIdColumn
}

type CorrectColumn = (column: Mutable<SqlColumn>, real: CatalogueColumn, declared: DrizzleColumn) => void

const CORRECTIONS: Readonly<Record<DialectName, CorrectColumn>> = {
  // The affinity of the actual type decides which values are distinct.
  sqlite(column, { type }) {
    const { decode } = column
    const codec = chooseCursorCodec(type)
    if (column.toCursorValue === codec.toCursorValue || column.kind === 'json') return
    Object.assign(column, useForCursorOnly(codec), { decode: (raw: unknown) => decode(decodeMarked(raw)) })
  },
  // Clients return texts unchanged, and parse many other types.
  postgres(column, { type, declaredType, labels }, declared) {
    if (column.kind !== 'text' || column.toSelectSql !== undefined || labels !== undefined || TEXT_TYPES.has(type))
      return
    column.unorderedReason = describeMismatch(declared, declaredType)
  },
  mysql(column, real, declared) {
    const family = findTypeFamily(real.type)
    if (findTypeFamily(declared.getSQLType()) !== family && !(column.kind === 'text' && COMPARED_AS_TEXT.has(family)))
      column.unorderedReason = describeMismatch(declared, real.declaredType)
    const { unorderedReason: unordered, maxTextLength: sortLength } = findMysqlCodec(real)
    if (unordered !== undefined && family === 'text') column.unorderedReason = unordered
    if (sortLength !== undefined) column.maxTextLength = sortLength
  },
}

const TEXT_TYPES = new Set([
  'text',
  'varchar',
  'bpchar',
  'name',
  'citext',
  'uuid',
  'inet',
  'cidr',
  'macaddr',
  'macaddr8',
])
const COMPARED_AS_TEXT = new Set(['uuid', 'inet4', 'inet6', 'json'])

const describeMismatch = (declared: DrizzleColumn, real: string): string =>
  `it is declared as ${declared.getSQLType()} while the database has ${real}; declare the type that it has`

/** Returns the family of a MySQL type; types of one family order their values in the same way. */
function findTypeFamily(type: string): string {
  const [name = ''] = /^\w+/.exec(type.toLowerCase()) ?? []
  if (/char$|text$/.test(name)) return 'text'
  if (/blob$|binary$/.test(name)) return 'bytes'
  if (/int$|^(?:year|serial|boolean)$|^integer$/.test(name)) return 'integer'
  if (/^(?:double|float|real)$/.test(name)) return 'number'
  return name === 'numeric' ? 'decimal' : name
}

// A second joined row would duplicate the row that it is joined to.
function checkJoin(table: string, names: readonly string[], columns: readonly CatalogueColumn[]): void {
  if (columns.length === 0) return
  if (findUniqueSets(columns).some((set) => set.every(({ name }) => names.includes(name)))) return
  throw new InexactListError(
    `one(…) connects a row with rows of ${table} by ${names.join(', ')}, and no unique index of the database has ` +
      'these columns: rows would come twice; make them unique, or map the attribute with many(…)',
  )
}
