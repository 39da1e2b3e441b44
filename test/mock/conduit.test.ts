// The mock of Conduit, held to the checks of the published behaviour. The mock knows nothing of Conduit: what it cannot pass is
// listed here with the reason, and a check that begins to pass has to leave the list.
import { describe, expect, it } from 'vitest'
import { conduitApi } from '../../examples/conduit/api.ts'
import { openDatabase } from '../../examples/conduit/database.ts'
import { mock } from '../../src/mock/index.ts'
import { checks } from '../repository/conduit/checks.ts'
import { runChecks } from '../repository/conduit/run.ts'
import { urlOf } from '../support/ask.ts'

const WORDS = 'the status is right, but the controller chooses the words of the failure'
const BLANK = 'the controller replaces a blank by null; no declaration says so'
const FEED = 'no declaration says that a feed has the articles of followed authors'

const cannotPass: Readonly<Record<string, string>> = {
  'log in with a wrong password': WORDS,
  'log in with an unknown email': WORDS,
  'log in with the old password': WORDS,
  'comment on an unknown article': WORDS,
  'list the comments of an unknown article': WORDS,
  'delete a comment of an unknown article': WORDS,
  'list the comments of a deleted article': WORDS,
  'clear the bio by a blank': BLANK,
  'keep the bio cleared': BLANK,
  'clear the image by a blank': BLANK,
  'read the feed of somebody who follows nobody': FEED,
  'read the feed of followed authors': FEED,
}

describe('the mock of Conduit', () => {
  it('passes at least 90 % of its checks, and all but those with a reason', async () => {
    const app = mock(conduitApi(await openDatabase()))
    const failed = await runChecks(`${await urlOf(app)}/api`)
    expect([...failed.keys()].sort()).toEqual(Object.keys(cannotPass).sort())
    expect(1 - failed.size / checks.length).toBeGreaterThanOrEqual(0.9)
  })
})
