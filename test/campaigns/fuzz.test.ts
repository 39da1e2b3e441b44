// Contracts under random declarations and random requests: no valid request is refused, no flawed one gets through.
import { describe, expect, it } from 'vitest'
import { runs } from '../support/runs.ts'
import { exploreApis, requestsIn, runCampaign, summary, USUAL } from './fuzz/campaign.ts'
import { contradict } from './fuzz/contradictions.ts'
import { Draw } from './fuzz/draw.ts'
import { emptyTally, type Tampering } from './fuzz/explore.ts'
import { exploreSurfaces } from './fuzz/requests/surfaces.ts'

const SEED = 20261115
/** How much of the usual campaign is run. */
const SHARE = runs(0.1, 1)

describe('random applications and the real ones', () => {
  it('keep the laws of their declarations', { timeout: 600_000 }, async () => {
    const { declarations, requests, documents } = USUAL
    const campaign = {
      declarations: Math.ceil(declarations * SHARE),
      requests,
      documents: documents * SHARE,
      seed: SEED,
    }
    const tally = await runCampaign(campaign)
    console.log(summary(tally))
    expect(requestsIn(tally)).toBeGreaterThan(50_000 * SHARE)
    expect(tally.sockets).toBeGreaterThan(2000 * SHARE)
    expect(tally.declarations).toBeGreaterThan(100 * SHARE)
  })

  it('answer whatever is sent to conventions, related lists, streams and verifiers', { timeout: 600_000 }, async () => {
    const seen = await exploreSurfaces(new Draw(SEED), 20_000 * SHARE)
    for (const expected of ['lists 200', 'lists 400', 'books 200', 'books 400', 'books 401', 'books 404', 'books 415'])
      expect(seen).toContain(expected)
  })

  it('are refused at boot when they contradict themselves', () => {
    for (let seed = 0; seed < 20; seed++) contradict(new Draw(seed), emptyTally())
  })
})

// The laws see what they are for: each step is broken on purpose, and a law must fail.
describe('a law fails when', () => {
  const changed = (value: unknown): unknown =>
    typeof value === 'object' && value !== null && !Array.isArray(value) && Object.keys(value).length > 0
      ? { ...value, [Object.keys(value)[0] as string]: 'corrupt' }
      : value
  const steps: Readonly<Record<string, { readonly tampering: Tampering; readonly says: RegExp }>> = {
    'a controller sees another value': {
      tampering: { seen: (seen) => ({ ...seen, params: changed(seen.params) }) },
      says: /sees exactly the coerced params/,
    },
    'another action is reached': {
      tampering: { seen: (seen) => ({ ...seen, action: 'Other.show' }) },
      says: /reaches the action of its route/,
    },
    'something undeclared leaves': {
      tampering: {
        answer: (answered) =>
          answered.status < 300 && answered.body.length > 0
            ? { ...answered, body: Buffer.from('{"x":"never-declared"}') }
            : answered,
      },
      says: /What is not declared never leaves/,
    },
    'an error names another place': {
      tampering: {
        answer: (answered) => ({
          ...answered,
          body: Buffer.from(answered.body.toString().replaceAll('"pointer":"/', '"pointer":"/un')),
        }),
      },
      says: /names the place of the flaw/,
    },
    'a flawed request gets through': {
      tampering: {
        answer: (answered) =>
          answered.status === 400 || answered.status === 422 ? { ...answered, status: 200 } : answered,
      },
      says: /flawed request is refused|is refused with/,
    },
    'a server fails by itself': {
      tampering: { answer: (answered) => ({ ...answered, status: 500 }) },
      says: /The answer is|is refused|not allowed/,
    },
    'a method is missing in Allow': {
      tampering: {
        answer: (answered) =>
          answered.headers['allow'] === undefined
            ? answered
            : { ...answered, headers: { ...answered.headers, allow: 'OPTIONS' } },
      },
      says: /Exactly the allowed methods are listed/,
    },
    'a socket answers otherwise': {
      tampering: { answer: (answered) => ({ ...answered, headers: { ...answered.headers, 'x-more': 'x' } }) },
      says: /gives the same answer|refuses in the same way/,
    },
  }
  it.each(Object.entries(steps))('%s', async (_, { tampering, says }) => {
    const campaign = { ...USUAL, seed: 7, declarations: 20, requests: 200 }
    await expect(exploreApis(campaign, emptyTally(), tampering)).rejects.toThrow(says)
  })
})
