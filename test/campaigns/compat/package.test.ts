// The package as it would be published: what its users need and nothing else, and nothing that runs at installation.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { beforeAll, expect, it } from 'vitest'
import { ensureBuilt } from '../../../scripts/built.ts'

const read = (name: string) => JSON.parse(readFileSync(name, 'utf8'))

const wanted = [
  /^(package\.json|README\.md|LICENSE|CHANGELOG\.md|dist\/LICENSES\.txt)$/,
  /^dist\/(?!.*\.test)[\w/-]+\.(js|d\.ts)$/,
  /^templates\/(project|resource)\/[\w./-]+$/,
]

beforeAll(ensureBuilt, 300_000)

it('has scripts, declarations and templates only', () => {
  const [packed] = JSON.parse(execFileSync('npm', ['pack', '--dry-run', '--json'], { encoding: 'utf8' }))
  const paths: string[] = packed.files.map(({ path }: { path: string }) => path)
  expect(paths).toEqual(expect.arrayContaining(['dist/index.js', 'dist/index.d.ts', 'LICENSE', 'package.json']))
  expect(paths.filter((path) => !wanted.some((pattern) => pattern.test(path)))).toEqual([])
  expect(packed.bundled).toEqual([])
}, 60_000)

it('has no source maps, nor traces of them', () => {
  expect(readFileSync('dist/index.js', 'utf8')).not.toContain('sourceMappingURL')
})

it('runs nothing when it is installed', () => {
  const scripts = Object.keys(read('package.json').scripts)
  const running = ['preinstall', 'install', 'postinstall', 'preprepare', 'prepare', 'postprepare', 'prepack']
  expect(scripts.filter((name) => running.includes(name))).toEqual([])
})

it.each([
  '.',
  'bench',
  'bench/types',
  'docs/site',
  'test/documentation/clients',
  'test/documentation/tools',
  'test/lists/prisma',
  'test/campaigns/compat/runtimes',
  'test/campaigns/hostile/peers',
])('the lock file of %s names no host, and has a hash for every package', (folder) => {
  const packages: Record<string, { resolved?: string; integrity?: string; link?: boolean }> = read(
    `${folder}/package-lock.json`,
  ).packages
  const fetched = Object.entries(packages).filter(([place, { link }]) => place.includes('node_modules/') && !link)
  expect(fetched.length).toBeGreaterThan(0)
  expect(fetched.filter(([, { resolved }]) => resolved !== undefined)).toEqual([])
  expect(fetched.filter(([, { integrity }]) => !integrity?.startsWith('sha512-')).map(([place]) => place)).toEqual([])
})
