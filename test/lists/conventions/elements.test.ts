// Lists of elements in memory answer as the same lists of a datastore do: filters, orders, sizes and totals hold for both.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { askFetch } from '../../support/ask.ts'
import { runs } from '../../support/runs.ts'
import { contents } from '../walks/contents.ts'
import { paginatedIn } from '../walks/design.ts'
import { openMemory, type Served } from '../walks/targets.ts'
import { follow, LIMITS, SLOW, startOf, type WalkedPage, walks } from '../walks/walk.ts'
import { conventionsIn, elementsIn } from './design.ts'
import { SPOKEN, type Spoken } from './spoken.ts'

const ABLE = { micros: false, wide: true }
const SETTINGS = { ...LIMITS, numRuns: runs(5, 500) }

const partsOf = (pages: readonly WalkedPage[]) => pages.map(({ elements, total }) => ({ elements, total }))

async function walk(served: Served, start: string, spoken: Spoken): Promise<WalkedPage[]> {
  const pages: WalkedPage[] = []
  for (let path: string | undefined = start; path !== undefined; path = pages.at(-1)?.links.get('next')) {
    const answer = await askFetch(served.app, `GET ${path}`)
    if (answer.status !== 200) throw new Error(`${answer.status} for ${path}: ${answer.text}`)
    pages.push(spoken.page(answer, path))
  }
  return pages
}

describe('[LST-02] page of a convention', () => {
  const [given, read] = [openMemory(elementsIn), openMemory(conventionsIn)]
  test.each(SPOKEN)('$name', { timeout: SLOW }, async (spoken) => {
    const cases = fc.tuple(contents(ABLE), fc.array(walks(ABLE), { minLength: 4, maxLength: 4 }))
    await fc.assert(
      fc.asyncProperty(cases, async ([any, all]) => {
        const content = { ...any, table: 'singles', items: distinct(any.items) } as const
        await Promise.all([given.fill(content), read.fill(content)])
        for (const one of all) {
          const start = spoken.start(content, spoken.fitted(one, content))
          expect(partsOf(await walk(given, start, spoken)), start).toEqual(partsOf(await walk(read, start, spoken)))
        }
      }),
      SETTINGS,
    )
  })
})

test("[PGN-14] paginate, next to edict's own filters", { timeout: SLOW }, async () => {
  const [given, read] = [openMemory(paginatedIn), openMemory()]
  // A page of numbers without an order has the order of the elements that were given.
  const cases = fc.tuple(contents(ABLE), fc.array(walks(ABLE, 'cursor'), { minLength: 4, maxLength: 4 }))
  await fc.assert(
    fc.asyncProperty(cases, async ([content, all]) => {
      await Promise.all([given.fill(content), read.fill(content)])
      for (const one of all) {
        const start = startOf(content, one)
        const pages = await follow(given, start, 'next', false)
        expect(partsOf(pages), start).toEqual(partsOf(await follow(read, start, 'next', false)))
      }
    }),
    SETTINGS,
  )
})

const distinct = <R extends Readonly<Record<string, unknown>>>(items: readonly R[]): readonly R[] =>
  items.filter((row, at) => items.findIndex(({ number }) => number === row['number']) === at)
