// The indexes of a database that serve lists, and the fewest that are missing.
import type { IndexableList } from '../../query/query.ts'
import { type IndexUseReport, MissingTableError, type IndexUse } from '../../query/index-use.ts'
import { readIndexes, type TableIndexes } from './table-indexes.ts'
import { DIALECTS, type SqlDialect } from '../sql/dialect.ts'
import type { SqlClient, SqlTable } from '../sql/sql.ts'
import { writeFirstPage } from '../sql/statements/read-rows.ts'
import { formatStatement } from '../sql/sql-text.ts'
import { formatCreateIndex, buildIndex, type NewIndex, explainTooLong } from './create-index.ts'
import { type IndexRequirement, deriveIndexRequirement } from './index-requirement.ts'
import { canServe } from './index-match.ts'

/** Returns the indexes that serve lists in a database. */
export async function checkIndexes(client: SqlClient, lists: readonly IndexableList[]): Promise<IndexUseReport> {
  const dialect = DIALECTS[client.dialect]
  const tables = new Map<SqlTable, TableIndexes>()
  for (const { from } of lists) {
    if (tables.has(from as SqlTable)) continue
    const found = await readIndexes(client, from as SqlTable)
    if (found.kind === 'absent') throw new MissingTableError(`The database has no table ${from.name}.`)
    tables.set(from as SqlTable, found)
  }
  const judged = lists.map((list) => checkList(dialect, list, tables.get(list.from as SqlTable) as TableIndexes))
  const missing = findFewestIndexes(
    dialect,
    judged.flatMap(({ requirement: need, index, never }) => (index === undefined && never === undefined ? [need] : [])),
    tables,
  )
  return {
    uses: judged.map(({ requirement: need, index, never, statement }): IndexUse => {
      const common = { passes: need.residualConditions, statement }
      if (index !== undefined) return { index, ...common }
      if (never !== undefined) return { never, ...common }
      return { missing: missing.findIndex((one) => canServe(dialect, one, need) && one.table === need.table), ...common }
    }),
    missing: missing.map((one) => formatCreateIndex(dialect.name, one)),
  }
}

interface ListVerdict {
  readonly requirement: IndexRequirement
  readonly index?: string
  readonly never?: string
  readonly statement: string
}

function checkList(dialect: SqlDialect, list: IndexableList, known: TableIndexes): ListVerdict {
  const need = deriveIndexRequirement(dialect, list)
  const statement = formatStatement(dialect.name, writeFirstPage(dialect, list))
  const never =
    need.never ?? (known.kind === 'view' ? `${need.table.name} is a view, which has no indexes of its own` : undefined)
  if (never !== undefined) return { requirement: need, never, statement }
  const found = known.indexes.find((index) => canServe(dialect, index, need))
  if (found !== undefined) return { requirement: need, index: found.name, statement }
  const long = explainTooLong(buildIndex(dialect, need, known), known)
  return { requirement: need, statement, ...(long !== undefined && { never: long }) }
}

// An index whose columns stand in one order only is made before those that may have another, and the longest first: what it
// serves besides needs none of its own.
function findFewestIndexes(
  dialect: SqlDialect,
  needs: readonly IndexRequirement[],
  tables: ReadonlyMap<SqlTable, TableIndexes>,
): readonly NewIndex[] {
  const length = ({ equalColumns: equal, nullColumns: absent, order }: IndexRequirement): number => equal.length + absent.length + order.length
  const sorted = [...needs].sort((a, b) => length(b) - length(a) || a.equalColumns.length - b.equalColumns.length)
  const made: NewIndex[] = []
  const served = (need: IndexRequirement, by: readonly NewIndex[]): boolean =>
    by.some((index) => index.table === need.table && canServe(dialect, index, need))
  for (const need of sorted) {
    if (served(need, made)) continue
    made.push(buildIndex(dialect, need, tables.get(need.table) as TableIndexes, made))
  }
  return made.filter((one, at) => {
    const others = made.filter((_, i) => i !== at)
    return needs.some((need) => served(need, [one]) && !served(need, others))
  })
}
