// The report of a test run: which rules its tests prove, and what could not be proved because the machine lacks something.
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

/** The report, as Vitest writes it. */
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

/** The report of an `npm test` that has passed on the same sources elsewhere, and the folder of that clone. */
export interface Proved {
  readonly report: Report
  readonly root: string
}

/** Reads the report that CI hands over. */
export function readProved(): Proved | undefined {
  const file = process.env['EDICT_PROVED']
  return file === undefined ? undefined : (JSON.parse(readFileSync(file, 'utf8')) as Proved)
}

/** Something that the machine lacks, and what it leaves unproved. */
export interface Lack {
  readonly name: string
  readonly missing: string
  /** How many tests were skipped for it. */
  readonly tests: number
  /** The rules that no other test proves. */
  readonly rules: readonly string[]
}

/** The ids of rules in a title, as in `[RTE-03]`. */
export const rulesIn = (title: string): string[] => [...title.matchAll(/\[([A-Z]{3}-\d{2})\]/g)].map(([, id]) => id!)

const isSkipped = ({ status }: ReportedTest): boolean => !['passed', 'failed'].includes(status)

/** All tests of a report. */
export const testsOf = ({ testResults }: Pick<Report, 'testResults'>): ReportedTest[] =>
  testResults.flatMap(({ assertionResults }) => assertionResults)

/** The programs that the machine lacks, by the tests that were skipped for them. */
export function lacksOf(tests: readonly ReportedTest[]): Lack[] {
  const run = new Set(tests.filter((test) => !isSkipped(test)).flatMap(({ fullName }) => rulesIn(fullName)))
  const lacks = new Map<string, { name: string; missing: string; tests: number; rules: Set<string> }>()
  for (const { fullName } of tests.filter(isSkipped)) {
    for (const { name, missing } of needsIn(fullName).slice(0, 1)) {
      const lack = lacks.get(name) ?? { name, missing, tests: 0, rules: new Set<string>() }
      lack.tests++
      for (const id of rulesIn(fullName)) if (!run.has(id)) lack.rules.add(id)
      lacks.set(name, lack)
    }
  }
  return [...lacks.values()].map((lack) => ({ ...lack, rules: [...lack.rules].sort() }))
}

/** Tests that were skipped for no reason of the machine's. */
export const skippedOtherwise = (tests: readonly ReportedTest[]): ReportedTest[] =>
  tests.filter((test) => isSkipped(test) && needsIn(test.fullName).length === 0)

/** A line about what the machine lacks. */
export function lackLine({ name, missing, tests, rules }: Lack): string {
  const what = rules.length === 0 ? '' : `rules ${rules.join(', ')}, `
  return `not proved here, needs ${name}: ${what}${tests} test(s) (${missing})`
}
