// Faults that are planted in a shop: the test kit finds every one of them, and says how to see it.
import { type CheckError, checkApplication } from 'edict/testing'
import { expect, it } from 'vitest'
import { isLong } from '../support/runs.ts'
import { faults } from './faults.ts'
import { principals } from './shop.ts'

it('[TKT-02] there are thirty faults, and more', () => {
  expect(Object.keys(faults).length).toBeGreaterThan(50)
})

it.each(Object.entries(faults))(
  '[TKT-02] %s: it is found within 60 s',
  { timeout: 60_000 },
  async (_, { make, laws }) => {
    // All laws are tried in the long form, else those that are there for such faults.
    const options = { principals, seed: 1, runs: 600, faults: 1, ...(!isLong && { only: laws }) }
    const error = await checkApplication(make, options).catch((one: CheckError) => one)
    if (!('faults' in error)) throw new Error(`nothing was found: ${JSON.stringify(error)}`)
    const [fault] = error.faults
    expect(laws).toContain(fault?.law)
    const last = fault?.requests.at(-1)
    expect(error.message).toContain(last?.curl)
    expect(error.message).toContain(last?.client)
    expect(fault?.requests.length).toBeLessThan(30)
  },
)
