// A carrier in streams of Redis or Valkey, through a client of the application, such as ioredis or node-redis.
import { form } from '../../extend.ts'
import { type RedisClient, resolveRedisCommand, toStorableKey } from '../stores/index.ts'
import { type ConnectedCarrier, withCarrierTimeout } from './carrier.ts'
import { buildBatch, type FoundEvent, toStart } from './kept-events.ts'
import { APPEND_SCRIPT, LAST_SCRIPT, READ_SCRIPT } from './redis-scripts.ts'
import { findRedisWakes } from './redis-wakes.ts'
import { Wakes } from './wakes.ts'

/** The options of `redisCarrier`. */
export interface RedisCarrierOptions {
  /**
   * The prefix of every key.
   * @default `'edict:'`
   */
  readonly prefix?: string
  /**
   * Whether the server loses no event when it stops, as with `appendfsync always` and without failover. Otherwise every
   * restart and every failover is a gap.
   * @default `false`
   */
  readonly durable?: boolean
  /**
   * The pause between two reads in milliseconds, where the client cannot be duplicated to hear of new events.
   * @default 200
   */
  readonly poll?: number
  /**
   * The timeout of a command, in milliseconds.
   * @default 500
   */
  readonly timeout?: number
}

const FIELDS: form.Fields<RedisCarrierOptions> = {
  prefix: form.text,
  durable: form.flag,
  poll: form.integerFrom(1),
  timeout: form.integerFrom(1),
}

/** Redis computes with numbers of this size at most. */
const MAX_BOUND = 1e15

/** Creates a carrier in Redis or Valkey, for all processes with the same server and prefix. */
export function redisCarrier(client: RedisClient, options: RedisCarrierOptions = {}): ConnectedCarrier {
  const settings = form.validateSettings('redisCarrier', options, FIELDS)
  const { prefix = 'edict:', durable = false, poll = 200, timeout = 500 } = settings
  const send = resolveRedisCommand('redisCarrier', client)
  const run: RunScript = (script, channel, args, keys = []) =>
    withCarrierTimeout('Redis', timeout, async () => {
      const stream = await toStreamKey(prefix, channel)
      const others = await Promise.all(keys.map(async (key) => `${stream}:key:${await toStorableKey(key)}`))
      const all = [stream, `${stream}:meta`, ...others]
      return send(['EVAL', script, String(all.length), ...all, durable ? '1' : '', ...args])
    })
  const last = async (channel: string): Promise<string> => String(await run(LAST_SCRIPT, channel, []))
  const open = findRedisWakes(client, (channel) => toStreamKey(prefix, channel))
  const wakes = new Wakes({ open, last, poll, timeout })
  return Object.freeze({
    async append(channel, events, { count, age }) {
      if (events.length === 0) return
      const keys = events.flatMap(({ key }) => key ?? [])
      let place = FIRST_EVENT_KEY
      const args = events.flatMap(({ text, key }) => [text, key === undefined ? '' : String(place++)])
      await run(APPEND_SCRIPT, channel, [toBound(count), toBound(age), ...args], keys)
    },
    async read(channel, after, limit) {
      const { generation, number } = toStart(after)
      const args = [String(generation), String(number), String(limit)]
      const [end, ...entries] = (await run(READ_SCRIPT, channel, args)) as readonly unknown[]
      return buildBatch(after, toStart(String(end)), readEntries(entries))
    },
    last,
    wait: (channel, after, signal) => wakes.wait(channel, after, signal),
    close: async () => wakes.close(),
  } satisfies ConnectedCarrier)
}

/** Runs a script with the keys of a channel, those of events, and arguments. */
type RunScript = (
  script: string,
  channel: string,
  args: readonly string[],
  keys?: readonly string[],
) => Promise<unknown>

/** The number of the first key of an event, in the keys of `APPEND_SCRIPT`. */
const FIRST_EVENT_KEY = 3

const toBound = (bound: number): string => String(Math.min(MAX_BOUND, Math.max(0, Math.floor(bound))))

/** Returns the key of a stream. In a cluster, all keys of a channel are in one slot: that of what is between the braces. */
async function toStreamKey(prefix: string, channel: string): Promise<string> {
  const name = (await toStorableKey(channel)).replace(/[%{}]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`)
  return `${prefix}channel:{${name}}`
}

/** Reads ids and texts, which take turns. */
const readEntries = (entries: readonly unknown[]): readonly FoundEvent[] =>
  Array.from({ length: entries.length / 2 }, (_, i) => ({
    ...toStart(String(entries[2 * i])),
    text: String(entries[2 * i + 1]),
  }))
