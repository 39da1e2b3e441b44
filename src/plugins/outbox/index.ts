// The public entry `edict/outbox`: messages that are sent if the transaction commits in which they are written.
export { type Outbox, type OutboxMessage, type OutboxOptions, outbox } from './outbox.ts'
export { outboxTable } from './outbox-table.ts'
export { outboxRelay } from './plugin.ts'
export type { Deliver, Relay, RelayedMessage, RelayOptions } from './relay.ts'
