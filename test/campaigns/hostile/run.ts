// `npm run campaign -- hostile`: the corpus against edict, Fastify and Hono, with the scores of each group side by side.
// `PCT JSN` runs only these groups; `--only=edict` runs no peer; `--verbose` says why others failed, and what
// the most expensive cases cost.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import ensureScalar from '../../../scripts/scalar.ts'
import type { HostileCase } from './case.ts'
import { corpus } from './cases/index.ts'
import { Contestant, type Entrant, edict, peers } from './contestant.ts'
import { judge, type Verdict } from './judge.ts'

interface Result {
  readonly of: HostileCase
  readonly group: string
  readonly verdict: Verdict
}

const folder = new URL('./peers/', import.meta.url)
const words = process.argv.slice(2)
const verbose = words.includes('--verbose')
const only = words.find((word) => word.startsWith('--only='))?.slice('--only='.length)
const names = words.filter((word) => !word.startsWith('--'))
const groups = corpus.filter(({ name }) => names.length === 0 || names.includes(name))

/** The contestants; installs the packages of the peers, and says so when that is not possible. */
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

async function resultsOf(entrant: Entrant): Promise<Result[]> {
  const own = entrant === edict
  const results: Result[] = []
  let server = await Contestant.start(entrant)
  for (const { name, cases } of groups) {
    for (const of of cases.filter(({ ours = false }) => own || !ours)) {
      const verdict = await judge(server, of, own ? 'edict' : 'anyone')
      results.push({ of, group: name, verdict })
      const { faults } = verdict
      if (faults.length > 0 && (verbose || own))
        console.log(`${entrant.name}: ${of.id} ${of.says}: ${faults.join('; ')}`)
      if (!server.alive) server = await Contestant.start(entrant)
    }
  }
  await server.stop()
  return results
}

const isPassed = ({ verdict }: Result): boolean => verdict.faults.length === 0
const score = (results: readonly Result[]): string =>
  results.length === 0 ? '-' : `${results.filter(isPassed).length}/${results.length}`
const dearest = (results: readonly Result[], key: 'cpu' | 'memory'): Result[] =>
  results.toSorted((a, b) => b.verdict.cost[key] - a.verdict.cost[key]).slice(0, 8)
const most = (results: readonly Result[], key: 'cpu' | 'memory'): number =>
  dearest(results, key)[0]?.verdict.cost[key] ?? 0
const costs = (results: readonly Result[], key: 'cpu' | 'memory'): string =>
  dearest(results, key)
    .map(({ of, verdict }) => `${of.id} ${verdict.cost[key].toFixed(1)}`)
    .join(', ')

ensureScalar()
const contest = entrants()
const all = new Map<Entrant, readonly Result[]>()
for (const entrant of contest) all.set(entrant, await resultsOf(entrant))

const row = (title: string, of: (results: readonly Result[]) => string): void =>
  console.log(`${title.padEnd(48)}${contest.map((one) => of(all.get(one) ?? []).padStart(10)).join('')}`)
console.log(`\n${'group'.padEnd(48)}${contest.map(({ name }) => name.padStart(10)).join('')}`)
for (const { name, title } of groups) {
  row(`${name} ${title}`, (results) => score(results.filter(({ group }) => group === name)))
}
row('all', score)
row('all that everybody is asked', (results) => score(results.filter(({ of }) => of.ours !== true)))
row('most CPU of one case, ms', (results) => most(results, 'cpu').toFixed(0))
row('most memory of one case, MB', (results) => most(results, 'memory').toFixed(1))
row('answers with texts of the engine (not counted)', (results) =>
  String(results.filter(({ verdict }) => verdict.engineText !== undefined).length),
)
if (verbose) {
  for (const [{ name }, results] of all) {
    console.log(`${name}: CPU ${costs(results, 'cpu')}; memory ${costs(results, 'memory')}`)
  }
}
process.exitCode = (all.get(edict) ?? []).every(isPassed) ? 0 : 1
