// Tests of conditions with values that their column cannot have: only rows that match are returned, or the call is refused.
import type { Filter, Reference } from '../../plugins/mapper/index.ts'
import { createMismatchError, type SuiteSubject } from './expectations.ts'
import { bindCount, bindFilter, bindSelect, bindValues } from './suite-model.ts'
import { type SuiteKind, sampleColumns } from './suite-tables.ts'

const INVALID_VALUES = [Number.NaN, {}, [], new Date(Number.NaN)] as const

/** Values that no column of a kind can have. */
const UNFIT: Readonly<Partial<Record<SuiteKind, readonly unknown[]>>> = {
  text: [...INVALID_VALUES, 0, 1, true],
  integer: [...INVALID_VALUES, 'x', ''],
  bigint: [...INVALID_VALUES, 'x', ''],
  number: [...INVALID_VALUES, 'x', ''],
  decimal: [...INVALID_VALUES, 'x', ''],
  boolean: [...INVALID_VALUES, 'x', ''],
  date: [...INVALID_VALUES, 'x', 0, true],
  dateTime: [...INVALID_VALUES, 'x', true],
  time: [...INVALID_VALUES, 'x', 0, true],
}

function buildConditions(reference: Reference, value: unknown): readonly Filter<string>[] {
  const comparisons = (['=', '<', '<=', '>', '>='] as const).map((op): Filter<string> => ({ op, reference, value }))
  return [...comparisons, { op: 'in', reference, values: [value] }]
}

/** Throws if such a condition reads a row; it may be refused. */
export async function testUnfitConditions<T>(subject: SuiteSubject<T>, kinds: readonly SuiteKind[]): Promise<void> {
  const { datastore, tables, model } = subject
  for (const kind of kinds)
    for (const value of UNFIT[kind] ?? [])
      for (const filter of buildConditions(model.reference('samples', sampleColumns[kind]), value)) {
        const query = model.select('samples', ['id'], { filter })
        const read = await countUnlessRefused(
          async () => (await datastore.select(bindSelect(query, tables))).rows.length,
        )
        const counted = await countUnlessRefused(() => datastore.count(bindCount(query, tables)))
        if (read + counted > 0)
          throw createMismatchError(`${filter.op} with a value that no ${kind} is`, query, 0, read || counted)
      }
}

/** Throws if such a condition updates or deletes a row. */
export async function testUnfitWrites<T>(subject: SuiteSubject<T>, kinds: readonly SuiteKind[]): Promise<void> {
  const { datastore, tables, model } = subject
  const table = tables('samples')
  await datastore.insert(table, bindValues(table, { id: 1, label: 'a', amount: 0 }))
  for (const kind of kinds)
    for (const value of UNFIT[kind] ?? [])
      for (const filter of buildConditions(model.reference('samples', sampleColumns[kind]), value)) {
        const bound = bindFilter(filter, [table], tables)
        const changed = await countUnlessRefused(() =>
          datastore.update(table, bindValues(table, { label: 'b' }), bound),
        )
        const removed = await countUnlessRefused(() => datastore.delete(table, bound))
        if (changed + removed > 0)
          throw createMismatchError(`writes where ${filter.op} a value that no ${kind} is`, filter, 0, 1)
      }
}

async function countUnlessRefused(work: () => Promise<number>): Promise<number> {
  try {
    return await work()
  } catch {
    return 0
  }
}
