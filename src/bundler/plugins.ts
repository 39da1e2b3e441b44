// The plugins for Vite, Rollup and esbuild: one core, and the hooks of each.
import { readFile } from 'node:fs/promises'
import { DeclarationError, TableLoader } from './load-table.ts'
import type { Mistake } from './run-declarations.ts'
import type { SourceMap } from './source-map.ts'

const CLIENT = 'edict/client'
const TABLE = 'edict/client/table'
const SOURCE = /\.[cm]?[jt]sx?$/
/** edict itself declares nothing. */
const OWN = /[\\/]node_modules[\\/]edict[\\/]/

// --- Vite, Rollup --------------------------------------------------------------

/** The part of the context of a hook that the plugin uses. */
interface HookContext {
  addWatchFile(id: string): void
  warn(log: { readonly message: string; readonly loc: { file: string; line: number; column: number } }): void
  error(error: { readonly message: string; readonly loc: { file: string; line: number; column: number } }): never
  resolve(
    source: string,
    importer?: string,
    options?: { readonly skipSelf?: boolean },
  ): Promise<{ readonly id: string } | null>
  readonly environment?: { readonly config?: { readonly consumer?: string } }
}

interface HookOptions {
  readonly ssr?: boolean | undefined
  readonly attributes?: unknown
}

/** A plugin for Vite and Rollup. */
export interface TablesPlugin {
  readonly name: string
  readonly enforce: 'pre'
  configResolved(config: { readonly plugins: readonly { readonly name: string }[] }): void
  readonly resolveId: {
    readonly order: 'pre'
    handler(
      this: HookContext,
      source: string,
      importer?: string,
      options?: HookOptions,
    ): Promise<{ readonly id: string } | null>
  }
  readonly load: {
    readonly order: 'pre'
    handler(
      this: HookContext,
      id: string,
      options?: HookOptions,
    ): Promise<{ readonly code: string; readonly map: SourceMap | null; readonly moduleSideEffects?: boolean } | null>
  }
  /** Updates the tables that a changed file belongs to, in the server of Vite. */
  handleHotUpdate<M extends object>(update: {
    readonly file: string
    readonly modules: readonly M[]
    readonly server: { readonly moduleGraph: { getModulesByFile(file: string): Set<M> | undefined } }
  }): M[]
  closeBundle(): Promise<void>
  closeWatcher(): Promise<void>
}

function makePlugin(): TablesPlugin {
  const loader = new TableLoader()
  /** The files that each table depends on. */
  const dependents = new Map<string, readonly string[]>()
  let isTest = false
  const isServer = ({ environment }: HookContext, options?: HookOptions): boolean =>
    options?.ssr === true || environment?.config?.consumer === 'server' || isTest
  return {
    name: 'edict-tables',
    enforce: 'pre',
    // Tests use the declarations themselves.
    configResolved({ plugins }) {
      isTest = plugins.some(({ name }) => name === 'vitest')
    },
    resolveId: {
      order: 'pre',
      async handler(source, importer, options) {
        if (source !== CLIENT || isServer(this, options)) return null
        return this.resolve(TABLE, importer, { skipSelf: true })
      },
    },
    load: {
      order: 'pre',
      async handler(id, options) {
        const [file = '', query = ''] = id.split('?', 2)
        if (!SOURCE.test(file) || OWN.test(file) || /^(?!t=|v=)./.test(query) || isServer(this, options)) return null
        const text = await readFile(file, 'utf8').catch(() => undefined)
        if (text === undefined) return null
        try {
          const loaded = await loader.load(file, text)
          if (loaded === undefined) return null
          dependents.set(file, loaded.dependencies)
          for (const one of loaded.dependencies) this.addWatchFile(one)
          for (const one of loaded.warnings) this.warn(toLog(one))
          return { code: loaded.code, map: loaded.map ?? null }
        } catch (error) {
          if (!(error instanceof DeclarationError)) throw error
          dependents.set(file, error.dependencies)
          for (const one of error.dependencies) this.addWatchFile(one)
          return this.error({ ...toLog(error.place), message: error.message })
        }
      },
    },
    handleHotUpdate({ file, modules, server }) {
      const tabled = [...dependents].filter(([, files]) => files.includes(file))
      return [
        ...new Set([...modules, ...tabled.flatMap(([one]) => [...(server.moduleGraph.getModulesByFile(one) ?? [])])]),
      ]
    },
    closeBundle: () => loader.close(),
    closeWatcher: () => loader.close(),
  }
}

const toLog = ({ file, line, column, text }: Mistake) => ({
  message: `${file}:${line}:${column}: ${text}`,
  loc: { file, line, column },
})

// --- esbuild -----------------------------------------------------------------------------

interface EsbuildMessage {
  readonly text: string
  readonly location: { readonly file: string; readonly line: number; readonly column: number }
}

interface EsbuildResolution {
  readonly path: string
  readonly sideEffects: boolean
  readonly errors: readonly object[]
}

interface EsbuildBuild {
  readonly initialOptions: { readonly platform?: string }
  resolve(
    path: string,
    options: { readonly resolveDir: string; readonly kind: 'import-statement'; readonly importer?: string },
  ): Promise<EsbuildResolution>
  onResolve(
    options: { readonly filter: RegExp },
    callback: (args: {
      readonly importer: string
      readonly resolveDir: string
    }) => Promise<{ path: string; sideEffects: boolean; errors: never[] } | undefined>,
  ): void
  onLoad(
    options: { readonly filter: RegExp; readonly namespace: string },
    callback: (args: { readonly path: string; readonly suffix: string }) => Promise<
      | {
          contents?: string
          loader?: 'js' | 'ts' | 'jsx' | 'tsx'
          watchFiles?: string[]
          warnings?: EsbuildMessage[]
          errors?: EsbuildMessage[]
        }
      | undefined
    >,
  ): void
  onDispose(callback: () => void): void
}

/** A plugin for esbuild. */
export interface EsbuildTablesPlugin {
  readonly name: string
  setup(build: EsbuildBuild): void
}

const makeEsbuildPlugin = (): EsbuildTablesPlugin => ({
  name: 'edict-tables',
  setup(build) {
    // A bundle for Node is that of a server: it uses the declarations themselves.
    if (build.initialOptions.platform === 'node') return
    const loader = new TableLoader()
    build.onResolve({ filter: /^edict\/client$/ }, async ({ importer, resolveDir }) => {
      const found = await build.resolve(TABLE, { resolveDir, importer, kind: 'import-statement' })
      return found.errors.length > 0 ? undefined : { path: found.path, sideEffects: found.sideEffects, errors: [] }
    })
    build.onLoad({ filter: SOURCE, namespace: 'file' }, async ({ path, suffix }) => {
      if (suffix !== '' || OWN.test(path)) return undefined
      try {
        const loaded = await loader.load(path, await readFile(path, 'utf8'))
        if (loaded === undefined) return undefined
        const { code, map, dependencies, warnings } = loaded
        return {
          contents: map === undefined ? code : `${code}${toComment(map)}`,
          loader: map === undefined ? getLoader(path) : 'js',
          watchFiles: [...dependencies],
          warnings: warnings.map(toMessage),
        }
      } catch (error) {
        if (!(error instanceof DeclarationError)) throw error
        return { errors: [toMessage(error.place)], watchFiles: [...error.dependencies] }
      }
    })
    build.onDispose(() => void loader.close())
  },
})

const getLoader = (path: string): 'js' | 'ts' | 'jsx' | 'tsx' =>
  ((/\.[cm]?([jt]s)(x?)$/.exec(path) ?? []).slice(1).join('') || 'js') as 'js'

const toMessage = ({ file, line, column, text }: Mistake): EsbuildMessage => ({
  text,
  location: { file, line, column: column - 1 },
})

const toComment = (map: SourceMap): string =>
  `//# sourceMappingURL=data:application/json;base64,${Buffer.from(JSON.stringify(map)).toString('base64')}\n`

/** The plugins that put tables of calls in place of declarations, one for each bundler. */
export const tables: {
  readonly vite: () => TablesPlugin
  readonly rollup: () => TablesPlugin
  readonly esbuild: () => EsbuildTablesPlugin
} = Object.freeze({
  vite: makePlugin,
  rollup: makePlugin,
  esbuild: makeEsbuildPlugin,
})
