import fc from 'fast-check'
import { expect, it } from 'vitest'
import { stringifyProblem } from './stringify-problem.ts'

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

const stringify = (problem: { readonly [member: string]: unknown }): string => {
  const text = stringifyProblem(problem)
  return typeof text === 'string' ? text : new TextDecoder().decode(text)
}

it('writes a problem as JSON.stringify does', () => {
  fc.assert(
    fc.property(problems, (problem) => stringify(problem) === JSON.stringify(problem)),
    { numRuns: 2000 },
  )
  expect(stringify({ 'a"b': undefined, c: null })).toBe('{"c":null}')
  expect(stringify({ 'a"b': 1, c: 'd' })).toBe('{"a\\"b":1,"c":"d"}')
  expect(stringify({ status: Number.NaN })).toBe('{"status":null}')
  expect(stringify({ errors: [{ pointer: 7 }] })).toBe('{"errors":[{"pointer":7}]}')
  expect(stringify({})).toBe('{}')
})
