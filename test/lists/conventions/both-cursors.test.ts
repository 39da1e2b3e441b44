// Pages of Relay between two cursors: in both directions, in every order, under ties and nulls, on every engine, while
// rows come and go.
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { askFetch } from '../../support/ask.ts'
import { enginesHere } from '../../support/engines/clients/catalogued.ts'
import { runs } from '../../support/runs.ts'
import { type Content, contents, type Row } from '../walks/contents.ts'
import { allClientsOn, openMemory, openTarget, type Served, type Target } from '../walks/targets.ts'
import { LIMITS, SLOW, walks } from '../walks/walk.ts'
import { conventionsIn, elementsIn } from './design.ts'
import { SPOKEN } from './spoken.ts'

const relay = SPOKEN.find(({ name }) => name === 'relay') as (typeof SPOKEN)[number]

interface Edge {
  readonly node: unknown
  readonly cursor: string
}

interface Connection {
  readonly edges: readonly Edge[]
  readonly pageInfo: { readonly hasNextPage: boolean; readonly hasPreviousPage: boolean }
}

async function get(served: Served, path: string): Promise<Connection> {
  const { status, json, text } = await askFetch(served.app, `GET ${path}`)
  if (status !== 200) throw new Error(`${status} for ${path}: ${text}`)
  return json
}

const nodesOf = ({ edges }: { readonly edges: readonly Edge[] }): readonly unknown[] => edges.map(({ node }) => node)

/** Two cursors by their positions in the list, and the size of pages. */
const ranges = fc.record({ from: fc.nat(30), to: fc.nat(30), size: fc.integer({ min: 1, max: 4 }) })

type Range = typeof ranges extends fc.Arbitrary<infer R> ? R : never

interface Between {
  readonly served: Served
  readonly start: string
  readonly edges: readonly Edge[]
  /** Removes rows, and returns the edges that are left. */
  readonly remove?: (edges: readonly Edge[]) => Promise<readonly Edge[]>
}

/** Expects the first and the last edges between two cursors to be those of the list. */
async function expectBetween({ served, start, edges, remove }: Between, range: Range): Promise<void> {
  if (edges.length === 0) return
  const [from, to] = [range.from % edges.length, range.to % edges.length]
  const sent = `${start}&after=${edges[from]?.cursor}&before=${edges[to]?.cursor}`
  const between = edges.slice(from + 1, Math.max(from + 1, to))
  const within = remove === undefined ? between : await remove(between)
  const first = await get(served, sent.replace(/first=\d+/, `first=${range.size}`))
  expect(nodesOf(first), sent).toEqual(nodesOf({ edges: within.slice(0, range.size) }))
  expect(first.pageInfo.hasNextPage, sent).toBe(within.length > range.size)
  const last = await get(served, sent.replace(/first=\d+/, `last=${range.size}`))
  expect(nodesOf(last), sent).toEqual(nodesOf({ edges: within.slice(Math.max(0, within.length - range.size)) }))
  expect(last.pageInfo.hasPreviousPage, sent).toBe(within.length > range.size)
}

const cases = (able: Target['able']) =>
  fc.tuple(contents(able), walks(able), fc.array(ranges, { minLength: 4, maxLength: 4 }))

const startIn = (content: Content, one: Parameters<typeof relay.fitted>[0]): string =>
  relay.start(content, { ...relay.fitted(one, content), items: 1000 })

const ABLE = { micros: false, wide: true }

test.each([
  ['a datastore in memory', conventionsIn],
  ['elements in memory', elementsIn],
] as const)('[FOR-08] connections of Relay between two cursors, of %s', { timeout: SLOW }, async (_, serve) => {
  const served = openMemory(serve)
  await fc.assert(
    fc.asyncProperty(cases(ABLE), async ([content, one, all]) => {
      await served.fill(content)
      const start = startIn(content, one)
      const { edges } = await get(served, start)
      for (const range of all) await expectBetween({ served, start, edges }, range)
    }),
    { ...LIMITS, numRuns: runs(10, 256) },
  )
})

for (const need of await enginesHere()) {
  need.describe((engine) => {
    let target: Target
    beforeAll(async () => {
      const [client] = allClientsOn(engine.dialect)
      target = await openTarget(engine, client as never, conventionsIn)
    }, SLOW)
    afterAll(() => target?.close())

    test('[FOR-08] connections of Relay between two cursors, also of rows that are gone', {
      timeout: SLOW,
    }, async () => {
      await fc.assert(
        fc.asyncProperty(cases(target.able), async ([content, one, all]) => {
          await target.fill(content)
          const start = startIn(content, one)
          const { edges } = await get(target, start)
          for (const range of all) await expectBetween({ served: target, start, edges }, range)
          // The rows of both cursors, and those beside them, are deleted after their cursors were read.
          const { number } = (edges[0]?.node ?? {}) as Row
          const isLeft = ({ node }: Edge): boolean => (node as Row)['number'] !== number
          const remove = async (within: readonly Edge[]) => {
            await target.query(`delete from ${content.table} where number = ${number}`)
            return within.filter(isLeft)
          }
          for (const range of all) await expectBetween({ served: target, start, edges, remove }, { ...range, from: 0 })
        }),
        { ...LIMITS, numRuns: runs(6, 128) },
      )
    })
  })
}
