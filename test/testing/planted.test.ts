// `checkApplication` on contracts that others dictate: envelopes, slugs, tokens from a login, parents in paths. The faults are
// those that such applications have, and all laws look for them.
import { type CheckError, type CheckOptions, checkApplication } from 'edict/testing'
import { describe, expect, it } from 'vitest'
import { runs } from '../support/runs.ts'
import { boardFaults, makeBoards, openSessions } from './planted/boards.ts'
import { conduitFaults, makeConduit, signUp } from './planted/conduit.ts'

/** The number of requests within which faults are found, and within which nothing is found without one. */
const REQUESTS = 3000

/** The number of faults, of thirteen, that a check has to find. */
const FOUND = 11

const seeds = Array.from({ length: runs(2, 20) }, (_, i) => i + 1)

const find = async (app: Parameters<typeof checkApplication>[0], options: CheckOptions) => {
  const result = await checkApplication(app, { seed: 1, requests: REQUESTS, faults: 1, ...options }).catch(
    (one: CheckError) => one,
  )
  if (!(result instanceof Error)) return undefined
  if (result.name !== 'CheckError') throw result
  const [fault] = result.faults
  return `${fault?.law} of ${fault?.action} after ${result.report.requests} requests`
}

describe('[FOR-01] [TKT-02] Conduit', () => {
  it.each(seeds)('breaks no law within 3,000 requests, from seed %i', { timeout: 300_000 }, async (seed) => {
    const options = { principals: signUp, seed, requests: REQUESTS }
    const { cases, unreached } = await checkApplication(await makeConduit(), options)
    expect(unreached).toEqual([])
    const laws = ['credentials', 'login', 'viewers', 'owners', 'parents', 'pages', 'listed', 'elements', 'statements']
    expect(Object.keys(cases)).toEqual(expect.arrayContaining(laws))
  })

  it('has at least 11 of 13 planted faults found within 3,000 requests', { timeout: 600_000 }, async () => {
    const found = new Map<string, string | undefined>()
    for (const [name, plant] of Object.entries(conduitFaults))
      found.set(name, await find(plant(await makeConduit()), { principals: signUp }))
    console.log(Object.fromEntries(found))
    expect(found.size).toBe(13)
    expect([...found.values()].filter((one) => one !== undefined).length).toBeGreaterThanOrEqual(FOUND)
  })
})

describe('[FOR-01] [TKT-02] boards', () => {
  it.each(seeds)('break no law within 3,000 requests, from seed %i', { timeout: 300_000 }, async (seed) => {
    const { app, statements } = makeBoards()
    const options = { principals: openSessions, statements, seed, requests: REQUESTS }
    const { cases, unreached } = await checkApplication(app, options)
    expect(unreached).toEqual([])
    const laws = ['credentials', 'login', 'viewers', 'owners', 'parents', 'pages', 'listed', 'elements', 'statements']
    expect(Object.keys(cases)).toEqual(expect.arrayContaining(laws))
  })

  it('have at least 11 of 13 planted faults found within 3,000 requests', { timeout: 600_000 }, async () => {
    const found = new Map<string, string | undefined>()
    for (const fault of boardFaults) {
      const { app, statements } = makeBoards(fault)
      found.set(fault, await find(app, { principals: openSessions, statements }))
    }
    console.log(Object.fromEntries(found))
    expect(found.size).toBe(13)
    expect([...found.values()].filter((one) => one !== undefined).length).toBeGreaterThanOrEqual(FOUND)
  })
})
