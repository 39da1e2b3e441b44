// A list that changes while a client pages through it, and the elements that the client must get.
import fc from 'fast-check'
import { expect } from 'vitest'
import { type Abilities, COLUMNS, type Content, itemRows, type Kind, type Row } from './contents.ts'
import { concerns, fits } from './filters.ts'
import { byHand } from './oracle.ts'
import type { Target } from './targets.ts'
import { orderOf, type Walk, type WalkedPage } from './walk.ts'

/** A change of one row; which one is decided when it happens. */
type Change =
  | { readonly do: 'insert'; readonly row: Row }
  | { readonly do: 'delete'; readonly which: number }
  | { readonly do: 'update'; readonly which: number; readonly column: number; readonly row: Row }

/** The changes around the reading of a page. */
export interface Step {
  readonly before: readonly Change[]
  readonly during: readonly Change[]
}

function changes(able: Abilities): fc.Arbitrary<Change> {
  const row = itemRows(able)
  return fc.oneof(
    fc.record({ do: fc.constant('insert' as const), row }),
    fc.record({ do: fc.constant('delete' as const), which: fc.nat(1000) }),
    fc.record({ do: fc.constant('update' as const), which: fc.nat(1000), column: fc.nat(1000), row }),
  )
}

/** Some changes before and during each page of a walk. */
export const stepsOf = (able: Abilities): fc.Arbitrary<readonly Step[]> =>
  fc.array(
    fc.record({
      before: fc.array(changes(able), { maxLength: 3 }),
      during: fc.array(changes(able), { maxLength: 3 }),
    }),
    { minLength: 1, maxLength: 12, size: 'max' },
  )

/** The fields of the key, as a selection. */
export const KEY = { section: true, number: true } as const
/** The key of an element as a text. */
export const keyOf = (row: unknown): string => JSON.stringify([(row as Row)['section'], (row as Row)['number']])

/** A table while it changes: what is there, what was there all the time, and what ever was. */
export class Living {
  readonly #target: Target
  readonly #content: Content
  readonly #walk: Walk
  readonly #present: Map<string, Row>
  #fresh = 0
  stable: Set<string>
  readonly ever: Row[]

  constructor(target: Target, content: Content, walk: Walk) {
    this.#target = target
    this.#content = content
    this.#walk = walk
    this.#present = new Map(content.items.map((row) => [keyOf(row), row]))
    this.stable = new Set(this.#present.keys())
    this.ever = [...content.items]
  }

  /** From now on, what is there counts as having been there all the time. */
  settle(): void {
    this.stable = new Set(this.#present.keys())
  }

  async apply(all: readonly Change[]): Promise<void> {
    for (const change of all) await this.#apply(change)
  }

  async #apply(change: Change): Promise<void> {
    if (change.do === 'insert') return this.#insert(change.row)
    const rows = [...this.#present.values()]
    const row = rows[change.which % rows.length]
    if (row === undefined) return
    const where = `where section = ${this.#literal(row, 'section')} and number = ${row['number']}`
    if (change.do === 'delete') {
      await this.#target.query(`delete from ${this.#content.table} ${where}`)
      this.#present.delete(keyOf(row))
      this.stable.delete(keyOf(row))
      return
    }
    const column = this.#others[change.column % this.#others.length]
    if (column === undefined) return
    const value = this.#literal(this.#owned(change.row), column)
    await this.#target.query(`update ${this.#content.table} set ${column} = ${value} ${where}`)
  }

  // A row that went never comes back, neither with its values nor with others.
  async #insert(given: Row): Promise<void> {
    const number = (200 + this.#fresh++) * (Number(given['number']) < 0 ? -1 : 1)
    const row = { ...this.#owned(given), number }
    this.ever.push(row)
    const values = Object.keys(COLUMNS.items).map((column) => this.#literal(row, column))
    await this.#target.query(`insert into ${this.#content.table} values (${values.join()})`)
    this.#present.set(keyOf(row), row)
  }

  #owned = (row: Row): Row => ({
    ...row,
    owner_id: row['owner_id'] === null ? null : (Number(row['owner_id']) % this.#content.owners.length) + 1,
  })

  #literal = (row: Row, column: string): string =>
    this.#target.written.literal(row[column] ?? null, COLUMNS.items[column as keyof typeof COLUMNS.items] as Kind)

  /** The columns that decide neither where a row stands nor whether it is in the list. */
  get #others(): string[] {
    const { filter } = this.#walk
    const order = orderOf(this.#walk)
    const matters = (field: string): boolean =>
      order.some((term) => term.field === field) || (filter !== undefined && concerns(filter, field))
    const byOwner = ['owner', 'owner.id', 'owner.name', 'owner.rank', 'owner.town', 'owner.town.name'].some(matters)
    return Object.keys(COLUMNS.items).filter((column) =>
      column === 'owner_id' ? !byOwner : column !== 'section' && column !== 'number' && !matters(column),
    )
  }

  /** The keys of all rows that ever were in the list, in its order. */
  get sequence(): string[] {
    const { filter } = this.#walk
    const whole = { ...this.#content, items: this.ever }
    const inside = this.ever.filter((row) => filter === undefined || fits(filter, whole, row))
    return byHand({ ...whole, items: inside }, { filter: undefined, order: orderOf(this.#walk) }).map(keyOf)
  }
}

/** Which links are followed from where, and what changes meanwhile. */
interface Following {
  readonly start: string
  readonly relation: 'next' | 'prev'
  readonly steps: readonly Step[]
  /** Asks for a page. */
  readonly ask: (path: string) => Promise<WalkedPage>
}

/** Follows a relation while the list changes. */
export async function followChanging(
  living: Living,
  { start, relation, steps, ask }: Following,
): Promise<WalkedPage[]> {
  const pages: WalkedPage[] = []
  for (let path: string | undefined = start; path !== undefined; path = pages.at(-1)?.links.get(relation)) {
    // As many changes as there are steps: with rows added faster than they are read, a walk would never end.
    const step = steps[pages.length]
    await living.apply(step?.before ?? [])
    const [page] = await Promise.all([ask(path), living.apply(step?.during ?? [])])
    pages.push(page)
  }
  return pages
}

/** The keys of all elements of some pages. */
export const keysOf = (pages: readonly WalkedPage[]): string[] => pages.flatMap(({ elements }) => elements.map(keyOf))

/** Rows in the order of the list, none of them twice, and none of those missing that were there throughout. */
export function expectWhole(living: Living, walked: readonly string[], within: (at: number) => boolean): void {
  const { sequence, stable } = living
  const seen = new Set(walked)
  expect(walked).toEqual(sequence.filter((key) => seen.has(key)))
  const missed = sequence.filter((key, at) => stable.has(key) && within(at) && !seen.has(key))
  expect(missed).toEqual([])
}
