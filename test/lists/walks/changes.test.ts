// Lists that change while somebody walks along them: no row comes twice, and none that was there throughout is missed.
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { enginesHere } from '../../support/engines/clients/catalogued.ts'
import { describeEngine } from '../../support/engines/engine.ts'
import { runs } from '../../support/runs.ts'
import { type Abilities, COLUMNS, type Content, contents, itemRows, type Kind, type Row } from './contents.ts'
import { concerns, fits } from './filters.ts'
import { byHand } from './oracle.ts'
import { allClientsOn, openTarget, type Target } from './targets.ts'
import { LIMITS, orderOf, pageAt, startOf, type Walk, type WalkedPage, walks } from './walk.ts'

const RUNS = runs(10, 16, 120)
const SLOW = 300_000

/** A change of one row; which one is decided when it happens. */
type Change =
  | { readonly do: 'insert'; readonly row: Row }
  | { readonly do: 'delete'; readonly which: number }
  | { readonly do: 'update'; readonly which: number; readonly column: number; readonly row: Row }

/** What happens around the reading of a page. */
interface Step {
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

const cases = (able: Abilities) =>
  fc.record({
    content: contents(able),
    walk: walks(able, 'cursor').map((walk): Walk => ({ ...walk, fields: KEY, total: false })),
    steps: fc.array(
      fc.record({
        before: fc.array(changes(able), { maxLength: 3 }),
        during: fc.array(changes(able), { maxLength: 3 }),
      }),
      { minLength: 1, maxLength: 12, size: 'max' },
    ),
  })

const KEY = { section: true, number: true } as const
const keyOf = (row: unknown): string => JSON.stringify([(row as Row)['section'], (row as Row)['number']])

/** A table while it changes: what is there, what was there all the time, and what ever was. */
class Living {
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
  readonly socket: boolean
}

/** Follows a relation while the list changes. */
async function followChanging(
  target: Target,
  living: Living,
  { start, relation, steps, socket }: Following,
): Promise<WalkedPage[]> {
  const pages: WalkedPage[] = []
  for (let path: string | undefined = start; path !== undefined; path = pages.at(-1)?.links.get(relation)) {
    // As many changes as there are steps: whoever adds rows faster than they are read would never come to an end.
    const step = steps[pages.length]
    await living.apply(step?.before ?? [])
    const [page] = await Promise.all([pageAt(target, path, socket), living.apply(step?.during ?? [])])
    pages.push(page)
  }
  return pages
}

const keysOf = (pages: readonly WalkedPage[]): string[] => pages.flatMap(({ elements }) => elements.map(keyOf))

/** Rows in the order of the list, none of them twice, and none of those missing that were there throughout. */
function expectWhole(living: Living, walked: readonly string[], within: (at: number) => boolean): void {
  const { sequence, stable } = living
  const seen = new Set(walked)
  expect(walked).toEqual(sequence.filter((key) => seen.has(key)))
  const missed = sequence.filter((key, at) => stable.has(key) && within(at) && !seen.has(key))
  expect(missed).toEqual([])
}

for (const engine of await enginesHere()) {
  describeEngine(engine, () => {
    for (const client of allClientsOn(engine.dialect)) {
      describe(client, () => {
        let target: Target
        beforeAll(async () => {
          target = await openTarget(engine, client)
        }, SLOW)
        afterAll(() => target?.close())

        test('[PGN-14] [MAP-01] [MAP-03] walks while rows come, go and change', { timeout: SLOW }, async () => {
          let [forward, backward] = [0, 0]
          await fc.assert(
            fc.asyncProperty(cases(target.able), async ({ content, walk, steps }) => {
              await target.fill(content)
              const living = new Living(target, content, walk)
              const { socket } = walk
              const start = startOf(content, walk)
              const there = await followChanging(target, living, { start, relation: 'next', steps, socket })
              expectWhole(living, keysOf(there), () => true)
              forward += there.length
              const last = there.findLast(({ elements }) => elements.length > 0)
              const prev = last?.links.get('prev')
              if (last === undefined || prev === undefined) return
              living.settle()
              const reversed = { start: prev, relation: 'prev', steps: steps.toReversed(), socket } as const
              const back = await followChanging(target, living, reversed)
              const end = living.sequence.indexOf(keyOf(last.elements[0]))
              expectWhole(living, keysOf(back.toReversed()), (at) => at < end)
              backward += back.length
            }),
            { ...LIMITS, numRuns: RUNS },
          )
          // How many pages there are is left to chance; that there are some in both directions is not.
          expect(Math.min(forward, backward)).toBeGreaterThan(RUNS / 4)
        })
      })
    }
  })
}
