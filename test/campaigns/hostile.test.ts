// The corpus of hostile input against edict: each case is a test. `npm run campaign -- hostile` asks Fastify and Hono as well.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { corpus } from './hostile/cases/index.ts'
import { Contestant, edict } from './hostile/contestant.ts'
import { judge } from './hostile/judge.ts'

/** Megabytes that may stay in use after hundreds of cases whose code and caches are warm. */
const MOST_KEPT = 5

let server: Contestant

beforeAll(async () => {
  server = await Contestant.start(edict)
}, 60_000)

afterAll(() => server.stop())

describe.each(corpus)('hostile input: $title', ({ cases }) => {
  it.each(cases.map((one) => [one.id, one.says, one] as const))(
    '%s %s',
    async (_id, _says, one) => {
      expect((await judge(server, one, 'edict')).faults).toEqual([])
    },
    20_000,
  )
})

it('the corpus is large, and its ids and sentences are distinct', () => {
  const cases = corpus.flatMap((group) => group.cases)
  expect(cases.length).toBeGreaterThan(400)
  expect(new Set(cases.map(({ id }) => id)).size).toBe(cases.length)
  const sentences = corpus.flatMap(({ name, cases: own }) => own.map(({ says }) => `${name}: ${says}`))
  expect(sentences.filter((one, i) => sentences.indexOf(one) !== i)).toEqual([])
  const sent = cases.map(({ app = 'surface', steps }) => `${app} ${steps.map(written).join('\n')}`)
  expect(cases.filter((_, i) => sent.indexOf(sent[i] as string) !== i).map(({ id }) => id)).toEqual([])
})

it('the process keeps nothing of what it was sent', async () => {
  const before = await server.heap()
  // Without JSN: the engine itself keeps texts that JSON.parse refused for a while.
  const again = corpus.filter(({ name }) => ['PCT', 'QRY', 'MLT', 'SMG', 'INJ', 'SEC'].includes(name))
  const cases = again.flatMap((group) => group.cases)
  for (const one of [...cases, ...cases]) await judge(server, one, 'edict')
  expect(cases.length * 2).toBeGreaterThan(700)
  expect((await server.heap()) - before).toBeLessThan(MOST_KEPT)
}, 60_000)

function written(step: unknown): string {
  if (step instanceof Uint8Array) return Buffer.from(step).toString('latin1')
  return typeof step === 'string' ? step : JSON.stringify(step)
}
