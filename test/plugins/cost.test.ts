// The cost of plugins in calls, which are the same in every run; `bench/quick` counts instructions.
import { execFileSync } from 'node:child_process'
import { expect, it } from 'vitest'

function callsWith(plugins: string): Readonly<Record<string, number>> {
  const { NODE_V8_COVERAGE: _, ...env } = process.env
  const file = 'test/plugins/cost/calls.ts'
  const printed = execFileSync(process.execPath, ['--import', 'tsx', file, plugins], { env, encoding: 'utf8' })
  return JSON.parse(printed.trim().split('\n').at(-1) as string)
}

const atPoints = (calls: Readonly<Record<string, number>>): string[] =>
  Object.keys(calls).filter((name) => name.startsWith('src/server/plugin-hooks.ts'))

it('[EXT-09] a request without plugins calls nothing of theirs, and an idle plugin adds no call', () => {
  const [none, idle, answer] = ['none', 'idle', 'answer'].map(callsWith) as [
    Readonly<Record<string, number>>,
    Readonly<Record<string, number>>,
    Readonly<Record<string, number>>,
  ]
  expect(Object.keys(none).length).toBeGreaterThan(50)
  expect(atPoints(none)).toEqual([])
  expect(idle).toEqual(none)
  expect(atPoints(answer)).not.toEqual([])
}, 60_000)
