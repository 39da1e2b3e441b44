// Lists of any length: read some elements at a time, from one snapshot where the datastore has them, as somebody takes them.
import type { Operand, Select, SelectedRows } from '../../query/query.ts'
import { assembleElements } from './assembly.ts'
import type { AssembledElement } from './build-elements.ts'
import { type ListOptions, checkTables, countRows, type PlannedQuery, planQuery, type ResourceSource, selectRows, buildSelect } from './planned-query.ts'

/** Elements of a list, read as they are asked for; every iteration reads anew. */
export class StreamedList<out T> implements AsyncIterable<T> {
  readonly #readBatches: () => AsyncGenerator<T[], void, undefined>

  constructor(read: () => AsyncGenerator<T[], void, undefined>) {
    this.#readBatches = read
  }

  /** The same elements, as many at a time as were read together. */
  '~batches'(): AsyncGenerator<T[], void, undefined> {
    return this.#readBatches()
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T, void, undefined> {
    for await (const batch of this.#readBatches()) yield* batch
  }
}

/** Reads all of a list, some elements at a time. */
export async function* streamList(source: ResourceSource, asked: ListOptions): AsyncGenerator<AssembledElement[], void, undefined> {
  // The check may change the plan, and is asked again until it has nothing to do.
  for (let checking = checkTables(planQuery(source, asked)); checking !== undefined; ) {
    await checking
    checking = checkTables(planQuery(source, asked))
  }
  const snapshot = await source.datastore.snapshot?.()
  try {
    const within = snapshot === undefined ? source : { ...source, datastore: snapshot.datastore }
    const query = planQuery(within, { ...asked, needsCursors: snapshot?.cursor === undefined })
    const sizes = new BatchSize()
    const whole: Select = buildSelect(query, { order: query.plan.order, limit: undefined, offset: 0 })
    const parts = snapshot?.cursor?.(whole, () => sizes.next) ?? readBatches(query, sizes)
    for await (const selected of parts) {
      sizes.adjust(selected)
      const { related } = query
      yield await assembleElements(query.plan.shape, selected, countRows(selected), related ? { ...within, related } : within)
    }
  } finally {
    await snapshot?.close()
  }
}

/** Reads one part behind the other, each from the place of the last row. */
async function* readBatches(query: PlannedQuery, sizes: BatchSize): AsyncGenerator<SelectedRows, void, undefined> {
  const { order, cursorIndices: places } = query.plan
  for (let after: Operand[] | undefined; ; ) {
    const limit = sizes.next
    const selected = await selectRows(query, { order, after, limit, offset: 0 })
    const count = countRows(selected)
    if (count > 0) yield selected
    if (count < limit) return
    after = places.map((column) => ({ cursorValue: selected.cursorValue(count - 1, column) }))
  }
}

/** How much is read at a time, in characters and bytes of its values; and in rows, however short they are. */
const [MAX_BATCH_WEIGHT, MAX_BATCH_ROWS] = [256 * 1024, 2000]

/** The number of rows to be read next, so that long ones do not fill the memory. */
class BatchSize {
  next = 100

  adjust(selected: SelectedRows): void {
    const { rows } = selected.undecoded ?? selected
    const step = Math.max(1, Math.floor(rows.length / 20))
    let [weight, weighed] = [0, 0]
    for (let i = 0; i < rows.length; i += step, weighed++) weight += measureRow(rows[i] as object)
    const wanted = Math.floor((MAX_BATCH_WEIGHT * weighed) / weight)
    // One short row says little of those behind it.
    this.next = Math.max(1, Math.min(wanted, this.next * 4, MAX_BATCH_ROWS))
  }
}

function measureRow(row: object): number {
  let weight = 16
  for (const value of Object.values(row) as unknown[])
    weight += typeof value === 'string' || value instanceof Uint8Array ? value.length : 8
  return weight
}
