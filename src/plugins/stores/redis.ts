// A store in Redis or Valkey, through a client of the application, such as ioredis or node-redis.
import { describeValue, form } from '../../extend.ts'
import { type Store, toStorableKey, withStoreTimeout } from './store.ts'

/** Sends one command, such as `['GET', 'key']`, and returns the reply. */
export type RedisCommand = (command: readonly string[]) => Promise<unknown>

/** A client of ioredis, one of node-redis, or a function that sends a command. */
export type RedisClient =
  | { call(command: string, ...args: string[]): Promise<unknown> }
  | { sendCommand(command: string[]): Promise<unknown> }
  | RedisCommand

/** The options of `redisStore`. */
export interface RedisStoreOptions {
  /**
   * The prefix of every key.
   * @default `'edict:'`
   */
  readonly prefix?: string
  /**
   * The timeout of a command, in milliseconds.
   * @default 500
   */
  readonly timeout?: number
}

const FIELDS: form.Fields<RedisStoreOptions> = { prefix: form.text, timeout: form.integerFrom(1) }

// Sets the expiry with the first increment atomically: a process that dies between two commands would leave the counter
// forever.
const COUNT_SCRIPT = `local count = redis.call('INCR', KEYS[1])
local left = redis.call('PTTL', KEYS[1])
if left < 0 then
  redis.call('PEXPIRE', KEYS[1], ARGV[1])
  left = tonumber(ARGV[1])
end
return { count, left }`

const REPLACE_SCRIPT = `if redis.call('GET', KEYS[1]) ~= ARGV[2] then return 0 end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[3])
return 1`

const REMOVE_SCRIPT = `if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
return redis.call('DEL', KEYS[1])`

/** Creates a store in Redis or Valkey, shared by all processes with the same server and prefix. */
export function redisStore(client: RedisClient, options: RedisStoreOptions = {}): Store {
  const { prefix = 'edict:', timeout = 500 } = form.validateSettings('redisStore', options, FIELDS)
  const send = resolveRedisCommand('redisStore', client)
  const run = (kind: 'count' | 'value', key: string, command: (key: string) => readonly string[]): Promise<unknown> =>
    withStoreTimeout('Redis', timeout, async () => send(command(`${prefix}${kind}:${await toStorableKey(key)}`)))
  const buildEval = (text: string, key: string, ...args: readonly string[]): string[] => [
    'EVAL',
    text,
    '1',
    key,
    ...args,
  ]
  return Object.freeze({
    async count(key, ttl) {
      const [count, left] = (await run('count', key, (name) => buildEval(COUNT_SCRIPT, name, String(ttl)))) as [
        unknown,
        unknown,
      ]
      return { count: Number(count), left: Math.max(0, Number(left)) }
    },
    async get(key) {
      const found = await run('value', key, (name) => ['GET', name])
      return found === null || found === undefined ? undefined : String(found)
    },
    async set(key, value, ttl, expected) {
      const done = await run('value', key, (name) => {
        if (typeof expected === 'string') return buildEval(REPLACE_SCRIPT, name, value, expected, String(ttl))
        return ['SET', name, value, 'PX', String(ttl), ...(expected === null ? ['NX'] : [])]
      })
      return done !== null && Number(done) !== 0
    },
    async delete(key, expected) {
      const removed = await run('value', key, (name) =>
        expected === undefined ? ['DEL', name] : buildEval(REMOVE_SCRIPT, name, expected),
      )
      return Number(removed) !== 0
    },
  } satisfies Store)
}

/** Returns the function that sends a command through a client; for anything else, throws a TypeError in the name of `owner`. */
export function resolveRedisCommand(owner: string, client: RedisClient): RedisCommand {
  if (typeof client === 'function') return client
  if ('call' in client && typeof client.call === 'function')
    return ([name, ...args]) => client.call(name as string, ...args)
  if ('sendCommand' in client && typeof client.sendCommand === 'function')
    return (command) => client.sendCommand([...command])
  const remedy = 'give a client of ioredis or node-redis, or a function that sends a command'
  throw new TypeError(`${owner}: the client is ${describeValue(client)}: ${remedy}`)
}
