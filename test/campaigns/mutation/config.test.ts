// The configuration of campaigns: the tests that were asked for are run, and no others.
import { afterEach, expect, it, vi } from 'vitest'
import { testsOf } from './tests.ts'

afterEach(() => vi.unstubAllEnvs())

it('has the patterns of the folder, braces and all, and no projects that have others', async () => {
  const { include } = testsOf('src/contract')
  expect(testsOf('src/plugins/jwt').include.some((one) => one.includes('{'))).toBe(true)
  vi.stubEnv('EDICT_MUTATION_TESTS', JSON.stringify(include))
  const { default: config } = (await import('./vitest.config.ts')) as { default: { test: Record<string, unknown> } }
  expect([config.test['include'], config.test['projects']]).toEqual([include, undefined])
})
