// The tables of a database from its catalogue, by the names that users of a client have for them.

import { quoted } from '../sql/dialect.ts'
import type { DialectName, SqlTable } from '../sql/sql.ts'
import { foldOf } from '../sql/values/domain.ts'
import { rowNumber } from '../sql/values/sqlite.ts'
import { type CatalogueColumn, indexesOf, uniqueSets } from './catalogue.ts'
import { columnOf, type Form } from './form.ts'
import { mysqlForm } from './mysql.ts'
import { postgresForm } from './postgres.ts'
import { sqliteForm } from './sqlite.ts'

const FORMS: Readonly<Record<DialectName, (column: CatalogueColumn) => Form>> = {
  sqlite: sqliteForm,
  postgres: postgresForm,
  mysql: mysqlForm,
}

/** How the users of a client name what a database has. */
export interface Naming<T extends string> {
  /** Gives what a name of a table can mean, the likeliest first: the table's own name, or its schema and its name. */
  identify(source: T): readonly (readonly string[])[]
  /** Gives the name of a column; without it, the one that it has in the database. */
  shown?(column: CatalogueColumn): string
  /** Gives the form of a column, where the client keeps values in another one. */
  formed?(form: Form): Form
}

/** Makes the function that describes a table by its name; it throws when there is no such table. */
export function describer<T extends string>(
  dialect: DialectName,
  columns: readonly CatalogueColumn[],
  { identify, shown = ({ name }) => name, formed = (form) => form }: Naming<T>,
): (source: T) => SqlTable<T> {
  const tables = byWrittenName(dialect, columns)
  const known = new Map<T, SqlTable<T>>()
  const describe = (column: CatalogueColumn): Described => {
    const name = shown(column)
    const fold = foldOf(dialect, column.declared, column.labels)
    const described = columnOf(quoted(dialect, column.name), name, column, formed(FORMS[dialect](column)))
    return [name, fold === undefined ? described : { ...described, fold }]
  }
  return (source) => {
    const found = known.get(source)
    if (found) return found
    const candidates = identify(source).map((names) => quoted(dialect, ...names))
    const written = candidates.find((one) => tables.has(one))
    if (written === undefined)
      throw new Error(`The database has no table '${source}' (it would be ${candidates.join(' or ')})`)
    const own = tables.get(written) as readonly CatalogueColumn[]
    const made = tableOf(source, written, own, describe)
    const table = { ...made, indexes: indexesOf(dialect, own, (column) => made.columns.get(shown(column))) }
    known.set(source, table)
    return table
  }
}

type Described = readonly [string, ReturnType<typeof columnOf>]

function tableOf<T extends string>(
  source: T,
  written: string,
  columns: readonly CatalogueColumn[],
  describe: (column: CatalogueColumn) => Described,
): SqlTable<T> {
  const key = columns.filter((column) => column.key > 0).sort((a, b) => a.key - b.key)
  const described = new Map(columns.map(describe))
  const sets = uniqueSets(columns)
  const isKnown = sets.length > 0 || columns.some(({ derived }) => !derived)
  const isCertain = key.length > 0 && key.every(({ nullable }) => !nullable)
  return {
    name: source,
    source,
    written,
    columns: described,
    key: key.map((column) => describe(column)[0]),
    ...(isKnown && { unique: sets.map((set) => set.map((column) => describe(column)[0])) }),
    ...(!isCertain && columns.some(({ numbered }) => numbered) && { last: rowNumber }),
  }
}

/** Gathers the columns of each table, under its name with the schema, and also without where that is enough. */
function byWrittenName(dialect: DialectName, columns: readonly CatalogueColumn[]): Map<string, CatalogueColumn[]> {
  const tables = new Map<string, CatalogueColumn[]>()
  for (const column of columns) {
    const written = [quoted(dialect, column.schema, column.table)]
    if (column.visible) written.push(quoted(dialect, column.table))
    for (const name of written) {
      const own = tables.get(name)
      if (own) own.push(column)
      else tables.set(name, [column])
    }
  }
  return tables
}
