// The long version of test/scale: storms over every cluster with every client, with progress lines and a final table, then
// limits, keys and sessions of three processes over one Redis and one PostgreSQL.
// Arguments select some of them: `npm run test:scale -- PostgreSQL/Drizzle Galera stores`.
import { spawnSync } from 'node:child_process'
import { galeraStorm, gtidStorm, postgresStorm, rqliteStorm } from '../test/scale/clusters.ts'
import { type Cluster, OK, type Seen, storm } from '../test/scale/storm.ts'
import { galeraNeed } from '../test/support/cluster/galera.ts'
import { mariadbPairNeed } from '../test/support/cluster/mariadb-pair.ts'
import { postgresClusterNeed } from '../test/support/cluster/postgres.ts'
import { rqliteNeed } from '../test/support/cluster/rqlite.ts'
import type { Need } from './machine.ts'

const LENGTH = { still: 150, writes: 30, walks: 12, recovers: true }

interface Choice {
  readonly name: string
  readonly need: Need
  open(): Promise<Cluster>
}

const STORMS: readonly Choice[] = [
  ...(['pg', 'Drizzle', 'Kysely'] as const).map((client) => ({
    name: `PostgreSQL/${client}`,
    need: postgresClusterNeed,
    open: () => postgresStorm(client, 3),
  })),
  ...(['mysql2', 'Drizzle', 'Kysely'] as const).map((client) => ({
    name: `Galera/${client}`,
    need: galeraNeed,
    open: () => galeraStorm(client, 3),
  })),
  ...(['mysql2', 'Drizzle', 'Kysely'] as const).map((client) => ({
    name: `GTID/${client}`,
    need: mariadbPairNeed,
    open: () => gtidStorm(client, 2),
  })),
  { name: 'rqlite', need: rqliteNeed, open: () => rqliteStorm(3) },
]

const STORES = 'stores'

function selectStorms(wanted: readonly string[]): readonly Choice[] {
  const names = [...STORMS.map(({ name }) => name), STORES]
  const unknown = wanted.find((one) => !names.some((name) => name.startsWith(one)))
  if (unknown === undefined)
    return STORMS.filter(({ name }) => wanted.length === 0 || wanted.some((one) => name.startsWith(one)))
  throw new TypeError(`There is no '${unknown}'; choose from ${names.join(', ')}`)
}

const log = (line: string): void => console.log(`[${new Date().toTimeString().slice(0, 8)}] ${line}`)

const isOk = (seen: Seen): boolean =>
  Object.entries(OK).every(([law, allowed]) => seen[law as keyof typeof OK] === allowed)

/** Runs the tests of stores that three processes share and whose server is restarted. */
function runStores(): void {
  const files = ['test/stores', 'test/credentials/sessions.test.ts']
  const { status } = spawnSync('npx', ['vitest', 'run', ...files, '-t', 'SCL-04'], { stdio: 'inherit' })
  if (status !== 0) process.exitCode = 1
}

async function main(): Promise<void> {
  const wanted = process.argv.slice(2)
  const all: Seen[] = []
  for (const { need, open } of selectStorms(wanted)) {
    if (need.missing !== undefined) {
      log(`${need.name} is missing: ${need.missing}`)
      process.exitCode = 1
      continue
    }
    const cluster = await open()
    try {
      all.push(await storm(cluster, LENGTH, log))
    } finally {
      await cluster.end()
    }
  }
  if (wanted.length === 0 || wanted.includes(STORES)) runStores()
  console.log(formatTable(all))
  if (!all.every(isOk)) process.exitCode = 1
}

function formatTable(all: readonly Seen[]): string {
  const heads = [
    'cluster',
    'kills',
    'walks',
    'pages',
    'repeated',
    'missed',
    'writes',
    'lost',
    'own reads',
    'stale',
    'answers',
  ]
  const rows = all.map((seen) => [
    ...[seen.name, seen.kills, seen.walks, seen.pages, seen.repeated, seen.missed, seen.acknowledged, seen.lost],
    ...[
      seen.ownReads,
      seen.stale,
      [...seen.statuses]
        .sort()
        .map(([status, count]) => `${count} × ${status}`)
        .join(', '),
    ],
  ])
  return [heads, heads.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n')
}

await main()
