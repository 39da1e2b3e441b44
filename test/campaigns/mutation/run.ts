// `npm run campaign -- mutation`: puts small faults into sources one by one and asks the tests to notice each of them. It takes
// files, folders, `--all`, or what differs from a base; `--sample` runs a share of the mutants, `--mutants` a number of each folder, and `--seconds` is the budget
// of tests for one mutant.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { Stryker } from '@stryker-mutator/core'
import { type Accepted, BOUND, folderOf, isLow, type Mutant, reportOf, tableOf } from './report.ts'
import { fromZero, mutantOf } from './result.ts'
import { countFrom, isInSample, type Sampled, sampledOf, shareFor, shareFrom } from './sample.ts'
import { areaOf, testsOf, testsOfArea } from './tests.ts'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
const CACHE = '.cache/mutation'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    all: { type: 'boolean', default: false },
    base: { type: 'string' },
    /** Runs every test of the folder's area, not only those of the folder's subjects. */
    wide: { type: 'boolean', default: false },
    /** Runs this share of the mutants only, always the same ones. */
    sample: { type: 'string', default: '1' },
    /** Runs about so many mutants of each folder, always the same ones. */
    mutants: { type: 'string' },
    seconds: { type: 'string', default: '10' },
    concurrency: { type: 'string', default: '1' },
    /** Forgets the results of earlier campaigns. */
    fresh: { type: 'boolean', default: false },
  },
})

const share = shareFrom(values.sample)
const count = values.mutants === undefined ? undefined : countFrom(values.mutants)
const sampled = share < 1 || count !== undefined

const git = (...args: string[]): string => execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' })

/** The commit to compare with: the one named, where the branch left main, or the last one. */
function baseOf(): string {
  if (values.base !== undefined) return values.base
  try {
    const left = git('merge-base', 'HEAD', 'main').trim()
    return left === git('rev-parse', 'HEAD').trim() ? 'HEAD~1' : left
  } catch {
    return 'HEAD~1'
  }
}

const isSource = (file: string): boolean => /^src\/.*\.ts$/.test(file) && !/(?:\.test|\.test-d|\.d)\.ts$/.test(file)

function filesIn(path: string): string[] {
  if (!existsSync(join(ROOT, path))) throw new Error(`There is no ${path}; name files or folders of src`)
  if (!statSync(join(ROOT, path)).isDirectory()) return [path]
  return readdirSync(join(ROOT, path), { recursive: true, encoding: 'utf8' }).map((name) => join(path, name))
}

function wanted(): string[] {
  if (values.all) return filesIn('src').filter(isSource)
  if (positionals.length > 0) return positionals.flatMap(filesIn).filter(isSource)
  const changed = git('diff', '--name-only', '--diff-filter=d', baseOf(), '--', 'src').split('\n')
  return changed.filter(isSource)
}

/**
 * How many files are looked at together: what is done is kept, and a campaign that is stopped loses one such part. A sample
 * takes a folder at once, as finding out which test reaches which mutant would take most of its time.
 */
const TOGETHER = sampled ? Number.POSITIVE_INFINITY : 8

const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8')

/** The share of the mutants of each folder that is run. */
function sharesOf(files: readonly string[]): Record<string, number> {
  const texts: Record<string, string[]> = {}
  for (const file of files) texts[folderOf(file)] = [...(texts[folderOf(file)] ?? []), read(file)]
  return Object.fromEntries(
    Object.entries(texts).map(([folder, those]) => [folder, count === undefined ? share : shareFor(count, those)]),
  )
}

/** Runs a part of the campaign of one folder, or of the folders of one area. */
async function campaign(group: string, files: readonly string[]): Promise<Mutant[]> {
  const shares = sharesOf(files)
  const kind = [values.wide ? '-wide' : '', count === undefined ? '' : `-${count}`, share < 1 ? `-sample-${share}` : '']
  const name = (files[0] as string).replaceAll(/[/.]/g, '-') + kind.join('')
  const { include, databases } = values.wide ? testsOfArea(group) : testsOf(group)
  process.env['EDICT_MUTATION_TESTS'] = JSON.stringify(include)
  process.env['EDICT_MUTATION_DATABASES'] = databases ? 'yes' : 'no'
  const stryker = new Stryker({
    mutate: [...files],
    plugins: ['@stryker-mutator/vitest-runner', join(ROOT, 'test/campaigns/mutation/runner.ts')],
    testRunner: 'warm-vitest',
    ignorers: ['member-names'],
    coverageAnalysis: 'perTest',
    vitest: { configFile: 'test/campaigns/mutation/vitest.config.ts', related: false },
    secondsPerMutant: Number(values.seconds),
    sampleShares: shares,
    concurrency: Number(values.concurrency),
    incremental: true,
    incrementalFile: join(CACHE, `${name}.incremental.json`),
    force: values.fresh,
    tempDirName: join(CACHE, 'sandbox'),
    ignorePatterns: ['.cache', 'bench', 'coverage', 'dist', 'test/documentation/clients', 'test/campaigns/compat'],
    // TypeScript 7 has no interface for tools, and nothing in the configuration needs to be rewritten.
    tsconfigFile: 'none.json',
    disableTypeChecks: false,
    dryRunTimeoutMinutes: 30,
    // Only what hangs is slow: machines may be busy.
    timeoutMS: 20_000,
    timeoutFactor: 4,
    reporters: ['progress-append-only'],
    allowConsoleColors: false,
    logLevel: 'warn',
    warnings: { unknownOptions: false, slow: false },
  } as never)
  const results = await stryker.runMutationTest()
  const isRun = (mutant: Sampled): boolean => isInSample(shares[folderOf(mutant.file)] ?? 1, mutant)
  return results.filter((one) => isRun(sampledOf(fromZero(one)))).map((one) => mutantOf(one, read))
}

// Plugins are TypeScript, also in the processes that Stryker starts.
process.env['NODE_OPTIONS'] = '--import tsx'
mkdirSync(join(ROOT, CACHE), { recursive: true })
const accepted = JSON.parse(readFileSync(new URL('./survivors.json', import.meta.url), 'utf8')) as Accepted[]
const groupOf = (file: string): string => (values.wide ? areaOf(folderOf(file)) : folderOf(file))
const groups = new Map<string, string[]>()
for (const file of wanted()) groups.set(groupOf(file), [...(groups.get(groupOf(file)) ?? []), file])
if (groups.size === 0) console.log('mutation: no source has changed')

const all: Mutant[] = []
for (const [group, files] of groups) {
  console.log(`mutation: ${group}, ${files.length} ${files.length === 1 ? 'file' : 'files'}`)
  for (let i = 0; i < files.length; i += TOGETHER) all.push(...(await campaign(group, files.slice(i, i + TOGETHER))))
}
const report = reportOf(all, accepted, { files: [...groups.values()].flat(), sampled })
console.log(tableOf(report))
writeFileSync(join(ROOT, CACHE, 'report.json'), JSON.stringify(report, null, 2))
console.log(
  `Survivors are in ${CACHE}/report.json, accepted ones with their reasons in test/campaigns/mutation/survivors.json.`,
)
for (const one of report.gone)
  console.error(`mutation: ${one.file} has no such survivor any more, remove it: ${one.original} -> ${one.replacement}`)
const low = report.folders.filter(isLow)
for (const { folder, percent } of low)
  console.error(`mutation: ${folder}: ${percent.toFixed(1)} % killed, the bound is ${BOUND} %`)
process.exitCode = low.length === 0 && report.gone.length === 0 ? 0 : 1
