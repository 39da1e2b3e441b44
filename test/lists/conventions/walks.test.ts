// Walks along lists in every convention: those with places are exact while rows come and go, the others part the list.
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { askFetch, askSocket } from '../../support/ask.ts'
import { enginesHere } from '../../support/engines/clients/catalogued.ts'
import { runs } from '../../support/runs.ts'
import { type Content, contents, type Row } from '../walks/contents.ts'
import { expectWhole, followChanging, keyOf, keysOf, Living, type Step, stepsOf } from '../walks/living.ts'
import { byHand, bySql, DEFAULT, selected, shown } from '../walks/oracle.ts'
import { allClientsOn, openMemory, openTarget, type Served, type Target } from '../walks/targets.ts'
import { LIMITS, SLOW, type Walk, type WalkedPage, walks } from '../walks/walk.ts'
import { conventionsIn, conventionsOf } from './design.ts'
import { SPOKEN, type Spoken } from './spoken.ts'

/** Contents for each convention on each engine, and walks through each of them; Stripe has four lists. */
const CONTENTS = runs(1, 128)
const PER_CONTENT = 8
const CHANGING = runs(1, 128)

const share = ({ name }: Spoken, count: number): number => (name.startsWith('stripe') ? Math.ceil(count / 4) : count)

async function pageAt(served: Served, path: string, spoken: Spoken, socket: boolean): Promise<WalkedPage> {
  const answer = await (socket ? askSocket : askFetch)(served.app, `GET ${path}`)
  if (answer.status !== 200) throw new Error(`${answer.status} for ${path}: ${answer.text}`)
  return spoken.page(answer, path)
}

async function follow(served: Served, start: string, relation: string, spoken: Spoken): Promise<WalkedPage[]> {
  const pages: WalkedPage[] = []
  for (let path: string | undefined = start; path !== undefined; path = pages.at(-1)?.links.get(relation)) {
    if (pages.length > 200) throw new Error(`${start} does not end`)
    pages.push(await pageAt(served, path, spoken, pages.length % 5 === 4))
  }
  return pages
}

const flat = (pages: readonly WalkedPage[]): unknown[] => pages.flatMap(({ elements }) => elements)

/** A walk through a content, in a convention. */
interface Walking {
  readonly content: Content
  readonly walk: Walk
  readonly spoken: Spoken
}

/** Walks to the end and back, and expects exactly these elements. */
async function walkBoth(served: Served, { content, walk, spoken }: Walking, rows: readonly Row[]): Promise<void> {
  const expected = rows.map((row) => selected(shown(content, row), DEFAULT))
  const there = await follow(served, spoken.start(content, walk), 'next', spoken)
  expect(flat(there)).toEqual(expected)
  expect(there.slice(0, -1).every(({ elements }) => elements.length === walk.items)).toBe(true)
  expect(new Set(there.map(({ total }) => total))).toEqual(new Set([walk.total ? expected.length : undefined]))
  if (!spoken.back) return
  const prev = there.at(-1)?.links.get('prev')
  expect(prev !== undefined).toBe(there.length > 1)
  if (prev === undefined) return
  const back = await follow(served, prev, 'prev', spoken)
  expect(back.toReversed().map(({ elements }) => elements)).toEqual(there.slice(0, -1).map(({ elements }) => elements))
  const turn = expected.length % back.length
  const after = await pageAt(served, back[turn]?.links.get('next') as string, spoken, false)
  expect(after.elements).toEqual(there.at(-1 - turn)?.elements)
  const first = await pageAt(served, there.at(-1)?.links.get('first') as string, spoken, false)
  expect(first.elements).toEqual(there[0]?.elements)
}

const speaks = ({ name }: Spoken, { table }: Content): boolean => conventionsOf(table).includes(name)

const asked = (walk: Walk) => ({ filter: walk.filter, order: walk.order })

const cases = (able: Target['able']) =>
  fc.tuple(contents(able), fc.array(walks(able), { minLength: PER_CONTENT, maxLength: PER_CONTENT, size: 'max' }))

test('[LST-02] walks in every convention, in memory', { timeout: SLOW }, async () => {
  const served = openMemory(conventionsIn)
  for (const spoken of SPOKEN)
    await fc.assert(
      fc.asyncProperty(cases({ micros: false, wide: true }), async ([given, all]) => {
        const content = fitting(spoken, given)
        await served.fill(content)
        for (const one of all) {
          const walk = spoken.fitted(one, content)
          await walkBoth(served, { content, walk, spoken }, byHand(content, asked(walk)))
        }
      }),
      { ...LIMITS, numRuns: share(spoken, CONTENTS) },
    )
})

for (const need of await enginesHere()) {
  need.describe((engine) => {
    let target: Target
    const made = new Map<string, number>()
    const count = (name: string): void => void made.set(name, (made.get(name) ?? 0) + 1)
    beforeAll(async () => {
      const [client] = allClientsOn(engine.dialect)
      target = await openTarget(engine, client as never, conventionsIn)
    }, SLOW)
    afterAll(async () => {
      await target?.close()
      console.log(`walks on ${engine.name}: ${[...made].map(([name, times]) => `${name} ${times}`).join(', ')}`)
    })

    test('[LST-02] walks in every convention there and back', { timeout: SLOW }, async () => {
      for (const spoken of SPOKEN)
        await fc.assert(
          fc.asyncProperty(cases(target.able), async ([given, all]) => {
            const content = fitting(spoken, given)
            await target.fill(content)
            for (const one of all) {
              count(spoken.name)
              const walk = spoken.fitted(one, content)
              await walkBoth(target, { content, walk, spoken }, await bySql(target, content, asked(walk)))
            }
          }),
          { ...LIMITS, numRuns: share(spoken, CONTENTS) },
        )
    })

    test('[LST-02] walks in conventions with places while rows come, go and change', { timeout: SLOW }, async () => {
      for (const spoken of SPOKEN.filter(({ exact }) => exact))
        await fc.assert(
          fc.asyncProperty(
            contents(target.able),
            walks(target.able),
            stepsOf(target.able),
            async (given, one, steps) => {
              const content = fitting(spoken, given)
              await target.fill(content)
              count(`${spoken.name} under writes`)
              await walkChanging(target, { content, walk: spoken.fitted(one, content), spoken }, steps)
            },
          ),
          { ...LIMITS, numRuns: share(spoken, CHANGING) },
        )
    })
  })
}

// A list whose places are single keys is one of the table that has such keys.
const fitting = (spoken: Spoken, content: Content): Content =>
  speaks(spoken, content) ? content : { ...content, table: 'singles', items: distinct(content.items) }

const distinct = (items: readonly Row[]): readonly Row[] =>
  items.filter((row, at) => items.findIndex(({ number }) => number === row['number']) === at)

async function walkChanging(target: Target, { content, walk, spoken }: Walking, steps: readonly Step[]): Promise<void> {
  // The element that names a place is not taken away where the convention needs it.
  const kept = spoken.needsElement === true ? steps.map(withoutDeletes) : steps
  const living = new Living(target, content, walk)
  const ask = (path: string) => pageAt(target, path, spoken, walk.socket)
  const start = spoken.start(content, walk)
  const there = await followChanging(living, { start, relation: 'next', steps: kept, ask })
  expectWhole(living, keysOf(there), () => true)
  const last = there.findLast(({ elements }) => elements.length > 0)
  const prev = last?.links.get('prev')
  if (last === undefined || prev === undefined) return
  living.settle()
  const back = await followChanging(living, { start: prev, relation: 'prev', steps: kept.toReversed(), ask })
  const end = living.sequence.indexOf(keyOf(last.elements[0]))
  expectWhole(living, keysOf(back.toReversed()), (at) => at < end)
}

const withoutDeletes = ({ before, during }: Step): Step => ({
  before: before.filter((change) => change.do !== 'delete'),
  during: during.filter((change) => change.do !== 'delete'),
})
