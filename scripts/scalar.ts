// Creates src/plugins/docs/scalar.js, the script of the documentation browser, from its npm package. The package is not a
// dependency, since it would install hundreds of others; its one file is downloaded here once and verified against the
// hashes in src/plugins/docs/scalar-release.ts. Does nothing when the module exists.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gunzipSync, gzipSync } from 'node:zlib'
import { scalarRelease } from '../src/plugins/docs/scalar-release.ts'
import { filesOf } from './tar.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const cache = join(root, 'node_modules/.cache/edict')

/** The path of the module. */
export const scalarModule: string = join(root, 'src/plugins/docs/scalar.js')

/** Creates the module unless it exists; test runs call it first. */
export default function ensureScalar(): void {
  const stamp = `/* ${scalarRelease.name} ${scalarRelease.version} ${scalarRelease.sha256}, MIT License. */`
  if (existsSync(scalarModule) && readFileSync(scalarModule, 'utf8').startsWith(stamp)) return
  const script = findEntry(gunzipSync(readPackage()), scalarRelease.file)
  const hash = createHash('sha256').update(script).digest('hex')
  if (hash !== scalarRelease.sha256)
    throw new Error(`${scalarRelease.file} of ${scalarRelease.name} has the SHA-256 ${hash}`)
  // The source map is not served, so the script must not refer to it.
  const text = script.toString('utf8').replace(/\n\/\/# sourceMappingURL=.*\s*$/, '\n')
  const gzipped = gzipSync(text, { level: 9 }).toString('base64')
  // Another process may read or create the same file: write a temporary file and rename it.
  const temporary = `${scalarModule}.${process.pid}`
  writeFileSync(temporary, `${stamp}\nexport const gzipped = '${gzipped}'\n`)
  renameSync(temporary, scalarModule)
}

/** Returns the package of the registry, from the cache when it was downloaded before. */
function readPackage(): Buffer {
  const cached = join(cache, `scalar-${scalarRelease.version}.tgz`)
  if (!existsSync(cached)) {
    mkdirSync(cache, { recursive: true })
    const folder = mkdtempSync(join(cache, 'pack-'))
    console.log(`fetching ${scalarRelease.name} ${scalarRelease.version} for the documentation browser`)
    const spec = `${scalarRelease.name}@${scalarRelease.version}`
    const args = ['pack', spec, '--silent', '--ignore-scripts', '--pack-destination', folder]
    const name = execFileSync('npm', args, { cwd: root, encoding: 'utf8' }).trim().split('\n').at(-1) as string
    renameSync(join(folder, name), cached)
    rmSync(folder, { recursive: true })
  }
  const bytes = readFileSync(cached)
  const integrity = `sha512-${createHash('sha512').update(bytes).digest('base64')}`
  if (integrity === scalarRelease.integrity) return bytes
  rmSync(cached)
  throw new Error(
    `${scalarRelease.name} ${scalarRelease.version} has the integrity ${integrity}, not ${scalarRelease.integrity}`,
  )
}

/** Returns one file of an archive. */
function findEntry(archive: Buffer, wanted: string): Buffer {
  for (const { path, content } of filesOf(archive)) if (path === wanted) return content
  throw new Error(`${scalarRelease.name} ${scalarRelease.version} has no ${wanted}`)
}

if (process.argv[1] === fileURLToPath(import.meta.url)) ensureScalar()
