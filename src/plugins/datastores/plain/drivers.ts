// Shared parts of the driver datastores: tables by their names in the database, from its catalogue.
import { form } from '../../../extend.ts'
import { readCatalogue } from '../catalogue/catalogue.ts'
import type { ColumnCodec } from '../catalogue/column-codec.ts'
import { createTableDescriber } from '../catalogue/describe-tables.ts'
import type { SqlClient, SqlTable } from '../sql/sql.ts'

/** The options of every driver datastore. */
export interface DriverOptions {
  /**
   * Further schemas (in MySQL, databases) whose tables are named `schema.table`.
   * @default none
   */
  readonly schemas?: readonly string[]
}

/** The validation of those options. */
export const DRIVER_FIELDS: form.Fields<DriverOptions> = { schemas: form.list(form.text) }

/** Describes a table by its name. */
export type DescribeTable = (source: string) => SqlTable<string>

/** Reads the catalogue of the database and returns the function that describes its tables. */
export async function loadTableDescriber(
  client: SqlClient,
  { schemas = [] }: DriverOptions,
  adaptCodec?: (codec: ColumnCodec) => ColumnCodec,
): Promise<DescribeTable> {
  return createTableDescriber(client.dialect, await readCatalogue(client, schemas), {
    listCandidateNames: splitTableName,
    ...(adaptCodec && { adaptCodec }),
  })
}

/** Returns the possible meanings of a table's name: a dot is part of it, or separates the schema from it. */
function splitTableName(source: string): readonly (readonly string[])[] {
  const dot = source.indexOf('.')
  return dot < 1 ? [[source]] : [[source], [source.slice(0, dot), source.slice(dot + 1)]]
}
