// The test runner of campaigns: Stryker's for Vitest, in a process that stays, with the mutant there from the first module
// on, and within a budget of time for each mutant.
import type { StrykerOptions } from '@stryker-mutator/api/core'
import type { Logger } from '@stryker-mutator/api/logging'
import {
  commonTokens,
  declareFactoryPlugin,
  declareValuePlugin,
  type Injector,
  PluginKind,
} from '@stryker-mutator/api/plugin'
import {
  type CompleteDryRunResult,
  type DryRunOptions,
  type DryRunResult,
  DryRunStatus,
  type MutantRunOptions,
  type MutantRunResult,
  MutantRunStatus,
  type TestRunner,
  TestStatus,
} from '@stryker-mutator/api/test-runner'
import { strykerPlugins as vitestPlugins } from '@stryker-mutator/vitest-runner'
import type { TestProject, Vitest } from 'vitest/node'
import { coverageWithin, type FileCoverage } from './coverage.ts'
import { folderOf } from './report.ts'
import { isInSample, sampledOf } from './sample.ts'
import { warmPool } from './warm-pool.ts'

export { strykerValidationSchema } from '@stryker-mutator/vitest-runner'

/** The part of Stryker's runner that is private to it. */
interface VitestRunner extends TestRunner {
  readonly ctx: Vitest
}

class WarmRunner implements TestRunner {
  readonly #inner: VitestRunner
  readonly #pool = warmPool()
  readonly #log: Logger
  readonly #budget: number
  readonly #shares: Readonly<Record<string, number>>

  constructor(inner: VitestRunner, options: StrykerOptions, log: Logger) {
    this.#inner = inner
    this.#log = log
    this.#budget = Number(options['secondsPerMutant']) * 1000
    this.#shares = options['sampleShares'] as Readonly<Record<string, number>>
  }

  // Every run evaluates all modules anew.
  capabilities(): { reloadEnvironment: true } {
    return { reloadEnvironment: true }
  }

  async init(): Promise<void> {
    await this.#inner.init?.()
    for (const { config } of this.#projects()) Object.assign(config, { pool: 'warm', poolRunner: this.#pool })
  }

  async dryRun(options: DryRunOptions): Promise<DryRunResult> {
    for (const { config } of this.#projects()) config.isolate = true
    // A test that fails without a mutant must not keep the others from being run.
    const result = await this.#bailing(0, () => this.#inner.dryRun(options))
    if (result.status !== DryRunStatus.Complete) return result
    const tests = result.tests.filter(({ status }) => status !== TestStatus.Failed)
    // A test that starts processes may fail on a busy machine; the others can judge without it.
    for (const test of result.tests)
      if (test.status === TestStatus.Failed)
        this.#log.warn(`Does not judge, as it fails without a mutant: ${test.id}: ${test.failureMessage}`)
    return this.#planned({ ...result, tests }, options.files ?? [])
  }

  async mutantRun(options: MutantRunOptions): Promise<MutantRunResult> {
    // The campaign leaves out the results of mutants outside of its sample.
    const mutant = sampledOf(options.activeMutant)
    if (!isInSample(this.#shares[folderOf(mutant.file)] ?? 1, mutant))
      return { status: MutantRunStatus.Survived, nrOfTests: 0 }
    for (const { config } of this.#projects()) config.isolate = false
    const result = await this.#inner.mutantRun({ ...options, mutantActivation: 'static' })
    if (result.status === MutantRunStatus.Survived)
      this.#log.warn(`Survived ${result.nrOfTests} tests: ${JSON.stringify(mutant)}`)
    return result
  }

  async #bailing<R>(after: number, work: () => Promise<R>): Promise<R> {
    const all = [this.#inner.ctx.config, ...this.#projects().map(({ config }) => config)]
    const before = all.map(({ bail }) => bail)
    for (const config of all) config.bail = after
    try {
      return await work()
    } finally {
      for (const [i, config] of all.entries()) config.bail = before[i] as number
    }
  }

  async dispose(): Promise<void> {
    await this.#inner.dispose?.()
    this.#pool.close()
  }

  #projects(): TestProject[] {
    return this.#inner.ctx.projects
  }

  #planned(result: CompleteDryRunResult, sources: readonly string[]): CompleteDryRunResult {
    const files = this.#inner.ctx.state.getFiles().map(({ filepath, meta }): FileCoverage => {
      const { mutantCoverage } = meta as { mutantCoverage?: Pick<FileCoverage, 'static' | 'perTest'> }
      return { file: filepath, static: mutantCoverage?.static ?? {}, perTest: mutantCoverage?.perTest ?? {} }
    })
    return { ...result, mutantCoverage: coverageWithin(this.#budget, result.tests, files, sources) }
  }
}

const [vitest] = vitestPlugins

type Resolving = { resolve(token: string): unknown }

function warmRunner(injector: Injector<never>): TestRunner {
  const inner = (injector as never as { injectFunction(factory: unknown): VitestRunner }).injectFunction(
    (vitest as unknown as { factory: unknown }).factory,
  )
  const resolve = <T>(token: string): T => (injector as never as Resolving).resolve(token) as T
  return new WarmRunner(inner, resolve(commonTokens.options), resolve(commonTokens.logger))
}
warmRunner.inject = [commonTokens.injector] as const

/** A string that is the name of a member of a class: Stryker cannot put a mutant there, and stops. */
const memberNames = {
  shouldIgnore: ({ key, parent }: { readonly key?: unknown; readonly parent?: { readonly type: string } | null }) =>
    key === 'key' && parent?.type.startsWith('Class') ? 'It is the name of a member' : undefined,
}

export const strykerPlugins = [
  declareFactoryPlugin(PluginKind.TestRunner, 'warm-vitest', warmRunner as never),
  declareValuePlugin(PluginKind.Ignore, 'member-names', memberNames),
]
