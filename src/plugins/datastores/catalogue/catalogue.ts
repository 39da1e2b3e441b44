// Reads the tables of a database from its catalogue, with one query for each dialect.
import { quoteIdentifier } from '../sql/dialect.ts'
import type { DialectName, SqlClient, SqlColumn, SqlIndex, SqlIndexColumn, Statement } from '../sql/sql.ts'

/** A column, as the catalogue describes it. */
export interface CatalogueColumn {
  readonly schema: string
  /** Whether the table can be named without its schema. */
  readonly visible: boolean
  readonly table: string
  readonly name: string
  /** The name of its type, in lower case and without parentheses. */
  readonly type: string
  /** The complete type, as declared. */
  readonly declaredType: string
  /** The values of an enumeration. */
  readonly labels?: readonly string[]
  readonly nullable: boolean
  readonly optional: boolean
  /** Whether the database computes it from other columns of the row. */
  readonly readOnly: boolean
  /** Its position in the primary key, counted from 1; 0 if it is not in the key. */
  readonly keyPosition: number
  /** Whether the database gives the rows of its table a row id, in addition to the columns. */
  readonly hasRowId: boolean
  /** The identifiers of the unique indexes that contain it. */
  readonly uniqueIndexes: readonly string[]
  readonly collation?: string
  /** Whether its table is a view, for which the catalogue has no unique columns. */
  readonly isView: boolean
  /** Its positions in the indexes of the table. */
  readonly indexParts?: readonly IndexPart[]
}

/** The position of a column in an index. */
interface IndexPart {
  /** The name of the index, in hexadecimal digits. */
  readonly index: string
  /** Counted from 1. */
  readonly position: number
  readonly descending: boolean
}

/** Reads the columns of all tables that need no schema in front of their names, and of those in further schemas. */
export async function readCatalogue(
  client: SqlClient,
  schemas: readonly string[],
): Promise<readonly CatalogueColumn[]> {
  const rows = await queryValues(client, CATALOGUE_QUERIES[client.dialect](schemas))
  const columns = rows.map(parseColumn)
  return client.dialect === 'mysql' ? withJsonTypes(client, columns) : columns
}

/** Returns the sets of columns that are unique in a table. */
export function findUniqueSets(columns: readonly CatalogueColumn[]): readonly (readonly CatalogueColumn[])[] {
  const indexes = new Set(columns.flatMap(({ uniqueIndexes }) => uniqueIndexes))
  const key = columns.filter((column) => column.keyPosition > 0)
  const sets = [...indexes].map((index) => columns.filter(({ uniqueIndexes }) => uniqueIndexes.includes(index)))
  return key.length > 0 ? [key, ...sets] : sets
}

/** Returns the indexes of a table: their columns, followed by those of the key, up to one that is not described. */
export function buildIndexes(
  dialect: DialectName,
  columns: readonly CatalogueColumn[],
  describe: (column: CatalogueColumn) => SqlColumn | undefined,
): readonly SqlIndex[] {
  const indexes = new Map<string, Partial<SqlIndexColumn>[]>()
  for (const one of columns)
    for (const { index, position, descending } of one.indexParts ?? []) {
      const indexColumns = indexes.get(index) ?? []
      indexColumns[position - 1] = { column: describe(one) as SqlColumn, descending }
      indexes.set(index, indexColumns)
    }
  const key = listImpliedColumns(dialect, columns)
  return [...indexes].map(([name, index]) => {
    const last = key.map(describe).filter((column) => !index.some((one) => one?.column === column))
    const all = [...index, ...last.map((column) => ({ column, descending: false }))]
    // A prefix of a column, or an expression, leaves a gap.
    const end = all.findIndex((one) => one?.column === undefined)
    return {
      sqlName: quoteIdentifier(dialect, decodeHexText(name)),
      columns: (end < 0 ? all : all.slice(0, end)) as SqlIndexColumn[],
    }
  })
}

/** Returns the columns that a database appends to those of every index. */
function listImpliedColumns(dialect: DialectName, columns: readonly CatalogueColumn[]): readonly CatalogueColumn[] {
  if (dialect === 'postgres') return []
  const key = columns.filter((column) => column.keyPosition > 0).sort((a, b) => a.keyPosition - b.keyPosition)
  // SQLite appends the row id, which is the key if that is a single integer with generated values.
  return dialect === 'mysql' || (key.length === 1 && key.every(({ type, optional }) => type === 'integer' && optional))
    ? key
    : []
}

const decodeHexText = (digits: string): string =>
  new TextDecoder().decode(Uint8Array.from(digits.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16)))

/** Runs a query of the catalogue and returns the values of its rows; aliases in alphabetical order keep their order. */
export async function queryValues(client: SqlClient, statement: Statement): Promise<readonly (readonly unknown[])[]> {
  return (await client.query(statement)).map((row) => Object.values(row))
}

function parseColumn(row: readonly unknown[]): CatalogueColumn {
  const [
    schema,
    visible,
    table,
    name,
    type,
    declaredType,
    nullable,
    optional,
    keyPosition,
    labels,
    hasRowId,
    uniqueIndexes,
    collation,
    indexParts,
    readOnly,
    isView,
  ] = row
  return {
    schema: String(schema),
    visible: Number(visible) === 1,
    table: String(table),
    name: String(name),
    type: String(type),
    declaredType: String(declaredType),
    nullable: Number(nullable) === 1,
    optional: Number(optional) === 1,
    readOnly: Number(readOnly) === 1,
    isView: Number(isView) === 1,
    keyPosition: Number(keyPosition),
    hasRowId: Number(hasRowId ?? 0) === 1,
    uniqueIndexes: typeof uniqueIndexes === 'string' ? uniqueIndexes.split(' ') : [],
    ...(typeof collation === 'string' && { collation }),
    ...(typeof indexParts === 'string' && { indexParts: indexParts.split(' ').map(parseIndexPart) }),
    ...(typeof labels === 'string' && { labels: JSON.parse(labels) as string[] }),
  }
}

function parseIndexPart(text: string): IndexPart {
  const [index = '', position = '', direction] = text.split(':')
  return { index, position: Number(position), descending: direction === 'D' }
}

const CATALOGUE_QUERIES: Readonly<Record<DialectName, (schemas: readonly string[]) => Statement>> = {
  sqlite: () => ({
    strings: [SQLITE_COLUMNS],
    values: [],
  }),
  postgres: (schemas) => buildSchemaQuery(POSTGRES_COLUMNS, schemas),
  mysql: (schemas) => buildSchemaQuery(MYSQL_COLUMNS, schemas),
}

/** Builds a query with a list of schemas in each of its gaps. */
function buildSchemaQuery([first = '', ...others]: readonly string[], schemas: readonly string[]): Statement {
  if (schemas.length === 0) return { strings: [[first, ...others].join("('')")], values: [] }
  const commas = schemas.slice(1).map(() => ', ')
  const strings = [`${first}(`]
  for (const [i, text] of others.entries()) strings.push(...commas, `)${text}${i < others.length - 1 ? '(' : ''}`)
  return { strings, values: others.flatMap(() => schemas) }
}

// A primary key without an index is the row id, which the database generates.
const SQLITE_COLUMNS = `select 'main' as a, 1 as b, m.name as c, p.name as d,
  trim(lower(case instr(p.type, '(') when 0 then p.type else substr(p.type, 1, instr(p.type, '(') - 1) end)) as e,
  lower(p.type) as f,
  case when p."notnull" = 0 and (p.pk = 0 or (l.wr = 0 and l.strict = 0
    and exists (select 1 from pragma_index_list(m.name) where origin = 'pk'))) then 1 else 0 end as g,
  case when (p."notnull" = 0 and p.pk = 0) or p.dflt_value is not null or p.hidden > 1 or (p.pk = 1 and lower(p.type) = 'integer'
    and not exists (select 1 from pragma_index_list(m.name) where origin = 'pk')) then 1 else 0 end as h,
  p.pk as i, null as j, case when m.type = 'table' and l.wr = 0 then 1 else 0 end as k,
  (select group_concat(u.seq, ' ') from pragma_index_list(m.name) u where u."unique" = 1 and u.partial = 0
    and exists (select 1 from pragma_index_info(u.name) c where c.name = p.name)
    and not exists (select 1 from pragma_index_info(u.name) c where c.name is null)) as l, null as m,
  (select group_concat(hex(u.name) || ':' || (x.seqno + 1) || ':' || iif(x."desc", 'D', 'A'), ' ')
    from pragma_index_list(m.name) u join pragma_index_xinfo(u.name) x
    where u.partial = 0 and x.key = 1 and x.cid = p.cid and x.coll = 'BINARY') as n,
  case when p.hidden > 1 then 1 else 0 end as o, case m.type when 'view' then 1 else 0 end as p
from sqlite_master m join pragma_table_xinfo(m.name) p
  join pragma_table_list l on l.schema = 'main' and l.name = m.name
where m.type in ('table', 'view') and m.name not like 'sqlite\\_%' escape '\\' and p.hidden <> 1
order by m.name, p.cid`

const POSTGRES_COLUMNS = [
  `select n.nspname::text as a, case when pg_catalog.pg_table_is_visible(c.oid) then 1 else 0 end as b,
  c.relname::text as c, a.attname::text as d, coalesce(b.typname, t.typname)::text as e,
  pg_catalog.format_type(a.atttypid, a.atttypmod) as f,
  case when a.attnotnull then 0 else 1 end as g,
  case when not (a.attnotnull or t.typnotnull) or a.atthasdef or a.attidentity <> '' or t.typdefault is not null
    then 1 else 0 end as h,
  coalesce((select pg_catalog.array_position(i.indkey::int2[], a.attnum) + 1 from pg_catalog.pg_index i
    where i.indrelid = c.oid and i.indisprimary), 0) as i,
  (select pg_catalog.json_agg(l.enumlabel order by l.enumsortorder)::text from pg_catalog.pg_enum l
    where l.enumtypid = coalesce(b.oid, t.oid)) as j, 0 as k,
  (select pg_catalog.string_agg(u.indexrelid::text, ' ') from pg_catalog.pg_index u
    where u.indrelid = c.oid and u.indisunique and u.indisvalid and u.indpred is null and u.indexprs is null
      and a.attnum = any((u.indkey::int2[])[0:u.indnkeyatts - 1])) as l, null as m,
  (select pg_catalog.string_agg(pg_catalog.encode(pg_catalog.convert_to(ic.relname::text, 'UTF8'), 'hex') || ':' || k.n || ':'
      || case x.indoption[k.n - 1] when 3 then 'D' else 'A' end, ' ')
    from pg_catalog.pg_index x
      join pg_catalog.pg_class ic on ic.oid = x.indexrelid
      join pg_catalog.pg_am m on m.oid = ic.relam and m.amname = 'btree'
      cross join lateral pg_catalog.generate_series(1, x.indnkeyatts) as k (n)
      join pg_catalog.pg_opclass o on o.oid = x.indclass[k.n - 1] and o.opcdefault
    where x.indrelid = c.oid and x.indkey[k.n - 1] = a.attnum and x.indisvalid and x.indpred is null
      and x.indcollation[k.n - 1] = a.attcollation and x.indoption[k.n - 1] in (0, 3)) as n,
  case when a.attgenerated <> '' then 1 else 0 end as o, case when c.relkind in ('r', 'p') then 0 else 1 end as p
from pg_catalog.pg_attribute a
  join pg_catalog.pg_class c on c.oid = a.attrelid
  join pg_catalog.pg_namespace n on n.oid = c.relnamespace
  join pg_catalog.pg_type t on t.oid = a.atttypid
  left join pg_catalog.pg_type b on b.oid = t.typbasetype and t.typtype = 'd'
where (pg_catalog.pg_table_is_visible(c.oid) or n.nspname in `,
  ` ) and c.relkind in ('r', 'p', 'v', 'm', 'f') and a.attnum > 0 and not a.attisdropped
  and n.nspname not in ('pg_catalog', 'information_schema')
order by n.nspname, c.relname, a.attnum`,
]

// The statistics are read once: for every column, they would be read for all tables. MySQL lists an expression of an index
// as a part without a column: the other parts alone are not unique.
const MYSQL_COLUMNS = [
  `select c.table_schema as a, case when c.table_schema = database() then 1 else 0 end as b,
  c.table_name as c, c.column_name as d, lower(c.data_type) as e, c.column_type as f,
  case c.is_nullable when 'YES' then 1 else 0 end as g,
  case when c.is_nullable = 'YES' or c.column_default is not null or c.extra like '%auto_increment%'
    or c.extra like '%generated%' then 1 else 0 end as h,
  coalesce(k.ordinal_position, 0) as i, null as j, 0 as k, x.unique_indexes as l, c.collation_name as m, x.parts as n,
  case when coalesce(c.generation_expression, '') <> '' then 1 else 0 end as o,
  case b.table_type when 'VIEW' then 1 else 0 end as p
from information_schema.columns c
  left join information_schema.tables b on b.table_schema = c.table_schema and b.table_name = c.table_name
  left join information_schema.key_column_usage k on k.table_schema = c.table_schema and k.table_name = c.table_name
    and k.column_name = c.column_name and k.constraint_name = 'PRIMARY'
  left join (
    select s.table_schema, s.table_name, s.column_name,
      group_concat(case when s.non_unique = 0 and e.index_name is null then hex(s.index_name) end separator ' ') as unique_indexes,
      group_concat(case when s.sub_part is null and s.index_type = 'BTREE'
        then concat(hex(s.index_name), ':', s.seq_in_index, ':', coalesce(s.collation, 'A')) end separator ' ') as parts
    from information_schema.statistics s
      left join (select distinct f.table_schema, f.table_name, f.index_name from information_schema.statistics f
        where f.column_name is null and (f.table_schema = database() or f.table_schema in `,
  `)) e on e.table_schema = s.table_schema and e.table_name = s.table_name and e.index_name = s.index_name
    where s.column_name is not null and (s.table_schema = database() or s.table_schema in `,
  `)
    group by s.table_schema, s.table_name, s.column_name
  ) x on x.table_schema = c.table_schema and x.table_name = c.table_name and x.column_name = c.column_name
where (c.table_schema = database() or c.table_schema in `,
  `)
order by c.table_schema, c.table_name, c.ordinal_position`,
]

// MariaDB stores JSON as a long text with a check that keeps it valid; MySQL has a JSON type.
async function withJsonTypes(
  client: SqlClient,
  columns: readonly CatalogueColumn[],
): Promise<readonly CatalogueColumn[]> {
  const [version] = await queryValues(client, { strings: ['select version() as a'], values: [] })
  if (!String(version?.[0]).includes('MariaDB')) return columns
  const rows = await queryValues(client, { strings: [JSON_CHECKS], values: [] })
  const checks = new Set(rows.map((row) => row.join('\0')))
  return columns.map((column) => {
    const check = [column.schema, column.table, `json_valid(\`${column.name}\`)`].join('\0')
    return column.type === 'longtext' && checks.has(check) ? { ...column, type: 'json' } : column
  })
}

const JSON_CHECKS = `select constraint_schema as a, table_name as b, check_clause as c
from information_schema.check_constraints where check_clause like 'json_valid%'`
