// The runtimes: where their programs are, and how each of them serves the application.
import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createServer } from 'node:net'
import { fileURLToPath } from 'node:url'
import type { Need } from '../../../scripts/machine.ts'
import { declaredBy, type Watched } from '../../support/guard/watch.ts'
import { compatApplication } from './api/api.ts'
import { bundles } from './bundle.ts'
import type { Target } from './client.ts'

/** A program that serves the application. */
export interface Runtime {
  readonly name: string
  /** The program, or undefined when this machine does not have it. */
  readonly program: string | undefined
  /** The arguments that start a server. */
  readonly arguments: readonly string[]
}

/** A server that runs. */
export interface Running extends Target {
  stop(): Promise<void>
}

const packages = fileURLToPath(new URL('./runtimes/node_modules/', import.meta.url))
const installed = (paths: readonly string[]): string | undefined =>
  paths.map((path) => packages + path).find((path) => existsSync(path))

const machine = `${process.platform}-${process.arch}`
const bunMachine = machine.replace('arm64', 'aarch64')

/** The program that tests on a runtime need, and how to get it. */
export function runtimeNeed(name: string, path: string | undefined): Need {
  return {
    name,
    missing: path === undefined ? 'not installed, npm ci --prefix test/campaigns/compat/runtimes' : undefined,
  }
}

/** The Node of a major version. */
export const nodeProgram = (major: number): string | undefined => installed([`node${major}-${machine}/bin/node`])

const node = (major: number): Runtime => ({
  name: `node ${major}`,
  program: nodeProgram(major),
  arguments: ['node.js'],
})

/** All of them, in the order of the table. */
export const runtimes: readonly Runtime[] = [
  node(20),
  node(22),
  node(24),
  { name: 'bun', program: installed([`@oven/bun-${bunMachine}/bin/bun`]), arguments: ['bun.js'] },
  {
    name: 'deno',
    program: installed([`@deno/${machine}-glibc/deno`, `@deno/${machine}/deno`]),
    // The port alone: no files, no variables of the environment.
    arguments: ['run', '--no-prompt', '--allow-net=127.0.0.1', 'deno.js'],
  },
  {
    name: 'workerd',
    program: installed([`@cloudflare/workerd-${machine.replace('x64', '64')}/bin/workerd`]),
    // Its own messages, the port included, go to its output.
    arguments: ['serve', 'workerd.capnp', '--control-fd=1'],
  },
]

/** The declarations that answers of the application are held to. */
function compat(prefix: string): Watched {
  const app = compatApplication(prefix)
  return declaredBy(app, app['~options'])
}

/** Starts a server of a runtime; resolves when it answers. */
export async function start(runtime: Runtime, ...further: readonly string[]): Promise<Running> {
  const { name, program } = runtime
  if (program === undefined) throw new Error(`${name} is ${runtimeNeed(name, program).missing}`)
  const { NODE_OPTIONS: _, ...others } = process.env
  const env = { ...others, NODE_ENV: 'production' }
  const child = spawn(program, [...runtime.arguments, ...further], {
    cwd: bundles,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const port = await toldPort(child, name)
  const running: Running = { port, prefix: '', watched: compat(further[0] ?? ''), stop: () => end(child) }
  try {
    await answering(port, child)
  } catch (error) {
    await end(child)
    throw error
  }
  return running
}

/** A port that is free now. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().on('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0))
    })
  })
}

/** Ends a process, and resolves when it has ended. */
export function end(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) return resolve()
    child.once('exit', () => resolve())
    child.kill('SIGKILL')
  })
}

/** Waits until a server says on which port it listens. */
export function toldPort(child: ChildProcess, name: string): Promise<number> {
  return new Promise((resolve, reject) => {
    let text = ''
    const hear = (chunk: Buffer): void => {
      text += chunk
      const port = /^port (\d+)$|"port":(\d+)/m.exec(text)?.slice(1).find(Boolean)
      if (port !== undefined) resolve(Number(port))
    }
    child.stdout?.on('data', hear)
    child.stderr?.on('data', hear)
    child.once('error', reject)
    child.once('exit', (code) => reject(new Error(`${name} ended with code ${code}: ${text}`)))
  })
}

/** Waits until a server answers anything at all. */
export async function answering(port: number, child: ChildProcess): Promise<void> {
  const late = performance.now() + 20_000
  while (performance.now() < late) {
    if (child.exitCode !== null) throw new Error(`the server ended with code ${child.exitCode}`)
    try {
      await (await fetch(`http://127.0.0.1:${port}/`)).arrayBuffer()
      return
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }
  throw new Error('the server does not answer after 20 seconds')
}
