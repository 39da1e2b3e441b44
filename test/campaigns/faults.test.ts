// Faults and load in their short form, the slowest of them in CI only; `npm run campaign -- faults` has the long form, and takes
// every safeguard out in turn.
import { describe, expect, it } from 'vitest'
import { inCi } from '../../scripts/machine.ts'
import { type Outcome, play, type Scenario } from './faults/scenario.ts'
import { scenarios } from './faults/scenarios/index.ts'
import type { Protocol } from './faults/talks.ts'

const named = (name: string): Scenario => scenarios.find((one) => one.name === name) as Scenario

/** A scenario in short form and a protocol. */
type Played = readonly [name: string, protocol: Protocol]

const over = (protocol: Protocol, ...names: readonly string[]): readonly Played[] =>
  names.map((name) => [name, protocol] as const)

/** Those that mostly wait share the time; those that measure how long answers take come last, one after the other. */
const waiting = [
  over('http', 'shutdown', 'restart', 'crash'),
  over('http', 'database', 'errors', 'deadline', 'durability'),
]
const lanes = inCi ? [...waiting, [...over('http', 'soak'), ...over('h2', 'shutdown', 'errors', 'deadline')]] : waiting
const last = inCi ? [...over('http', 'clients', 'overload'), ...over('tls', 'clients')] : over('http', 'clients')
const played = [...lanes.flat(), ...last]

const begin = ([name, protocol]: Played): Promise<Outcome> =>
  play(named(name), { short: true, without: undefined, protocol })

const outcomes = new Map<Played, Promise<Outcome>>()

function beginAll(all: readonly Played[], after: Promise<unknown>): Promise<unknown> {
  let previous = after
  for (const one of all) {
    const outcome = previous.then(() => begin(one))
    outcomes.set(one, outcome)
    previous = outcome
  }
  return previous
}

/** The outcome of a scenario; a test that is tried again plays it again. */
function outcomeOf(one: Played): Promise<Outcome> {
  const outcome = outcomes.get(one) ?? begin(one)
  outcomes.delete(one)
  return outcome
}

const began = lanes.map((all) => beginAll(all, Promise.resolve()))
// Behind the lane that is the shortest.
const unguarded = (): Promise<Outcome> => play(named('errors'), { short: true, without: 'uncaught', protocol: 'http' })
const uncaught = inCi ? (began[0] as Promise<unknown>).then(unguarded) : undefined
void beginAll(last, Promise.all([...began, uncaught]))

describe('faults', () => {
  it.each(played.map((one) => [...one, named(one[0]).says, one] as const))(
    '%s over %s: %s',
    async (_name, _protocol, _says, one) => {
      const { broken, error, rows } = await outcomeOf(one)
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
