// Tables that are filled anew for each case.
import type { Datastore } from 'edict/mapper'

type Row = Readonly<Record<string, string | number | null>>

/** Empties each of the tables, and gives it the rows. */
export async function fill(
  datastore: Datastore<string>,
  rows: Readonly<Record<string, readonly Row[]>>,
): Promise<void> {
  for (const [name, added] of Object.entries(rows)) {
    const table = datastore.table(name)
    await datastore.delete(table, { op: 'and', of: [] })
    for (const row of added) {
      const values = Object.entries(row).map(([column, value]) => [table.columns.get(column)!, value] as const)
      await datastore.insert(table, new Map(values))
    }
  }
}
