// What a user's API costs the type checker. Writes APIs of 50, 100 and 200 actions, checks them with both supported
// compilers and divides the type instantiations, less those of a file that only imports edict, by the actions. Fails
// above the ceiling, when the cost per action rises with the size, or when it outgrew the values in type-budget.json.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { endpointSource } from './type-budget-api.ts'

const ceiling = 700
const linear = 1.15
const growth = 1.03
const sizes = [50, 100, 200]
const compilers = [
  { version: '7.0', command: ['node_modules/typescript/bin/tsc', '--singleThreaded'] }, // else shared types count twice
  { version: '5.9', command: ['node_modules/typescript-5.9/bin/tsc'] },
]
const folder = '.cache/type-budget'
const recordFile = 'scripts/type-budget.json'
const write = process.argv.includes('--write')
const record: Record<string, number> = existsSync(recordFile) ? JSON.parse(readFileSync(recordFile, 'utf8')) : {}
const now: Record<string, number> = {}
const problems = new Set<string>()

function measure(command: readonly string[], actions: number): { instantiations: number; seconds: number } {
  const home = `${folder}/${actions}`
  rmSync(home, { recursive: true, force: true })
  mkdirSync(home, { recursive: true })
  const config = { extends: '../../../tsconfig.json', include: ['.'], compilerOptions: { declaration: false } }
  writeFileSync(`${home}/tsconfig.json`, JSON.stringify(config))
  if (actions === 0) writeFileSync(`${home}/empty.ts`, "export * from 'edict'\n")
  for (let n = 0; n < actions / 5; n++) writeFileSync(`${home}/items${n}.ts`, endpointSource(n))
  const args = [...command, '-p', home, '--extendedDiagnostics', '--pretty', 'false']
  const { stdout } = spawnSync(process.execPath, args, { encoding: 'utf8' })
  const errors = stdout.split('\n').filter((line) => line.includes(': error TS'))
  const own = errors.filter((line) => line.startsWith(folder))
  if (own.length > 0) {
    console.error(`type-budget: the generated API does not compile:\n${own.slice(0, 10).join('\n')}`)
    process.exit(1)
  }
  if (errors.length > 0) problems.add('src/ has type errors (npm run check:types), so these figures may be off.')
  const read = (label: string): number => Number(new RegExp(`^${label}: +([\\d.]+)`, 'm').exec(stdout)?.[1])
  return { instantiations: read('Instantiations'), seconds: read('Check time') }
}

if (!existsSync('src/index.ts')) {
  console.error('type-budget: src/index.ts does not exist, so there is nothing to measure.')
  process.exit(1)
}
for (const { version, command } of compilers) {
  const base = measure(command, 0)
  const costs = sizes.map((size) => {
    const { instantiations, seconds } = measure(command, size)
    const cost = Math.round((instantiations - base.instantiations) / size)
    const key = `TypeScript ${version}, ${size} actions`
    console.log(`${key}: ${cost} instantiations per action, checked in ${(seconds - base.seconds).toFixed(2)} s`)
    if (!(cost <= ceiling)) problems.add(`${key}: ${cost} per action, above the ceiling of ${ceiling}.`)
    const before = write ? cost : (record[key] ?? cost)
    if (cost > before * growth) problems.add(`${key}: grew from ${before} to ${cost} per action.`)
    now[key] = cost
    return cost
  })
  const rise = costs.at(-1)! / costs[0]!
  if (!(rise <= linear)) problems.add(`TypeScript ${version}: not linear, ${costs.join(' → ')} per action.`)
}
if (write) writeFileSync(recordFile, `${JSON.stringify(now, null, 2)}\n`)
for (const problem of problems) console.error(problem)
if (problems.size > 0)
  console.error('Remedy: cheaper types; or record an agreed growth: npm run check:type-budget -- --write')
process.exitCode = problems.size === 0 ? 0 : 1
