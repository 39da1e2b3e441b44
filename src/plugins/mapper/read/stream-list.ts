// Streamed lists: read in batches as they are consumed, from one snapshot if the datastore has them.
import type { Operand, Select, SelectedRows } from '../../query/query.ts'
import { assembleElements } from './assembly.ts'
import type { AssembledElement } from './build-elements.ts'
import {
  buildSelect,
  checkTables,
  countRows,
  type ListOptions,
  type PlannedQuery,
  planQuery,
  type ResourceSource,
  selectRows,
} from './planned-query.ts'

/** A list whose elements are read as they are consumed; every iteration reads it again. */
export class StreamedList<out T> implements AsyncIterable<T> {
  readonly #readBatches: () => AsyncGenerator<T[], void, undefined>

  constructor(read: () => AsyncGenerator<T[], void, undefined>) {
    this.#readBatches = read
  }

  /** Iterates the same elements in the batches in which they are read. */
  '~batches'(): AsyncGenerator<T[], void, undefined> {
    return this.#readBatches()
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T, void, undefined> {
    for await (const batch of this.#readBatches()) yield* batch
  }
}

/** Reads a complete list in batches. */
export async function* streamList(
  source: ResourceSource,
  options: ListOptions,
): AsyncGenerator<AssembledElement[], void, undefined> {
  // The check may change the plan, so it is repeated until there is nothing to check.
  for (let pendingCheck = checkTables(planQuery(source, options)); pendingCheck !== undefined; ) {
    await pendingCheck
    pendingCheck = checkTables(planQuery(source, options))
  }
  const snapshot = await source.datastore.snapshot?.()
  try {
    const snapshotSource = snapshot === undefined ? source : { ...source, datastore: snapshot.datastore }
    const query = planQuery(snapshotSource, { ...options, needsCursors: snapshot?.cursor === undefined })
    const sizes = new BatchSize()
    const select: Select = buildSelect(query, { order: query.plan.order, limit: undefined, offset: 0 })
    const batches = snapshot?.cursor?.(select, () => sizes.next) ?? readBatches(query, sizes)
    for await (const selected of batches) {
      sizes.adjust(selected)
      const { related } = query
      yield await assembleElements(
        query.plan.shape,
        selected,
        countRows(selected),
        related ? { ...snapshotSource, related } : snapshotSource,
      )
    }
  } finally {
    await snapshot?.close()
  }
}

/** Reads one batch after the other, each from the cursor of the last row. */
async function* readBatches(query: PlannedQuery, sizes: BatchSize): AsyncGenerator<SelectedRows, void, undefined> {
  const { order, cursorIndices } = query.plan
  for (let after: Operand[] | undefined; ; ) {
    const limit = sizes.next
    const selected = await selectRows(query, { order, after, limit, offset: 0 })
    const count = countRows(selected)
    if (count > 0) yield selected
    if (count < limit) return
    after = cursorIndices.map((column) => ({ cursorValue: selected.cursorValue(count - 1, column) }))
  }
}

/** The maximum size of a batch, in characters and bytes of its values, and in rows. */
const [MAX_BATCH_WEIGHT, MAX_BATCH_ROWS] = [256 * 1024, 2000]

/** The number of rows to read next, limited so that long rows do not fill the memory. */
class BatchSize {
  next = 100

  adjust(selected: SelectedRows): void {
    const { rows } = selected.undecoded ?? selected
    const step = Math.max(1, Math.floor(rows.length / 20))
    let [weight, weighed] = [0, 0]
    for (let i = 0; i < rows.length; i += step, weighed++) weight += measureRow(rows[i] as object)
    const target = Math.floor((MAX_BATCH_WEIGHT * weighed) / weight)
    // One short row is not representative of the following ones.
    this.next = Math.max(1, Math.min(target, this.next * 4, MAX_BATCH_ROWS))
  }
}

function measureRow(row: object): number {
  let weight = 16
  for (const value of Object.values(row) as unknown[])
    weight += typeof value === 'string' || value instanceof Uint8Array ? value.length : 8
  return weight
}
