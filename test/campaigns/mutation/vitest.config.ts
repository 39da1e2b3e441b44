// The tests of a mutation campaign: those of the repository that can notice a mutant in their own process.
import { mergeConfig } from 'vitest/config'
import base from '../../../vitest.config.ts'
import { leftOut, NearestFirst } from './tests.ts'

const settings = mergeConfig(base, {
  test: {
    exclude: ['**/node_modules/**', ...leftOut(process.env['EDICT_MUTATION_DATABASES'] === 'yes')],
    sequence: { sequencer: NearestFirst },
    // A slow machine is no reason to count a mutant as noticed.
    testTimeout: 20_000,
    hookTimeout: 60_000,
  },
})

// The projects of the repository have patterns of their own, and would run every test.
delete settings.test.projects
const only = process.env['EDICT_MUTATION_TESTS']
if (only !== undefined) settings.test.include = JSON.parse(only)
settings.test.typecheck = { enabled: false }
// Stryker reads results itself.
settings.test.reporters = [{}]

export default settings
