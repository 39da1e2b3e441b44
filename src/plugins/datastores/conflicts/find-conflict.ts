// Finds the columns of a conflict in a SQL database, and the first of the rows that conflicts. Asks the
// database only after a conflict, for what its error does not say.
import { compareColumnValues } from '../../query/evaluate-query.ts'
import type { Conflict } from '../../query/query.ts'
import { queryValues } from '../catalogue/catalogue.ts'
import { splitQuotedNames } from '../indexing/table-indexes.ts'
import { type ConflictDetails, getConflictDetails } from '../sql/conflict-details.ts'
import { DIALECTS, quoteIdentifier } from '../sql/dialect.ts'
import type { SqlClient, SqlColumn, SqlColumnValues, SqlFilter, SqlReference, SqlTable, Statement } from '../sql/sql.ts'
import { getRowFormat, getValueAt, toSelected } from '../sql/sql-rows.ts'
import { writeSelect } from '../sql/statements/select.ts'

/** A write of rows that the database refused. */
interface RefusedRows {
  readonly table: SqlTable
  readonly rows: readonly SqlColumnValues[]
}

/**
 * Finds the columns and the row of a conflict; undefined if the error is none, or does not tell. The result is the same for
 * every client of a database, however much of its error the client passes on.
 */
export async function findSqlConflict(
  client: SqlClient,
  error: unknown,
  write: RefusedRows,
): Promise<Conflict | undefined> {
  const details = getConflictDetails(error)
  if (details === undefined) return undefined
  const found = await (details.isReference ? findReference : findDuplicate)(client, write, details)
  return found && { kind: details.isReference ? 'reference' : 'duplicate', ...found }
}

type FoundRow = Omit<Conflict, 'kind'>

// A transaction that the conflict has aborted refuses further statements; what the error says must do then.
const attempt = <V>(work: () => Promise<V>): Promise<V | undefined> => work().catch(() => undefined)

async function findDuplicate(
  client: SqlClient,
  write: RefusedRows,
  details: ConflictDetails,
): Promise<FoundRow | undefined> {
  const { table, rows } = write
  const columns =
    resolveColumns(table, details.columns) ??
    (await attempt(async () => resolveColumns(table, await readConstraint(client, table, details))))
  if (columns === undefined) return undefined
  if (rows.length < 2) return { columns, row: 0 }
  const row =
    findRowByText(rows, columns, details.values) ?? (await attempt(() => findDuplicateRow(client, write, columns)))
  return row === undefined ? { columns } : { columns, row }
}

async function findReference(
  client: SqlClient,
  { table, rows }: RefusedRows,
  details: ConflictDetails,
): Promise<FoundRow | undefined> {
  const said = resolveColumns(table, details.columns)
  const saidRow = rows.length < 2 ? 0 : said && findRowByText(rows, said, details.values)
  if (said !== undefined && saidRow !== undefined) return { columns: said, row: saidRow }
  const keys = await listPossibleKeys(client, table, details)
  const [only] = keys
  // A name leaves no doubt about which reference it was.
  if (details.name !== undefined && only !== undefined && rows.length < 2) return { columns: only.columns, row: 0 }
  for (const { columns, target } of keys) {
    const row = await attempt(() => findUnreferencedRow(client, rows, columns, target))
    if (row !== undefined) return { columns, row }
  }
  return said && { columns: said }
}

const getColumnName = ({ sqlName }: SqlColumn): string => splitQuotedNames(sqlName).at(-1) ?? sqlName

const unquoteName = (name: string): string =>
  name.startsWith('"') && name.endsWith('"') ? name.slice(1, -1).replaceAll('""', '"') : name

/** Returns the columns with these names, or in these expressions; undefined if there is none. */
function resolveColumns(table: SqlTable, names: readonly string[] = []): readonly SqlColumn[] | undefined {
  const byName = new Map(Array.from(table.columns.values(), (column) => [getColumnName(column), column]))
  const found = names.flatMap((name) => {
    const exact = byName.get(name) ?? byName.get(unquoteName(name))
    if (exact !== undefined) return [exact]
    const words = new Set(name.match(/[\p{L}_][\p{L}\p{N}_$]*/gu) ?? [])
    return [...byName].flatMap(([one, column]) => (words.has(one) ? [column] : []))
  })
  return found.length === 0 ? undefined : [...new Set(found)]
}

const toStatement = (text: string, ...values: readonly unknown[]): Statement => ({ strings: text.split('?'), values })

/** Reads the columns of a constraint or an index from the catalogue. */
async function readConstraint(
  client: SqlClient,
  { sqlName }: SqlTable,
  { name }: ConflictDetails,
): Promise<readonly string[]> {
  if (name === undefined) return []
  if (client.dialect === 'postgres') {
    const rows = await queryValues(client, toStatement(POSTGRES_CONSTRAINT, name, sqlName))
    return rows.map(([column]) => String(column))
  }
  if (client.dialect === 'sqlite') {
    const rows = await queryValues(client, toStatement('select m.sql as a from sqlite_master m where m.name = ?', name))
    return rows.map(([sql]) => String(sql).slice(String(sql).indexOf('(')))
  }
  const names = splitQuotedNames(sqlName)
  const table = names.at(-1) as string
  // MySQL names the table before the index, MariaDB does not.
  const index = name.startsWith(`${table}.`) ? name.slice(table.length + 1) : name
  const schema = names.length > 1 ? names[0] : null
  const rows = await queryValues(client, toStatement(MYSQL_INDEX, schema, table, index))
  return rows.flatMap(([column]) => (typeof column === 'string' ? [column] : []))
}

const POSTGRES_CONSTRAINT = `select a.attname::text as a from pg_catalog.pg_constraint k
  join pg_catalog.pg_attribute a on a.attrelid = k.conrelid and a.attnum = any (k.conkey)
where k.conname = ? and k.conrelid = pg_catalog.to_regclass(cast(? as text))`

const MYSQL_INDEX = `select s.column_name as a from information_schema.statistics s
where s.table_schema = coalesce(?, database()) and s.table_name = ? and s.index_name = ? order by s.seq_in_index`

// --- rows --------------------------------------------------------------------------------

const hasValues = (row: SqlColumnValues, columns: readonly SqlColumn[]): boolean =>
  columns.every((column) => row.get(column) !== undefined && row.get(column) !== null)

/** Finds the row by the text that the database has of its values. */
function findRowByText(
  rows: readonly SqlColumnValues[],
  columns: readonly SqlColumn[],
  text: string | undefined,
): number | undefined {
  if (text === undefined) return undefined
  const found = rows.flatMap((row, i) =>
    hasValues(row, columns) && columns.map((column) => String(column.encode(row.get(column)))).join(', ') === text
      ? [i]
      : [],
  )
  // Of rows that conflict with each other, the last one was refused.
  return found.at(-1)
}

// Some databases compare texts regardless of case and of spaces at the end.
const foldText = (value: unknown): unknown =>
  typeof value === 'string' ? value.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase().trimEnd() : value

function isSameRow(columns: readonly SqlColumn[], a: readonly unknown[], b: readonly unknown[], isFolded: boolean) {
  return columns.every((column, i) => {
    const [left, right] = isFolded ? [foldText(a[i]), foldText(b[i])] : [a[i], b[i]]
    return compareColumnValues(column, left, right) === 0
  })
}

async function findDuplicateRow(
  client: SqlClient,
  { table, rows }: RefusedRows,
  columns: readonly SqlColumn[],
): Promise<number | undefined> {
  const candidates = rows.flatMap((row, index) =>
    hasValues(row, columns) ? [{ index, values: columns.map((column) => row.get(column)) }] : [],
  )
  const existing = await readExisting(
    client,
    table,
    columns,
    candidates.map(({ values }) => values),
  )
  for (const isFolded of [false, true]) {
    const found = candidates.find(
      ({ values }, i) =>
        existing.some((one) => isSameRow(columns, one, values, isFolded)) ||
        candidates.slice(0, i).some((one) => isSameRow(columns, one.values, values, isFolded)),
    )
    if (found !== undefined) return found.index
  }
  return undefined
}

/** The most rows that one statement looks for. */
const MAX_SOUGHT = 500

/** Reads the values of columns in the rows that have one of these values. */
async function readExisting(
  client: SqlClient,
  table: SqlTable,
  columns: readonly SqlColumn[],
  values: readonly (readonly unknown[])[],
): Promise<readonly (readonly unknown[])[]> {
  const references = columns.map((column): SqlReference => ({ source: 0, column }))
  const { columns: read } = getRowFormat(references)
  const found: (readonly unknown[])[] = []
  for (let from = 0; from < values.length; from += MAX_SOUGHT) {
    const filter: SqlFilter = {
      op: 'or',
      of: values.slice(from, from + MAX_SOUGHT).map((one) => ({
        op: 'and',
        of: references.map((reference, i) => ({ op: '=', reference, value: one[i] })),
      })),
    }
    const query = { from: table, joins: [], filter, columns: references, order: [], limit: undefined, offset: 0 }
    const raw = await client.query(writeSelect(DIALECTS[client.dialect], query, read))
    for (const row of toSelected(raw, getRowFormat(references)).rows) found.push(row)
  }
  return found
}

// --- references --------------------------------------------------------------------------

type Target = NonNullable<ConflictDetails['target']>

/** A foreign key of a table. */
interface ForeignKey {
  readonly columns: readonly SqlColumn[]
  readonly target: Target
}

/** Lists the foreign keys that an error can be about. */
async function listPossibleKeys(
  client: SqlClient,
  table: SqlTable,
  { name, columns, target }: ConflictDetails,
): Promise<readonly ForeignKey[]> {
  const said = resolveColumns(table, columns)
  if (said !== undefined && target !== undefined) return [{ columns: said, target }]
  const keys = (await attempt(() => readForeignKeys(client, table))) ?? []
  const isPossible = (key: NamedForeignKey): boolean =>
    (name === undefined || key.name === name) && (said === undefined || said.every((one) => key.columns.includes(one)))
  return keys.filter(isPossible)
}

interface NamedForeignKey extends ForeignKey {
  readonly name: string
}

async function readForeignKeys(client: SqlClient, table: SqlTable): Promise<readonly NamedForeignKey[]> {
  const names = splitQuotedNames(table.sqlName)
  const own = names.at(-1) as string
  const statement = {
    sqlite: () => toStatement(SQLITE_KEYS, own),
    postgres: () => toStatement(POSTGRES_KEYS, table.sqlName),
    mysql: () => toStatement(MYSQL_KEYS, names.length > 1 ? names[0] : null, own),
  }[client.dialect]()
  const keys = new Map<string, { ours: string[]; target: Target & { columns: string[] } }>()
  for (const [key, target, ours, theirs] of await queryValues(client, statement)) {
    const found = keys.get(String(key)) ?? { ours: [], target: { table: String(target), columns: [] } }
    found.ours.push(String(ours))
    found.target.columns.push(String(theirs))
    keys.set(String(key), found)
  }
  return [...keys].flatMap(([name, { ours, target }]) => {
    const columns = resolveColumns(table, ours)
    return columns === undefined ? [] : [{ name, columns, target }]
  })
}

// Each selects the key, its target as quoted SQL, and one pair of columns, in the order of the key's columns.
const SQLITE_KEYS = `select f.id as a, '"' || replace(f."table", '"', '""') || '"' as b, f."from" as c,
  coalesce(f."to", (select p.name from pragma_table_info(f."table") p where p.pk = f.seq + 1)) as d
from pragma_foreign_key_list(?) f order by f.id, f.seq`

const POSTGRES_KEYS = `select k.conname::text as a, cast(k.confrelid as regclass)::text as b, o.attname::text as c,
  t.attname::text as d
from pg_catalog.pg_constraint k
  cross join lateral unnest(k.conkey, k.confkey) with ordinality p(ours, theirs, place)
  join pg_catalog.pg_attribute o on o.attrelid = k.conrelid and o.attnum = p.ours
  join pg_catalog.pg_attribute t on t.attrelid = k.confrelid and t.attnum = p.theirs
where k.contype = 'f' and k.conrelid = pg_catalog.to_regclass(cast(? as text)) order by k.conname, p.place`

const MYSQL_KEYS = `select k.constraint_name as a, concat('\`', replace(k.referenced_table_schema, '\`', '\`\`'), '\`.\`',
  replace(k.referenced_table_name, '\`', '\`\`'), '\`') as b, k.column_name as c, k.referenced_column_name as d
from information_schema.key_column_usage k
where k.table_schema = coalesce(?, database()) and k.table_name = ? and k.referenced_table_name is not null
order by k.constraint_name, k.ordinal_position`

/** Finds the first row that refers to none. */
async function findUnreferencedRow(
  client: SqlClient,
  rows: readonly SqlColumnValues[],
  columns: readonly SqlColumn[],
  target: Target,
): Promise<number | undefined> {
  if (target.columns.length !== columns.length) return undefined
  const candidates = rows.flatMap((row, index) =>
    hasValues(row, columns) ? [{ index, values: columns.map((column) => column.encode(row.get(column))) }] : [],
  )
  const names = target.columns.map((name) => `t.${quoteIdentifier(client.dialect, name)}`)
  const condition = `(${names.map((name) => `${name} = ?`).join(' and ')})`
  const existing = new Set<string>()
  for (let from = 0; from < candidates.length; from += MAX_SOUGHT) {
    const part = candidates.slice(from, from + MAX_SOUGHT)
    const selected = names.map((name, i) => `${name} as c${i}`).join(', ')
    const text = `select ${selected} from ${target.table} t where ${part.map(() => condition).join(' or ')}`
    const found = await client.query(toStatement(text, ...part.flatMap(({ values }) => values)))
    for (const row of found) existing.add(formatFolded(names.map((_, i) => getValueAt(row, i))))
  }
  return candidates.find(({ values }) => !existing.has(formatFolded(values)))?.index
}

const formatFolded = (values: readonly unknown[]): string => JSON.stringify(values.map((one) => foldText(String(one))))
