// Clients of SQLite that the oldest Node cannot load: the tests of datastores run once more, on a newer one.
import { spawn } from 'node:child_process'
import { readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'vitest'
import { nodeProgram, runtimeNeed } from '../../campaigns/compat/runtimes.ts'
import { itWith } from '../../support/needs.ts'
import { environmentOfNestedRun } from '../../support/nested-run.ts'
import { SLOW } from '../walks/walk.ts'

const FILES = [
  'src/plugins/datastores/catalogue/suite.test.ts',
  'src/plugins/datastores/catalogue/values.test.ts',
  'src/plugins/datastores/plain/drivers.test.ts',
  'test/channels/outbox.test.ts',
  'test/lists/datastores/failures.test.ts',
  'test/lists/datastores/writes.test.ts',
  'test/lists/exports/snapshots.test.ts',
  'test/lists/walks/exact.test.ts',
]

const program = nodeProgram(24)

interface Report {
  readonly numFailedTests: number
  readonly numPendingTests: number
  readonly testResults: readonly {
    readonly message: string
    readonly assertionResults: readonly {
      readonly fullName: string
      readonly status: string
      readonly failureMessages: readonly string[]
    }[]
  }[]
}

async function run(node: string): Promise<Report> {
  const output = join(tmpdir(), `edict-newer-${process.pid}.json`)
  const args = ['node_modules/vitest/vitest.mjs', 'run', ...FILES, '--typecheck=false', '--maxWorkers=1']
  const child = spawn(node, [...args, '--reporter=json', `--outputFile=${output}`], {
    env: { ...environmentOfNestedRun(), EDICT_NEWER_NODE: 'yes' },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  await new Promise((resolve, reject) => child.on('error', reject).on('close', resolve))
  try {
    return JSON.parse(readFileSync(output, 'utf8')) as Report
  } finally {
    rmSync(output, { force: true })
  }
}

itWith(
  runtimeNeed('Node 24', program),
  '[LST-14] better-sqlite3 and node:sqlite pass the suite, walk exactly and write as the others do',
  async () => {
    const { numFailedTests, numPendingTests, testResults } = await run(program as string)
    const all = testResults.flatMap(({ assertionResults }) => assertionResults)
    const failures = all.filter(({ status }) => status === 'failed')
    const told = failures.map(({ fullName, failureMessages }) => [fullName, failureMessages.join('\n')])
    expect([told, testResults.map(({ message }) => message).filter(Boolean)]).toEqual([[], []])
    expect([numFailedTests, numPendingTests, testResults.length]).toEqual([0, 0, FILES.length])
    for (const client of ['better-sqlite3', 'node:sqlite'])
      expect(all.filter(({ fullName }) => fullName.includes(client)).length).toBeGreaterThan(100)
  },
  SLOW * 2,
)
