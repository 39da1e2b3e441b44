// The same answers on every runtime and through nginx; `npm run campaign -- compat` is the long form, with a table.
import { afterAll, beforeAll, describe, expect } from 'vitest'
import { itWith } from '../support/needs.ts'
import { cases } from './compat/cases/cases.ts'
import { proxyNeed } from './compat/proxy.ts'
import { proxyCases } from './compat/proxy-cases.ts'
import { nodeProgram, runtimeNeed, runtimes } from './compat/runtimes.ts'
import { finish, type Outcome, onRuntime, prepare, throughProxy, wireTests } from './compat/suite.ts'

const patience = 120_000
const wire = ['src/adapters/node/message/lean-response.test.ts', 'src/adapters/node/message/lean-request.test.ts']

beforeAll(prepare, patience)
afterAll(finish)

const faults = (outcomes: readonly Outcome[]): string[] =>
  outcomes.flatMap(({ where, group, name, fault }) =>
    fault === undefined ? [] : [`${where} › ${group} › ${name}: ${fault}`],
  )

describe.concurrent('every case passes', () => {
  for (const runtime of runtimes) {
    const run = async (): Promise<void> => {
      const outcomes = await onRuntime(runtime)
      expect(faults(outcomes)).toEqual([])
      expect(outcomes).toHaveLength(cases.length)
    }
    itWith(runtimeNeed(runtime.name, runtime.program), `on ${runtime.name}`, run, patience)
  }
  const throughNginx = async (): Promise<void> => {
    const outcomes = await throughProxy()
    expect(faults(outcomes)).toEqual([])
    expect(outcomes).toHaveLength(2 * cases.length + proxyCases.length)
  }
  itWith(proxyNeed, 'through nginx', throughNginx, patience)
})

describe('our objects of node:http are what those of Node are', () => {
  for (const major of [22, 24]) {
    const run = async (): Promise<void> => {
      const outcomes = await wireTests(major, wire)
      expect(faults(outcomes)).toEqual([])
      expect(outcomes.length).toBeGreaterThan(60)
    }
    itWith(runtimeNeed(`node ${major}`, nodeProgram(major)), `on Node ${major}`, run, patience)
  }
})
