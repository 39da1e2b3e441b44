import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { FILE_LINES, FUNCTION_LINES, sizeViolations } from './sizes.ts'

function violationsIn(files: Readonly<Record<string, string>>, list: Readonly<Record<string, string>> = {}): string[] {
  const root = mkdtempSync(join(tmpdir(), 'edict-sizes-'))
  try {
    for (const [file, text] of Object.entries(files)) {
      mkdirSync(dirname(join(root, file)), { recursive: true })
      writeFileSync(join(root, file), text)
    }
    return sizeViolations(root, list).map((one) => one.split(' Remedy')[0] as string)
  } finally {
    rmSync(root, { recursive: true })
  }
}

const lines = (count: number): string => 'work()\n'.repeat(count)
const named = (count: number): string => `function long() {\n${lines(count - 2)}}\n`

it('files and functions of src/ keep their limits, or have a reason', () => {
  expect(sizeViolations(process.cwd())).toEqual([])
})

it('finds a file and functions of every form that are one line too long', () => {
  const body = lines(FUNCTION_LINES - 1)
  expect(
    violationsIn({
      'src/file.ts': lines(FILE_LINES + 1),
      'src/function.ts': `\n${named(FUNCTION_LINES + 1)}`,
      'src/arrow.ts': `const arrow = () => {\n${body}}\n`,
      'src/method.ts': `class A {\nmethod() {\n${body}}\n}\n`,
    }),
  ).toEqual([
    'src/arrow.ts:1: arrow has 41 lines, more than 40.',
    'src/file.ts: has 301 lines, more than 300.',
    'src/function.ts:2: long has 41 lines, more than 40.',
    'src/method.ts:2: method has 41 lines, more than 40.',
  ])
})

it('lets the limit, tests and what is listed pass, and finds an entry that nothing needs', () => {
  const files = {
    'src/exact.ts': `${named(FUNCTION_LINES)}${lines(FILE_LINES - FUNCTION_LINES)}`,
    'src/listed.ts': named(60),
    'src/long.test.ts': named(400),
  }
  expect(violationsIn(files, { 'src/listed.ts long': 'a reason' })).toEqual([])
  expect(violationsIn(files, { 'src/listed.ts long': 'a reason', 'src/exact.ts long': 'none' })).toEqual([
    "scripts/sizes.ts: nothing needs 'src/exact.ts long'.",
  ])
})
