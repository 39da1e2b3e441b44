// Faults and load in their short form, the slowest of them in CI only; `npm run campaign -- faults` has the long form, and takes
// every safeguard out in turn.
import { describe, expect, it } from 'vitest'
import { inCi } from '../../scripts/machine.ts'
import { type Outcome, play, type Scenario } from './faults/scenario.ts'
import { scenarios } from './faults/scenarios/index.ts'

const named = (name: string): Scenario => scenarios.find((one) => one.name === name) as Scenario

/** Those that mostly wait share the time; those that measure how long answers take come last, one after the other. */
const waiting = [
  ['shutdown', 'restart', 'crash'],
  ['database', 'errors', 'deadline', 'durability'],
] as const
const lanes: readonly (readonly string[])[] = inCi ? [...waiting, ['soak']] : waiting
const last: readonly string[] = inCi ? ['clients', 'overload'] : ['clients']
const played: ReadonlySet<string> = new Set([...lanes.flat(), ...last])

const outcomes = new Map<string, Promise<Outcome>>()

function begin(names: readonly string[], after: Promise<unknown>): Promise<unknown> {
  let previous = after
  for (const name of names) {
    const outcome = previous.then(() => play(named(name), { short: true, without: undefined }))
    outcomes.set(name, outcome)
    previous = outcome
  }
  return previous
}

/** The outcome of a scenario; a test that is tried again plays it again. */
function outcomeOf(name: string): Promise<Outcome> {
  const played = outcomes.get(name) ?? play(named(name), { short: true, without: undefined })
  outcomes.delete(name)
  return played
}

const began = lanes.map((names) => begin(names, Promise.resolve()))
// Behind the soak, whose lane is the shortest.
const unguarded = (): Promise<Outcome> => play(named('errors'), { short: true, without: 'uncaught' })
const uncaught = inCi ? (began.at(-1) as Promise<unknown>).then(unguarded) : undefined
void begin(last, Promise.all([...began, uncaught]))

describe('faults', () => {
  it.each(scenarios.filter(({ name }) => played.has(name)).map(({ name, says }) => [name, says]))(
    '%s: %s',
    async (name) => {
      const { broken, error, rows } = await outcomeOf(name)
      expect(error).toBeUndefined()
      expect(broken).toEqual([])
      expect(rows.length).toBeGreaterThan(0)
    },
    120_000,
  )

  it('errors without its safeguard uncaught breaks the promise that the process stays', async () => {
    const { broken, error } = await (uncaught ?? unguarded())
    expect(error).toBeUndefined()
    expect(broken).toContainEqual(expect.stringContaining('the process stays'))
  }, 120_000)

  it('every safeguard has a name of its own', () => {
    const all = scenarios.flatMap(({ safeguards }) => safeguards)
    expect(new Set(all).size).toBe(all.length)
  })
})
