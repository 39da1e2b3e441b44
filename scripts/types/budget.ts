// Measures the cost of a user's API for the type checker. Writes generated APIs of several sizes, checks them with both
// supported compilers against the built declarations, like users do, and divides the type instantiations (minus those of an
// API with one endpoint) by the number of further actions. Fails above a ceiling, when the cost per action rises with the
// size, or when it exceeds the values in budget.json.
// A quick run: `npx tsx scripts/types/budget.ts --api realistic --size 50,500 --compiler 7.0`.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { ACTIONS_EACH, depotApi, type Files } from './depot-api.ts'
import { compilers, diagnose, type Version, writeProject } from './project.ts'
import { renderEndpoint, renderLimitedEndpoint } from './small-api.ts'

interface MeasuredApi {
  readonly sizes: (version: Version) => readonly number[]
  readonly files: (actions: number) => Files
  /** The maximum number of instantiations per action, at any size. */
  readonly ceiling: number
  /** The maximum ratio between the cost of an action added to the largest API and to the smallest. */
  readonly rise: number
}

const smallApi: MeasuredApi = {
  sizes: (version) => (version === '7.0' ? [50, 100, 200] : [100]),
  files: (actions) =>
    Object.fromEntries(Array.from({ length: actions / 5 }, (_, n) => [`items${n}.ts`, renderEndpoint(n)])),
  ceiling: 505,
  rise: 1.05,
}

/** The larger sizes take TypeScript 5.9 up to a minute: measure them with `--size 500,2000 --compiler 5.9`. */
const realisticApi: MeasuredApi = {
  sizes: (version) => (version === '7.0' ? [50, 500, 2000] : [50, 150]),
  files: (actions) => depotApi(actions / ACTIONS_EACH),
  ceiling: 1510,
  rise: 1.05,
}

/** The maximum cost of three policies per action. */
const MAX_POLICY_COST = 60
/** The small API with three policies per action, compared with the small API of the same size. */
const policiesApi: MeasuredApi = {
  ...smallApi,
  ceiling: smallApi.ceiling + MAX_POLICY_COST,
  sizes: (version) => (version === '7.0' ? [100] : []),
  files: (actions) =>
    Object.fromEntries(Array.from({ length: actions / 5 }, (_, n) => [`items${n}.ts`, renderLimitedEndpoint(n)])),
}

/**
 * The declarations of the realistic API alone, and with a client that calls every action: the difference is the cost of the
 * client.
 */
const designApi: MeasuredApi = {
  ...realisticApi,
  sizes: (version) => (version === '7.0' ? [200] : []),
  files: (actions) => pickFiles(actions, /^design/),
}
const clientApi: MeasuredApi = { ...designApi, files: (actions) => pickFiles(actions, /^(?:design|client)/) }
const pickFiles = (actions: number, names: RegExp): Files =>
  Object.fromEntries(Object.entries(realisticApi.files(actions)).filter(([name]) => names.test(name)))
/** The maximum cost of the client per action, including its calls. */
const MAX_CLIENT_COST = 570

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
const { values: options } = parseArgs({ options: { ...texts, write: { type: 'boolean', default: false } } })
const record: Record<string, number> = existsSync(recordFile) ? JSON.parse(readFileSync(recordFile, 'utf8')) : {}
const measured: Record<string, number> = {}
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

/** Returns the cost of each action that the next larger API adds. */
const getMarginalCosts = (costs: readonly Cost[]): number[] =>
  costs.slice(1).map(({ actions, instantiations }, index) => {
    const before = costs[index]!
    return Math.round((instantiations - before.instantiations) / (actions - before.actions))
  })

function compareSizes(name: string, version: Version, costs: readonly Cost[], rise: number): void {
  const added = getMarginalCosts(costs)
  if (added.length === 0) return
  const label = `${name}, TypeScript ${version}`
  console.log(
    `${label}, ${costs.map(({ actions }) => actions).join(' → ')} actions: ${added.join(', ')} per added action`,
  )
  const maximum = Math.max(...added)
  if (!(maximum <= added[0]! * rise))
    problems.add(`${label}: not linear, an added action may cost ${Math.round(added[0]! * rise)}, not ${maximum}.`)
}

function measureApi(name: string, { sizes, files, ceiling, rise }: MeasuredApi, version: Version): void {
  const actionCounts = options.size?.split(',').map(Number) ?? sizes(version)
  if (actionCounts.length === 0) return
  const first = measure(version, `${name}-first`, files(ACTIONS_EACH))
  const costs = actionCounts.map((actions): Cost => {
    const found = measure(version, `${name}-${actions}`, files(actions))
    const instantiations = found.instantiations - first.instantiations
    const cost = Math.round(instantiations / (actions - ACTIONS_EACH))
    const key = `${name}, TypeScript ${version}, ${actions} actions`
    console.log(`${key}: ${cost} per action, checked in ${(found.seconds - first.seconds).toFixed(2)} s`)
    if (!(cost <= ceiling)) problems.add(`${key}: at most ${ceiling} per action, not ${cost}.`)
    const before = options.write ? cost : (record[key] ?? cost)
    if (cost > before * growth) problems.add(`${key}: grew from ${before} to ${cost} per action.`)
    measured[key] = cost
    return { actions, instantiations }
  })
  compareSizes(name, version, costs, rise)
}

for (const version of compilers) {
  if (options.compiler !== undefined && options.compiler !== version) continue
  for (const [name, api] of Object.entries(apis))
    if (options.api === undefined || options.api === name) measureApi(name, api, version)
}
function compareApis(label: string, [before, after]: readonly [string, string], size: number, maximum: number): void {
  for (const version of compilers) {
    const [less, more] = [before, after].map((name) => measured[`${name}, TypeScript ${version}, ${size} actions`])
    if (less === undefined || more === undefined) continue
    console.log(`${label}, TypeScript ${version}: ${more - less} more per action`)
    if (more - less > maximum)
      problems.add(`${label}, TypeScript ${version}: at most ${maximum} more per action, not ${more - less}.`)
  }
}

compareApis('three policies', ['small', 'policies'], 100, MAX_POLICY_COST)
compareApis('the client', ['design', 'client'], 200, MAX_CLIENT_COST)
if (options.write) writeFileSync(recordFile, `${JSON.stringify({ ...record, ...measured }, null, 2)}\n`)
for (const problem of problems) console.error(problem)
if (problems.size > 0)
  console.error('Remedy: cheaper types; or record an agreed growth: npm run check:type-budget -- --write')
process.exitCode = problems.size === 0 ? 0 : 1
