// The long form of test/scale: storms over every cluster with every client, with lines on the way and a table at the end.
// Arguments choose some of them: `npm run test:scale -- PostgreSQL/Drizzle Galera`.
import { galeraStorm, postgresStorm } from '../test/scale/clusters.ts'
import { type Cluster, OK, type Seen, storm } from '../test/scale/storm.ts'
import { galeraNeed } from '../test/support/cluster/galera.ts'
import { postgresClusterNeed } from '../test/support/cluster/postgres.ts'
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
]

function chosen(wanted: readonly string[]): readonly Choice[] {
  const unknown = wanted.find((one) => !STORMS.some(({ name }) => name.startsWith(one)))
  if (unknown === undefined)
    return STORMS.filter(({ name }) => wanted.length === 0 || wanted.some((one) => name.startsWith(one)))
  throw new TypeError(`There is no '${unknown}'; choose from ${STORMS.map(({ name }) => name).join(', ')}`)
}

const say = (line: string): void => console.log(`[${new Date().toTimeString().slice(0, 8)}] ${line}`)

const isOk = (seen: Seen): boolean => Object.entries(OK).every(([law, most]) => seen[law as keyof typeof OK] === most)

async function main(): Promise<void> {
  const all: Seen[] = []
  for (const { need, open } of chosen(process.argv.slice(2))) {
    if (need.missing !== undefined) {
      say(`${need.name} is missing: ${need.missing}`)
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
