// The long form of test/scale: storms over every cluster with every client, with lines on the way and a table at the end.
import { galeraStorm, postgresStorm } from '../test/scale/clusters.ts'
import { type Cluster, OK, type Seen, storm } from '../test/scale/storm.ts'
import { galeraNeed } from '../test/support/cluster/galera.ts'
import { postgresClusterNeed } from '../test/support/cluster/postgres.ts'
import type { Need } from './machine.ts'

const LENGTH = { still: 150, writes: 30, walks: 12, recovers: true }

const STORMS: readonly (readonly [Need, () => Promise<Cluster>])[] = [
  ...(['pg', 'Drizzle', 'Kysely'] as const).map(
    (client) => [postgresClusterNeed, () => postgresStorm(client, 3)] as const,
  ),
  ...(['mysql2', 'Drizzle', 'Kysely'] as const).map((client) => [galeraNeed, () => galeraStorm(client, 3)] as const),
]

const say = (line: string): void => console.log(`[${new Date().toTimeString().slice(0, 8)}] ${line}`)

const isOk = (seen: Seen): boolean => Object.entries(OK).every(([law, most]) => seen[law as keyof typeof OK] === most)

async function main(): Promise<void> {
  const all: Seen[] = []
  for (const [{ name, missing }, open] of STORMS) {
    if (missing !== undefined) {
      say(`${name} is missing: ${missing}`)
      process.exitCode = 1
      continue
    }
    const cluster = await open()
    try {
      all.push(await storm(cluster, LENGTH, say))
    } finally {
      await cluster.end()
    }
  }
  console.log(tableOf(all))
  if (!all.every(isOk)) process.exitCode = 1
}

function tableOf(all: readonly Seen[]): string {
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
