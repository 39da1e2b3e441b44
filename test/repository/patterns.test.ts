// Lists of test files by pattern, in the settings of Vitest and of mutation campaigns: each pattern names files that exist.
import { readdirSync, statSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { longTests } from '../../scripts/long-tests.ts'
import { folders, patterns } from '../campaigns/mutation/tests.ts'

const files = ['src', 'test'].flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => `${folder}/${name}`),
)

/** A pattern without braces as a regular expression. */
function fitted(pattern: string): RegExp {
  const parts: Readonly<Record<string, string>> = { '**/': '(?:.*/)?', '*': '[^/]*', '.': '\\.' }
  return new RegExp(`^${pattern.replaceAll(/\*\*\/|[*.]/g, (part) => parts[part] as string)}$`)
}

/** The patterns without braces that a pattern stands for. */
function spelled(pattern: string): string[] {
  const [whole, inner] = /\{([^{}]*)\}/.exec(pattern) ?? []
  if (whole === undefined || inner === undefined) return [pattern]
  return inner.split(',').flatMap((one) => spelled(pattern.replace(whole, one)))
}

describe('every pattern of tests names a test', () => {
  it.each([
    ['of mutation campaigns', patterns],
    ['that are left to CI', longTests],
  ])('%s', (_, listed) => {
    const idle = listed.flatMap(spelled).filter((pattern) => !files.some((file) => fitted(pattern).test(file)))
    expect(idle).toEqual([])
  })

  it('and every folder of a campaign exists', () => {
    expect(folders.filter((folder) => !statSync(folder).isDirectory())).toEqual([])
  })
})
