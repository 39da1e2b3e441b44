// The storage of sessions: by a random id in a store, or sealed in the cookie.
import type { Store } from '../stores/index.ts'
import { generateRandomText, hashId, Sealer } from './sealer.ts'

/** A storage of sessions; `value` is the value of the cookie. */
export interface SessionStorage {
  /** Returns the length of the cookie value of a session with this data. */
  measureValue(data: string): number
  /** Starts a session and returns the value of its cookie. */
  start(data: string): Promise<string>
  /** Returns the data of a session; undefined for an invalid value. */
  find(value: string): Promise<string | undefined>
  /** Ends a session, if the value is valid. */
  end(value: string): Promise<void>
}

/** Creates a storage by random id. The store holds only hashes of ids, so that reading the store reveals no cookies. */
export function createStoreStorage(store: Store, lifetime: number): SessionStorage {
  const buildKey = async (id: string): Promise<string> => `session:${await hashId(id)}`
  return {
    measureValue: () => ID_LENGTH,
    async start(data) {
      const id = generateRandomText()
      await store.set(await buildKey(id), data, lifetime, null)
      return id
    },
    find: async (id) => (ID_PATTERN.test(id) ? store.get(await buildKey(id)) : undefined),
    async end(id) {
      if (ID_PATTERN.test(id)) await store.delete(await buildKey(id))
    },
  }
}

const ID_LENGTH = 43
const ID_PATTERN = new RegExp(`^[\\w-]{${ID_LENGTH}}$`)

interface SealedSession {
  readonly id: string
  readonly ends: number
  readonly data: string
}

/** Creates a storage in cookies. An optional store remembers sessions that were ended early. */
export function createCookieStorage(
  secrets: readonly string[],
  purpose: string,
  lifetime: number,
  store?: Store,
): SessionStorage {
  const sealer = new Sealer(secrets, purpose)
  const buildEndedKey = (id: string): string => `ended session:${id}`
  const open = async (value: string): Promise<SealedSession | undefined> => {
    const text = await sealer.open(value)
    const found = text === undefined ? undefined : (JSON.parse(text) as SealedSession)
    return found !== undefined && found.ends > Date.now() ? found : undefined
  }
  const serialize = (id: string, data: string): string =>
    JSON.stringify({ id, ends: Date.now() + lifetime, data } satisfies SealedSession)
  return {
    measureValue: (data) => Sealer.measureSealed(serialize('x'.repeat(ID_LENGTH), data)),
    start: (data) => sealer.seal(serialize(generateRandomText(), data)),
    async find(value) {
      const found = await open(value)
      if (found === undefined || (await store?.get(buildEndedKey(found.id))) !== undefined) return undefined
      return found.data
    },
    async end(value) {
      const found = store === undefined ? undefined : await open(value)
      if (found !== undefined) await store?.set(buildEndedKey(found.id), 'ended', Math.max(1, found.ends - Date.now()))
    },
  }
}
