// The public entry `edict/stores`: stores for rate limits, idempotency keys and sessions.
export { type Identify, identityOf } from './identity.ts'
export { type MemoryStoreOptions, memoryStore } from './memory.ts'
export {
  type PostgresClient,
  type PostgresQuery,
  type PostgresStoreOptions,
  postgresStore,
  postgresTable,
  resolvePostgresQuery,
} from './postgres.ts'
export {
  type RedisClient,
  type RedisCommand,
  type RedisStoreOptions,
  redisStore,
  resolveRedisCommand,
} from './redis.ts'
export { type Counted, isStore, type Store, StoreError, type StoreTransaction, toStorableKey } from './store.ts'
export { type PostgresPool, type Transaction, transaction } from './transaction.ts'
