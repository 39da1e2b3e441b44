// Reads the indexes of one table from the catalogue of its database.

import { queryValues } from '../catalogue/catalogue.ts'
import { quoteIdentifier } from '../sql/dialect.ts'
import type { DialectName, SqlClient, SqlTable, Statement } from '../sql/sql.ts'
import { rowIdColumn } from '../sql/values/sqlite-cursor-codecs.ts'

/** A column of an index, by its quoted name. */
export interface CatalogueIndexColumn {
  readonly sqlName: string
  readonly descending: boolean
  /** Whether nulls are where an order of the same direction has them; true in databases without a choice. */
  readonly hasDefaultNulls: boolean
}

/** An index that orders its columns. */
export interface CatalogueIndex {
  readonly name: string
  readonly unique: boolean
  /** The columns that it was created with, up to an expression, a column prefix, or a column with another order. */
  readonly columns: readonly CatalogueIndexColumn[]
  /** The columns that the database appends. */
  readonly appendedColumns: readonly CatalogueIndexColumn[]
  /** The condition of a partial index. */
  readonly where?: string
}

/** The indexes of a table, and the facts that a new one depends on. */
export interface TableIndexes {
  readonly kind: 'table' | 'view' | 'absent'
  readonly indexes: readonly CatalogueIndex[]
  /** The columns that the database appends to every index. */
  readonly appendedColumns: readonly CatalogueIndexColumn[]
  /** The bytes that a column takes in an index, if indexes have a limit; infinite if no index can contain all of it. */
  readonly columnBytes: ReadonlyMap<string, number>
}

/** Reads the indexes of a table. */
export const readIndexes = (client: SqlClient, table: SqlTable): Promise<TableIndexes> =>
  INDEX_READERS[client.dialect](client, table)

const INDEX_READERS: Readonly<Record<DialectName, (client: SqlClient, table: SqlTable) => Promise<TableIndexes>>> = {
  sqlite: readSqliteIndexes,
  postgres: readPostgresIndexes,
  mysql: readMysqlIndexes,
}

/** One column of one index, as all of the queries below return it. */
type IndexRow = readonly [index: string, unique: boolean, column: string | undefined, settings: IndexRowSettings]

interface IndexRowSettings {
  readonly descending: boolean
  readonly hasDefaultNulls?: boolean
  readonly where?: string | undefined
  /** Whether the database has appended the column. */
  readonly implied?: boolean
}

function groupIndexRows(dialect: DialectName, rows: readonly IndexRow[]): CatalogueIndex[] {
  const indexes = new Map<
    string,
    CatalogueIndex & { readonly columns: CatalogueIndexColumn[]; readonly appendedColumns: CatalogueIndexColumn[] }
  >()
  const incomplete = new Set<string>()
  for (const [name, unique, column, { descending, hasDefaultNulls = true, where, implied }] of rows) {
    const index = indexes.get(name) ?? { name, unique, columns: [], appendedColumns: [], ...(where && { where }) }
    indexes.set(name, index)
    if (column === undefined) incomplete.add(name)
    if (column === undefined || incomplete.has(name)) continue
    const indexColumn = {
      sqlName: column === ROW_ID ? column : quoteIdentifier(dialect, column),
      descending,
      hasDefaultNulls,
    }
    if (implied) index.appendedColumns.push(indexColumn)
    else index.columns.push(indexColumn)
  }
  return [...indexes.values()].map((index) => (incomplete.has(index.name) ? { ...index, unique: false } : index))
}

function classifyTable(found: unknown, isView: boolean): TableIndexes['kind'] {
  if (found === undefined) return 'absent'
  return isView ? 'view' : 'table'
}

const toAscendingColumn = (sqlName: string): CatalogueIndexColumn => ({
  sqlName,
  descending: false,
  hasDefaultNulls: true,
})

const buildStatement = (text: string, ...values: readonly unknown[]): Statement => ({
  strings: text.split('?'),
  values,
})

/** Returns the parts of a quoted name: the schema, if it has one, and the table. */
export function splitQuotedNames(sqlName: string): readonly string[] {
  const quote = sqlName[0] as string
  return Array.from(sqlName.matchAll(/(["`])((?:(?!\1).|\1\1)*)\1/g), ([, , name = '']) =>
    name.replaceAll(quote + quote, quote),
  )
}

// --- SQLite --------------------------------------------------------------------------

const ROW_ID = rowIdColumn.sqlName

const SQLITE_INDEXES = `select l.name as a, l."unique" as b, x.cid as c, x.name as d, x."desc" as e, x.coll as f, x.key as g,
  l.origin as h, case l.partial when 1 then (select m.sql from sqlite_master m where m.type = 'index' and m.name = l.name) end as i
from pragma_index_list(?) l join pragma_index_xinfo(l.name) x order by l.seq, x.seqno`

const SQLITE_TABLE = `select m.type as a, l.wr as b, m.sql as c,
  (select group_concat(p.name, char(0)) from pragma_table_info(m.name) p where p.pk > 0) as d,
  (select upper(p.type) from pragma_table_info(m.name) p where p.pk > 0) as e
from sqlite_master m join pragma_table_list l on l.schema = 'main' and l.name = m.name where m.name = ? and m.type in ('table', 'view')`

async function readSqliteIndexes(client: SqlClient, { sqlName }: SqlTable): Promise<TableIndexes> {
  const table = splitQuotedNames(sqlName).at(-1) as string
  const [tableRow = []] = await queryValues(client, buildStatement(SQLITE_TABLE, table))
  const [type, isWithoutRowId, sql, keys, keyType] = tableRow
  const rows = await queryValues(client, buildStatement(SQLITE_INDEXES, table))
  const hasRowId = Number(isWithoutRowId) !== 1
  const hasKeyIndex = rows.some((row) => row[7] === 'pk')
  const key = typeof keys === 'string' ? keys.split('\0') : []
  const rowId = hasRowId && !hasKeyIndex && key.length === 1 && keyType === 'INTEGER' ? key[0] : ROW_ID
  const collations = parseCollations(String(sql))
  const found = rows.flatMap(([name, unique, cid, column, descending, coll, isKey, origin, indexSql]): IndexRow[] => {
    // The key of a table without row ids contains all other columns, in no order.
    if (Number(isKey) === 0 && origin === 'pk' && !hasRowId) return []
    const ownName = Number(cid) === -1 ? (rowId as string) : (column as string | null)
    const hasOwnCollation =
      ownName === null || ownName === rowId || String(coll).toUpperCase() === (collations.get(ownName) ?? 'BINARY')
    const where = typeof indexSql === 'string' ? /\)\s*where\b([\s\S]*)$/i.exec(indexSql)?.[1]?.trim() : undefined
    const settings = { descending: Number(descending) === 1, where, implied: Number(isKey) === 0 }
    return [[String(name), Number(unique) === 1, ownName === null || !hasOwnCollation ? undefined : ownName, settings]]
  })
  const implied = hasRowId ? [rowId as string] : key
  const primaryKey: IndexRow = ['primary key', true, rowId as string, { descending: false }]
  return {
    kind: classifyTable(type, type === 'view'),
    indexes: groupIndexRows('sqlite', hasRowId && type === 'table' ? [primaryKey, ...found] : found),
    appendedColumns: implied.map((name) => toAscendingColumn(name === ROW_ID ? name : quoteIdentifier('sqlite', name))),
    columnBytes: new Map(),
  }
}

/** Returns the collations that a `create table` statement gives to its columns. */
function parseCollations(sql: string): ReadonlyMap<string, string> {
  const found = sql.matchAll(/["`[]?(\w+)["`\]]?[^,()]*(?:\([^)]*\))?[^,()]*\bcollate\s+["'`]?(\w+)/gi)
  return new Map(Array.from(found, ([, name = '', collation = '']) => [name, collation.toUpperCase()]))
}

// --- PostgreSQL ----------------------------------------------------------------------

const POSTGRES_INDEXES = `select c.relname::text as a, case when x.indisunique then 1 else 0 end as b, a.attname::text as c,
  x.indoption[k.n - 1] & 1 as d, x.indoption[k.n - 1] & 2 as e,
  case when o.opcdefault and x.indcollation[k.n - 1] = a.attcollation then 1 else 0 end as f,
  pg_catalog.pg_get_expr(x.indpred, x.indrelid) as g
from pg_catalog.pg_index x
  join pg_catalog.pg_class c on c.oid = x.indexrelid
  join pg_catalog.pg_am m on m.oid = c.relam and m.amname = 'btree'
  cross join lateral pg_catalog.generate_series(1, x.indnkeyatts) as k (n)
  join pg_catalog.pg_opclass o on o.oid = x.indclass[k.n - 1]
  left join pg_catalog.pg_attribute a on a.attrelid = x.indrelid and a.attnum = x.indkey[k.n - 1]
where x.indrelid = pg_catalog.to_regclass(cast(? as text)) and x.indisvalid
order by c.relname, k.n`

const POSTGRES_TABLE = `select c.relkind::text as a from pg_catalog.pg_class c
where c.oid = pg_catalog.to_regclass(cast(? as text))`

async function readPostgresIndexes(client: SqlClient, { sqlName }: SqlTable): Promise<TableIndexes> {
  const [tableRow = []] = await queryValues(client, buildStatement(POSTGRES_TABLE, sqlName))
  const rows = await queryValues(client, buildStatement(POSTGRES_INDEXES, sqlName))
  const found = rows.map(([name, unique, column, descending, nullsFirst, isDefault, where]): IndexRow => {
    const isDescending = Number(descending) > 0
    const settings = {
      descending: isDescending,
      hasDefaultNulls: Number(nullsFirst) > 0 === isDescending,
      where: typeof where === 'string' ? where : undefined,
    }
    return [String(name), Number(unique) === 1, Number(isDefault) === 1 ? (column as string) : undefined, settings]
  })
  return {
    kind: classifyTable(tableRow[0], tableRow[0] === 'v' || tableRow[0] === 'f'),
    indexes: groupIndexRows('postgres', found),
    appendedColumns: [],
    columnBytes: new Map(),
  }
}

// --- MySQL and MariaDB ---------------------------------------------------------------

const MYSQL_INDEXES = `select s.index_name as a, s.non_unique as b, s.column_name as c, s.collation as d, s.sub_part as e
from information_schema.statistics s
where s.table_schema = coalesce(?, database()) and s.table_name = ? and s.index_type = 'BTREE'
order by s.index_name, s.seq_in_index`

const MYSQL_TABLE = `select t.table_type as a, t.engine as b from information_schema.tables t
where t.table_schema = coalesce(?, database()) and t.table_name = ?`

const MYSQL_COLUMNS = `select c.column_name as a, lower(c.data_type) as b, c.character_octet_length as c
from information_schema.columns c where c.table_schema = coalesce(?, database()) and c.table_name = ?`

async function readMysqlIndexes(client: SqlClient, { sqlName }: SqlTable): Promise<TableIndexes> {
  const names = splitQuotedNames(sqlName)
  const tableName = [names.length > 1 ? names[0] : null, names.at(-1)]
  const [tableRow = []] = await queryValues(client, buildStatement(MYSQL_TABLE, ...tableName))
  const rows = await queryValues(client, buildStatement(MYSQL_INDEXES, ...tableName))
  const columns = await queryValues(client, buildStatement(MYSQL_COLUMNS, ...tableName))
  const found = rows.map(([name, isNonUnique, column, collation, part]): IndexRow => {
    const isComplete = (part === null || part === undefined) && typeof column === 'string'
    return [String(name), Number(isNonUnique) === 0, isComplete ? column : undefined, { descending: collation === 'D' }]
  })
  const indexes = groupIndexRows('mysql', found)
  const key = indexes.find(({ name }) => name === 'PRIMARY')?.columns ?? []
  const appendedColumns =
    String(tableRow[1]).toLowerCase() === 'innodb' ? key.map(({ sqlName: column }) => toAscendingColumn(column)) : []
  return {
    kind: classifyTable(tableRow[0], tableRow[0] === 'VIEW'),
    indexes: indexes.map((index) => ({
      ...index,
      appendedColumns: index.name === 'PRIMARY' ? [] : excludeIndexed(index, appendedColumns),
    })),
    appendedColumns,
    columnBytes: new Map(
      columns.map(([name, type, length]) => [quoteIdentifier('mysql', String(name)), measureIndexBytes(type, length)]),
    ),
  }
}

const excludeIndexed = (
  { columns }: CatalogueIndex,
  key: readonly CatalogueIndexColumn[],
): readonly CatalogueIndexColumn[] => key.filter(({ sqlName }) => !columns.some((one) => one.sqlName === sqlName))

const measureIndexBytes = (type: unknown, length: unknown): number => {
  if (/text$|blob$|^json$/.test(String(type))) return Number.POSITIVE_INFINITY
  return length === null || length === undefined ? 8 : Number(length)
}
