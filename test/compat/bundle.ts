// Makes one module of the application and one of `serve`, from the sources, so that runtimes need to resolve nothing.
import { cpSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { build } from 'vite'

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url))
const { paths } = JSON.parse(readFileSync(here('../../tsconfig.json'), 'utf8')).compilerOptions as {
  paths: Record<string, [string]>
}
const alias = Object.entries(paths).map(([name, [file]]) => ({
  find: new RegExp(`^${name}$`),
  replacement: here(`../../${file}`),
}))

/** The folder that the modules are written to, with the servers beside them. */
export const bundles: string = here('../../.cache/compat')

/** Writes the modules and the servers that import them. */
export async function bundle(): Promise<void> {
  await Promise.all([
    one('api', fileURLToPath(new URL('./api/api.ts', import.meta.url))),
    one('serve', here('../../src/adapters/node/index.ts')),
  ])
  cpSync(here('servers'), bundles, { recursive: true })
}

async function one(name: string, entry: string): Promise<void> {
  await build({
    configFile: false,
    logLevel: 'warn',
    root: here('.'),
    resolve: { alias },
    ssr: { target: 'webworker', noExternal: true },
    build: {
      ssr: entry,
      target: 'es2022',
      minify: false,
      emptyOutDir: false,
      reportCompressedSize: false,
      outDir: bundles,
      rollupOptions: {
        external: /^node:/,
        output: { format: 'es', entryFileNames: `${name}.js`, inlineDynamicImports: true },
      },
    },
  })
}
