// `checkApplication` on a depot that is written by hand: exports and searches beside its list, files, defaults, odd values.
import { type CheckError, checkApplication } from 'edict/testing'
import { expect, it } from 'vitest'
import { isLong, runs } from '../support/runs.ts'
import { depot, principals } from './depot.ts'

const seeds = Array.from({ length: runs(2, 40) }, (_, i) => i + 1)

it.each(seeds)('[TKT-01] a depot breaks no law, from the seed %i', { timeout: 120_000 }, async (seed) => {
  const report = await checkApplication(() => depot(), { principals, seed, runs: runs(2, 20) })
  expect(report.unreached).toEqual([])
  expect(report.limited).toBe(0)
})

/** The faults by the laws that find them. */
const FAULTS: Readonly<Record<string, readonly string[]>> = {
  filters: [
    'weights are compared as texts',
    'equal ignores letter case',
    'equal trims',
    'a wildcard at the end is taken for both ends',
    'less than finds nulls',
  ],
  valid: ['ids are cut to 32 bits', 'a missing parcel is the first one'],
  elements: [
    'labels are trimmed',
    'labels are normalised',
    'tracking numbers are 64 bits',
    'milliseconds are lost',
    'the 29th of February is the 1st of March',
    'only the first item is kept',
    'tags are joined by commas',
    'false is not stored',
    'null does not clear',
    'the default priority is another one',
    'the search finds deleted parcels',
    'the export has deleted parcels',
    'a deletion takes another one along',
  ],
  listed: ['the list shows another priority', 'soft-deleted parcels are listed'],
  scopes: ['the search forgets the house', 'the export forgets the house', 'the table forgets the house'],
  files: ['a label loses its last byte', 'a label is read as text', 'labels are kept under one name'],
  conditions: ['a change of the note keeps the revision'],
  idempotency: ['a key is shared by all clerks'],
  pages: [
    'the next link loses the filter',
    'the next link loses the order',
    'there is no next link without a size',
    'the total ignores the filter',
    'a page without a size is shorter',
  ],
}

const planted = Object.entries(FAULTS).flatMap(([law, faults]) => faults.map((fault) => [fault, law] as const))

it.each(planted)('[TKT-02] %s: it is found within 60 s', { timeout: 60_000 }, async (fault, law) => {
  // The long form tries all laws.
  const options = { principals, runs: 600, faults: 1, ...(!isLong && { only: [law] }) }
  const error = await checkApplication(() => depot(fault), options).catch((one: CheckError) => one)
  if (!('faults' in error)) throw new Error(`nothing was found: ${JSON.stringify(error)}`)
  const last = error.faults[0]?.requests.at(-1)
  expect(error.message).toContain(last?.curl)
  expect(error.message).toContain(last?.client)
  expect(isLong ? law : error.faults[0]?.law).toBe(law)
})
