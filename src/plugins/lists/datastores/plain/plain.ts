// All that the plain clients have in common: tables by the names that the database has for them, from its catalogue.
import { form } from '../../../../extend.ts'
import { readCatalogue } from '../catalogue/catalogue.ts'
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
export async function describedBy(client: SqlClient, { schemas = [] }: PlainOptions): Promise<Describe> {
  return describer(client.dialect, await readCatalogue(client, schemas), { identify })
}

/** Gives what a name of a table can mean: it can have a dot in it; otherwise what stands before the first is a schema. */
export function identify(source: string): readonly (readonly string[])[] {
  const dot = source.indexOf('.')
  return dot < 1 ? [[source]] : [[source], [source.slice(0, dot), source.slice(dot + 1)]]
}
