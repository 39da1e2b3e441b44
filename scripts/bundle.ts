// The scripts of the package: every entry point with its chunks, so that a start reads six files instead of 171 modules.
// docs/notes/packaging.md has the reasons.
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build, type Metafile, type Plugin } from 'esbuild'
import ensureScalar, { scalarModule } from './scalar.ts'

interface Manifest {
  readonly exports: Readonly<Record<string, string | { readonly default: string }>>
  readonly bin: Readonly<Record<string, string>>
  readonly dependencies: Readonly<Record<string, string>>
  readonly peerDependencies: Readonly<Record<string, string>>
}

const root = fileURLToPath(new URL('..', import.meta.url))
const core = join(root, 'src/index.ts')

/** Writes the scripts of all entry points to a folder; returns what is in each. */
export async function bundle(folder: string): Promise<Metafile['outputs']> {
  ensureScalar()
  const manifest: Manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const entries = entriesOf(manifest)
  const installed = Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies })
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: [...entries, scalarModule],
    outbase: 'src',
    outdir: folder,
    chunkNames: 'chunks/[hash]',
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'neutral',
    mainFields: ['main'],
    target: 'es2022',
    external: ['node:*', ...installed, ...installed.map((name) => `${name}/*`)],
    plugins: [withCore(entries)],
    metafile: true,
    logLevel: 'warning',
  })
  // As it was made: the bundler would drop the comment that names its licence.
  copyFileSync(scalarModule, join(folder, 'docs/scalar.js'))
  writeLicences(folder, Object.keys(metafile.inputs))
  return metafile.outputs
}

function entriesOf({ exports, bin }: Manifest): string[] {
  const scripts = Object.values(exports).flatMap((target) => (typeof target === 'string' ? [] : [target.default]))
  return [...scripts, ...Object.values(bin)].map((script) =>
    join(root, script.replace('./dist/', 'src/').replace(/\.js$/, '.ts')),
  )
}

// Modules that the same entry points reach share a chunk. All but the client are used with an application and reach the
// whole core by this import, which makes one chunk of it; without, each combination of entry points would get its own.
function withCore(entries: readonly string[]): Plugin {
  const client = join(root, 'src/client/index.ts')
  const joined = new Set(entries.filter((entry) => entry !== core && entry !== client))
  return {
    name: 'with-core',
    setup({ onLoad }) {
      onLoad({ filter: /\.ts$/ }, ({ path }) => {
        if (!joined.has(path)) return undefined
        const text = readFileSync(path, 'utf8')
        return { contents: `${text}\nimport { application as core } from ${JSON.stringify(core)}\n`, loader: 'ts' }
      })
    },
  }
}

// What is put into the bundle instead of being installed takes its licence along.
function writeLicences(folder: string, inputs: readonly string[]): void {
  const names = new Set(inputs.map((path) => /^node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1]))
  const texts = [...names].sort().flatMap((name) => {
    if (name === undefined) return []
    const licence = readFileSync(join(root, 'node_modules', name, 'LICENSE'), 'utf8')
    return [`These scripts contain parts of the package ${name}:\n\n${licence}`]
  })
  writeFileSync(join(folder, 'LICENSES.txt'), texts.join('\n'))
}
