// Evaluates the report of a test run: the rules that its tests prove, and those unproved because the machine lacks
// something.
import { readFileSync } from 'node:fs'
import { needsIn } from './machine.ts'

/** The file that `npm test -- tests` writes. */
export const reportFile = '.cache/vitest.json'

/** A test of the report. */
export interface ReportedTest {
  readonly fullName: string
  readonly status: string
  readonly failureMessages?: readonly string[]
}

/** The report in Vitest's format. */
export interface Report {
  readonly numPassedTests: number
  readonly numFailedTests: number
  readonly numPendingTests: number
  readonly numTodoTests: number
  readonly testResults: readonly {
    readonly name: string
    readonly status: string
    readonly assertionResults: readonly ReportedTest[]
  }[]
}

/** The report of an `npm test` that passed on the same sources elsewhere, and the folder of that clone. */
export interface Proved {
  readonly report: Report
  readonly root: string
}

/** Reads the report that CI provides. */
export function readProved(): Proved | undefined {
  const file = process.env['EDICT_PROVED']
  return file === undefined ? undefined : (JSON.parse(readFileSync(file, 'utf8')) as Proved)
}

/** A missing program, and the tests and rules it leaves unproved. */
export interface Lack {
  readonly name: string
  readonly missing: string
  /** The number of skipped tests. */
  readonly tests: number
  /** The rules that no other test proves. */
  readonly rules: readonly string[]
}

/** Returns the ids of rules in a title, such as `[RTE-03]`. */
export const extractRules = (title: string): string[] =>
  [...title.matchAll(/\[([A-Z]{3}-\d{2})\]/g)].map(([, id]) => id!)

const isSkipped = ({ status }: ReportedTest): boolean => !['passed', 'failed'].includes(status)

/** Returns all tests of a report. */
export const listTests = ({ testResults }: Pick<Report, 'testResults'>): ReportedTest[] =>
  testResults.flatMap(({ assertionResults }) => assertionResults)

/** Returns the missing programs, from the tests skipped for them. */
export function listLacks(tests: readonly ReportedTest[]): Lack[] {
  const run = new Set(tests.filter((test) => !isSkipped(test)).flatMap(({ fullName }) => extractRules(fullName)))
  const lacks = new Map<string, { name: string; missing: string; tests: number; rules: Set<string> }>()
  for (const { fullName } of tests.filter(isSkipped)) {
    for (const { name, missing } of needsIn(fullName).slice(0, 1)) {
      const lack = lacks.get(name) ?? { name, missing, tests: 0, rules: new Set<string>() }
      lack.tests++
      for (const id of extractRules(fullName)) if (!run.has(id)) lack.rules.add(id)
      lacks.set(name, lack)
    }
  }
  return [...lacks.values()].map((lack) => ({ ...lack, rules: [...lack.rules].sort() }))
}

/** Returns the tests that were skipped for another reason than a missing program. */
export const filterOtherSkips = (tests: readonly ReportedTest[]): ReportedTest[] =>
  tests.filter((test) => isSkipped(test) && needsIn(test.fullName).length === 0)

/** Formats a line about a missing program. */
export function formatLack({ name, missing, tests, rules }: Lack): string {
  const what = rules.length === 0 ? '' : `rules ${rules.join(', ')}, `
  return `not proved here, needs ${name}: ${what}${tests} test(s) (${missing})`
}
