// `npm run check:dependencies`: all that comes with edict or can be installed for it, with version, licence, install scripts and
// the reason for it. A package without a reason, a licence that we do not know, or an install script fails.
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { scalarRelease } from '../src/plugins/docs/scalar-release.ts'

/** How a package comes to users: npm installs it, our scripts contain it, or users install it if they want. */
export type Way = 'installed' | 'contained' | 'peer'

/** One package. */
export interface Dependency {
  readonly way: Way
  readonly name: string
  readonly version: string
  readonly licence: string
  readonly installScript: boolean
  /** Why it is there: a sentence for what we chose, the name of its user for what came along. */
  readonly reason: string | undefined
}

/** An entry of a lock file. */
interface Locked {
  readonly version?: string
  readonly license?: string
  readonly hasInstallScript?: boolean
  readonly dev?: boolean
  readonly optional?: boolean
  readonly peer?: boolean
  readonly dependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
}

/** The manifest, the lock file and the reasons that are checked. */
export interface Material {
  readonly manifest: {
    readonly dependencies?: Readonly<Record<string, string>>
    readonly peerDependencies?: Readonly<Record<string, string>>
    readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>
  }
  readonly lock: { readonly packages: Readonly<Record<string, Locked>> }
  /** Packages that our scripts import. */
  readonly imported: readonly string[]
  /** A package of which a file is copied, with its version. */
  readonly copied: readonly { readonly name: string; readonly version: string; readonly licence: string }[]
  readonly reasons: Readonly<Record<string, string>>
}

const licences = new Set(['MIT', 'ISC', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', '0BSD', 'MIT-0'])

/** Lists every package that reaches users, those that come along included. */
export function dependenciesOf({ manifest, lock, imported, copied, reasons }: Material): Dependency[] {
  const { dependencies = {}, peerDependencies = {} } = manifest
  const contained = imported.filter((name) => !(name in dependencies) && !(name in peerDependencies))
  const found = new Map<string, Dependency>()
  const add = (way: Way, name: string, parent: string, user?: string): void => {
    const [place, entry] = lookUp(lock, name, parent)
    if (entry === undefined || found.has(place)) return
    const { version = '?', license: licence = 'none', hasInstallScript: installScript = false } = entry
    const reason = user === undefined ? reasons[name] : `for ${user}`
    found.set(place, { way, name, version, licence, installScript, reason })
    for (const next of Object.keys({ ...entry.dependencies, ...entry.optionalDependencies }))
      add(way, next, place, name)
  }
  for (const name of Object.keys(dependencies)) add('installed', name, '')
  for (const name of contained) add('contained', name, '')
  for (const one of copied)
    found.set(one.name, { way: 'contained', ...one, installScript: false, reason: reasons[one.name] })
  for (const name of Object.keys(peerDependencies)) add('peer', name, '')
  return [...found.values()]
}

/** Finds the entry that a package's import of another leads to. */
function lookUp({ packages }: Material['lock'], name: string, from: string): [string, Locked | undefined] {
  for (let place = from; ; place = place.slice(0, Math.max(0, place.lastIndexOf('/node_modules/')))) {
    const candidate = `${place === '' ? '' : `${place}/`}node_modules/${name}`
    if (packages[candidate] !== undefined || place === '') return [candidate, packages[candidate]]
  }
}

/** Tells what must not be: in what reaches users, and among the packages that npm installs with edict. */
export function mistakesOf(material: Material): string[] {
  const { manifest, lock, imported, copied, reasons } = material
  const all = dependenciesOf(material)
  const names = new Set([
    ...imported,
    ...copied.map(({ name }) => name),
    ...Object.keys(manifest.peerDependencies ?? {}),
  ])
  const chosen = new Set([...names, ...Object.keys(manifest.dependencies ?? {})])
  const ours = all.filter(({ way }) => way !== 'peer')
  const production = Object.entries(lock.packages).filter(([place, { dev, peer }]) => place !== '' && !dev && !peer)
  return [
    ...[...chosen]
      // An optional peer that would have to be compiled is installed only by the tests that need it.
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
    ...production.flatMap(([place, { hasInstallScript }]) =>
      hasInstallScript ? [`${place} in the lock file runs a script when it is installed`] : [],
    ),
    ...Object.keys(manifest.peerDependencies ?? {}).flatMap((name) =>
      manifest.peerDependenciesMeta?.[name]?.optional ? [] : [`${name} is a peer that is not optional`],
    ),
  ]
}

/** Gathers the material of this repository. */
export function materialOf(root: string): Material {
  const read = (name: string) => JSON.parse(readFileSync(join(root, name), 'utf8'))
  const { name, version } = scalarRelease
  return {
    manifest: read('package.json'),
    lock: read('package-lock.json'),
    imported: importedBy(join(root, 'src')),
    copied: [{ name, version, licence: 'MIT' }],
    reasons: read('scripts/dependencies.json'),
  }
}

function importedBy(folder: string): string[] {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (name) => name.endsWith('.ts') && !/\.test(-d)?\.ts$/.test(name),
  )
  const names = files.flatMap((name) => {
    const text = readFileSync(join(folder, name), 'utf8')
    return [...text.matchAll(/^(?:import|export|\}).*? from '((?:@[^/']+\/)?[^./'$][^/':]*)(?:\/[^']*)?'$/gm)].map(
      ([, found]) => found as string,
    )
  })
  // The templates of new projects import the package itself; those of a README, whatever it is called.
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
  const material = materialOf(dirname(dirname(fileURLToPath(import.meta.url))))
  print(dependenciesOf(material))
  const mistakes = mistakesOf(material)
  for (const mistake of mistakes) console.error(`dependencies: ${mistake}`)
  process.exitCode = mistakes.length === 0 ? 0 : 1
}
