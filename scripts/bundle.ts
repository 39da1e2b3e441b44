// The scripts of the package: every entry point with its chunks, so that a start reads seven files instead of 171 modules.
// docs/notes/packaging.md has the reasons.
import { copyFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type BuildOptions, build, type Metafile, type OnLoadResult, type Plugin } from 'esbuild'
import { markPure } from './pure.ts'
import ensureScalar, { scalarModule } from './scalar.ts'

interface Manifest {
  readonly exports: Readonly<Record<string, string | { readonly default: string }>>
  readonly bin: Readonly<Record<string, string>>
  readonly dependencies: Readonly<Record<string, string>>
  readonly peerDependencies: Readonly<Record<string, string>>
}

const root = fileURLToPath(new URL('..', import.meta.url))
const core = join(root, 'src/index.ts')
/** An entry point that nobody imports: what it reaches is in other chunks than servers, so that front ends get it alone. */
const declarations = join(root, 'src/declarations.ts')
/** A module that only `finish` makes an import of: the members of `t`, each an export that bundlers can leave out. */
const kinds = join(root, 'src/schema/kinds.ts')
/** The only modules that may do something when they are loaded: nothing else imports them. */
const effective = ['src/cli/'].map((path) => join(root, path))
/** Packages that are put into the bundle instead of being installed; their licences go along. */
const inlined = /^negotiator$/
const common = {
  absWorkingDir: root,
  bundle: true,
  format: 'esm',
  platform: 'neutral',
  mainFields: ['main'],
  target: 'es2022',
  metafile: true,
  logLevel: 'warning',
} satisfies BuildOptions

/** Writes the scripts of all entry points to a folder; returns what is in each. */
export async function bundle(folder: string): Promise<Metafile['outputs']> {
  ensureScalar()
  const manifest: Manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const entries = entriesOf(manifest)
  const installed = Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies })
  /** Names of packages, and where they are. */
  const contained = new Map<string, string>()
  const { metafile } = await build({
    ...common,
    entryPoints: [...entries, declarations, kinds, scalarModule],
    outbase: 'src',
    outdir: folder,
    chunkNames: 'chunks/[hash]',
    splitting: true,
    external: ['node:*', ...installed, ...installed.map((name) => `${name}/*`)],
    plugins: [publishingKinds, withCore(entries), inlining(contained)],
  })
  for (const path of Object.keys(metafile.outputs)) finish(join(root, path))
  publishKinds(join(folder, 'index.js'))
  // As it was made: the bundler would drop the comment that names its licence.
  copyFileSync(scalarModule, join(folder, 'plugins/docs/scalar.js'))
  writeLicences(folder, contained)
  return metafile.outputs
}

function entriesOf({ exports, bin }: Manifest): string[] {
  const scripts = Object.values(exports).flatMap((target) => (typeof target === 'string' ? [] : [target.default]))
  return [...scripts, ...Object.values(bin)].map((script) =>
    join(root, script.replace('./dist/', 'src/').replace(/\.js$/, '.ts')),
  )
}

// The members of `t` are what its module imports.
const publishingKinds: Plugin = {
  name: 'publishing-kinds',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /\/src\/schema\/kinds\.ts$/ }, ({ path }) => ({ path }))
    onLoad({ filter: /\/src\/schema\/kinds\.ts$/ }, () => {
      const imports = readFileSync(join(root, 'src/schema/t.ts'), 'utf8').match(/^import .*$/gm) ?? []
      const text = imports.join('\n').replaceAll('import {', 'export {')
      return { ...along(text, 'endpoint', declarations), loader: 'js', resolveDir: dirname(kinds) }
    })
  },
}

// Bundlers of users keep an object with all of its members. Of a namespace, most of them keep those that are used.
function publishKinds(index: string): void {
  const text = readFileSync(index, 'utf8')
  const without = text.replace(/^ {2}t,?\n/gm, '')
  if (text.length - without.length < 2 * '  t\n'.length) throw new Error(`${index} does not export t as expected`)
  writeFileSync(index, `${without}export * as t from "./schema/kinds.js";\n`)
}

// Modules that the same entry points reach share a chunk. All but the client are used with an application and reach the
// whole core by this import, which makes one chunk of it; without, each combination of entry points would get its own.
function withCore(entries: readonly string[]): Plugin {
  const client = join(root, 'src/client/')
  const joined = new Set(entries.filter((entry) => entry !== core && !entry.startsWith(client)))
  return {
    name: 'with-core',
    setup({ onLoad }) {
      onLoad({ filter: /\.ts$/ }, ({ path }) => {
        const { text, effects } = markPure(path, readFileSync(path, 'utf8'))
        if (effects.length > 0 && !effective.some((one) => path.startsWith(one)))
          return { errors: effects.map((effect) => ({ text: `a module does something when it is loaded: ${effect}` })) }
        if (path.startsWith(client) && entries.includes(path)) return along(text, 'endpoint', declarations)
        // The rest of what clients and servers share: in the same chunk, which is one file less to read.
        if (path === declarations) return { contents: text + shared.map(imported).join(''), loader: 'ts' }
        return joined.has(path) ? along(text, 'application', core) : { contents: text, loader: 'ts' }
      })
    },
  }
}

const along = (text: string, name: string, path: string): OnLoadResult => ({
  contents: `${text}\nimport { ${name} as along } from ${JSON.stringify(path)}\n`,
  loader: 'ts',
})

const shared = [
  'design/declare/retry-pause.ts',
  'design/fields/selection.ts',
  'routing/version.ts',
  'schema/structures/pairs.ts',
  'util/brand.ts',
]

const imported = (path: string, i: number): string =>
  `\nimport * as shared${i} from ${JSON.stringify(join(root, 'src', path))}`

// A dependency in CommonJS is made a module of its own first: the bundler's helpers for it stay inside, and are no chunk
// that every entry point has to read.
function inlining(contained: Map<string, string>): Plugin {
  return {
    name: 'inlining',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: inlined }, ({ path }) => ({ path, namespace: 'inlined' }))
      onLoad({ filter: inlined, namespace: 'inlined' }, async ({ path }) => {
        const { metafile, outputFiles } = await build({ ...common, entryPoints: [path], write: false })
        for (const input of Object.keys(metafile.inputs)) {
          const [, place, name] = /^(.*node_modules\/((?:@[^/]+\/)?[^/]+))\//.exec(input) ?? []
          if (place !== undefined && name !== undefined) contained.set(name, place)
        }
        const { text } = markPure(path, outputFiles[0]?.text ?? '')
        return { contents: text.replace(/^export default /m, 'export default /* @__PURE__ */ '), loader: 'js' }
      })
    },
  }
}

function finish(path: string): void {
  const text = readFileSync(path, 'utf8')
  const finished = withoutBareImports(markNamespaces(text))
  // Chunks of modules that are types alone: nothing imports them any more.
  if (finished === '') rmSync(path)
  else if (finished !== text) writeFileSync(path, finished)
}

// The bundler fills the object of a namespace in a statement, which bundlers of users would have to keep.
const markNamespaces = (text: string): string =>
  text.replace(
    /^var (\w+) = \{\};\n(__export\(\1, \{\n(?: {2}.*\n)*\}\);)$/gm,
    'var $1 = /* @__PURE__ */ (($1) => {\n$2\nreturn $1;\n})({});',
  )

// An import without names loads a chunk for what it does, and none does anything. Bundlers of users warn of each.
const withoutBareImports = (text: string): string => text.replace(/^import "[./]+chunks\/\w+\.js";\n/gm, '')

function writeLicences(folder: string, contained: ReadonlyMap<string, string>): void {
  const texts = [...contained].sort().map(([name, place]) => {
    const licence = readFileSync(resolve(root, place, 'LICENSE'), 'utf8')
    return `These scripts contain parts of the package ${name}:\n\n${licence}`
  })
  writeFileSync(join(folder, 'LICENSES.txt'), texts.join('\n'))
}
