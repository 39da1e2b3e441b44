// Builds dist/ when it is missing or older than its sources, for scripts and tests that read the package.
import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const results = ['dist/index.js', 'dist/index.d.ts', 'dist/LICENSES.txt'].map((name) => join(root, name))

/** Returns the modification time of the newest source. */
function getNewestSourceTime(): number {
  const modules = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.ts$/.test(name) && !/\.test(-d)?\.ts$/.test(name))
    .map((name) => join('src', name))
  const others = ['package.json', 'tsconfig.json', 'tsconfig.build.json', 'scripts/build.ts', 'scripts/bundle.ts']
  return Math.max(...[...modules, ...others].map((name) => statSync(join(root, name)).mtimeMs))
}

/** Builds dist/ unless it is current. */
export function ensureBuilt(): void {
  const isComplete = results.every((file) => existsSync(file))
  if (isComplete && Math.min(...results.map((file) => statSync(file).mtimeMs)) >= getNewestSourceTime()) return
  execFileSync(process.execPath, ['--import', 'tsx', 'scripts/build.ts'], { cwd: root, stdio: 'inherit' })
}

if (process.argv[1] === fileURLToPath(import.meta.url)) ensureBuilt()
