// Measures cold starts: what a process with 200 routes spends until its first answer, and the memory it then holds.
// `npm run bench -- cold [--quick] [--only name,name] [--json file] [--write]`; ends with 1 when a target is missed.
import { join } from 'node:path'
import { finish, median, options, progress, short, type Table, type Verdict } from '../growth/report.ts'
import { installContestants } from './install.ts'
import { profileTables } from './profile.ts'
import { coldStart, type Memory, memory, verify } from './start.ts'

interface Found {
  readonly name: string
  readonly cpu: number[]
  readonly clock: number[]
  readonly boot: Memory[]
  readonly later: Memory[]
}

const ALL = ['edict', 'node', 'hono', 'fastify', 'express', 'elysia', 'nest', 'orpc']
const names = options.only === undefined ? ALL : options.only.split(',')
const starts = options.quick ? 10 : 30
const memories = options.quick ? 1 : 3
const REQUESTS = 20_000

progress('npm packs edict and installs it with the others')
const folder = installContestants()
const fileOf = (name: string): string => join(folder, 'contestants', `${name}.js`)
const found = await measure()
const judged = verdicts(found)
const tables = [startTable(found), memoryTable(found)]
// A miss has to be explained.
if (judged.some(({ met }) => !met)) tables.push(...(await profileTables(fileOf('edict'))))
finish('cold', { tables, verdicts: judged, data: found })

async function measure(): Promise<Found[]> {
  for (const name of names) {
    progress(`checking ${name}`)
    await verify(fileOf(name))
  }
  const results = names.map((name): Found => ({ name, cpu: [], clock: [], boot: [], later: [] }))
  for (let round = 0; round < starts; round++) {
    progress(`start ${round + 1} of ${starts}`)
    // Each round begins with another contestant, so that none always follows the same neighbour.
    for (let i = 0; i < results.length; i++) {
      const one = results[(i + round) % results.length]!
      const { cpu, clock } = await coldStart(fileOf(one.name))
      one.cpu.push(cpu)
      one.clock.push(clock)
    }
  }
  for (let round = 0; round < memories; round++)
    for (const one of results) {
      progress(`memory of ${one.name}, ${round + 1} of ${memories}`)
      const { boot, later } = await memory(fileOf(one.name), REQUESTS)
      one.boot.push(boot)
      one.later.push(later)
    }
  return results
}

function startTable(results: readonly Found[]): Table {
  const of = (name: string): number => median(results.find((one) => one.name === name)?.cpu ?? [Number.NaN])
  const rows = results.map(({ name, cpu, clock }) => [
    name,
    short(median(cpu)),
    short(Math.min(...cpu)),
    short(median(cpu) - of('node')),
    (median(cpu) / of('hono')).toFixed(2),
    short(median(clock)),
  ])
  const head = ['', 'CPU ms, median', 'lowest', 'above node', 'to hono', 'clock ms, median']
  return { title: `From the start of the process to the first answer, 200 routes, ${starts} starts each`, head, rows }
}

function megabytes(list: readonly Memory[], part: keyof Memory): string {
  return (median(list.map((one) => one[part])) / 1024 / 1024).toFixed(1)
}

function memoryTable(results: readonly Found[]): Table {
  const rows = results.map(({ name, boot, later }) => [
    name,
    megabytes(boot, 'rss'),
    megabytes(boot, 'heapUsed'),
    megabytes(later, 'rss'),
    megabytes(later, 'heapUsed'),
  ])
  const head = ['', 'RSS after boot', 'heap after boot', 'RSS later', 'heap later']
  return {
    title: `Memory in MB after boot and after ${REQUESTS.toLocaleString('en')} requests to all routes`,
    head,
    rows,
  }
}

function verdicts(results: readonly Found[]): Verdict[] {
  const [edict, hono] = ['edict', 'hono'].map((name) => results.find((one) => one.name === name))
  if (edict === undefined || hono === undefined) return []
  const start = median(edict.cpu) / median(hono.cpu)
  const parts = ['rss', 'heapUsed'] as const
  return [
    { text: `edict's cold start takes ${start.toFixed(2)} of Hono's CPU (at most 0.5)`, met: start <= 0.5 },
    ...parts.map((part) => {
      const [own, other] = [megabytes(edict.boot, part), megabytes(hono.boot, part)]
      return {
        text: `edict's ${part} after boot is ${own} MB (below Hono's ${other})`,
        met: Number(own) < Number(other),
      }
    }),
  ]
}
