// Three processes that serve one application over one store.
import { type ChildProcess, fork } from 'node:child_process'
import { bundled } from '../bundle.ts'
import type { ClientName } from './open.ts'

/** Processes that serve the application of member.ts. */
export interface Fleet {
  /** The addresses of the processes. */
  readonly urls: readonly string[]
  close(): Promise<void>
}

const PROGRAM = new URL('./member.ts', import.meta.url)

/** One process of a fleet. */
export interface Member {
  readonly url: string
  readonly process: ChildProcess
  readonly ended: Promise<void>
}

/** Starts a process that serves the application over a store. */
export async function startMember(client: ClientName, store: string, guarded = true): Promise<Member> {
  const child = fork(await bundled(PROGRAM, { guarded }), [client, store], { execArgv: [] })
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const url = await new Promise<string>((resolve, reject) => {
    child.once('message', (told: string) => resolve(told))
    child.once('exit', (code) => reject(new Error(`The process ended with ${code}`)))
  })
  return { url, process: child, ended }
}

/** Starts three processes. */
export async function startFleet(client: ClientName, store: string): Promise<Fleet> {
  const members = await Promise.all([1, 2, 3].map(() => startMember(client, store)))
  return {
    urls: members.map(({ url }) => url),
    async close() {
      for (const member of members) member.process.kill('SIGKILL')
      await Promise.all(members.map(({ ended }) => ended))
    },
  }
}
