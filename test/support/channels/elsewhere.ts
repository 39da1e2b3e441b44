// A carrier in a process of its own: each call goes there and comes back.
import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { type Carrier, CarrierError } from '../../../src/plugins/channels/index.ts'
import type { ClientName } from '../stores/open.ts'
import type { CarrierSettings, Opened } from './open.ts'

/** One call of a method of a carrier, or the end of a wait. */
export type Call = { readonly id: number } & (
  | { readonly method: keyof Carrier; readonly args: readonly unknown[] }
  | { readonly aborts: true }
)

/** The result of a call. */
export interface Reply {
  readonly id: number
  readonly value?: unknown
  readonly failed?: string
}

const script = fileURLToPath(new URL('./peer.ts', import.meta.url))

/** Opens a carrier in another process. */
export async function openElsewhere(client: ClientName, url: string, settings: CarrierSettings = {}): Promise<Opened> {
  const child = fork(script, [client, url, JSON.stringify(settings)], { execArgv: ['--import', 'tsx'] })
  await new Promise<void>((resolve, reject) => {
    child.once('message', () => resolve())
    child.once('exit', (code) => reject(new Error(`The process ended with ${code}`)))
  })
  return { carrier: carrierOf(child), close: () => ended(child) }
}

function ended(child: ChildProcess): Promise<void> {
  const over = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  child.disconnect()
  return over
}

function carrierOf(child: ChildProcess): Carrier {
  const waiting = new Map<number, (reply: Reply) => void>()
  child.on('message', (reply: Reply) => waiting.get(reply.id)?.(reply))
  let last = 0
  const send = (method: keyof Carrier, args: readonly unknown[], signal?: AbortSignal): Promise<any> =>
    new Promise((resolve, reject) => {
      const id = ++last
      const abort = (): void => void child.send({ id, aborts: true } satisfies Call)
      waiting.set(id, ({ value, failed }) => {
        waiting.delete(id)
        signal?.removeEventListener('abort', abort)
        if (failed === undefined) resolve(value)
        else reject(failed === 'CarrierError' ? new CarrierError('elsewhere') : new Error(failed))
      })
      child.send({ id, method, args } satisfies Call)
      if (signal?.aborted) abort()
      else signal?.addEventListener('abort', abort)
    })
  return {
    append: (...args) => send('append', args),
    read: (...args) => send('read', args),
    last: (...args) => send('last', args),
    wait: (channel, after, signal) => send('wait', [channel, after], signal),
  }
}
