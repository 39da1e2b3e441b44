// The test files that a run leaves out: `npm test` those that take long, CI those that `npm test` has just run in full.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { longTests } from './long-tests.ts'
import type { Report } from './report.ts'

const listFile = '.cache/left-out.json'
/** Files that only skip tests; the report of a run lists those. */
const skips = ['scripts/machine.ts', 'test/support/needs.ts']

/** Writes the list of files that Vitest leaves out, and gives the variables by which it finds the list. */
export function leaveOut(files: readonly string[]): Record<string, string> {
  mkdirSync(dirname(listFile), { recursive: true })
  writeFileSync(listFile, JSON.stringify(files))
  return { EDICT_LEFT_OUT: listFile }
}

/** Finds the test files that `npm test` leaves to CI. */
export function findLongTests(): string[] {
  const all = ['src', 'test', 'scripts'].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => `${folder}/${name}`),
  )
  return all.filter((file) => longTests.includes(file))
}

/** Finds the test files of a report that passed as a whole, and that CI would run no further than that. */
export function findProved({ testResults }: Report, root: string): string[] {
  const passed = testResults.filter(({ status, assertionResults }) => {
    return status === 'passed' && assertionResults.every((test) => test.status === 'passed')
  })
  return passed.map(({ name }) => relative(root, name)).filter((file) => existsSync(file) && !isLongerInCi(file))
}

/** Whether a test file does more in CI: it, or a file that it imports, asks where it runs. */
export function isLongerInCi(file: string, seen: Set<string> = new Set()): boolean {
  if (skips.includes(file) || seen.has(file) || !existsSync(file)) return false
  seen.add(file)
  const source = readFileSync(file, 'utf8')
  if (/\b(?:CI|inCi|isCi)\b/.test(source.replaceAll(/\/\/.*|\/\*[\s\S]*?\*\//g, ''))) return true
  const imports = [...source.matchAll(/(?:from|import\() ?'(\.[^']+)'/g)]
  return imports.some(([, path = '']) => isLongerInCi(join(dirname(file), path), seen))
}
