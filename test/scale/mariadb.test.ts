// Lists and writes of three processes over MariaDB: each at a node of its own of a Galera cluster, or all at a primary node with a
// replica, while nodes are killed.
import { it } from 'vitest'
import { galeraNeed } from '../support/cluster/galera.ts'
import { mariadbPairNeed } from '../support/cluster/mariadb-pair.ts'
import { describeWith } from '../support/needs.ts'
import { galeraStorm, gtidStorm } from './clusters.ts'
import { withstands } from './withstands.ts'

describeWith(galeraNeed, 'MariaDB under Galera', () => {
  it(
    '[SCL-01] [SCL-02] [SCL-03] walks stay exact and nothing is lost while a node is killed',
    () => withstands(() => galeraStorm('mysql2', 1), 1),
    120_000,
  )
})

describeWith(mariadbPairNeed, 'MariaDB with a replica by GTID', () => {
  it(
    '[SCL-02] [SCL-03] walks stay exact and writers read their writes while the replica is killed',
    () => withstands(() => gtidStorm('mysql2', 1), 1, true),
    120_000,
  )
})
