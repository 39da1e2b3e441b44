// Lists and writes of three processes over PostgreSQL with a replica behind PgBouncer, while both nodes are killed.
import { expect, it } from 'vitest'
import { postgresClusterNeed } from '../support/cluster/postgres.ts'
import { describeWith } from '../support/needs.ts'
import { postgresStorm } from './clusters.ts'
import { OK, storm } from './storm.ts'

describeWith(postgresClusterNeed, 'PostgreSQL with a replica behind PgBouncer', () => {
  it('[SCL-01] [SCL-02] [SCL-03] walks stay exact and nothing is lost while its nodes are killed', async () => {
    const cluster = await postgresStorm('pg')
    try {
      const seen = await storm(cluster, { still: 40, writes: 6, walks: 3, recovers: false })
      expect(seen).toMatchObject({ ...OK, kills: 2 })
      expect(seen.ownReads).toBeGreaterThan(0)
    } finally {
      await cluster.end()
    }
  }, 120_000)
})
