// The connection over which a Redis carrier hears of new events: a duplicate of the client, subscribed to their notifications.
import { readProperty } from '../../extend.ts'
import type { RedisClient } from '../stores/index.ts'
import type { OpenWakeSource, WakeReports, WakeSource } from './wakes.ts'

interface Connection {
  on(event: string, listener: (...values: string[]) => void): unknown
  subscribe(channel: string, listener?: (text: string, channel: string) => void): Promise<unknown>
  unsubscribe(channel: string): Promise<unknown>
  ping(): Promise<unknown>
}

/** A client of ioredis, alone or of a cluster. */
interface IoredisClient extends Connection {
  readonly options?: { readonly keyPrefix?: string }
  duplicate(options: object): IoredisClient
  disconnect(): void
}

/** A client of node-redis. */
interface NodeRedisClient extends Connection {
  duplicate(): NodeRedisClient
  connect(): Promise<unknown>
  destroy(): void
}

/** Returns the name under which the events of a channel are notified. */
type ToTopic = (channel: string) => Promise<string>

/** Returns how to open the connection; undefined for clients that cannot be duplicated. */
export function findRedisWakes(client: RedisClient, toTopic: ToTopic): OpenWakeSource | undefined {
  const has = (name: string): boolean => typeof readProperty(client, name) === 'function'
  if (typeof client === 'function' || !has('duplicate') || !has('subscribe')) return undefined
  if (has('call'))
    return (reports) => followTopics(openIoredis(client as unknown as IoredisClient, reports.lost), toTopic, reports)
  if (!has('connect')) return undefined
  return (reports) => followTopics(openNodeRedis(client as unknown as NodeRedisClient, reports.lost), toTopic, reports)
}

const ignore = (): void => {}

/** A connection that subscribes to notifications by their names. */
interface Subscriber {
  subscribe(topic: string, listener: (text: string) => void): Promise<unknown>
  unsubscribe(topic: string): Promise<unknown>
  check(): Promise<unknown>
  close(): void
}

function followTopics(subscriber: Subscriber, toTopic: ToTopic, { heard }: WakeReports): WakeSource {
  return {
    follow: async (channel) => subscriber.subscribe(await toTopic(channel), (text) => heard(channel, text)),
    leave(channel) {
      toTopic(channel)
        .then((topic) => subscriber.unsubscribe(topic))
        .catch(ignore)
    },
    check: () => subscriber.check(),
    close: () => subscriber.close(),
  }
}

function openIoredis(client: IoredisClient, lost: () => void): Subscriber {
  // The client prefixes the keys of scripts, but not the names to which it subscribes.
  const prefix = client.options?.keyPrefix ?? ''
  const listeners = new Map<string, (text: string) => void>()
  const connection = client.duplicate({ enableOfflineQueue: true, retryStrategy: () => null })
  connection.on('error', ignore)
  connection.on('close', lost)
  connection.on('end', lost)
  connection.on('message', (topic, text) => listeners.get(topic as string)?.(text as string))
  return {
    subscribe(topic, listener) {
      listeners.set(prefix + topic, listener)
      return connection.subscribe(prefix + topic)
    },
    unsubscribe(topic) {
      listeners.delete(prefix + topic)
      return connection.unsubscribe(prefix + topic)
    },
    check: () => connection.ping(),
    close: () => connection.disconnect(),
  }
}

function openNodeRedis(client: NodeRedisClient, lost: () => void): Subscriber {
  const connection = client.duplicate()
  for (const event of ['error', 'end', 'reconnecting']) connection.on(event, lost)
  const connected = connection.connect()
  connected.catch(ignore)
  return {
    async subscribe(topic, listener) {
      await connected
      await connection.subscribe(topic, listener)
    },
    unsubscribe: (topic) => connection.unsubscribe(topic),
    check: () => connection.ping(),
    close() {
      try {
        connection.destroy()
      } catch {
        // It is closed already.
      }
    },
  }
}
