// Makes one module of the application and one of `serve`, from the sources, so that runtimes need to resolve nothing.
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import ensureScalar from '../../../scripts/scalar.ts'

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

/** The folder that the modules are written to, with the servers beside them; each process has its own. */
export const bundles: string = mkdtempSync(join(tmpdir(), 'edict-compat-'))

/** Writes the modules and the servers that import them. */
export async function bundle(): Promise<void> {
  ensureScalar()
  await Promise.all([
    one('api', fileURLToPath(new URL('./api/api.ts', import.meta.url))),
    one('plain-api', fileURLToPath(new URL('./api/plain.ts', import.meta.url))),
    one('serve', here('../../../src/adapters/node/index.ts')),
  ])
  cpSync(here('servers'), bundles, { recursive: true })
}

/** Removes them. */
export const unbundle = (): void => rmSync(bundles, { recursive: true, force: true })

async function one(name: string, entry: string): Promise<void> {
  await build({
    absWorkingDir: here('../../..'),
    entryPoints: [entry],
    outfile: `${bundles}/${name}.js`,
    bundle: true,
    format: 'esm',
    platform: 'neutral',
    mainFields: ['main'],
    target: 'es2022',
    external: ['node:*'],
    tsconfig: here('../../../tsconfig.json'),
    logLevel: 'warning',
  })
}
