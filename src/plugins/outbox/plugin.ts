// The plugin `outboxRelay`, which delivers the messages of an outbox while an application serves.
import { form, type Plugin } from '../../extend.ts'
import type { Outbox } from './outbox.ts'
import { RELAY_FIELDS, type Relay, type RelayOptions } from './relay.ts'

/** Starts a relay of an outbox with the application, and stops it at its close. */
export function outboxRelay(box: Outbox, options: RelayOptions = {}): Plugin {
  const settings = form.validateSettings('outboxRelay', options, RELAY_FIELDS)
  let relay: Relay | undefined
  return {
    name: 'outboxRelay',
    async start() {
      relay = await box.relay(settings)
    },
    async close() {
      await relay?.stop()
      relay = undefined
    },
  }
}
