// Installs the contestants of the cold start into a folder outside of the repository, edict as the package that is published.
import { execFileSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

// npm's own scripts give it settings that it would take for those of the other folder.
const environment = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name)))
const QUIET = ['--no-audit', '--no-fund', '--ignore-scripts', '--silent']

/** Packs what `npm run build` wrote, installs it beside the others, and gives the folder, which is gone when this ends. */
export function installContestants(): string {
  const folder = mkdtempSync(join(tmpdir(), 'edict-cold-'))
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
  const tarball = npm('.', 'pack', '--pack-destination', folder, ...QUIET).trim()
  const { dependencies, ...rest } = JSON.parse(readFileSync('bench/package.json', 'utf8'))
  const all = { ...rest, dependencies: { ...dependencies, edict: `file:${tarball}` } }
  writeFileSync(join(folder, 'package.json'), JSON.stringify(all))
  cpSync('bench/package-lock.json', join(folder, 'package-lock.json'))
  for (const name of ['contestants', 'answering.js', 'routes.js'])
    cpSync(join('bench/cold', name), join(folder, name), { recursive: true })
  npm(folder, 'install', '--prefer-offline', ...QUIET)
  return folder
}

function npm(cwd: string, ...args: readonly string[]): string {
  return execFileSync('npm', args, { cwd, encoding: 'utf8', env: environment, stdio: ['ignore', 'pipe', 'inherit'] })
}
