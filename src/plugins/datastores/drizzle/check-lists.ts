// Declarations of Drizzle against the database: a declaration is corrected where a list would not be exact.
import type { Column as DrizzleColumn, Table } from 'drizzle-orm'
import { getTableColumns } from 'drizzle-orm'
import { InexactListError, type ListTables } from '../../query/query.ts'
import { type CatalogueColumn, buildIndexes, readCatalogue, findUniqueSets } from '../catalogue/catalogue.ts'
import { findMysqlCodec } from '../catalogue/mysql-types.ts'
import type { DialectName, SqlClient, SqlColumn, SqlTable } from '../sql/sql.ts'
import { chooseCursorCodec, useForCursorOnly, rowIdColumn, decodeMarked } from '../sql/values/sqlite-cursor-codecs.ts'

/** The columns that the database has of a table, and those by which rows of others are connected with one of its rows. */
interface KnownTable {
  readonly columns: readonly CatalogueColumn[]
  readonly joinedBy: Set<string>
}

/** Makes the check of a database's lists; its catalogue is read once, before the first. */
export function createListCheck(): (client: SqlClient, list: ListTables) => Promise<void> | undefined {
  const known = new Map<SqlTable, KnownTable>()
  const right = new WeakSet<object>()
  const schemas = new Map<string, Promise<readonly CatalogueColumn[]>>()
  const read = async (client: SqlClient, table: SqlTable): Promise<void> => {
    const schema = parseSchema(table)
    const reading = schemas.get(schema) ?? readCatalogue(client, schema === '' ? [] : [schema])
    schemas.set(schema, reading)
    // A catalogue that could not be read now can be read with the next list.
    const columns = await reading.catch((error: unknown) => {
      schemas.delete(schema)
      throw error
    })
    const own = columns.filter(
      (one) => one.table === table.name && (schema === '' ? one.visible : one.schema === schema),
    )
    correctTable(client.dialect, table, own)
    known.set(table, { columns: own, joinedBy: new Set() })
  }
  const readAll = async (client: SqlClient, tables: readonly SqlTable[]): Promise<void> => {
    for (const table of tables) await read(client, table)
  }
  return (client, list) => {
    const tables = [list.from, ...list.joins.map(({ table }) => table)] as SqlTable[]
    const unread = tables.filter((table) => !known.has(table))
    if (unread.length > 0) return readAll(client, unread)
    if (!right.has(list.order)) {
      checkOrder(list, tables)
      right.add(list.order)
    }
    checkJoins(list, known)
    return undefined
  }
}

// Filters join anew for each request, so that joins are known by what they connect.
function checkJoins({ joins }: ListTables, known: ReadonlyMap<SqlTable, KnownTable>): void {
  for (const { table, on } of joins) {
    const names = on.map(([, { name }]) => name)
    const { columns, joinedBy: connected } = known.get(table as SqlTable) as KnownTable
    if (connected.has(names.join())) continue
    checkJoin(table.name, names, columns)
    connected.add(names.join())
  }
}

function checkOrder({ order }: ListTables, tables: readonly SqlTable[]): void {
  for (const { reference } of order) {
    const { name, unordered } = reference.column
    const table = tables[reference.source] as SqlTable
    if (unordered !== undefined)
      throw new InexactListError(`The list of ${table.name} goes by '${name}', and ${unordered}`)
  }
}

const parseSchema = ({ sqlName: written }: SqlTable): string => /^(?:"([^"]*)"|`([^`]*)`)\./.exec(written)?.slice(1).join('') ?? ''

type Mutable<T> = { -readonly [K in keyof T]: T[K] }

function correctTable(dialect: DialectName, table: SqlTable, found: readonly CatalogueColumn[]): void {
  const declared = getTableColumns(table.source as Table)
  for (const [key, column] of table.columns) {
    const real = found.find(({ name }) => name === column.name)
    if (real === undefined) continue
    const changing = column as Mutable<SqlColumn>
    if (real.nullable) changing.nullable = true
    CORRECTIONS[dialect](changing, real, declared[key] as DrizzleColumn)
  }
  const own = [...table.columns.values()]
  const indexes = buildIndexes(dialect, found, ({ name }) => own.find((column) => column.name === name))
  ;(table as Mutable<SqlTable>).indexes = indexes
  const keys = table.key.map((name) => table.columns.get(name))
  if (dialect === 'sqlite' && found.some(({ hasRowId: numbered }) => numbered) && keys.some((column) => column?.nullable))
    (table as Mutable<SqlTable>).rowId = rowIdColumn
}

type CorrectColumn = (column: Mutable<SqlColumn>, real: CatalogueColumn, declared: DrizzleColumn) => void

const CORRECTIONS: Readonly<Record<DialectName, CorrectColumn>> = {
  // Which values are told apart follows from the type that the table has.
  sqlite(column, { type }) {
    const { decode } = column
    const places = chooseCursorCodec(type)
    if (column.toCursorValue === places.toCursorValue || column.kind === 'json') return
    Object.assign(column, useForCursorOnly(places), { decode: (raw: unknown) => decode(decodeMarked(raw)) })
  },
  // A client gives texts as they are, and parses much else.
  postgres(column, { type, declaredType: real, labels }, declared) {
    if (column.kind !== 'text' || column.toSelectSql !== undefined || labels !== undefined || TEXT_TYPES.has(type)) return
    column.unordered = describeMismatch(declared, real)
  },
  mysql(column, real, declared) {
    const family = findTypeFamily(real.type)
    if (findTypeFamily(declared.getSQLType()) !== family && !(column.kind === 'text' && COMPARED_AS_TEXT.has(family)))
      column.unordered = describeMismatch(declared, real.declaredType)
    const { unordered, sortLength } = findMysqlCodec(real)
    if (unordered !== undefined && family === 'text') column.unordered = unordered
    if (sortLength !== undefined) column.sortLength = sortLength
  },
}

const TEXT_TYPES = new Set(['text', 'varchar', 'bpchar', 'name', 'citext', 'uuid', 'inet', 'cidr', 'macaddr', 'macaddr8'])
const COMPARED_AS_TEXT = new Set(['uuid', 'inet4', 'inet6', 'json'])

const describeMismatch = (declared: DrizzleColumn, real: string): string =>
  `it is declared as ${declared.getSQLType()} while the database has ${real}; declare the type that it has`

/** The family of a type of MySQL: its types order their values in the same way. */
function findTypeFamily(type: string): string {
  const [name = ''] = /^\w+/.exec(type.toLowerCase()) ?? []
  if (/char$|text$/.test(name)) return 'text'
  if (/blob$|binary$/.test(name)) return 'bytes'
  if (/int$|^(?:year|serial|boolean)$|^integer$/.test(name)) return 'integer'
  if (/^(?:double|float|real)$/.test(name)) return 'number'
  return name === 'numeric' ? 'decimal' : name
}

// A joined row that is not the only one would repeat the row beside it.
function checkJoin(table: string, names: readonly string[], columns: readonly CatalogueColumn[]): void {
  if (columns.length === 0) return
  if (findUniqueSets(columns).some((set) => set.every(({ name }) => names.includes(name)))) return
  throw new InexactListError(
    `one(…) connects a row with rows of ${table} by ${names.join(', ')}, and no unique index of the database has ` +
      'these columns: rows would come twice; make them unique, or map the attribute with many(…)',
  )
}
