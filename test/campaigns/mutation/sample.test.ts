// Samples of mutants.
import { describe, expect, it } from 'vitest'
import { intervalOf, isInSample, type Sampled, sampledOf, shareFrom } from './sample.ts'

const mutants: Sampled[] = Array.from({ length: 4000 }, (_, i) => ({
  file: `src/client/${i % 7}.ts`,
  line: i % 300,
  column: i % 90,
  mutator: 'BooleanLiteral',
  replacement: i % 2 === 0 ? 'true' : 'false',
}))

describe('the sample of a campaign', () => {
  it('holds about the share that was requested, and all of a smaller share', () => {
    const of = (share: number): Sampled[] => mutants.filter((one) => isInSample(share, one))
    const [tenth, half] = [of(0.1), of(0.5)]
    expect(tenth.length).toBeGreaterThan(330)
    expect(tenth.length).toBeLessThan(470)
    const within = new Set(half)
    expect(tenth.every((one) => within.has(one))).toBe(true)
    expect(of(0.1)).toEqual(tenth)
    expect(of(1)).toEqual(mutants)
  })

  it('is the same for a mutant that Stryker names by its full path, and by its path in the repository', () => {
    const found = {
      location: { start: { line: 3, column: 4 }, end: { line: 3, column: 9 } },
      mutatorName: 'BlockStatement',
      replacement: '{}',
    }
    const root = new URL('../../../', import.meta.url).pathname
    const expected = { file: 'src/errors.ts', line: 3, column: 4, mutator: 'BlockStatement', replacement: '{}' }
    expect(sampledOf({ ...found, fileName: `${root}src/errors.ts` })).toEqual(expected)
    expect(sampledOf({ ...found, fileName: 'src/errors.ts' })).toEqual(expected)
  })

  it('refuses shares that are none', () => {
    expect(shareFrom('0.25')).toBe(0.25)
    expect(shareFrom('1')).toBe(1)
    for (const text of ['0', '-0.1', '1.1', '80', 'ten', '', ' ', 'NaN'])
      expect(() => shareFrom(text), text).toThrow('--sample takes the share of mutants to run')
  })

  // The figures are those of Wilson's interval without continuity correction, from tables.
  it.each([
    [90, 100, 82.6, 94.5],
    [0, 10, 0, 27.8],
    [10, 10, 72.2, 100],
    [0, 0, 0, 100],
  ])('says between %i of %i', (noticed, counted, low, high) => {
    const interval = intervalOf(noticed, counted)
    expect(interval[0]).toBeCloseTo(low, 0)
    expect(interval[1]).toBeCloseTo(high, 0)
  })
})
