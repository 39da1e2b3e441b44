// Which tests a mutant is run against: of those that reach it, the file that sees most of its source, and within a budget the
// ones that see most for their time.
import { readFileSync } from 'node:fs'
import { relative } from 'node:path'
import type { MutantCoverage } from '@stryker-mutator/api/core'
import type { TestResult } from '@stryker-mutator/api/test-runner'

type Hits = Readonly<Record<string, number>>

/** The mutants that one test file reached: in its tests, and before them. */
export interface FileCoverage {
  readonly file: string
  /** While modules were evaluated: declarations of the test, and constants of the sources. */
  readonly static: Hits
  readonly perTest: Readonly<Record<string, Hits>>
}

/** The cost of evaluating the modules of one more test file, in milliseconds. */
const FILE_COST = 150

/**
 * The coverage by which Stryker plans. Mutants that a file reaches before its tests count for all of them, as each is there
 * from the first module on.
 */
export function coverageWithin(
  budget: number,
  tests: readonly TestResult[],
  files: readonly FileCoverage[],
  sources: readonly string[],
): MutantCoverage {
  const byFile = new Map<string, TestResult[]>()
  for (const test of tests) byFile.set(test.fileName ?? '', [...(byFile.get(test.fileName ?? '') ?? []), test])
  const perTest: Record<string, Record<string, number>> = {}
  for (const source of sources) {
    const own = files.map((one) => reachOf(one, byFile.get(one.file) ?? [], mutantsIn(source)))
    // The file that sees most of a source is the likeliest to notice a change of it, and may take longer than others.
    own.sort((one, other) => other.seen / other.cost - one.seen / one.cost)
    const bySight = [...own].sort((one, other) => other.seen - one.seen || one.cost - other.cost)
    for (const mutant of mutantsIn(source)) {
      const reaching = bySight.filter((one) => testsFor(mutant, one) !== undefined)
      const main = reaching.find((one) => costOf(testsFor(mutant, one) ?? []) <= 3 * budget) ?? reaching.at(-1)
      let spent = 0
      for (const reach of own) {
        const { byMutant } = reach
        const those = testsFor(mutant, reach)
        if (those === undefined || (reach !== main && spent + costOf(those) > budget)) continue
        if (reach !== main) spent += costOf(those)
        for (const { id } of those) {
          perTest[id] ??= {}
          perTest[id][mutant] = byMutant.get(mutant)?.length ?? 1
        }
      }
    }
  }
  return { static: {}, perTest }
}

interface Reach {
  /** How many mutants of the source its tests reach. */
  readonly seen: number
  readonly cost: number
  readonly byMutant: ReadonlyMap<string, TestResult[]>
  readonly early: Hits
  readonly all: readonly TestResult[]
}

const testsFor = (mutant: string, { byMutant, early, all }: Reach): readonly TestResult[] | undefined =>
  early[mutant] === undefined ? byMutant.get(mutant) : all

function reachOf(file: FileCoverage, all: readonly TestResult[], mutants: readonly string[]): Reach {
  const byMutant = new Map<string, TestResult[]>()
  const wanted = new Set(mutants)
  const byId = new Map(all.map((test) => [test.id, test]))
  for (const [rawId, hits] of Object.entries(file.perTest)) {
    const test = byId.get(idOf(rawId))
    if (test !== undefined)
      for (const mutant of Object.keys(hits))
        if (wanted.has(mutant)) {
          const those = byMutant.get(mutant)
          if (those === undefined) byMutant.set(mutant, [test])
          else those.push(test)
        }
  }
  return { seen: byMutant.size, cost: costOf(all), byMutant, early: file.static, all }
}

const costOf = (tests: readonly TestResult[]): number =>
  tests.reduce((sum, { timeSpentMs }) => sum + timeSpentMs, FILE_COST)

// As Stryker's runner names tests.
function idOf(raw: string): string {
  const [file = '', ...name] = raw.split('#')
  return `${relative(process.cwd(), file)}#${name.join('#')}`
}

const known = new Map<string, readonly string[]>()

/** The mutants that Stryker put into a file: it names them where it asks which one is active. */
function mutantsIn(source: string): readonly string[] {
  let found = known.get(source)
  if (found === undefined) {
    const text = readFileSync(source, 'utf8')
    found = [...new Set([...text.matchAll(/stryMutAct_\w+\("(\d+)"\)/g)].map(([, id]) => id as string))]
    known.set(source, found)
  }
  return found
}
