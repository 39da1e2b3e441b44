// A connection of `pg` that listens for notifications, beside those of its pool.
import { readProperty } from '../../../extend.ts'
import type { StatementAccess } from '../../query/statement-access.ts'

interface Connection {
  on(event: 'notification' | 'error' | 'end', listener: () => void): unknown
  connect(): Promise<unknown>
  query(text: string): Promise<unknown>
  end(): Promise<unknown>
}

/** A pool of `pg`: what it makes its connections with. */
interface Pool {
  readonly Client: new (options: object) => Connection
  readonly options: object
}

const isPool = (value: unknown): value is Pool =>
  typeof readProperty(value, 'Client') === 'function' && typeof readProperty(value, 'options') === 'object'

/** Returns how to listen; undefined for anything but a pool of `pg`. */
export function createPgListener(pool: unknown): StatementAccess['listen'] {
  if (!isPool(pool)) return undefined
  return (name, { heard, lost }) => {
    const connection = new pool.Client(pool.options)
    let isOpen = true
    const close = async (): Promise<void> => {
      isOpen = false
      await connection.end().catch(() => undefined)
    }
    const fail = (): void => {
      if (!isOpen) return
      void close()
      lost()
    }
    connection.on('error', fail)
    connection.on('end', fail)
    connection.on('notification', heard)
    // Nothing was heard before.
    connection
      .connect()
      .then(() => connection.query(`listen "${name}"`))
      .then(heard, fail)
    return close
  }
}
