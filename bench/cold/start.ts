// Starts a contestant of the cold start, which is a file, in a process of its own, asks it, and ends it.
import { type ChildProcess, fork } from 'node:child_process'
import { load, once } from '../load.js'
import { eachRoute, isRight, requestFor } from './routes.js'

/** Memory in bytes, after the garbage was collected. */
export interface Memory {
  readonly rss: number
  readonly heapUsed: number
}

interface Started {
  readonly port: number
  readonly child: ChildProcess
  ask<T>(question: 'cpu' | 'memory'): Promise<T>
}

// Certificates that the machine adds are parsed at every start of Node, which takes longer than what is compared.
const { NODE_EXTRA_CA_CERTS: _, ...inherited } = process.env
const environment = { ...inherited, NODE_ENV: 'production', NODE_OPTIONS: '' }

async function start(file: string, flags: readonly string[]): Promise<Started> {
  const child = fork(file, {
    execArgv: [...flags],
    env: environment,
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const message = <T>(): Promise<T> =>
    new Promise((resolve, reject) => {
      child.once('message', (told) => resolve(told as T))
      child.once('exit', (code) => reject(new Error(`${file} ended with ${code}`)))
    })
  const { port } = await message<{ port: number }>()
  return {
    port,
    child,
    ask(question) {
      const told = message<never>()
      child.send(question)
      return told
    },
  }
}

function end({ child }: Started): Promise<void> {
  return new Promise((resolve) => {
    child.removeAllListeners('exit')
    child.once('exit', () => resolve())
    child.kill('SIGKILL')
  })
}

/** Milliseconds of CPU and of the clock from the start of a process to its first answer. */
export async function coldStart(file: string): Promise<{ cpu: number; clock: number }> {
  const from = performance.now()
  const started = await start(file, [])
  const { status, body } = await once(started.port, requestFor(0, 0))
  const clock = performance.now() - from
  const { cpu } = await started.ask<{ cpu: number }>('cpu')
  await end(started)
  if (status !== 200 || !isRight(0, 0, body)) throw new Error(`${file} answers wrongly: ${status} ${body}`)
  return { cpu, clock }
}

/** Starts a process with flags for its profiler, asks it once and lets it end by itself, so that it writes its profile. */
export async function profiledStart(file: string, flags: readonly string[]): Promise<void> {
  const { child, port } = await start(file, flags)
  await once(port, requestFor(0, 0))
  child.removeAllListeners('exit')
  await new Promise<void>((resolve) => {
    child.once('exit', () => resolve())
    child.disconnect()
  })
}

/** Checks that every route answers, and refuses what is no integer. */
export async function verify(file: string): Promise<void> {
  const started = await start(file, [])
  const asked: Promise<void>[] = []
  eachRoute((a: number, b: number) => {
    asked.push(check(file, started.port, a, b))
  })
  await Promise.all(asked)
  await end(started)
}

async function check(file: string, port: number, a: number, b: number): Promise<void> {
  const { status, body } = await once(port, requestFor(a, b))
  if (status !== 200 || !isRight(a, b, body)) throw new Error(`${file} answers ${a}, ${b} wrongly: ${status} ${body}`)
  const refused = await once(port, requestFor(a, b, true))
  if (refused.status !== 400 && refused.status !== 422)
    throw new Error(`${file} does not refuse a bad ${a}, ${b}: ${refused.status} ${refused.body}`)
}

/** Memory after boot, and after so many requests that reach every route. */
export async function memory(file: string, requests: number): Promise<{ boot: Memory; later: Memory }> {
  const started = await start(file, ['--expose-gc'])
  const boot = await started.ask<Memory>('memory')
  const asks: { request: Buffer; status: number }[] = []
  eachRoute((a: number, b: number) => {
    asks.push({ request: requestFor(a, b), status: 200 })
  })
  await load({ port: started.port, asks, count: requests, connections: 4 })
  const later = await started.ask<Memory>('memory')
  await end(started)
  return { boot, later }
}
