// Lists and writes of three processes over PostgreSQL with a replica behind PgBouncer, while both nodes are killed.
import { it } from 'vitest'
import { postgresClusterNeed } from '../support/cluster/postgres.ts'
import { describeWith } from '../support/needs.ts'
import { postgresStorm } from './clusters.ts'
import { withstands } from './withstands.ts'

describeWith(postgresClusterNeed, 'PostgreSQL with a replica behind PgBouncer', () => {
  it(
    '[SCL-01] [SCL-02] [SCL-03] walks stay exact and nothing is lost while its nodes are killed',
    () => withstands(() => postgresStorm('pg'), 2),
    120_000,
  )
})
