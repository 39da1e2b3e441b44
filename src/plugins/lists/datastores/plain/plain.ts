// Shared parts of the plain clients: tables by their names in the database, from its catalogue.
import { form } from '../../../../extend.ts'
import { readCatalogue } from '../catalogue/catalogue.ts'
import type { Form } from '../catalogue/form.ts'
import { describer } from '../catalogue/tables.ts'
import type { SqlClient, SqlTable } from '../sql/sql.ts'

/** Options of every datastore of a plain client. */
export interface PlainOptions {
  /**
   * Further schemas (in MySQL, databases) whose tables are named `schema.table`.
   * @default none
   */
  readonly schemas?: readonly string[]
}

/** The forms of those options. */
export const PLAIN_FIELDS: form.Fields<PlainOptions> = { schemas: form.list(form.text) }

/** Describes a table by its name. */
export type Describe = (source: string) => SqlTable<string>

/** Asks the database for its tables, and makes the function that describes them. */
export async function describedBy(
  client: SqlClient,
  { schemas = [] }: PlainOptions,
  formed?: (given: Form) => Form,
): Promise<Describe> {
  return describer(client.dialect, await readCatalogue(client, schemas), { identify, ...(formed && { formed }) })
}

/** Gives the meanings that the name of a table can have: a dot belongs to it, or separates the schema from it. */
function identify(source: string): readonly (readonly string[])[] {
  const dot = source.indexOf('.')
  return dot < 1 ? [[source]] : [[source], [source.slice(0, dot), source.slice(dot + 1)]]
}
