// `npm run check:dependencies`: lists all packages that edict includes or can use, with version, licence, install scripts
// and reason. Fails for a package without a reason, an unknown licence, or an install script.
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { scalarRelease } from '../src/plugins/docs/scalar-release.ts'

/** How a package reaches users: npm installs it, our scripts contain it, or users install it on demand. */
export type Way = 'installed' | 'contained' | 'peer'

/** One package. */
export interface Dependency {
  readonly way: Way
  readonly name: string
  readonly version: string
  readonly licence: string
  readonly installScript: boolean
  /** The reason: a sentence for a package we chose, the dependent for a transitive one. */
  readonly reason: string | undefined
}

/** An entry of a lock file. */
interface LockEntry {
  readonly version?: string
  readonly license?: string
  readonly hasInstallScript?: boolean
  readonly dev?: boolean
  readonly optional?: boolean
  readonly peer?: boolean
  readonly dependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
}

/** The manifest, the lock file and the reasons to check. */
export interface Material {
  readonly manifest: {
    readonly dependencies?: Readonly<Record<string, string>>
    readonly peerDependencies?: Readonly<Record<string, string>>
    readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>
  }
  readonly lock: { readonly packages: Readonly<Record<string, LockEntry>> }
  /** Packages that our sources import. */
  readonly imported: readonly string[]
  /** Packages of which a file is copied. */
  readonly copied: readonly { readonly name: string; readonly version: string; readonly licence: string }[]
  readonly reasons: Readonly<Record<string, string>>
}

const licences = new Set(['MIT', 'ISC', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', '0BSD', 'MIT-0'])

/** Lists every package that reaches users, including transitive dependencies. */
export function listDependencies({ manifest, lock, imported, copied, reasons }: Material): Dependency[] {
  const { dependencies = {}, peerDependencies = {} } = manifest
  const contained = imported.filter((name) => !(name in dependencies) && !(name in peerDependencies))
  const found = new Map<string, Dependency>()
  const add = (way: Way, name: string, parent: string, user?: string): void => {
    const [path, entry] = resolveEntry(lock, name, parent)
    if (entry === undefined || found.has(path)) return
    const { version = '?', license: licence = 'none', hasInstallScript: installScript = false } = entry
    const reason = user === undefined ? reasons[name] : `for ${user}`
    found.set(path, { way, name, version, licence, installScript, reason })
    for (const next of Object.keys({ ...entry.dependencies, ...entry.optionalDependencies })) add(way, next, path, name)
  }
  for (const name of Object.keys(dependencies)) add('installed', name, '')
  for (const name of contained) add('contained', name, '')
  for (const one of copied)
    found.set(one.name, { way: 'contained', ...one, installScript: false, reason: reasons[one.name] })
  for (const name of Object.keys(peerDependencies)) add('peer', name, '')
  return [...found.values()]
}

/** Resolves a package as Node does, from the folder of its dependent. */
function resolveEntry({ packages }: Material['lock'], name: string, from: string): [string, LockEntry | undefined] {
  for (let path = from; ; path = path.slice(0, Math.max(0, path.lastIndexOf('/node_modules/')))) {
    const candidate = `${path === '' ? '' : `${path}/`}node_modules/${name}`
    if (packages[candidate] !== undefined || path === '') return [candidate, packages[candidate]]
  }
}

/** Returns the violations: in packages that reach users, and in those that npm installs with edict. */
export function findMistakes(material: Material): string[] {
  const { manifest, lock, imported, copied, reasons } = material
  const all = listDependencies(material)
  const names = new Set([
    ...imported,
    ...copied.map(({ name }) => name),
    ...Object.keys(manifest.peerDependencies ?? {}),
  ])
  const chosen = new Set([...names, ...Object.keys(manifest.dependencies ?? {})])
  const ours = all.filter(({ way }) => way !== 'peer')
  const production = Object.entries(lock.packages).filter(([path, { dev, peer }]) => path !== '' && !dev && !peer)
  return [
    ...[...chosen]
      // An optional peer that must be compiled is installed only by the tests that need it.
      .filter((name) => !all.some((one) => one.name === name) && manifest.peerDependenciesMeta?.[name] === undefined)
      .map((name) => `${name} is not in the lock file`),
    ...all.filter(({ reason }) => !reason).map(({ name }) => `${name} has no reason in scripts/dependencies.json`),
    ...Object.keys(reasons).flatMap((name) => (chosen.has(name) ? [] : [`${name} has a reason, but nobody uses it`])),
    ...all
      .filter(({ licence }) => !licences.has(licence))
      .map(({ name, licence }) => `${name}: the licence ${licence} is not among those we know`),
    ...ours
      .filter(({ installScript }) => installScript)
      .map(({ name }) => `${name} runs a script when it is installed`),
    ...production.flatMap(([path, { hasInstallScript }]) =>
      hasInstallScript ? [`${path} in the lock file runs a script when it is installed`] : [],
    ),
    ...Object.keys(manifest.peerDependencies ?? {}).flatMap((name) =>
      manifest.peerDependenciesMeta?.[name]?.optional ? [] : [`${name} is a peer that is not optional`],
    ),
  ]
}

/** Reads the material of this repository. */
export function readMaterial(root: string): Material {
  const read = (name: string) => JSON.parse(readFileSync(join(root, name), 'utf8'))
  const { name, version } = scalarRelease
  return {
    manifest: read('package.json'),
    lock: read('package-lock.json'),
    imported: listImportedPackages(join(root, 'src')),
    copied: [{ name, version, licence: 'MIT' }],
    reasons: read('scripts/dependencies.json'),
  }
}

function listImportedPackages(folder: string): string[] {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (name) => name.endsWith('.ts') && !/\.test(-d)?\.ts$/.test(name),
  )
  const names = files.flatMap((name) => {
    const text = readFileSync(join(folder, name), 'utf8')
    return [...text.matchAll(/^(?:import|export|\}).*? from '((?:@[^/']+\/)?[^./'$][^/':]*)(?:\/[^']*)?'$/gm)].map(
      ([, found]) => found as string,
    )
  })
  // Templates of new projects import the package itself.
  return [...new Set(names)].filter((name) => name !== 'edict').sort()
}

function print(all: readonly Dependency[]): void {
  const rows = all.map(({ way, name, version, licence, installScript, reason }) => [
    way,
    name,
    version,
    licence,
    installScript ? 'yes' : 'no',
    reason ?? '',
  ])
  const table = [['way', 'package', 'version', 'licence', 'install script', 'reason'], ...rows]
  const widths = table[0]!.map((_, column) => Math.max(...table.map((row) => row[column]!.length)))
  for (const row of table)
    console.log(
      row
        .map((text, column) => text.padEnd(widths[column]!))
        .join('  ')
        .trimEnd(),
    )
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const material = readMaterial(dirname(dirname(fileURLToPath(import.meta.url))))
  print(listDependencies(material))
  const mistakes = findMistakes(material)
  for (const mistake of mistakes) console.error(`dependencies: ${mistake}`)
  process.exitCode = mistakes.length === 0 ? 0 : 1
}
