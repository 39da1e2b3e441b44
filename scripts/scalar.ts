// Makes src/plugins/docs/scalar.js, the script of the documentation browser, from its npm package. The package is no dependency,
// since it would bring hundreds of others; its one file is fetched here, once, and held against the hashes of
// src/plugins/docs/scalar-release.ts. Nothing is done when the module exists already.
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

/** Where the module is. */
export const scalarModule: string = join(root, 'src/plugins/docs/scalar.js')

/** Makes the module, unless it is there; tests run it before they begin. */
export default function ensureScalar(): void {
  const stamp = `/* ${scalarRelease.name} ${scalarRelease.version} ${scalarRelease.sha256}, MIT License. */`
  if (existsSync(scalarModule) && readFileSync(scalarModule, 'utf8').startsWith(stamp)) return
  const script = entry(gunzipSync(packed()), scalarRelease.file)
  const hash = createHash('sha256').update(script).digest('hex')
  if (hash !== scalarRelease.sha256) throw new Error(`${scalarRelease.file} of ${scalarRelease.name} has the SHA-256 ${hash}`)
  // The source map is not served, so the script must not refer to it.
  const text = script.toString('utf8').replace(/\n\/\/# sourceMappingURL=.*\s*$/, '\n')
  const gzipped = gzipSync(text, { level: 9 }).toString('base64')
  // Others may be reading, or making, the same file.
  const own = `${scalarModule}.${process.pid}`
  writeFileSync(own, `${stamp}\nexport const gzipped = '${gzipped}'\n`)
  renameSync(own, scalarModule)
}

/** The package as the registry gives it, from the cache when it was fetched before. */
function packed(): Buffer {
  const kept = join(cache, `scalar-${scalarRelease.version}.tgz`)
  if (!existsSync(kept)) {
    mkdirSync(cache, { recursive: true })
    const folder = mkdtempSync(join(cache, 'pack-'))
    console.log(`fetching ${scalarRelease.name} ${scalarRelease.version} for the documentation browser`)
    const spec = `${scalarRelease.name}@${scalarRelease.version}`
    const args = ['pack', spec, '--silent', '--ignore-scripts', '--pack-destination', folder]
    const name = execFileSync('npm', args, { cwd: root, encoding: 'utf8' }).trim().split('\n').at(-1) as string
    renameSync(join(folder, name), kept)
    rmSync(folder, { recursive: true })
  }
  const bytes = readFileSync(kept)
  const integrity = `sha512-${createHash('sha512').update(bytes).digest('base64')}`
  if (integrity === scalarRelease.integrity) return bytes
  rmSync(kept)
  throw new Error(`${scalarRelease.name} ${scalarRelease.version} has the integrity ${integrity}, not ${scalarRelease.integrity}`)
}

/** One file of an archive. */
function entry(archive: Buffer, wanted: string): Buffer {
  for (const { path, content } of filesOf(archive)) if (path === wanted) return content
  throw new Error(`${scalarRelease.name} ${scalarRelease.version} has no ${wanted}`)
}

if (process.argv[1] === fileURLToPath(import.meta.url)) ensureScalar()
