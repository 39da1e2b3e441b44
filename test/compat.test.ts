// The same answers on every runtime and through nginx; `npm run test:compat` is the long form, with a table.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cases } from './compat/cases/cases.ts'
import { nginxProgram } from './compat/proxy.ts'
import { proxyCases } from './compat/proxy-cases.ts'
import { nodeProgram, runtimes } from './compat/runtimes.ts'
import { finish, type Outcome, onRuntime, prepare, throughProxy, wireTests } from './compat/suite.ts'

const patience = 120_000
const wire = ['src/adapters/node/response.test.ts', 'src/adapters/node/message.test.ts']

beforeAll(prepare, patience)
afterAll(finish)

const faults = (outcomes: readonly Outcome[]): string[] =>
  outcomes.flatMap(({ where, group, name, fault }) =>
    fault === undefined ? [] : [`${where} › ${group} › ${name}: ${fault}`],
  )

/** A test that needs a program: without it, it is skipped, and in CI it fails. */
function needing(program: string | undefined, remedy: string, title: string, run: () => Promise<void>): void {
  if (program !== undefined) it(title, run, patience)
  else if (process.env['CI']) it(title, () => Promise.reject(new Error(remedy)))
  else it.skip(`${title} (${remedy})`, () => {})
}

const install = 'not installed: run npm ci in test/compat/runtimes'

describe.concurrent('every case passes', () => {
  for (const runtime of runtimes) {
    needing(runtime.program, install, `on ${runtime.name}`, async () => {
      const outcomes = await onRuntime(runtime)
      expect(faults(outcomes)).toEqual([])
      expect(outcomes).toHaveLength(cases.length)
    })
  }
  needing(nginxProgram, 'not installed: the package nginx of Debian', 'through nginx', async () => {
    const outcomes = await throughProxy()
    expect(faults(outcomes)).toEqual([])
    expect(outcomes).toHaveLength(2 * cases.length + proxyCases.length)
  })
})

describe('our objects of node:http are what those of Node are', () => {
  for (const major of [22, 24]) {
    needing(nodeProgram(major), install, `on Node ${major}`, async () => {
      const outcomes = await wireTests(major, wire)
      expect(faults(outcomes)).toEqual([])
      expect(outcomes.length).toBeGreaterThan(60)
    })
  }
})
