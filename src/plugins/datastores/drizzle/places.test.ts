// Tests the cursor values of Drizzle's columns: a list continues exactly where it ended, on every engine and in every order.
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Opened, openDrizzle, World } from '../../../../test/support/engines/drizzle.ts'
import { startMariadb } from '../../../../test/support/engines/mariadb.ts'
import { startPostgres } from '../../../../test/support/engines/postgres.ts'
import { startSqlite } from '../../../../test/support/engines/sqlite.ts'
import type { CursorValue, Filter } from '../../query/query.ts'
import { drizzleDatastore } from './drizzle.ts'

const engines = await Promise.all([startSqlite(), startPostgres(), startMariadb()])

for (const need of engines) {
  need.describe((engine) => {
    let opened: Opened
    let world: World

    beforeEach(async () => {
      opened = await openDrizzle(engine)
      world = new World(drizzleDatastore(opened.database), opened.tables)
    })
    afterEach(() => opened.close())

    async function walkAll(names: readonly string[]): Promise<void> {
      for (const name of names) {
        for (const descending of [false, true]) {
          const all = await world.select('posts', ['id'], { order: buildOrder(world, name, descending) })
          expect(await walk(world, name, descending), name).toEqual(all.rows.flat())
        }
      }
    }

    test('walks through every order by cursors, one row at a time, also past nulls', async () => {
      for (const post of posts) await world.insert('posts', post)
      await walkAll(Object.keys(SAMPLES))
    }, 60_000)

    if (engine.dialect === 'sqlite') return

    test('keeps every digit of a cursor', async () => {
      const rows = Array.from({ length: 12 }, (_, i) => {
        const [micros, big] = [`2024-01-01 00:00:00.12345${i % 6}`, 9_007_199_254_740_992n + BigInt(i % 5)]
        const price = `1234567890123456789012345.0000${i % 4}`
        return `('${micros}', ${big}, ${price}, ${1 + (i % 7) / 1e7}, '00:00:00.00000${i % 3}')`
      })
      await opened.run(`insert into posts (moment, big, price, ratio, at) values ${rows.join(', ')}`)
      await walkAll(['moment', 'big', 'price', 'ratio', 'at'])
      const [first] = (
        await world.select('posts', ['big', 'price', 'moment'], { order: buildOrder(world, 'id', false) })
      ).rows
      const moment = new Date('2024-01-01T00:00:00.123Z')
      expect(first).toEqual([9_007_199_254_740_992n, '1234567890123456789012345.00000', moment])
      const filter: Filter = { op: '=', reference: world.of('posts', 'big'), value: 9_007_199_254_740_993n }
      expect((await world.select('posts', ['id'], { filter })).rows).toHaveLength(3)
    })

    test('refuses what cannot be a cursor', async () => {
      const refused: Record<string, readonly unknown[]> = {
        score: ['x', '1.5', 1.5, 2_147_483_648, '-2147483649', true, {}, [1]],
        big: ['9223372036854775808', '1e3', '', ' 1'],
        price: ['1,5', '', '0x1'],
        exact: ['one', false],
        day: ['2024-1-1', 5, 'today'],
        moment: ['2024-01-01', 'now', 5],
        at: ['noon', 5],
        flag: ['true', 2],
        title: [5, true, ...(engine.dialect === 'postgres' ? ['a\0'] : [])],
        data: ['{}', 1],
      }
      for (const [name, values] of Object.entries(refused)) {
        for (const value of values)
          expect(world.column('posts', name).isCursorValue(value), `${name} ${value}`).toBe(false)
      }
    })
  })
}

const SAMPLES = {
  title: ['a', 'A', 'ä', '', '\u{1f600}'],
  score: [-2147483648, -1, 0, 2147483647],
  price: ['0.00001', '1.50000', '-3.00000', '10.00000'],
  ratio: [0.1, -1.5, 1e-10, 0.2],
  exact: [0.1, 0.30000000000000004, -5e-300, 1e300],
  flag: [true, false],
  day: ['2024-02-29', '1970-01-01'],
  moment: [new Date(0), new Date(1_700_000_000_123), new Date(1_700_000_000_124)],
  at: ['00:00:00', '23:59:59'],
  // An enumeration in MySQL, in this order.
  size: ['s', 'm'],
}

const posts = Array.from({ length: 14 }, (_, i) =>
  Object.fromEntries(
    Object.entries(SAMPLES).map(([name, samples]) => [name, samples[(i * 7) % (samples.length + 1)] ?? null]),
  ),
)

const buildOrder = (w: World, name: string, descending: boolean) => [
  { reference: w.of('posts', name), descending },
  ...(name === 'id' ? [] : [{ reference: w.of('posts', 'id'), descending: false }]),
]

/** Builds the filter for rows after a cursor, in an order of one column and the key. */
function buildAfterFilter(
  w: World,
  name: string,
  descending: boolean,
  [cursorValue, id]: readonly [CursorValue, CursorValue],
): Filter {
  const reference = w.of('posts', name)
  const later: Filter = { op: '>', reference: w.of('posts', 'id'), cursorValue: id }
  if (cursorValue === null) {
    const same: Filter = { op: 'and', of: [{ op: 'null', reference }, later] }
    return descending ? { op: 'or', of: [{ op: 'not null', reference }, same] } : same
  }
  const beyond: Filter = { op: descending ? '<' : '>', reference, cursorValue }
  const same: Filter = { op: 'and', of: [{ op: '=', reference, cursorValue }, later] }
  return { op: 'or', of: [beyond, same, ...(descending ? [] : [{ op: 'null', reference } as const])] }
}

async function walk(w: World, name: string, descending: boolean): Promise<unknown[]> {
  const ids: unknown[] = []
  let filter: Filter | undefined
  for (;;) {
    const read = await w.select('posts', [name, 'id'], { order: buildOrder(w, name, descending), filter, limit: 1 })
    if (read.rows.length === 0) return ids
    if (ids.push(read.rows[0]?.[1]) > 100) throw new Error('The walk does not end.')
    const cursorValues = JSON.parse(JSON.stringify([read.cursorValue(0, 0), read.cursorValue(0, 1)])) as [
      CursorValue,
      CursorValue,
    ]
    for (const [i, column] of [name, 'id'].entries())
      expect(w.column('posts', column).isCursorValue(cursorValues[i])).toBe(true)
    filter = buildAfterFilter(w, name, descending, cursorValues)
  }
}
