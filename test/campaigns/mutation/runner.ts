// The test runner of campaigns: Stryker's for Vitest, in a process that stays, with the mutant there from the first module
// on, and within a budget of time for each mutant.
import type { StrykerOptions } from '@stryker-mutator/api/core'
import { commonTokens, declareFactoryPlugin, type Injector, PluginKind } from '@stryker-mutator/api/plugin'
import {
  type CompleteDryRunResult,
  type DryRunOptions,
  type DryRunResult,
  DryRunStatus,
  type MutantRunOptions,
  type MutantRunResult,
  MutantRunStatus,
  type TestRunner,
} from '@stryker-mutator/api/test-runner'
import { strykerPlugins as vitestPlugins } from '@stryker-mutator/vitest-runner'
import type { TestProject, Vitest } from 'vitest/node'
import { coverageWithin, type FileCoverage } from './coverage.ts'
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
  readonly #budget: number
  readonly #share: number

  constructor(inner: VitestRunner, options: StrykerOptions) {
    this.#inner = inner
    this.#budget = Number(options['secondsPerMutant']) * 1000
    this.#share = Number(options['sampleShare'])
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
    const result = await this.#inner.dryRun(options)
    return result.status === DryRunStatus.Complete ? this.#planned(result, options.files ?? []) : result
  }

  async mutantRun(options: MutantRunOptions): Promise<MutantRunResult> {
    // The campaign leaves out the results of mutants outside of its sample.
    if (!isInSample(this.#share, sampledOf(options.activeMutant)))
      return { status: MutantRunStatus.Survived, nrOfTests: 0 }
    for (const { config } of this.#projects()) config.isolate = false
    return this.#inner.mutantRun({ ...options, mutantActivation: 'static' })
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

function warmRunner(injector: Injector<never>): TestRunner {
  const inner = (injector as never as { injectFunction(factory: unknown): VitestRunner }).injectFunction(
    (vitest as unknown as { factory: unknown }).factory,
  )
  const options = (injector as never as { resolve(token: string): StrykerOptions }).resolve(commonTokens.options)
  return new WarmRunner(inner, options)
}
warmRunner.inject = [commonTokens.injector] as const

export const strykerPlugins = [declareFactoryPlugin(PluginKind.TestRunner, 'warm-vitest', warmRunner as never)]
