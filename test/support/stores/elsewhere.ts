// A store in a process of its own: each call goes there and comes back.
import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { type Store, StoreError } from '../../../src/plugins/stores/index.ts'
import type { ClientName, Opened } from './open.ts'

/** One call of a method of a store. */
export interface Call {
  readonly id: number
  readonly method: 'count' | 'get' | 'set' | 'delete'
  readonly args: readonly unknown[]
}

/** The result of a call. */
export interface Reply {
  readonly id: number
  readonly value?: unknown
  readonly failed?: string
}

const script = fileURLToPath(new URL('./peer.ts', import.meta.url))

/** Opens a store in another process. */
export async function openElsewhere(client: ClientName, url: string): Promise<Opened> {
  const child = fork(script, [client, url], { execArgv: ['--import', 'tsx'] })
  await new Promise<void>((resolve, reject) => {
    child.once('message', () => resolve())
    child.once('exit', (code) => reject(new Error(`The process ended with ${code}`)))
  })
  return { store: storeOf(child), close: () => ended(child) }
}

function ended(child: ChildProcess): Promise<void> {
  const over = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  child.disconnect()
  return over
}

function storeOf(child: ChildProcess): Store {
  const waiting = new Map<number, (reply: Reply) => void>()
  child.on('message', (reply: Reply) => waiting.get(reply.id)?.(reply))
  let last = 0
  const call =
    (method: Call['method']) =>
    (...args: readonly unknown[]): Promise<any> =>
      new Promise((resolve, reject) => {
        const id = ++last
        waiting.set(id, ({ value, failed }) => {
          waiting.delete(id)
          if (failed === undefined) resolve(value)
          else reject(failed === 'StoreError' ? new StoreError('elsewhere') : new Error(failed))
        })
        child.send({ id, method, args } satisfies Call)
      })
  return { count: call('count'), get: call('get'), set: call('set'), delete: call('delete') }
}
