// The program of a process that adds messages and has a relay. Its deliveries go to a carrier, or else to its parent; they can be held.
import { outbox, type RelayedMessage } from 'edict/outbox'
import type { DialectName } from '../../../src/plugins/datastores/sql/sql.ts'
import { openCarrier } from '../channels/open.ts'
import type { ClientName } from '../stores/open.ts'
import { type BoxClient, openBoxDatabase } from './clients.ts'

/** A command to a process. */
export type Order =
  | { readonly add: readonly string[] }
  | { readonly relay: 'deliver' | 'hold before' | 'hold after' }
  | { readonly kept: number }

/** A report of a process. */
export type Report =
  | { readonly ready: true }
  | { readonly added: true }
  | { readonly relays: true }
  | { readonly delivered: readonly RelayedMessage[]; readonly number: number }
  | { readonly holds: 'before' | 'after' }
  | { readonly failed: string }

const [, , client, dialect, url, carrierClient, carrierUrl] = process.argv as string[]
const opened = await openBoxDatabase(client as BoxClient, dialect as DialectName, url as string)
const box = outbox(opened.datastore)
const carrier =
  carrierClient === undefined
    ? undefined
    : (await openCarrier(carrierClient as ClientName, carrierUrl as string)).carrier
const KEPT = { count: 1000, age: 3_600_000 }
const tell = (report: Report): void => void process.send?.(report)
const forever = (): Promise<never> => new Promise(() => {})
let mode: string = 'deliver'
let number = 0
const waiting = new Map<number, () => void>()

/** Resolves when the parent has the messages: what is sent to it may be lost with this process. */
function deliver(delivered: readonly RelayedMessage[]): Promise<void> {
  number++
  tell({ delivered, number })
  return new Promise((resolve) => waiting.set(number, resolve))
}

/** SQLite refuses a transaction while another process writes. */
async function retry(work: () => Promise<void>): Promise<void> {
  for (let left = 1000; ; left--) {
    try {
      return await work()
    } catch (error) {
      if (dialect !== 'sqlite' || left === 0) throw error
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
  }
}

box.route('news', async (messages) => {
  if (mode === 'hold before') {
    tell({ holds: 'before' })
    await forever()
  }
  await (carrier === undefined ? deliver(messages) : carrier.append('news', messages, KEPT))
  if (mode === 'hold after') {
    tell({ holds: 'after' })
    await forever()
  }
})

async function follow(order: Order): Promise<void> {
  if ('kept' in order) return waiting.get(order.kept)?.()
  if ('add' in order) {
    const messages = order.add.map((text) => ({ topic: 'news', text }))
    await retry(() => opened.transaction((transaction) => box.add(transaction, messages)))
    return tell({ added: true })
  }
  mode = order.relay
  await box.relay({ timeout: '10m', onFailure: (error) => tell({ failed: String(error) }) })
  return tell({ relays: true })
}

process.on('message', (order: Order) => void follow(order).catch((error) => tell({ failed: String(error) })))
process.on('disconnect', () => process.exit())
await box.createTable()
tell({ ready: true })
