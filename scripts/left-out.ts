// The test files that a run leaves out: `npm test` leaves out slow ones, CI those that `npm test` has just run completely.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { longTests } from './long-tests.ts'
import type { Report } from './report.ts'

const listFile = '.cache/left-out.json'
/** Files that only skip tests; the report of a run lists skipped tests. */
const skips = ['scripts/machine.ts', 'test/support/needs.ts']

/** Writes the list of files that Vitest leaves out; returns the environment variable that points to the list. */
export function leaveOut(files: readonly string[]): Record<string, string> {
  mkdirSync(dirname(listFile), { recursive: true })
  writeFileSync(listFile, JSON.stringify(files))
  return { EDICT_LEFT_OUT: listFile }
}

/** Returns the test files that `npm test` leaves to CI. */
export function findLongTests(): string[] {
  const all = ['src', 'test', 'scripts'].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => `${folder}/${name}`),
  )
  return all.filter((file) => longTests.includes(file))
}

/** Returns the test files of a report that passed completely and that CI would not run any further. */
export function findProved({ testResults }: Report, root: string): string[] {
  const passed = testResults.filter(({ status, assertionResults }) => {
    return status === 'passed' && assertionResults.every((test) => test.status === 'passed')
  })
  return passed.map(({ name }) => relative(root, name)).filter((file) => existsSync(file) && !isLongerInCi(file))
}

/** Returns whether a test file does more in CI: it, or a file it imports, checks for CI. */
export function isLongerInCi(file: string, seen: Set<string> = new Set()): boolean {
  if (skips.includes(file) || seen.has(file) || !existsSync(file)) return false
  seen.add(file)
  const source = readFileSync(file, 'utf8')
  if (/\b(?:CI|inCi|isCi)\b/.test(source.replaceAll(/\/\/.*|\/\*[\s\S]*?\*\//g, ''))) return true
  const imports = [...source.matchAll(/(?:from|import\() ?'(\.[^']+)'/g)]
  return imports.some(([, path = '']) => isLongerInCi(join(dirname(file), path), seen))
}
