// A program of tests as one file: some are started so often that reading and compiling the sources each time would take
// most of the time there is.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'vite'
import { guardPlugin } from './guard/plugin.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const made = new Map<string, Promise<string>>()

/** The path of the file made of a program; made once for each process that asks. The guard takes most of a short start. */
export function bundled(program: URL, { guarded = true } = {}): Promise<string> {
  const entry = fileURLToPath(program)
  const name = `${entry} ${guarded}`
  const known = made.get(name) ?? make(entry, guarded)
  made.set(name, known)
  return known
}

async function make(entry: string, guarded: boolean): Promise<string> {
  mkdirSync(join(root, '.cache'), { recursive: true })
  removeOld()
  const folder = mkdtempSync(join(root, '.cache/bundle-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  const { paths } = JSON.parse(readFileSync(join(root, 'tsconfig.json'), 'utf8')).compilerOptions as {
    paths: Record<string, [string]>
  }
  const alias = Object.entries(paths).map(([name, [file]]) => ({
    find: new RegExp(`^${name}$`),
    replacement: join(root, file),
  }))
  await build({
    root,
    configFile: false,
    logLevel: 'error',
    resolve: { alias },
    plugins: guarded ? [guardPlugin] : [],
    build: {
      ssr: entry,
      outDir: folder,
      emptyOutDir: false,
      target: 'node20',
      minify: false,
      rollupOptions: { output: { entryFileNames: 'main.mjs' } },
    },
  })
  return join(folder, 'main.mjs')
}

/** A process that is ended from outside leaves its folder behind; no run takes an hour. */
function removeOld(): void {
  for (const name of readdirSync(join(root, '.cache'))) {
    const path = join(root, '.cache', name)
    const stat = name.startsWith('bundle-') ? statSync(path, { throwIfNoEntry: false }) : undefined
    if (stat !== undefined && Date.now() - stat.mtimeMs > 3_600_000) rmSync(path, { recursive: true, force: true })
  }
}
