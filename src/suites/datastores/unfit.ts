// Conditions with values that their column cannot have: what comes back truly matches, or the call is refused.
import type { Filter, Reference } from '../../plugins/query/query.ts'
import { type SuiteSubject, createMismatchError } from './expectations.ts'
import { bindCount, bindFilter, bindSelect, bindValues } from './suite-model.ts'
import { type SuiteKind, sampleColumns } from './suite-tables.ts'

const NEVER = [Number.NaN, {}, [], new Date(Number.NaN)] as const

/** Values that no column of a kind can have. */
const UNFIT: Readonly<Partial<Record<SuiteKind, readonly unknown[]>>> = {
  text: [...NEVER, 0, 1, true],
  integer: [...NEVER, 'x', ''],
  bigint: [...NEVER, 'x', ''],
  number: [...NEVER, 'x', ''],
  decimal: [...NEVER, 'x', ''],
  boolean: [...NEVER, 'x', ''],
  date: [...NEVER, 'x', 0, true],
  dateTime: [...NEVER, 'x', true],
  time: [...NEVER, 'x', 0, true],
}

function conditionsOn(reference: Reference, value: unknown): readonly Filter<string>[] {
  const compared = (['=', '<', '<=', '>', '>='] as const).map((op): Filter<string> => ({ op, reference, value }))
  return [...compared, { op: 'in', reference, values: [value] }]
}

/** Checks that such conditions read nothing, unless they are refused. */
export async function unfitConditions<T>(subject: SuiteSubject<T>, kinds: readonly SuiteKind[]): Promise<void> {
  const { datastore, tables, model } = subject
  for (const kind of kinds)
    for (const value of UNFIT[kind] ?? [])
      for (const filter of conditionsOn(model.at('samples', sampleColumns[kind]), value)) {
        const query = model.select('samples', ['id'], { filter })
        const read = await unlessRefused(async () => (await datastore.select(bindSelect(query, tables))).rows.length)
        const counted = await unlessRefused(() => datastore.count(bindCount(query, tables)))
        if (read + counted > 0) throw createMismatchError(`${filter.op} with a value that no ${kind} is`, query, 0, read || counted)
      }
}

/** Checks that such conditions change and remove nothing. */
export async function unfitWrites<T>(subject: SuiteSubject<T>, kinds: readonly SuiteKind[]): Promise<void> {
  const { datastore, tables, model } = subject
  const table = tables('samples')
  await datastore.insert(table, bindValues(table, { id: 1, label: 'a', amount: 0 }))
  for (const kind of kinds)
    for (const value of UNFIT[kind] ?? [])
      for (const filter of conditionsOn(model.at('samples', sampleColumns[kind]), value)) {
        const bound = bindFilter(filter, [table], tables)
        const changed = await unlessRefused(() => datastore.update(table, bindValues(table, { label: 'b' }), bound))
        const removed = await unlessRefused(() => datastore.delete(table, bound))
        if (changed + removed > 0) throw createMismatchError(`writes where ${filter.op} a value that no ${kind} is`, filter, 0, 1)
      }
}

async function unlessRefused(work: () => Promise<number>): Promise<number> {
  try {
    return await work()
  } catch {
    return 0
  }
}
