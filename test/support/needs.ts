// Tests that need something that a machine may not have: without it they are skipped, by their names and with the reason,
// and where nothing may be missing they fail. scripts/test.ts and scripts/rules.ts list what was skipped.
import { describe, it } from 'vitest'
import { inCi, type Need, skippedTitle } from '../../scripts/machine.ts'

/** Describes tests that need something. */
export function describeWith(need: Need, title: string, tests: () => void): void {
  if (need.missing === undefined) describe(title, tests)
  else if (inCi) describe(title, () => it(`needs ${need.name}`, () => refuse(need)))
  else describe.skip(skippedTitle(title, need), tests)
}

/** A test that needs something. */
export function itWith(need: Need, title: string, run: () => Promise<void>, timeout: number): void {
  if (need.missing === undefined) it(title, run, timeout)
  else if (inCi) it(title, () => refuse(need))
  else it.skip(skippedTitle(title, need), run)
}

function refuse({ name, missing }: Need): never {
  throw new Error(`This test needs ${name}: ${missing}. In CI, nothing is skipped.`)
}
