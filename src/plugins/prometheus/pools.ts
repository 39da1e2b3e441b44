// Metrics of connection pools.
import type { MetricFamily, MetricSample } from './exposition-format.ts'

/** The use of a pool. */
export interface PoolUse {
  /** Connections in use. */
  readonly used: number
  /** Idle connections. */
  readonly idle: number
  /** Callers that wait for a connection. */
  readonly waiting: number
  /** The maximum number of connections, if known. */
  readonly max?: number | undefined
}

/** A pool of pg. */
interface PgPool {
  readonly totalCount: number
  readonly idleCount: number
  readonly waitingCount: number
  readonly options?: { readonly max?: number | undefined }
}

/** A pool of pg, or a function that returns the use of another pool. */
export type ObservedPool = PgPool | (() => PoolUse)

function readPoolUse(pool: ObservedPool): PoolUse {
  if (typeof pool === 'function') return pool()
  const { totalCount, idleCount, waitingCount, options } = pool
  return { used: totalCount - idleCount, idle: idleCount, waiting: waitingCount, max: options?.max }
}

/** Collects the metrics of pools, by name. */
export function collectPoolFamilies(pools: Readonly<Record<string, ObservedPool>>): readonly MetricFamily[] {
  const uses = Object.entries(pools).map(([pool, one]) => ({ pool, ...readPoolUse(one) }))
  if (uses.length === 0) return []
  const createGauge = (name: string, help: string, samples: readonly MetricSample[]): MetricFamily => ({
    name,
    type: 'gauge',
    help,
    samples,
  })
  return [
    createGauge(
      'db_pool_connections',
      'Open connections of a pool, by their state.',
      uses.flatMap(({ pool, used, idle }) => [
        { labels: { pool, state: 'used' }, value: used },
        { labels: { pool, state: 'idle' }, value: idle },
      ]),
    ),
    createGauge(
      'db_pool_waiting',
      'Callers that wait for a connection of a pool.',
      uses.map(({ pool, waiting }) => ({ labels: { pool }, value: waiting })),
    ),
    createGauge(
      'db_pool_connections_max',
      'The most connections of a pool.',
      uses.flatMap(({ pool, max }) => (max === undefined ? [] : [{ labels: { pool }, value: max }])),
    ),
  ]
}
