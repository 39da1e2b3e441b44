// Bounds, as a law: the rows after a place are those that an independent comparison puts after it, nulls included.
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { afterPlace, and, or } from './bounds.ts'
import { memoryDatastore } from './datastores/memory.ts'
import { comparePlaces, compareValues } from './order.ts'
import type { Filter } from './query.ts'

const nullable = fc.option(fc.integer({ min: 0, max: 3 }), { nil: null })
const row = fc.record({ a: nullable, b: nullable, c: fc.integer({ min: 0, max: 3 }) })

it('the rows after any row, in any order of its columns', async () => {
  const order = fc.tuple(
    fc.shuffledSubarray(['a', 'b', 'c'], { minLength: 1 }),
    fc.array(fc.boolean(), { minLength: 3, maxLength: 3 }),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(row, { maxLength: 12 }), row, order, async (rows, place, [fields, descending]) => {
      const column = (isNullable: boolean) => ({ kind: 'integer', nullable: isNullable }) as const
      const columns = { a: column(true), b: column(true), c: column(false) }
      const datastore = memoryDatastore({ t: { key: [], columns, rows } })
      const from = datastore.table('t')
      const steps = fields.map((name, i) => ({
        reference: { source: 0, column: from.columns.get(name)! },
        descending: descending[i] === true,
      }))
      const values = fields.map((name) => place[name as 'a'])
      const filter = afterPlace(
        steps,
        values.map((value) => ({ value })),
      ) as Filter<string>
      const after = rows.filter(
        (one) =>
          comparePlaces(
            fields.map((name) => one[name as 'a']),
            values,
            steps.map(({ descending }) => ({ descending, compare: compareValues })),
          ) > 0,
      )
      expect(await datastore.count({ from, joins: [], filter })).toBe(after.length)
    }),
  )
})

it('conditions alone stand for themselves, and what is impossible is left out', () => {
  const none = or([])
  const one: Filter = { op: 'and', of: [] }
  const other: Filter = { op: 'or', of: [one] }
  expect(and([one])).toBe(one)
  expect(or([none, one])).toBe(one)
  expect(or([none, none])).toEqual({ op: 'or', of: [] })
  expect(and([one, none])).toEqual({ op: 'or', of: [] })
  expect(and([one, other])).toEqual({ op: 'and', of: [one, other] })
})
