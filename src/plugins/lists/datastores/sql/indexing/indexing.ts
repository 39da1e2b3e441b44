// The indexes of a database that serve lists, and the fewest that are missing.
import type { Indexable } from '../../../query.ts'
import { type Indexing, MissingTableError, type Serving } from '../../../serving.ts'
import { readIndexes, type TableIndexes } from '../../catalogue/indexes.ts'
import { DIALECTS, type Dialect } from '../dialect.ts'
import type { SqlClient, SqlTable } from '../sql.ts'
import { openingOf } from '../statements/part.ts'
import { textOf } from '../text.ts'
import { createStatement, indexFor, type NewIndex, tooLong } from './create.ts'
import { type Need, needOf } from './need.ts'
import { serves } from './serves.ts'

/** Returns the indexes that serve lists in a database. */
export async function indexingOf(client: SqlClient, lists: readonly Indexable[]): Promise<Indexing> {
  const dialect = DIALECTS[client.dialect]
  const tables = new Map<SqlTable, TableIndexes>()
  for (const { from } of lists) {
    if (tables.has(from as SqlTable)) continue
    const found = await readIndexes(client, from as SqlTable)
    if (found.kind === 'absent') throw new MissingTableError(`The database has no table ${from.name}.`)
    tables.set(from as SqlTable, found)
  }
  const judged = lists.map((list) => judge(dialect, list, tables.get(list.from as SqlTable) as TableIndexes))
  const missing = fewest(
    dialect,
    judged.flatMap(({ need, index, never }) => (index === undefined && never === undefined ? [need] : [])),
    tables,
  )
  return {
    servings: judged.map(({ need, index, never, statement }): Serving => {
      const common = { passes: need.passes, statement }
      if (index !== undefined) return { index, ...common }
      if (never !== undefined) return { never, ...common }
      return { missing: missing.findIndex((one) => serves(dialect, one, need) && one.table === need.table), ...common }
    }),
    missing: missing.map((one) => createStatement(dialect.name, one)),
  }
}

interface Judged {
  readonly need: Need
  readonly index?: string
  readonly never?: string
  readonly statement: string
}

function judge(dialect: Dialect, list: Indexable, known: TableIndexes): Judged {
  const need = needOf(dialect, list)
  const statement = textOf(dialect.name, openingOf(dialect, list))
  const never =
    need.never ?? (known.kind === 'view' ? `${need.table.name} is a view, which has no indexes of its own` : undefined)
  if (never !== undefined) return { need, never, statement }
  const found = known.indexes.find((index) => serves(dialect, index, need))
  if (found !== undefined) return { need, index: found.name, statement }
  const long = tooLong(indexFor(dialect, need, known), known)
  return { need, statement, ...(long !== undefined && { never: long }) }
}

// An index whose columns stand in one order only is made before those that may have another, and the longest first: what it
// serves besides needs none of its own.
function fewest(
  dialect: Dialect,
  needs: readonly Need[],
  tables: ReadonlyMap<SqlTable, TableIndexes>,
): readonly NewIndex[] {
  const length = ({ equal, absent, order }: Need): number => equal.length + absent.length + order.length
  const sorted = [...needs].sort((a, b) => length(b) - length(a) || a.equal.length - b.equal.length)
  const made: NewIndex[] = []
  const served = (need: Need, by: readonly NewIndex[]): boolean =>
    by.some((index) => index.table === need.table && serves(dialect, index, need))
  for (const need of sorted) {
    if (served(need, made)) continue
    made.push(indexFor(dialect, need, tables.get(need.table) as TableIndexes, made))
  }
  return made.filter((one, at) => {
    const others = made.filter((_, i) => i !== at)
    return needs.some((need) => served(need, [one]) && !served(need, others))
  })
}
