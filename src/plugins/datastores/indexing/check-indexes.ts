// Finds the indexes of a database that serve lists, and the smallest set of missing ones.

import { type IndexUse, type IndexUseReport, MissingTableError } from '../../query/index-use.ts'
import { DIALECTS, type SqlDialect } from '../sql/dialect.ts'
import type { SqlClient, SqlIndexableList, SqlTable } from '../sql/sql.ts'
import { formatStatement } from '../sql/sql-text.ts'
import { writeFirstPage } from '../sql/statements/read-rows.ts'
import { buildIndex, explainTooLong, formatCreateIndex, type NewIndex } from './create-index.ts'
import { canServe } from './index-match.ts'
import { deriveIndexRequirement, type IndexRequirement } from './index-requirement.ts'
import { readIndexes, type TableIndexes } from './table-indexes.ts'

/** Returns the index that serves each list, and the statements that create missing ones. */
export async function checkIndexes(client: SqlClient, lists: readonly SqlIndexableList[]): Promise<IndexUseReport> {
  const dialect = DIALECTS[client.dialect]
  const tables = new Map<SqlTable, TableIndexes>()
  for (const { from } of lists) {
    if (tables.has(from)) continue
    const found = await readIndexes(client, from)
    if (found.kind === 'absent') throw new MissingTableError(`The database has no table ${from.name}.`)
    tables.set(from, found)
  }
  const verdicts = lists.map((list) => checkList(dialect, list, tables.get(list.from) as TableIndexes))
  const missing = findFewestIndexes(
    dialect,
    verdicts.flatMap(({ requirement, index, unservableReason }) =>
      index === undefined && unservableReason === undefined ? [requirement] : [],
    ),
    tables,
  )
  return {
    uses: verdicts.map(({ requirement, index, unservableReason, statement }): IndexUse => {
      const common = { residualConditions: requirement.residualConditions, statement }
      if (index !== undefined) return { index, ...common }
      if (unservableReason !== undefined) return { reason: unservableReason, ...common }
      return {
        missing: missing.findIndex((one) => canServe(dialect, one, requirement) && one.table === requirement.table),
        ...common,
      }
    }),
    missing: missing.map((one) => formatCreateIndex(dialect.name, one)),
  }
}

interface ListVerdict {
  readonly requirement: IndexRequirement
  readonly index?: string
  readonly unservableReason?: string
  readonly statement: string
}

function checkList(dialect: SqlDialect, list: SqlIndexableList, table: TableIndexes): ListVerdict {
  const requirement = deriveIndexRequirement(dialect, list)
  const statement = formatStatement(dialect.name, writeFirstPage(dialect, list))
  const unservableReason =
    requirement.unservableReason ??
    (table.kind === 'view' ? `${requirement.table.name} is a view, which has no indexes of its own` : undefined)
  if (unservableReason !== undefined) return { requirement, unservableReason, statement }
  const found = table.indexes.find((index) => canServe(dialect, index, requirement))
  if (found !== undefined) return { requirement, index: found.name, statement }
  const tooLong = explainTooLong(buildIndex(dialect, requirement, table), table)
  return { requirement, statement, ...(tooLong !== undefined && { unservableReason: tooLong }) }
}

// Requirements that fix the order of the columns come before those that leave it open, and the longest come first: a list that
// their indexes also serve needs no other index.
function findFewestIndexes(
  dialect: SqlDialect,
  requirements: readonly IndexRequirement[],
  tables: ReadonlyMap<SqlTable, TableIndexes>,
): readonly NewIndex[] {
  const countColumns = ({ equalColumns, nullColumns, order }: IndexRequirement): number =>
    equalColumns.length + nullColumns.length + order.length
  const sorted = [...requirements].sort(
    (a, b) => countColumns(b) - countColumns(a) || a.equalColumns.length - b.equalColumns.length,
  )
  const indexes: NewIndex[] = []
  const isServed = (requirement: IndexRequirement, by: readonly NewIndex[]): boolean =>
    by.some((index) => index.table === requirement.table && canServe(dialect, index, requirement))
  for (const requirement of sorted) {
    if (isServed(requirement, indexes)) continue
    indexes.push(buildIndex(dialect, requirement, tables.get(requirement.table) as TableIndexes, indexes))
  }
  return indexes.filter((one, position) => {
    const others = indexes.filter((_, i) => i !== position)
    return requirements.some((requirement) => isServed(requirement, [one]) && !isServed(requirement, others))
  })
}
