// The program of a process that has a store, and does with it what its parent asks for.
import type { Call, Reply } from './elsewhere.ts'
import { type ClientName, openStore } from './open.ts'

const [, , client, url] = process.argv
const { store, close } = await openStore(client as ClientName, url as string)
const tell = (reply: Reply | 'ready'): void => void process.send?.(reply)

async function answer({ id, method, args }: Call): Promise<void> {
  try {
    tell({ id, value: await (store[method] as (...args: readonly unknown[]) => unknown)(...args) })
  } catch (error) {
    tell({ id, failed: Reflect.get(Object(error), '~storeError') === true ? 'StoreError' : String(error) })
  }
}

process.on('message', (call: Call) => void answer(call))
process.on('disconnect', () => void close())
tell('ready')
