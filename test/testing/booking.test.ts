// `checkApplication` on bookings of hotels: nothing is found in them, whatever the seed, and every planted fault is.
import { type CheckError, checkApplication } from 'edict/testing'
import { expect, it } from 'vitest'
import { isLong, runs } from '../support/runs.ts'
import { booking, agencies as principals } from './booking.ts'
import { bookingFaults } from './booking-faults.ts'

const seeds = Array.from({ length: runs(2, 60) }, (_, i) => i + 1)

it.each(seeds)('[TKT-01] bookings break no law, from the seed %i', { timeout: 120_000 }, async (seed) => {
  const { cases } = await checkApplication(booking, { principals, seed, runs: runs(2, 20) })
  expect(cases).toMatchObject({ pages: expect.any(Number), filters: expect.any(Number), elements: expect.any(Number) })
})

it.each(Object.entries(bookingFaults))(
  '[TKT-02] %s: it is found within 60 s',
  { timeout: 60_000 },
  async (_, { make, laws }) => {
    // The long form tries all laws, and each smaller case on a fresh application.
    const options = { principals, seed: 1, runs: 600, faults: 1, ...(!isLong && { only: laws }) }
    const error = await checkApplication(isLong ? make : make(), options).catch((one: CheckError) => one)
    if (!('faults' in error)) throw new Error(`nothing was found: ${JSON.stringify(error)}`)
    expect(laws).toContain(error.faults[0]?.law)
  },
)
