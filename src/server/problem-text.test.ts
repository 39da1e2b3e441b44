import fc from 'fast-check'
import { expect, it } from 'vitest'
import { problemText } from './problem-text.ts'

const texts = fc.oneof(
  fc.string(),
  fc.string({ unit: 'binary' }),
  fc.constantFrom('"', '\\', 'a"b', '\u2028', '\ud800'),
)
const errors = fc.array(
  fc.record({
    in: fc.constantFrom('params', 'headers', 'payload'),
    pointer: texts,
    code: fc.constant('min-length'),
    message: texts,
  }),
  { maxLength: 4 },
)
const problems = fc.record(
  {
    type: texts,
    title: texts,
    status: fc.integer(),
    detail: texts,
    code: texts,
    errors,
    errorCount: fc.nat(),
    more: fc.jsonValue(),
  },
  { requiredKeys: [] },
)

it('writes a problem as JSON.stringify does', () => {
  fc.assert(
    fc.property(problems, (problem) => problemText(problem) === JSON.stringify(problem)),
    { numRuns: 2000 },
  )
  expect(problemText({ 'a"b': undefined, c: null })).toBe('{"c":null}')
})
