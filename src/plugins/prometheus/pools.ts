// The use of connection pools that users name.
import type { MetricFamily, MetricSample } from './exposition-format.ts'

/** The use of a pool. */
export interface PoolUse {
  /** Connections in use. */
  readonly used: number
  /** Idle connections. */
  readonly idle: number
  /** Callers that wait for a connection. */
  readonly waiting: number
  /** The most connections, where that is known. */
  readonly max?: number | undefined
}

/** A pool as pg has it. */
interface PgPool {
  readonly totalCount: number
  readonly idleCount: number
  readonly waitingCount: number
  readonly options?: { readonly max?: number | undefined }
}

/** A pool of pg, or a function that tells the use of another. */
export type ObservedPool = PgPool | (() => PoolUse)

function readPoolUse(pool: ObservedPool): PoolUse {
  if (typeof pool === 'function') return pool()
  const { totalCount, idleCount, waitingCount, options } = pool
  return { used: totalCount - idleCount, idle: idleCount, waiting: waitingCount, max: options?.max }
}

/** The measurements of pools, by their names. */
export function collectPoolFamilies(pools: Readonly<Record<string, ObservedPool>>): readonly MetricFamily[] {
  const uses = Object.entries(pools).map(([pool, one]) => ({ pool, ...readPoolUse(one) }))
  if (uses.length === 0) return []
  const gauge = (name: string, help: string, samples: readonly MetricSample[]): MetricFamily => ({
    name,
    type: 'gauge',
    help,
    samples,
  })
  return [
    gauge(
      'db_pool_connections',
      'Open connections of a pool, by their state.',
      uses.flatMap(({ pool, used, idle }) => [
        { labels: { pool, state: 'used' }, value: used },
        { labels: { pool, state: 'idle' }, value: idle },
      ]),
    ),
    gauge(
      'db_pool_waiting',
      'Callers that wait for a connection of a pool.',
      uses.map(({ pool, waiting }) => ({ labels: { pool }, value: waiting })),
    ),
    gauge(
      'db_pool_connections_max',
      'The most connections of a pool.',
      uses.flatMap(({ pool, max }) => (max === undefined ? [] : [{ labels: { pool }, value: max }])),
    ),
  ]
}
