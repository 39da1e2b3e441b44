// The report lists the programs that a machine lacks, with the rules that only the skipped tests would prove.
import { expect, it } from 'vitest'
import { skippedTitle } from './machine.ts'
import { filterOtherSkips, formatLack, listLacks } from './report.ts'

const browser = { name: 'a browser', missing: 'no package has one' }
const mariadb = { name: 'MariaDB', missing: 'not on the PATH' }
const tests = [
  { fullName: `${skippedTitle('[DOC-02] the page', browser)} tries requests`, status: 'skipped' },
  { fullName: `${skippedTitle('[DOC-05] the page', browser)} asks nobody`, status: 'pending' },
  { fullName: `${skippedTitle('MariaDB', mariadb)} [MAP-01] lists`, status: 'skipped' },
  { fullName: 'SQLite [MAP-01] lists', status: 'passed' },
  { fullName: '[RTE-01] a route', status: 'skipped' },
]

it('names each need with its reason, its tests and the rules that nothing else proves', () => {
  expect(listLacks(tests).map(formatLack)).toEqual([
    'not proved here, needs a browser: rules DOC-02, DOC-05, 2 test(s) (no package has one)',
    'not proved here, needs MariaDB: 1 test(s) (not on the PATH)',
  ])
})

it('does not excuse rules whose tests failed, or tests that were skipped for no need', () => {
  const failed = { fullName: '[DOC-05] the document names no server', status: 'failed' }
  expect(listLacks([...tests, failed])[0]?.rules).toEqual(['DOC-02'])
  expect(filterOtherSkips(tests).map(({ fullName }) => fullName)).toEqual(['[RTE-01] a route'])
})
