// The list of dependencies: what it contains, what it refuses, and that this repository passes.
import { expect, it } from 'vitest'
import { findMistakes, listDependencies, type Material, readMaterial } from './dependencies.ts'

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

/** Returns the material with one entry of the lock file changed. */
const withLockEntry = (name: string, change: object): Material => ({
  ...sound,
  lock: { packages: { ...sound.lock.packages, [name]: { ...sound.lock.packages[name], ...change } } },
})

it('lists what is installed, contained and optional, with what comes along', () => {
  const found = listDependencies(sound).map(({ way, name, version, reason }) => `${way} ${name} ${version}: ${reason}`)
  expect(found).toEqual([
    'installed flags 1.0.0: a',
    'installed words 1.0.0: for flags',
    'contained small 3.0.0: c',
    'contained page 4.0.0: d',
    'peer tables 2.1.0: b',
    'peer words 2.0.0: for tables',
  ])
  expect(findMistakes(sound)).toEqual([])
})

it('refuses what has no reason, and reasons for nothing', () => {
  const { small: _, ...others } = sound.reasons
  const mistakes = findMistakes({ ...sound, reasons: { ...others, old: 'e' } })
  expect(mistakes).toEqual(['small has no reason in scripts/dependencies.json', 'old has a reason, but nobody uses it'])
})

it('refuses scripts that run at installation, also of what comes along', () => {
  const mistakes = findMistakes(withLockEntry('node_modules/words', { hasInstallScript: true }))
  expect(mistakes).toContain('words runs a script when it is installed')
  expect(mistakes).toContain('node_modules/words in the lock file runs a script when it is installed')
  expect(findMistakes(withLockEntry('node_modules/tables', { hasInstallScript: true }))).toEqual([])
})

it('refuses licences that we do not know, and none', () => {
  expect(findMistakes(withLockEntry('node_modules/words', { license: 'AGPL-3.0' }))).toHaveLength(1)
  expect(findMistakes(withLockEntry('node_modules/small', { license: undefined }))).toHaveLength(1)
})

it('refuses peers that everybody must install, and imports of what is not locked', () => {
  expect(findMistakes({ ...sound, manifest: { ...sound.manifest, peerDependenciesMeta: {} } })).toHaveLength(1)
  expect(findMistakes({ ...sound, imported: [...sound.imported, 'unheard-of'] })).toEqual([
    'unheard-of is not in the lock file',
  ])
})

it('finds nothing to refuse here', () => {
  const material = readMaterial(process.cwd())
  expect(material.imported).toEqual(expect.arrayContaining(['negotiator', '@stricli/core', 'kysely']))
  expect(findMistakes(material)).toEqual([])
})
