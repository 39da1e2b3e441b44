// The storage of sessions: by a random id in a store, or in the cookie itself, sealed.
import type { Store } from '../stores/index.ts'
import { hashId, generateRandomText, Sealer } from './sealer.ts'

/** Keeps sessions; a value is what the cookie of one has. */
export interface SessionStorage {
  /** The length of the value that a session with this data has in its cookie. */
  measureValue(data: string): number
  /** Begins a session and gives the value of its cookie. */
  begin(data: string): Promise<string>
  /** The data of a session; undefined for a value that is of none. */
  find(value: string): Promise<string | undefined>
  /** Ends a session, if it is one. */
  end(value: string): Promise<void>
}

/** Sessions by a random id. The store has only the hashes of ids, so that reading the store yields no cookie. */
export function createStoreStorage(store: Store, lifetime: number): SessionStorage {
  const keyOf = async (id: string): Promise<string> => `session:${await hashId(id)}`
  return {
    measureValue: () => ID_LENGTH,
    async begin(data) {
      const id = generateRandomText()
      await store.set(await keyOf(id), data, lifetime, null)
      return id
    },
    find: async (id) => (ID_PATTERN.test(id) ? store.get(await keyOf(id)) : undefined),
    async end(id) {
      if (ID_PATTERN.test(id)) await store.delete(await keyOf(id))
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

/** Sessions in their cookies; a store, where there is one, remembers those that were ended before their time. */
export function createCookieStorage(secrets: readonly string[], purpose: string, lifetime: number, store?: Store): SessionStorage {
  const sealer = new Sealer(secrets, purpose)
  const ended = (id: string): string => `ended session:${id}`
  const open = async (value: string): Promise<SealedSession | undefined> => {
    const text = await sealer.open(value)
    const found = text === undefined ? undefined : (JSON.parse(text) as SealedSession)
    return found !== undefined && found.ends > Date.now() ? found : undefined
  }
  const textOf = (id: string, data: string): string =>
    JSON.stringify({ id, ends: Date.now() + lifetime, data } satisfies SealedSession)
  return {
    measureValue: (data) => Sealer.measureSealed(textOf('x'.repeat(ID_LENGTH), data)),
    begin: (data) => sealer.seal(textOf(generateRandomText(), data)),
    async find(value) {
      const found = await open(value)
      if (found === undefined || (await store?.get(ended(found.id))) !== undefined) return undefined
      return found.data
    },
    async end(value) {
      const found = store === undefined ? undefined : await open(value)
      if (found !== undefined) await store?.set(ended(found.id), 'ended', Math.max(1, found.ends - Date.now()))
    },
  }
}
