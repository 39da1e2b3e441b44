// Plans of campaigns: which tests are run for a mutant.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { TestStatus } from '@stryker-mutator/api/test-runner'
import { afterAll, expect, it } from 'vitest'
import { coverageWithin } from './coverage.ts'

const folder = mkdtempSync(join(tmpdir(), 'edict-coverage-'))
afterAll(() => rmSync(folder, { recursive: true }))

const source = join(folder, 'one.ts')
writeFileSync(source, ['1', '2', '3', '4'].map((id) => `if (stryMutAct_9fa48("${id}")) {}`).join('\n'))

const file = (name: string): string => join(process.cwd(), name)
const test = (name: string, timeSpentMs: number) => ({
  id: `${name}#it`,
  name: 'it',
  fileName: file(name),
  status: TestStatus.Success as const,
  timeSpentMs,
})
const reaching = (name: string, ...mutants: string[]) => ({
  file: file(name),
  static: {},
  perTest: { [`${file(name)}#it`]: Object.fromEntries(mutants.map((one) => [one, 1])) },
})

it('the file that sees most of a source may take three times the budget, and others come as far as the budget goes', () => {
  const tests = [
    test('endless.ts', 9000),
    test('main.ts', 5000),
    test('quick.ts', 300),
    test('other.ts', 500),
    test('long.ts', 1900),
  ]
  const files = [
    reaching('endless.ts', '1', '2', '3', '4'),
    reaching('long.ts', '1', '2'),
    reaching('main.ts', '1', '2', '3'),
    reaching('quick.ts', '1', '2'),
    reaching('other.ts', '2'),
  ]
  const { perTest } = coverageWithin(2000, tests, files, [source])
  const run = (mutant: string): string[] => Object.keys(perTest).filter((id) => perTest[id]?.[mutant] !== undefined)
  expect(run('1').sort()).toEqual(['main.ts#it', 'quick.ts#it'])
  expect(run('2').sort()).toEqual(['main.ts#it', 'other.ts#it', 'quick.ts#it'])
  expect(run('3')).toEqual(['main.ts#it'])
  // Better slowly than not at all.
  expect(run('4')).toEqual(['endless.ts#it'])
})

it('a file that reaches a mutant before its tests is run as a whole', () => {
  const files = [{ file: file('early.ts'), static: { '1': 1 }, perTest: {} }]
  const tests = [test('early.ts', 10), { ...test('early.ts', 10), id: 'early.ts#other' }]
  const { perTest, static: early } = coverageWithin(2000, tests, files, [source])
  expect([Object.keys(perTest).sort(), early]).toEqual([['early.ts#it', 'early.ts#other'], {}])
})
