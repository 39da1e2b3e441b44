// Shared parts of the plain clients: tables by their names in the database, from its catalogue.
import { form } from '../../../extend.ts'
import { readCatalogue } from '../catalogue/catalogue.ts'
import type { ColumnCodec } from '../catalogue/column-codec.ts'
import { createTableDescriber } from '../catalogue/describe-tables.ts'
import type { SqlClient, SqlTable } from '../sql/sql.ts'

/** Options of every datastore of a plain client. */
export interface DriverOptions {
  /**
   * Further schemas (in MySQL, databases) whose tables are named `schema.table`.
   * @default none
   */
  readonly schemas?: readonly string[]
}

/** The forms of those options. */
export const DRIVER_FIELDS: form.Fields<DriverOptions> = { schemas: form.list(form.text) }

/** Describes a table by its name. */
export type DescribeTable = (source: string) => SqlTable<string>

/** Asks the database for its tables, and makes the function that describes them. */
export async function loadTableDescriber(
  client: SqlClient,
  { schemas = [] }: DriverOptions,
  formed?: (given: ColumnCodec) => ColumnCodec,
): Promise<DescribeTable> {
  return createTableDescriber(client.dialect, await readCatalogue(client, schemas), { listCandidateNames: splitTableName, ...(formed && { adaptCodec: formed }) })
}

/** Gives the meanings that the name of a table can have: a dot belongs to it, or separates the schema from it. */
function splitTableName(source: string): readonly (readonly string[])[] {
  const dot = source.indexOf('.')
  return dot < 1 ? [[source]] : [[source], [source.slice(0, dot), source.slice(dot + 1)]]
}
