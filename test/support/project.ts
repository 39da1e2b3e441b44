// Folders with edict installed as npm would, and the command line run in them.
import { type ChildProcess, spawn } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { afterAll } from 'vitest'
import { bundle } from '../../scripts/bundle.ts'

/** How a process ended. */
export interface Ended {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

const root = mkdtempSync(join(tmpdir(), 'edict-cli-'))

afterAll(() => rmSync(root, { recursive: true, force: true }))

/** Bundles the sources for the projects of this file, as for publishing; call it before the first. */
export async function compile(): Promise<void> {
  await bundle(join(root, 'dist'))
}

/** Makes a folder with edict and its dependencies in node_modules, others only if asked for, and the given files. */
export function project(
  name: string,
  files: Readonly<Record<string, string>>,
  installed: readonly string[] = [],
): string {
  const folder = join(root, name)
  const modules = join(folder, 'node_modules')
  mkdirSync(modules, { recursive: true })
  cpSync('package.json', join(modules, 'edict/package.json'), { recursive: true })
  cpSync('templates', join(modules, 'edict/templates'), { recursive: true })
  cpSync(join(root, 'dist'), join(modules, 'edict/dist'), { recursive: true })
  for (const one of ['@stricli/core', ...installed]) {
    mkdirSync(dirname(join(modules, one)), { recursive: true })
    symlinkSync(resolve('node_modules', one), join(modules, one), 'junction')
  }
  for (const [file, text] of Object.entries({ 'package.json': '{ "type": "module" }', ...files })) {
    mkdirSync(dirname(join(folder, file)), { recursive: true })
    writeFileSync(join(folder, file), text)
  }
  return folder
}

/** Starts Node in a folder; colours are those that `env` asks for. */
export function start(args: readonly string[], cwd: string, env: NodeJS.ProcessEnv = {}): ChildProcess {
  const { FORCE_COLOR: _, NO_COLOR: __, NODE_OPTIONS: ___, ...inherited } = process.env
  return spawn(process.execPath, args, { cwd, env: { ...inherited, ...env }, stdio: ['ignore', 'pipe', 'pipe'] })
}

/** Runs Node in a folder to its end. */
export const node = (args: readonly string[], cwd: string, env: NodeJS.ProcessEnv = {}): Promise<Ended> =>
  endOf(start(args, cwd, env))

/** Runs Node in a folder to its end, with something to read. */
export function typing(args: readonly string[], cwd: string, input: string): Promise<Ended> {
  const child = spawn(process.execPath, args, { cwd, env: { ...process.env, NODE_OPTIONS: '' } })
  child.stdin.end(input)
  return endOf(child)
}

function endOf(child: ChildProcess): Promise<Ended> {
  let [stdout, stderr] = ['', '']
  child.stdout?.on('data', (chunk) => {
    stdout += chunk
  })
  child.stderr?.on('data', (chunk) => {
    stderr += chunk
  })
  return new Promise((done) => child.on('close', (code) => done({ code, stdout, stderr })))
}

/** The command line in the node_modules of a project. */
export const MAIN = 'node_modules/edict/dist/cli/main.js'

/** Runs edict in a project to its end. */
export const edict = (folder: string, ...args: string[]): Promise<Ended> => node([MAIN, ...args], folder)
