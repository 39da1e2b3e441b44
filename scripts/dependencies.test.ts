// The list of dependencies: what it finds, what it refuses, and that this repository has nothing to refuse.
import { expect, it } from 'vitest'
import { dependenciesOf, type Material, materialOf, mistakesOf } from './dependencies.ts'

const sound: Material = {
  manifest: {
    dependencies: { flags: '1.0.0' },
    peerDependencies: { tables: '^2.0.0' },
    peerDependenciesMeta: { tables: { optional: true } },
  },
  lock: {
    packages: {
      '': {},
      'node_modules/flags': { version: '1.0.0', license: 'MIT', dependencies: { words: '1.0.0' } },
      'node_modules/words': { version: '1.0.0', license: 'ISC' },
      'node_modules/tables': { version: '2.1.0', license: 'MIT', dev: true, dependencies: { words: '2.0.0' } },
      'node_modules/tables/node_modules/words': { version: '2.0.0', license: 'ISC', dev: true },
      'node_modules/small': { version: '3.0.0', license: 'MIT', dev: true },
    },
  },
  imported: ['flags', 'small', 'tables'],
  copied: [{ name: 'page', version: '4.0.0', licence: 'MIT' }],
  reasons: { flags: 'a', tables: 'b', small: 'c', page: 'd' },
}

/** The same with one entry of the lock file changed. */
const locked = (name: string, change: object): Material => ({
  ...sound,
  lock: { packages: { ...sound.lock.packages, [name]: { ...sound.lock.packages[name], ...change } } },
})

it('lists what is installed, contained and optional, with what comes along', () => {
  const found = dependenciesOf(sound).map(({ way, name, version, reason }) => `${way} ${name} ${version}: ${reason}`)
  expect(found).toEqual([
    'installed flags 1.0.0: a',
    'installed words 1.0.0: for flags',
    'contained small 3.0.0: c',
    'contained page 4.0.0: d',
    'peer tables 2.1.0: b',
    'peer words 2.0.0: for tables',
  ])
  expect(mistakesOf(sound)).toEqual([])
})

it('refuses what has no reason, and reasons for nothing', () => {
  const { small: _, ...others } = sound.reasons
  const mistakes = mistakesOf({ ...sound, reasons: { ...others, old: 'e' } })
  expect(mistakes).toEqual(['small has no reason in scripts/dependencies.json', 'old has a reason, but nobody uses it'])
})

it('refuses scripts that run at installation, also of what comes along', () => {
  const mistakes = mistakesOf(locked('node_modules/words', { hasInstallScript: true }))
  expect(mistakes).toContain('words runs a script when it is installed')
  expect(mistakes).toContain('node_modules/words in the lock file runs a script when it is installed')
  expect(mistakesOf(locked('node_modules/tables', { hasInstallScript: true }))).toEqual([])
})

it('refuses licences that we do not know, and none', () => {
  expect(mistakesOf(locked('node_modules/words', { license: 'AGPL-3.0' }))).toHaveLength(1)
  expect(mistakesOf(locked('node_modules/small', { license: undefined }))).toHaveLength(1)
})

it('refuses peers that everybody must install, and imports of what is not locked', () => {
  expect(mistakesOf({ ...sound, manifest: { ...sound.manifest, peerDependenciesMeta: {} } })).toHaveLength(1)
  expect(mistakesOf({ ...sound, imported: [...sound.imported, 'unheard-of'] })).toEqual([
    'unheard-of is not in the lock file',
  ])
})

it('finds nothing to refuse here', () => {
  const material = materialOf(process.cwd())
  expect(material.imported).toEqual(expect.arrayContaining(['negotiator', '@stricli/core', 'kysely']))
  expect(mistakesOf(material)).toEqual([])
})
