// Runs the cases on every runtime and through the proxy, and counts.
import { spawn } from 'node:child_process'
import { environmentOfNestedRun } from '../../support/nested-run.ts'
import { bundle, unbundle } from './bundle.ts'
import { cases } from './cases/cases.ts'
import { hangUp, type Target } from './client.ts'
import { type Proxied, startProxy } from './proxy.ts'
import { proxyCases } from './proxy-cases.ts'
import { nodeProgram, type Runtime, start } from './runtimes.ts'

/** The outcome of one case. */
export interface Outcome {
  readonly where: string
  readonly group: string
  readonly name: string
  /** Why it failed. */
  readonly fault?: string
}

/** The most characters of a failure that are shown. */
const longest = 1000

interface Runnable<T> {
  readonly group: string
  readonly name: string
  run(target: T): Promise<void>
}

async function play<T>(where: string, target: T, all: readonly Runnable<T>[]): Promise<Outcome[]> {
  const outcomes: Outcome[] = []
  for (const { group, name, run } of all) {
    const attempt = () =>
      run(target).then(
        () => undefined,
        (error: Error) => error.message.slice(0, longest),
      )
    // Some cases measure times, which a busy machine stretches; what a runtime does differently, it does every time.
    const fault = (await attempt()) && (await attempt())
    outcomes.push({ where, group, name, ...(fault !== undefined && { fault }) })
  }
  return outcomes
}

/** Runs the cases on one runtime. */
export async function onRuntime(runtime: Runtime): Promise<Outcome[]> {
  const server = await start(runtime)
  try {
    return await play<Target>(runtime.name, server, cases)
  } finally {
    await server.stop()
  }
}

/** Runs the cases through nginx, twice, and then those of the proxy itself. */
export async function throughProxy(): Promise<Outcome[]> {
  const proxied = await startProxy()
  try {
    const [advised, prefixed] = await Promise.all([
      play<Target>('nginx', proxied.advised, cases),
      play<Target>('nginx, prefix', proxied.prefixed, cases),
    ])
    return [...advised, ...prefixed, ...(await play<Proxied>('nginx and node', proxied, proxyCases))]
  } finally {
    await proxied.stop()
  }
}

/** Runs tests of the repository with the Node of another version; `files` as vitest takes them. */
export function wireTests(major: number, files: readonly string[]): Promise<Outcome[]> {
  const program = nodeProgram(major)
  const where = `node ${major}`
  if (program === undefined) throw new Error(`${where} is not installed`)
  // They measure times, which a busy machine stretches; what Node does differently, it does every time.
  const options = ['--typecheck.enabled=false', '--retry=2', '--reporter=json', '--no-color']
  return new Promise((resolve, reject) => {
    const child = spawn(program, ['node_modules/vitest/vitest.mjs', 'run', ...files, ...options], {
      env: environmentOfNestedRun(),
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    let text = ''
    child.stdout.on('data', (chunk: Buffer) => {
      text += chunk
    })
    child.on('error', reject)
    child.on('close', (code) => {
      try {
        resolve(wireOutcomes(where, text.slice(text.indexOf('{'))))
      } catch {
        reject(new Error(`vitest on ${where} ended with code ${code}: ${text}`))
      }
    })
  })
}

interface Report {
  readonly testResults: readonly {
    readonly name: string
    readonly status: string
    readonly message: string
    readonly assertionResults: readonly { fullName: string; status: string; failureMessages: readonly string[] }[]
  }[]
}

function wireOutcomes(where: string, text: string): Outcome[] {
  const { testResults } = JSON.parse(text) as Report
  const outcomes = testResults.flatMap(({ name: file, status, message, assertionResults }): Outcome[] => {
    if (assertionResults.length === 0) return [{ where, group: 'wire', name: file, fault: message || status }]
    return assertionResults.map(({ fullName: name, status, failureMessages }) => {
      const fault = status === 'passed' ? {} : { fault: failureMessages.join('\n').slice(0, longest) || status }
      return { where, group: 'wire', name, ...fault }
    })
  })
  return outcomes.length > 0 ? outcomes : [{ where, group: 'wire', name: 'all', fault: 'no test ran' }]
}

/** Prepares the servers; call it before any of the above. */
export const prepare = bundle

/** Lets go of everything. */
export function finish(): void {
  hangUp()
  unbundle()
}
