// The public entry `edict/channels`: channels of events, and their carriers.
export {
  type AppendedEvent,
  type Batch,
  type CarriedEvent,
  type Carrier,
  type CarrierBounds,
  CarrierError,
  type ConnectedCarrier,
} from './carrier.ts'
export { type Channel, type ChannelTypes, channel, type StreamTypes } from './channel.ts'
export { type MemoryCarrierOptions, memoryCarrier } from './memory-carrier.ts'
export {
  type FollowOptions,
  type OpenChannel,
  type OpenChannelOptions,
  openChannel,
  type PublishOptions,
} from './open-channel.ts'
export { type PostgresCarrierOptions, postgresCarrier } from './postgres-carrier.ts'
export { postgresChannelTables } from './postgres-tables.ts'
export { type RedisCarrierOptions, redisCarrier } from './redis-carrier.ts'
