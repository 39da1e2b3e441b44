// Walks along lists are exact, on every engine: the rows and the order of one plain query, there and back.
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { askFetch } from '../../support/ask.ts'
import { enginesHere } from '../../support/engines/clients/catalogued.ts'
import type { Engine } from '../../support/engines/engine.ts'
import { runs } from '../../support/runs.ts'
import { type Content, contents, type Row, type Value } from './contents.ts'
import { concerns } from './filters.ts'
import { beyond, byHand, bySql, DEFAULT, type Query, selected, shown, type Term } from './oracle.ts'
import { allClientsOn, type Client, openMemory, openTarget, type Served, type Target } from './targets.ts'
import { follow, froms, LIMITS, orderOf, pageAt, SLOW, startOf, type Walk, type WalkedPage, walks } from './walk.ts'

/** How many walks each datastore sees, on each of its engines; in the campaign of laws at least a thousand. */
const WALKS: Readonly<Record<Client | 'memory', number>> = {
  memory: runs(16, 1024),
  Drizzle: runs(16, 1024),
  Kysely: runs(16, 1024),
  pg: runs(16, 1024),
  mysql2: runs(16, 1024),
  'better-sqlite3': runs(16, 1024),
  'node:sqlite': runs(16, 1024),
  Prisma: runs(16, 1024),
}
const PER_CONTENT = 16

const flat = (pages: readonly WalkedPage[]): unknown[] => pages.flatMap(({ elements }) => elements)

/** Walks to the end and back, and expects exactly these elements. */
async function walkBoth(served: Served, content: Content, walk: Walk, expected: readonly unknown[]): Promise<void> {
  const { items, total, socket } = walk
  const there = await follow(served, startOf(content, walk), 'next', socket)
  expect(flat(there)).toEqual(expected)
  expect(there.map(({ elements }) => elements.length)).toEqual(sizes(expected.length, items))
  expect(new Set(there.map((page) => page.total))).toEqual(new Set([total ? expected.length : undefined]))
  const last = there.at(-1) as WalkedPage
  const prev = last.links.get('prev')
  expect(prev !== undefined).toBe(there.length > 1)
  if (prev === undefined) return
  const back = await follow(served, prev, 'prev', socket)
  expect(back.toReversed().map(({ elements }) => elements)).toEqual(there.slice(0, -1).map(({ elements }) => elements))
  // The way back can be left anywhere, and the beginning reached from anywhere.
  const turn = expected.length % back.length
  const after = await pageAt(served, back[turn]?.links.get('next') as string, socket)
  expect(after.elements).toEqual(there.at(-1 - turn)?.elements)
  const first = await pageAt(served, last.links.get('first') as string, socket)
  expect(first.elements).toEqual(there[0]?.elements)
}

function sizes(length: number, items: number): number[] {
  const full = Array.from({ length: Math.floor(length / items) }, () => items)
  return length % items === 0 && length > 0 ? full : [...full, length % items]
}

const queryOf = (walk: Walk): Query => ({ filter: walk.filter, order: orderOf(walk) })

const shownAs = (content: Content, { fields }: Walk, rows: readonly Row[]): unknown[] =>
  rows.map((row) => selected(shown(content, row), fields ?? DEFAULT))

/** Whether the memory datastore, which has milliseconds, can tell the same. */
function isCoarse(content: Content, { filter, order }: Query): boolean {
  const fine = content.items.some(({ at }) => typeof at === 'string' && !at.endsWith('000'))
  return !fine || !((filter && concerns(filter, 'at')) || order.some(({ field }) => field === 'at'))
}

/** A table, and walks through it that are made at the same time. */
const cases = (target: Pick<Target, 'able'>, mode?: Walk['mode']) =>
  fc.tuple(
    contents(target.able),
    fc.array(walks(target.able, mode), { minLength: PER_CONTENT, maxLength: PER_CONTENT, size: 'max' }),
  )

const runsFor = (count: number) => ({
  ...LIMITS,
  numRuns: Math.ceil(count / PER_CONTENT),
})

/** Does something with each, a few at a time; what is under way ends before a failure is told. */
async function each<T>(all: readonly T[], work: (one: T) => Promise<void>): Promise<void> {
  const rest = all.values()
  const lane = async (): Promise<void> => {
    for (const one of rest) await work(one)
  }
  const lanes = await Promise.allSettled(Array.from({ length: 4 }, lane))
  for (const ended of lanes) if (ended.status === 'rejected') throw ended.reason
}

describe('memory', () => {
  test('[PGN-14] [PGN-15] [MAP-01] [MAP-02] [MAP-03] walks through random lists', { timeout: SLOW }, async () => {
    const served = openMemory()
    const able = { micros: false, wide: true }
    let made = 0
    await fc.assert(
      fc.asyncProperty(cases({ able }), async ([content, all]) => {
        await served.fill(content)
        await each(all, async (walk) => {
          await walkBoth(served, content, walk, shownAs(content, walk, byHand(content, queryOf(walk))))
          made++
        })
      }),
      runsFor(WALKS.memory),
    )
    expect(made).toBeGreaterThanOrEqual(WALKS.memory)
  })
})

for (const need of await enginesHere()) {
  need.describe((engine) => {
    for (const client of allClientsOn(engine.dialect)) clientWalks(engine, client)
  })

  function clientWalks(engine: Engine, client: Client): void {
    describe(client, () => {
      let target: Target
      let made = 0
      const memory = openMemory()
      beforeAll(async () => {
        target = await openTarget(engine, client)
      }, SLOW)
      afterAll(async () => {
        await target?.close()
        console.log(`${made} walks by ${client} on ${engine.name}`)
      })

      test('[PGN-14] [PGN-15] [MAP-01] [MAP-02] [MAP-03] walks through random lists', { timeout: SLOW }, async () => {
        await fc.assert(
          fc.asyncProperty(cases(target), async ([content, all]) => {
            await target.fill(content)
            await memory.fill(content)
            await each(all, async (walk) => {
              const rows = await bySql(target, content, queryOf(walk))
              expect(rows).toEqual(byHand(content, queryOf(walk)))
              const expected = shownAs(content, walk, rows)
              await walkBoth(target, content, walk, expected)
              made++
              if (!isCoarse(content, queryOf(walk))) return
              const whole = await pageAt(memory, startOf(content, { ...walk, items: 1000 }), false)
              expect(whole.elements).toEqual(expected)
            })
          }),
          runsFor(WALKS[client]),
        )
        expect(made).toBeGreaterThanOrEqual(WALKS[client])
      })

      test('[PGN-13] [PGN-14] a from typed by hand passes over all that are equal', { timeout: SLOW }, async () => {
        const started = walks(target.able, 'cursor').chain((walk) =>
          fc.tuple(fc.constant(walk), froms((orderOf(walk)[0] as Term).field, target.able)),
        )
        const all = fc.array(started, { minLength: PER_CONTENT, maxLength: PER_CONTENT, size: 'max' })
        await fc.assert(
          fc.asyncProperty(contents(target.able), all, async (content, starts) => {
            await target.fill(content)
            await each(starts, async ([walk, from]) => {
              await walkFrom(target, content, walk, from)
              made++
            })
          }),
          runsFor(WALKS[client] / 5),
        )
      })

      test('[PGN-15] [MAP-02] [MAP-03] a link belongs to its order and its filters, not to its fields', {
        timeout: SLOW,
      }, async () => {
        let links = 0
        await fc.assert(
          fc.asyncProperty(cases(target, 'cursor'), async ([content, all]) => {
            await target.fill(content)
            await each(all, async (walk) => {
              if (await misuse(target, content, walk)) links++
            })
          }),
          runsFor(runs(48, 1024)),
        )
        expect(links).toBeGreaterThan(5)
      })
    })
  }
}

async function walkFrom(target: Target, content: Content, walk: Walk, from: Value): Promise<void> {
  const [first] = orderOf(walk) as [Term]
  const past = beyond(first, from)
  const rest = await bySql(target, content, {
    ...queryOf(walk),
    filter: walk.filter === undefined ? past : { op: '&', of: [walk.filter, past] },
  })
  const whole = await bySql(target, content, queryOf(walk))
  const there = await follow(target, startOf(content, walk, from), 'next', walk.socket)
  expect(flat(there)).toEqual(shownAs(content, walk, rest))
  const passed = whole.slice(0, whole.length - rest.length)
  const prev = there[0]?.links.get('prev')
  expect(prev !== undefined).toBe(rest.length > 0 && passed.length > 0)
  if (prev === undefined) return
  const back = await follow(target, prev, 'prev', walk.socket)
  expect(flat(back.toReversed())).toEqual(shownAs(content, walk, passed))
}

/** Takes the first link of a walk to other lists; tells whether there was one. */
async function misuse(target: Target, content: Content, walk: Walk): Promise<boolean> {
  const ordered: Walk = { ...walk, order: orderOf(walk), items: 1 }
  const { links } = await pageAt(target, startOf(content, ordered), false)
  const next = links.get('next')
  if (next === undefined) return false
  const second = await pageAt(target, next, false)
  const changed = (param: string, value: string): string => {
    const url = new URL(next, 'http://list')
    url.searchParams.set(param, value)
    return url.pathname + url.search
  }
  const statusOf = async (path: string): Promise<number> => (await askFetch(target.app, `GET ${path}`)).status
  const order = new URL(next, 'http://list').searchParams.get('order') as string
  const turned = order.startsWith('-') ? order.slice(1) : `-${order}`
  const longer = ['count', 'size'].find((field) => !order.includes(field)) ?? 'ratio'
  expect(await statusOf(changed('order', turned))).toBe(400)
  if (walk.order.length < 4) expect(await statusOf(changed('order', `${order},${longer}`))).toBe(400)
  expect(await statusOf(changed('filters', 'number>=-1000&number!'))).toBe(400)
  const fewer = await pageAt(target, changed('fields', 'section,number'), false)
  expect(fewer.elements.length).toBe(second.elements.length)
  const rows = await bySql(target, content, queryOf(ordered))
  expect(fewer.elements).toEqual(rows.slice(1, 2).map(({ section, number }) => ({ section, number })))
  return true
}
