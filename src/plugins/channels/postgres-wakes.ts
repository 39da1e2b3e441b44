// The connection over which a PostgreSQL carrier hears of new events: one that listens, beside those of the pool.
import { readProperty } from '../../extend.ts'
import type { PostgresClient } from '../stores/index.ts'
import type { OpenWakeSource, WakeReports, WakeSource } from './wakes.ts'

interface Connection {
  on(event: 'notification', listener: (message: { readonly payload?: string }) => void): unknown
  on(event: 'error' | 'end', listener: () => void): unknown
  connect(): Promise<unknown>
  query(text: string): Promise<unknown>
  end(): Promise<unknown>
}

/** A pool of `pg`: what it makes its connections with. */
interface Pool {
  readonly Client: new (options: object) => Connection
  readonly options: object
}

/** Returns how to open the connection; undefined for clients that are no pools of `pg`. */
export function findPostgresWakes(
  client: PostgresClient,
  topic: string,
  toName: (channel: string) => Promise<string>,
): OpenWakeSource | undefined {
  if (typeof client === 'function' || typeof readProperty(client, 'Client') !== 'function') return undefined
  if (typeof readProperty(client, 'options') !== 'object') return undefined
  return (reports) => openListener(client as unknown as Pool, topic, toName, reports)
}

const ignore = (): void => {}

function openListener(
  { Client, options }: Pool,
  topic: string,
  toName: (channel: string) => Promise<string>,
  { heard, lost }: WakeReports,
): WakeSource {
  const channels = new Map<string, string>()
  const connection = new Client(options)
  connection.on('error', lost)
  connection.on('end', lost)
  connection.on('notification', ({ payload = '' }) => {
    const split = payload.indexOf(' ')
    const channel = channels.get(payload.slice(split + 1))
    if (channel !== undefined) heard(channel, payload.slice(0, split))
  })
  const listening = connection.connect().then(() => connection.query(`listen ${topic}`))
  listening.catch(ignore)
  return {
    async follow(channel) {
      channels.set(await toName(channel), channel)
      await listening
    },
    leave: (channel) => void toName(channel).then((name) => channels.delete(name)),
    check: () => connection.query('select 1'),
    close: () => void connection.end().catch(ignore),
  }
}
