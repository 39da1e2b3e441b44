// The cost of a user's API for the type checker. Writes generated APIs of several sizes, checks them with both supported
// compilers against the built declarations, as users do, and divides the type instantiations, less those of an API with one
// endpoint, by the actions beyond it. Fails above a ceiling, when the cost per action rises with the size, or when it outgrew
// the values in budget.json.
// A quick look: `npx tsx scripts/types/budget.ts --api realistic --size 50,500 --compiler 7.0`.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { ACTIONS_EACH, depotApi, type Files } from './depot-api.ts'
import { compilers, diagnose, type Version, writeProject } from './project.ts'
import { endpointSource, limitedSource } from './small-api.ts'

interface MeasuredApi {
  readonly sizes: (version: Version) => readonly number[]
  readonly files: (actions: number) => Files
  /** The most instantiations of an action, at any size. */
  readonly ceiling: number
  /** How much dearer an action may be that is added to the largest API than one that is added to the smallest. */
  readonly rise: number
}

const smallApi: MeasuredApi = {
  sizes: (version) => (version === '7.0' ? [50, 100, 200] : [100]),
  files: (actions) =>
    Object.fromEntries(Array.from({ length: actions / 5 }, (_, n) => [`items${n}.ts`, endpointSource(n)])),
  ceiling: 484,
  rise: 1.05,
}

/** The larger sizes take TypeScript 5.9 up to a minute: they are measured when asked for, `--size 500,2000 --compiler 5.9`. */
const realisticApi: MeasuredApi = {
  sizes: (version) => (version === '7.0' ? [50, 500, 2000] : [50, 150]),
  files: (actions) => depotApi(actions / ACTIONS_EACH),
  ceiling: 1500,
  rise: 1.05,
}

/** The most that three policies add to an action. */
const MOST_OF_POLICIES = 60
/** The small API with three policies of each action: how much they add is compared with the small one of the same size. */
const policiesApi: MeasuredApi = {
  ...smallApi,
  ceiling: smallApi.ceiling + MOST_OF_POLICIES,
  sizes: (version) => (version === '7.0' ? [100] : []),
  files: (actions) =>
    Object.fromEntries(Array.from({ length: actions / 5 }, (_, n) => [`items${n}.ts`, limitedSource(n)])),
}

/** The declarations of the realistic API alone, and with a client that calls every action: the difference is what the client costs. */
const designApi: MeasuredApi = {
  ...realisticApi,
  sizes: (version) => (version === '7.0' ? [200] : []),
  files: (actions) => partOf(actions, /^design/),
}
const clientApi: MeasuredApi = { ...designApi, files: (actions) => partOf(actions, /^(?:design|client)/) }
const partOf = (actions: number, names: RegExp): Files =>
  Object.fromEntries(Object.entries(realisticApi.files(actions)).filter(([name]) => names.test(name)))
/** The most that the client of an action costs, its calls included. */
const MOST_OF_CLIENT = 500

const apis: Readonly<Record<string, MeasuredApi>> = {
  small: smallApi,
  policies: policiesApi,
  realistic: realisticApi,
  design: designApi,
  client: clientApi,
}
const growth = 1.03
const recordFile = 'scripts/types/budget.json'
const texts = { api: { type: 'string' }, size: { type: 'string' }, compiler: { type: 'string' } } as const
const { values: given } = parseArgs({ options: { ...texts, write: { type: 'boolean', default: false } } })
const record: Record<string, number> = existsSync(recordFile) ? JSON.parse(readFileSync(recordFile, 'utf8')) : {}
const now: Record<string, number> = {}
const problems = new Set<string>()

interface Cost {
  readonly actions: number
  readonly instantiations: number
}

function measure(version: Version, name: string, files: Files): { instantiations: number; seconds: number } {
  const folder = `.cache/type-budget/${name}`
  writeProject(folder, files, { declaration: false, paths: {} })
  const { errors, instantiations, seconds } = diagnose(version, folder)
  const own = errors.filter((line) => line.startsWith(folder))
  if (own.length > 0) {
    console.error(`type-budget: the generated API does not compile:\n${own.slice(0, 10).join('\n')}`)
    process.exit(1)
  }
  if (errors.length > 0) problems.add('src/ has type errors (npm run check:types), so these figures may be off.')
  return { instantiations, seconds }
}

/** The cost of each action that the next larger API adds. */
const marginals = (costs: readonly Cost[]): number[] =>
  costs.slice(1).map(({ actions, instantiations }, index) => {
    const before = costs[index]!
    return Math.round((instantiations - before.instantiations) / (actions - before.actions))
  })

function compareSizes(name: string, version: Version, costs: readonly Cost[], rise: number): void {
  const added = marginals(costs)
  if (added.length === 0) return
  const place = `${name}, TypeScript ${version}`
  console.log(
    `${place}, ${costs.map(({ actions }) => actions).join(' → ')} actions: ${added.join(', ')} per added action`,
  )
  const most = Math.max(...added)
  if (!(most <= added[0]! * rise))
    problems.add(`${place}: not linear, an added action may cost ${Math.round(added[0]! * rise)}, not ${most}.`)
}

function measureApi(name: string, { sizes, files, ceiling, rise }: MeasuredApi, version: Version): void {
  const wanted = given.size?.split(',').map(Number) ?? sizes(version)
  if (wanted.length === 0) return
  const first = measure(version, `${name}-first`, files(ACTIONS_EACH))
  const costs = wanted.map((actions): Cost => {
    const found = measure(version, `${name}-${actions}`, files(actions))
    const instantiations = found.instantiations - first.instantiations
    const cost = Math.round(instantiations / (actions - ACTIONS_EACH))
    const key = `${name}, TypeScript ${version}, ${actions} actions`
    console.log(`${key}: ${cost} per action, checked in ${(found.seconds - first.seconds).toFixed(2)} s`)
    if (!(cost <= ceiling)) problems.add(`${key}: at most ${ceiling} per action, not ${cost}.`)
    const before = given.write ? cost : (record[key] ?? cost)
    if (cost > before * growth) problems.add(`${key}: grew from ${before} to ${cost} per action.`)
    now[key] = cost
    return { actions, instantiations }
  })
  compareSizes(name, version, costs, rise)
}

for (const version of compilers) {
  if (given.compiler !== undefined && given.compiler !== version) continue
  for (const [name, api] of Object.entries(apis))
    if (given.api === undefined || given.api === name) measureApi(name, api, version)
}
function compareApis(label: string, [before, after]: readonly [string, string], size: number, most: number): void {
  for (const version of compilers) {
    const [less, more] = [before, after].map((name) => now[`${name}, TypeScript ${version}, ${size} actions`])
    if (less === undefined || more === undefined) continue
    console.log(`${label}, TypeScript ${version}: ${more - less} more per action`)
    if (more - less > most)
      problems.add(`${label}, TypeScript ${version}: at most ${most} more per action, not ${more - less}.`)
  }
}

compareApis('three policies', ['small', 'policies'], 100, MOST_OF_POLICIES)
compareApis('the client', ['design', 'client'], 200, MOST_OF_CLIENT)
if (given.write) writeFileSync(recordFile, `${JSON.stringify({ ...record, ...now }, null, 2)}\n`)
for (const problem of problems) console.error(problem)
if (problems.size > 0)
  console.error('Remedy: cheaper types; or record an agreed growth: npm run check:type-budget -- --write')
process.exitCode = problems.size === 0 ? 0 : 1
