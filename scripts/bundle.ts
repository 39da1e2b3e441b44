// Bundles the scripts of the package: every entry point with its chunks, so that a start reads 13 files instead of 171
// modules; and the same once more for front ends, without what only servers do. docs/notes/packaging.md explains the
// reasons.
import { copyFileSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type BuildOptions, build, type Metafile, type OnLoadResult, type Plugin } from 'esbuild'
import { markPure } from './pure.ts'
import ensureScalar, { scalarModule } from './scalar.ts'

interface Target {
  readonly default: string
  /** The scripts of front ends, for entry points that declarations or clients import. */
  readonly browser?: { readonly default: string }
}

interface Manifest {
  readonly exports: Readonly<Record<string, string | Target>>
  readonly bin: Readonly<Record<string, string>>
  readonly dependencies: Readonly<Record<string, string>>
  readonly peerDependencies: Readonly<Record<string, string>>
}

const root = fileURLToPath(new URL('..', import.meta.url))
const core = join(root, 'src/index.ts')
/** An internal entry point: the modules it reaches get separate chunks, so that front ends load them without the server. */
const declarations = join(root, 'src/declarations.ts')
/**
 * A module that only `publishKinds` refers to: it exports the members of `t` one by one, so that bundlers can drop unused
 * ones.
 */
const kinds = join(root, 'src/schema/kinds.ts')
/** The thread of the plugins for bundlers, which they start by its path. */
const thread = join(root, 'src/bundler/worker.ts')
/** The only modules that may have side effects when they are loaded: nothing else imports them. */
const sideEffectPaths = ['src/cli/', 'src/bundler/worker.ts'].map((path) => join(root, path))
/** Packages that are bundled instead of installed; their licences are included. */
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

type Outputs = Metafile['outputs']

/** Writes the scripts of all entry points to a folder; returns the contents of each, for servers and for front ends. */
export async function bundle(folder: string): Promise<{ readonly server: Outputs; readonly browser: Outputs }> {
  ensureScalar()
  const manifest: Manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const targets = Object.values(manifest.exports).flatMap((one) => (typeof one === 'string' ? [] : [one]))
  const entries = [...targets.map((one) => one.default), ...Object.values(manifest.bin)].map(locateSource)
  const frontEndEntries = targets.filter(({ browser }) => browser !== undefined).map((one) => locateSource(one.default))
  const installed = Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies })
  /** The bundled packages and their folders. */
  const contained = new Map<string, string>()
  const options = {
    ...common,
    outbase: 'src',
    chunkNames: 'chunks/[hash]',
    splitting: true,
    external: ['node:*', ...installed, ...installed.map((name) => `${name}/*`)],
  }
  const [server, browser] = await Promise.all([
    build({
      ...options,
      outdir: folder,
      entryPoints: [...entries, thread, declarations, kinds, scalarModule],
      plugins: [kindsPlugin, createCorePlugin(entries), createInliningPlugin(contained)],
    }),
    build({
      ...options,
      outdir: join(folder, 'browser'),
      entryPoints: [...frontEndEntries, declarations, kinds],
      plugins: [variantsPlugin, kindsPlugin, createCorePlugin(entries), createInliningPlugin(contained)],
    }),
  ])
  for (const { metafile } of [server, browser])
    for (const path of Object.keys(metafile.outputs)) finishFile(join(root, path))
  publishKinds(join(folder, 'index.js'))
  publishKinds(join(folder, 'browser/index.js'))
  // Copied unchanged: the bundler would drop the comment with its licence.
  copyFileSync(scalarModule, join(folder, 'plugins/docs/scalar.js'))
  writeLicences(folder, contained)
  return { server: server.metafile.outputs, browser: browser.metafile.outputs }
}

const locateSource = (script: string): string => join(root, script.replace('./dist/', 'src/').replace(/\.js$/, '.ts'))

// In front ends, `x.browser.ts` replaces `x.ts`.
const variantsPlugin: Plugin = {
  name: 'browser-variants',
  setup({ onResolve }) {
    onResolve({ filter: /^\.{1,2}\/.*\.ts$/ }, ({ path, resolveDir }) => {
      const variant = join(resolveDir, path.replace(/\.ts$/, '.browser.ts'))
      return existsSync(variant) ? { path: variant } : undefined
    })
  },
}

// The members of `t` are the imports of its module.
const kindsPlugin: Plugin = {
  name: 'publishing-kinds',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /\/src\/schema\/kinds\.ts$/ }, ({ path }) => ({ path }))
    onLoad({ filter: /\/src\/schema\/kinds\.ts$/ }, () => {
      const imports = readFileSync(join(root, 'src/schema/t.ts'), 'utf8').match(/^import .*$/gm) ?? []
      const text = imports.join('\n').replaceAll('import {', 'export {')
      return { ...withImport(text, 'endpoint', declarations), loader: 'js', resolveDir: dirname(kinds) }
    })
  },
}

// Users' bundlers keep all members of an object; of a namespace, most keep only the used ones.
function publishKinds(index: string): void {
  const text = readFileSync(index, 'utf8')
  const without = text.replace(/^ {2}t,?\n/gm, '')
  if (text.length - without.length < 2 * '  t\n'.length) throw new Error(`${index} does not export t as expected`)
  writeFileSync(index, `${without}export * as t from "./schema/kinds.js";\n`)
}

// Modules reached by the same entry points share a chunk. All entry points except the client are used with an application;
// this import makes them reach the whole core, which becomes one chunk instead of one per combination of entry points.
function createCorePlugin(entries: readonly string[]): Plugin {
  const client = join(root, 'src/client/')
  const serverEntries = new Set(entries.filter((entry) => entry !== core && !entry.startsWith(client)))
  return {
    name: 'with-core',
    setup({ onLoad }) {
      onLoad({ filter: /\.ts$/ }, ({ path }) => {
        const { text, effects } = markPure(path, readFileSync(path, 'utf8'))
        if (effects.length > 0 && !sideEffectPaths.some((one) => path.startsWith(one)))
          return { errors: effects.map((effect) => ({ text: `a module does something when it is loaded: ${effect}` })) }
        if (path.startsWith(client) && entries.includes(path)) return withImport(text, 'endpoint', declarations)
        // The other modules shared by clients and servers go into the same chunk, which is one file less to read.
        if (path === declarations) return { contents: text + shared.map(formatImport).join(''), loader: 'ts' }
        return serverEntries.has(path) ? withImport(text, 'application', core) : { contents: text, loader: 'ts' }
      })
    },
  }
}

const withImport = (text: string, name: string, path: string): OnLoadResult => ({
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

const formatImport = (path: string, i: number): string =>
  `\nimport * as shared${i} from ${JSON.stringify(join(root, 'src', path))}`

// A CommonJS dependency is first converted to one ES module: the bundler's helpers stay inside instead of becoming a chunk
// that every entry point reads.
function createInliningPlugin(contained: Map<string, string>): Plugin {
  return {
    name: 'inlining',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: inlined }, ({ path }) => ({ path, namespace: 'inlined' }))
      onLoad({ filter: inlined, namespace: 'inlined' }, async ({ path }) => {
        const { metafile, outputFiles } = await build({ ...common, entryPoints: [path], write: false })
        for (const input of Object.keys(metafile.inputs)) {
          const [, folder, name] = /^(.*node_modules\/((?:@[^/]+\/)?[^/]+))\//.exec(input) ?? []
          if (folder !== undefined && name !== undefined) contained.set(name, folder)
        }
        const { text } = markPure(path, outputFiles[0]?.text ?? '')
        return { contents: text.replace(/^export default /m, 'export default /* @__PURE__ */ '), loader: 'js' }
      })
    },
  }
}

function finishFile(path: string): void {
  const text = readFileSync(path, 'utf8')
  const finished = withoutBareImports(markNamespaces(text))
  // Chunks that only contain types are empty, and nothing imports them any more.
  if (finished === '') rmSync(path)
  else if (finished !== text) writeFileSync(path, finished)
}

// The bundler fills namespace objects in a statement, which users' bundlers would have to keep.
const markNamespaces = (text: string): string =>
  text.replace(
    /^var (\w+) = \{\};\n(__export\(\1, \{\n(?: {2}.*\n)*\}\);)$/gm,
    'var $1 = /* @__PURE__ */ (($1) => {\n$2\nreturn $1;\n})({});',
  )

// An import without names loads a chunk for its side effects, and no chunk has any. Users' bundlers warn about each.
const withoutBareImports = (text: string): string => text.replace(/^import "[./]+chunks\/\w+\.js";\n/gm, '')

function writeLicences(folder: string, contained: ReadonlyMap<string, string>): void {
  const texts = [...contained].sort().map(([name, packageFolder]) => {
    const licence = readFileSync(resolve(root, packageFolder, 'LICENSE'), 'utf8')
    return `These scripts contain parts of the package ${name}:\n\n${licence}`
  })
  writeFileSync(join(folder, 'LICENSES.txt'), texts.join('\n'))
}
