import { expect, it } from 'vitest'
import { findLongTests, findProved, isLongerInCi } from './left-out.ts'
import { longTests } from './long-tests.ts'

const reported = (name: string, ...statuses: readonly string[]) => ({
  name: `/clone/${name}`,
  status: statuses.includes('failed') ? 'failed' : 'passed',
  assertionResults: statuses.map((status) => ({ fullName: name, status })),
})
const report = (...testResults: readonly ReturnType<typeof reported>[]) => ({
  ...{ numPassedTests: 0, numFailedTests: 0, numPendingTests: 0, numTodoTests: 0 },
  testResults,
})

it('leaves out files that passed as a whole, and that CI would run no further', () => {
  const plain = 'scripts/lanes.test.ts'
  expect(findProved(report(reported(plain, 'passed', 'passed')), '/clone')).toEqual([plain])
  for (const others of [['passed', 'failed'], ['passed', 'skipped'], ['pending']])
    expect(findProved(report(reported(plain, ...others)), '/clone')).toEqual([])
  expect(findProved(report(reported('scripts/gone.test.ts', 'passed')), '/clone')).toEqual([])
  expect(findProved(report(reported('test/campaigns/faults.test.ts', 'passed')), '/clone')).toEqual([])
})

it('knows files that ask where they run, through whatever they import', () => {
  expect(isLongerInCi('scripts/lanes.test.ts')).toBe(false)
  expect(isLongerInCi('scripts/test.ts')).toBe(true)
  expect(isLongerInCi('scripts/machine.test.ts')).toBe(true)
  expect(isLongerInCi('scripts/rules.ts')).toBe(true)
  // They skip tests, and the report of a run lists skipped tests.
  expect(isLongerInCi('test/lists/datastores/filters.test.ts')).toBe(false)
})

it('finds every long test', () => expect(findLongTests().sort()).toEqual([...longTests].sort()))
