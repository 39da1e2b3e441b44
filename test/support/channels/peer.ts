// The program of a process that has a carrier, and does with it what its parent asks for.
import type { ClientName } from '../stores/open.ts'
import type { Call, Reply } from './elsewhere.ts'
import { openCarrier } from './open.ts'

const [, , client, url, settings] = process.argv as string[]
const { carrier, close } = await openCarrier(client as ClientName, url as string, JSON.parse(settings as string))
const tell = (reply: Reply | 'ready'): void => void process.send?.(reply)
const waits = new Map<number, AbortController>()

async function answer(call: Call): Promise<void> {
  const { id } = call
  if ('aborts' in call) return waits.get(id)?.abort()
  const stopping = new AbortController()
  waits.set(id, stopping)
  try {
    const method = carrier[call.method] as (...args: readonly unknown[]) => Promise<unknown>
    tell({ id, value: await method(...call.args, ...(call.method === 'wait' ? [stopping.signal] : [])) })
  } catch (error) {
    tell({ id, failed: Reflect.get(Object(error), '~carrierError') === true ? 'CarrierError' : String(error) })
  } finally {
    waits.delete(id)
  }
}

process.on('message', (call: Call) => void answer(call))
process.on('disconnect', () => void close())
tell('ready')
