// Transactions that overlap, commit and roll back in any order, while two relays work: nothing is lost, and nothing is doubled.
import { type Outbox, outbox } from 'edict/outbox'
import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { enginesHere, isNewer } from '../support/engines/clients/catalogued.ts'
import type { Engine } from '../support/engines/engine.ts'
import { type BoxClient, type BoxDatabase, openBoxDatabase } from '../support/outbox/clients.ts'

const CLIENTS = isNewer
  ? ({ sqlite: 'better-sqlite3', postgres: 'pg', mysql: 'mysql2' } as const)
  : ({ sqlite: 'Drizzle', postgres: 'pg', mysql: 'mysql2' } as const)

const INTERLEAVINGS = 1000
const SLOW = 300_000

/** A step of one of the transactions that are open at the same time. */
interface Step {
  /** Which of them. */
  readonly slot: number
  readonly action: 'add' | 'commit' | 'roll back'
  /** The messages that it adds. */
  readonly count: number
}

/** Steps of transactions of which so many are open at most. */
const createSteps = (slots: number): fc.Arbitrary<Step[]> =>
  fc.array(
    fc.record<Step>({
      slot: fc.nat({ max: slots - 1 }),
      action: fc.constantFrom('add', 'add', 'commit', 'roll back'),
      count: fc.integer({ min: 1, max: 3 }),
    }),
    { minLength: 1, maxLength: 12 },
  )

/** The order of everything that happens. */
class Clock {
  #time = 0
  readonly next = (): number => ++this.#time
}

/** A transaction that is open until it is told to end. */
class OpenTransaction {
  readonly texts: string[] = []
  readonly begun: number
  /** When its commit was reported; undefined if it was rolled back. */
  committed: number | undefined
  readonly #box: Outbox
  readonly #clock: Clock
  readonly #opened: Promise<object>
  readonly #ended: Promise<void>
  #end: (commits: boolean) => void = () => {}

  constructor(database: BoxDatabase, box: Outbox, clock: Clock) {
    this.#box = box
    this.#clock = clock
    this.begun = clock.next()
    const ending = new Promise<boolean>((resolve) => {
      this.#end = resolve
    })
    let open: (transaction: object) => void = () => {}
    this.#opened = new Promise((resolve) => {
      open = resolve
    })
    this.#ended = database.transaction(async (transaction) => {
      open(transaction)
      if (!(await ending)) throw UNDONE
    })
  }

  async add(texts: readonly string[]): Promise<void> {
    this.texts.push(...texts)
    await this.#box.add(
      await this.#opened,
      texts.map((text) => ({ topic: 'news', text })),
    )
  }

  async end(commits: boolean): Promise<void> {
    await this.#opened
    this.#end(commits)
    try {
      await this.#ended
      this.committed = this.#clock.next()
    } catch (error) {
      if (error !== UNDONE) throw error
    }
  }
}

const UNDONE = new Error('undone')

/** Runs the steps and returns the transactions that were in them. */
async function runSteps(
  steps: readonly Step[],
  open: () => OpenTransaction,
  name: string,
): Promise<readonly OpenTransaction[]> {
  const all: OpenTransaction[] = []
  const current = new Map<number, OpenTransaction>()
  let number = 0
  for (const { slot, action, count } of steps) {
    let transaction = current.get(slot)
    if (transaction === undefined) {
      transaction = open()
      all.push(transaction)
      current.set(slot, transaction)
    }
    if (action === 'add') await transaction.add(Array.from({ length: count }, () => `${name}.${number++}`))
    else {
      await transaction.end(action === 'commit')
      current.delete(slot)
    }
  }
  for (const transaction of current.values()) await transaction.end(true)
  return all
}

for (const need of await enginesHere()) {
  need.describe((engine) => {
    test(
      `[EVT-05] ${INTERLEAVINGS} interleavings of transactions lose and double nothing, and keep their order`,
      () => testInterleavings(engine, CLIENTS[engine.dialect]),
      SLOW,
    )
  })
}

async function testInterleavings(engine: Engine, client: BoxClient): Promise<void> {
  const base = await engine.createDatabase()
  const database = await openBoxDatabase(client, engine.dialect, base.url)
  const box = outbox(database.datastore)
  const delivered: string[] = []
  const keys = new Set<string>()
  box.route('news', async (messages) => {
    // Lets the other relay try.
    await new Promise((resolve) => setImmediate(resolve))
    for (const { key, text } of messages) {
      keys.add(key)
      delivered.push(text)
    }
  })
  const failures: unknown[] = []
  const relays = [1, 2].map(() => box.relay({ batch: 7, onFailure: (error) => failures.push(error) }))
  onTestFinished(async () => {
    for (const relay of relays) await (await relay).stop()
    await database.close()
    await base.close()
  })
  await Promise.all(relays)
  const clock = new Clock()
  const open = (): OpenTransaction => new OpenTransaction(database, box, clock)
  // SQLite has one writer: its transactions never overlap.
  const all = fc.sample(createSteps(engine.dialect === 'sqlite' ? 1 : 3), INTERLEAVINGS)
  const transactions: OpenTransaction[] = []
  for (const [i, steps] of all.entries()) transactions.push(...(await runSteps(steps, open, `${i}`)))
  const committed = transactions.filter((one) => one.committed !== undefined)
  const expected = committed.flatMap(({ texts }) => texts)
  await expect.poll(() => delivered.length, { timeout: 60_000 }).toBeGreaterThanOrEqual(expected.length)
  expect([...delivered].sort()).toEqual([...expected].sort())
  expect(keys.size).toBe(expected.length)
  checkOrder(delivered, committed)
  expect(failures).toEqual([])
}

/** Requires the order of `add` in each transaction, and that of transactions of which one begins after the other's commit. */
function checkOrder(delivered: readonly string[], committed: readonly OpenTransaction[]): void {
  const places = new Map(delivered.map((text, place) => [text, place]))
  const placesOf = ({ texts }: OpenTransaction): readonly number[] => texts.map((text) => places.get(text) as number)
  const wrong: unknown[] = []
  const byCommit = committed
    .filter(({ texts }) => texts.length > 0)
    .sort((a, b) => Number(a.committed) - Number(b.committed))
  for (const one of byCommit)
    if (placesOf(one).some((place, i, all) => place < (all[i - 1] ?? -1))) wrong.push(one.texts)
  for (const later of byCommit) {
    const first = Math.min(...placesOf(later))
    const before = byCommit.filter(({ committed: at }) => Number(at) < later.begun)
    for (const earlier of before.slice(-10))
      if (Math.max(...placesOf(earlier)) > first) wrong.push([earlier.texts, later.texts])
  }
  expect(wrong).toEqual([])
}
