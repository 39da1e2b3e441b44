// Lists of any length: read some elements at a time, from one snapshot where the datastore has them, as somebody takes them.
import type { Operand, Select, Selected } from '../query.ts'
import { assemble } from './assembly.ts'
import type { Element } from './elements.ts'
import { type Asked, checkOf, countOf, type Query, queryOf, type Source, select, selectOf } from './query.ts'

/** Elements of a list, read as they are asked for; every iteration reads anew. */
export class StreamedList<out T> implements AsyncIterable<T> {
  readonly #read: () => AsyncGenerator<T[], void, undefined>

  constructor(read: () => AsyncGenerator<T[], void, undefined>) {
    this.#read = read
  }

  /** The same elements, as many at a time as were read together. */
  '~batches'(): AsyncGenerator<T[], void, undefined> {
    return this.#read()
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T, void, undefined> {
    for await (const batch of this.#read()) yield* batch
  }
}

/** Reads all of a list, some elements at a time. */
export async function* streamList(source: Source, asked: Asked): AsyncGenerator<Element[], void, undefined> {
  // The check may change the plan, and is asked again until it has nothing to do.
  for (let checking = checkOf(queryOf(source, asked)); checking !== undefined; ) {
    await checking
    checking = checkOf(queryOf(source, asked))
  }
  const snapshot = await source.datastore.snapshot?.()
  try {
    const within = snapshot === undefined ? source : { ...source, datastore: snapshot.datastore }
    const query = queryOf(within, { ...asked, placed: snapshot?.cursor === undefined })
    const sizes = new Sizes()
    const whole: Select = selectOf(query, { order: query.plan.order, limit: undefined, offset: 0 })
    const parts = snapshot?.cursor?.(whole, () => sizes.next) ?? partsOf(query, sizes)
    for await (const selected of parts) {
      sizes.note(selected)
      const { related } = query
      yield await assemble(query.plan.shape, selected, countOf(selected), related ? { ...within, related } : within)
    }
  } finally {
    await snapshot?.close()
  }
}

/** Reads one part behind the other, each from the place of the last row. */
async function* partsOf(query: Query, sizes: Sizes): AsyncGenerator<Selected, void, undefined> {
  const { order, places } = query.plan
  for (let after: Operand[] | undefined; ; ) {
    const limit = sizes.next
    const selected = await select(query, { order, after, limit, offset: 0 })
    const count = countOf(selected)
    if (count > 0) yield selected
    if (count < limit) return
    after = places.map((column) => ({ place: selected.place(count - 1, column) }))
  }
}

/** How much is read at a time, in characters and bytes of its values; and in rows, however short they are. */
const [WEIGHT, MOST] = [256 * 1024, 2000]

/** The number of rows to be read next, so that long ones do not fill the memory. */
class Sizes {
  next = 100

  note(selected: Selected): void {
    const { rows } = selected.undecoded ?? selected
    const step = Math.max(1, Math.floor(rows.length / 20))
    let [weight, weighed] = [0, 0]
    for (let i = 0; i < rows.length; i += step, weighed++) weight += weightOf(rows[i] as object)
    const wanted = Math.floor((WEIGHT * weighed) / weight)
    // One short row says little of those behind it.
    this.next = Math.max(1, Math.min(wanted, this.next * 4, MOST))
  }
}

function weightOf(row: object): number {
  let weight = 16
  for (const value of Object.values(row) as unknown[])
    weight += typeof value === 'string' || value instanceof Uint8Array ? value.length : 8
  return weight
}
