// `npm run test:hostile`: the corpus against edict, Fastify and Hono, with the scores of each group side by side.
// `-- PCT JSN` runs only these groups; `-- --only=edict` asks nobody else; `-- --verbose` says why others failed, and what
// the most expensive cases cost.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import type { Group } from './case.ts'
import { corpus } from './cases/index.ts'
import { Contestant, type Entrant, edict, peers } from './contestant.ts'
import type { Cost } from './gauge.ts'
import { judge } from './judge.ts'

interface Score {
  readonly passed: number
  readonly all: number
  readonly engineTexts: number
  readonly faults: readonly string[]
  readonly costs: readonly (Cost & { readonly id: string })[]
}

const folder = new URL('./peers/', import.meta.url)
const words = process.argv.slice(2)
const verbose = words.includes('--verbose')
const only = words.find((word) => word.startsWith('--only='))?.slice('--only='.length)
const names = words.filter((word) => !word.startsWith('--'))
const groups = corpus.filter(({ name }) => names.length === 0 || names.includes(name))

/** Installs the packages of the others; says so when that is not possible. */
function entrants(): Entrant[] {
  const wanted = [edict, ...peers].filter(({ name }) => only === undefined || name.toLowerCase() === only.toLowerCase())
  if (wanted.every((one) => one === edict)) return wanted
  spawnSync('npm', ['ci', '--silent', '--no-audit', '--no-fund'], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  if (existsSync(new URL('node_modules/fastify', folder))) return wanted
  console.log('Fastify and Hono are SKIPPED: their packages could not be installed.')
  return [edict]
}

async function scoreOf(server: Contestant, { cases }: Group): Promise<Score> {
  const own = server.name === edict.name
  const faults: string[] = []
  const costs: Score['costs'][number][] = []
  let engineTexts = 0
  const counted = cases.filter(({ ours = false }) => own || !ours)
  for (const one of counted) {
    const verdict = await judge(server, one, own ? 'edict' : 'anyone')
    if (verdict.engineText !== undefined) engineTexts++
    costs.push({ ...verdict.cost, id: one.id })
    if (verdict.faults.length > 0) faults.push(`${one.id} ${one.says}: ${verdict.faults.join('; ')}`)
    if (!server.alive) throw new Error(`${server.name} ended in ${one.id}`)
  }
  return { passed: counted.length - faults.length, all: counted.length, engineTexts, faults, costs }
}

async function scoresOf(entrant: Entrant): Promise<Map<string, Score>> {
  const server = await Contestant.start(entrant)
  const scores = new Map<string, Score>()
  try {
    for (const group of groups) {
      const score = await scoreOf(server, group)
      scores.set(group.name, score)
      if (verbose || entrant === edict) for (const fault of score.faults) console.log(`${entrant.name}: ${fault}`)
    }
  } finally {
    await server.stop()
  }
  return scores
}

const cell = (score: Score | undefined): string =>
  (score === undefined || score.all === 0 ? '-' : `${score.passed}/${score.all}`).padStart(10)
const total = (scores: ReadonlyMap<string, Score>): Score => {
  const all = [...scores.values()]
  const sum = (key: 'passed' | 'all' | 'engineTexts'): number => all.reduce((so, score) => so + score[key], 0)
  const costs = all.flatMap((score) => score.costs)
  return { passed: sum('passed'), all: sum('all'), engineTexts: sum('engineTexts'), faults: [], costs }
}
const dearest = ({ costs }: Score, key: 'cpu' | 'memory'): Score['costs'] =>
  costs.toSorted((a, b) => b[key] - a[key]).slice(0, 8)

const contest = entrants()
const results = new Map<Entrant, Map<string, Score>>()
for (const entrant of contest) results.set(entrant, await scoresOf(entrant))

console.log(`\n${'group'.padEnd(44)}${contest.map(({ name }) => name.padStart(10)).join('')}`)
for (const { name, title } of groups) {
  console.log(`${`${name} ${title}`.padEnd(44)}${contest.map((one) => cell(results.get(one)?.get(name))).join('')}`)
}
const totals = contest.map((one) => total(results.get(one) ?? new Map()))
console.log(`${'all'.padEnd(44)}${totals.map(cell).join('')}`)
const row = (title: string, of: (score: Score) => string): void =>
  console.log(`${title.padEnd(44)}${totals.map((score) => of(score).padStart(10)).join('')}`)
row('most CPU of one case, ms', (score) => (dearest(score, 'cpu')[0]?.cpu ?? 0).toFixed(0))
row('most memory of one case, MB', (score) => (dearest(score, 'memory')[0]?.memory ?? 0).toFixed(1))
row('answers with texts of the engine (not counted)', ({ engineTexts }) => String(engineTexts))
if (verbose) {
  for (const [i, { name }] of contest.entries()) {
    const said = (key: 'cpu' | 'memory'): string =>
      dearest(totals[i] as Score, key)
        .map((cost) => `${cost.id} ${cost[key].toFixed(1)}`)
        .join(', ')
    console.log(`${name}: CPU ${said('cpu')}; memory ${said('memory')}`)
  }
}
const failed = [...(results.get(edict)?.values() ?? [])].some(({ passed, all }) => passed < all)
process.exitCode = failed ? 1 : 0
