// Parallel steps respect their dependencies, and never more run than there are lanes.
import { expect, it } from 'vitest'
import { runInLanes, type Waiting } from './lanes.ts'

interface Run {
  readonly began: string[]
  readonly most: number
  readonly results: readonly string[]
}

/** Runs steps; the length of a step's name determines its duration. */
async function runSteps(steps: readonly Waiting[], lanes: number): Promise<Run> {
  const began: string[] = []
  let [active, most] = [0, 0]
  const results = await runInLanes(steps, lanes, async ({ name }) => {
    began.push(name)
    most = Math.max(most, ++active)
    for (let turn = 0; turn < name.length * 3; turn++) await Promise.resolve()
    active--
    return `${name} ended`
  })
  return { began, most, results }
}

it('fills every lane, and gives results in the order of the steps', async () => {
  const steps = ['aaaaa', 'b', 'ccc', 'd'].map((name) => ({ name }))
  const { began, most, results } = await runSteps(steps, 2)
  expect(began).toEqual(['aaaaa', 'b', 'ccc', 'd'])
  expect(most).toBe(2)
  expect(results).toEqual(['aaaaa ended', 'b ended', 'ccc ended', 'd ended'])
})

it('begins a step after those that it needs, and lets later ones pass it', async () => {
  const steps = [{ name: 'build' }, { name: 'package', needs: ['build'] }, { name: 'lint' }]
  expect((await runSteps(steps, 2)).began).toEqual(['build', 'lint', 'package'])
  expect((await runSteps(steps.slice(1), 2)).began).toEqual(['package', 'lint'])
})

it('refuses steps that need each other, and hands failures on', async () => {
  const ring = [
    { name: 'a', needs: ['b'] },
    { name: 'b', needs: ['a'] },
  ]
  await expect(runSteps(ring, 2)).rejects.toThrow('These steps need each other: a, b')
  await expect(runInLanes([{ name: 'a' }], 2, () => Promise.reject(new Error('broke')))).rejects.toThrow('broke')
})
