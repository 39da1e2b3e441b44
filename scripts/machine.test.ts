// Programs are found on the PATH only, and the titles of skipped tests state their needs.
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isCi, needsIn, program, skippedTitle } from './machine.ts'

const root = mkdtempSync(join(tmpdir(), 'edict-machine-'))
const writeProgram = (path: string, mode = 0o755): void => {
  writeFileSync(join(root, path), '')
  chmodSync(join(root, path), mode)
}

beforeAll(() => {
  for (const folder of ['one/bin', 'two/bin', 'two/sbin', 'two/bin/folder'])
    mkdirSync(join(root, folder), { recursive: true })
  for (const path of ['one/bin/both', 'two/bin/both', 'two/bin/tool', 'two/sbin/server']) writeProgram(path)
  writeProgram('one/bin/tool', 0o644)
})
afterAll(() => rmSync(root, { recursive: true }))

describe('a program', () => {
  const PATH = ['one/bin', 'two/bin'].map((folder) => join(root, folder)).join(delimiter)
  it.each([
    ['both', 'one/bin/both'],
    ['tool', 'two/bin/tool'],
    ['server', 'two/sbin/server'],
    ['folder', undefined],
    ['nothing', undefined],
    // Exists on most machines at a fixed path.
    ['env', undefined],
  ])('%s is found at %s', (name, path) => {
    expect(program(name, { PATH })).toBe(path === undefined ? undefined : join(root, path))
  })

  it('is not found without a PATH', () => {
    expect([program('env', {}), program('env', { PATH: '' })]).toEqual([undefined, undefined])
  })
})

it.each([
  [undefined, false],
  ['', false],
  ['false', false],
  ['0', false],
  ['true', true],
  ['1', true],
])('CI=%s is CI: %s', (CI, expected) => {
  expect(isCi({ CI })).toBe(expected)
})

it('a title tells what a skipped test needs', () => {
  const title = skippedTitle('[DOC-02] a page', { name: 'a browser', missing: 'not installed: set CHROMIUM' })
  expect(needsIn(`file ${title} shows > it`)).toEqual([{ name: 'a browser', missing: 'not installed: set CHROMIUM' }])
  expect(needsIn('a test {with braces}')).toEqual([])
})
