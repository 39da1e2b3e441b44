// Results of campaigns.
import { expect, it } from 'vitest'
import { fromZero, mutantOf } from './result.ts'

const source = 'const one = 1\nif (one < 2) {\n  two()\n}\n'
const result = (start: [number, number], end: [number, number]) => ({
  fileName: 'src/one.ts',
  location: { start: { line: start[0], column: start[1] }, end: { line: end[0], column: end[1] } },
  mutatorName: 'ConditionalExpression',
  replacement: 'true',
  status: 'Survived' as const,
})

it('a result has the text in whose place its mutant stood, in the line that an editor shows', () => {
  const within = (one: ReturnType<typeof result>) => mutantOf(one, (file) => (file === 'src/one.ts' ? source : ''))
  expect(within(result([2, 5], [2, 12]))).toMatchObject({ file: 'src/one.ts', line: 2, original: 'one < 2' })
  expect(within(result([2, 14], [4, 2]))).toMatchObject({ line: 2, original: '{\n  two()\n}' })
})

it('a result names the place of its mutant as the mutant does', () => {
  const { start, end } = fromZero(result([2, 5], [2, 12])).location
  expect([start, end]).toEqual([
    { line: 1, column: 4 },
    { line: 1, column: 11 },
  ])
})
