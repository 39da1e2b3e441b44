// Two code paths for one rule: the comparison in an action, and the filter of the statement that makes the change.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { runs } from '../../../test/support/runs.ts'
import { t } from '../../index.ts'
import type { FilterExpression } from '../mapper/index.ts'
import {
  buildChangeFilter,
  evaluateConditions,
  parseConditions,
  readVersion,
  refuseMalformed,
  type Validators,
} from './request-conditions.ts'

type Row = Readonly<Record<string, unknown>>

const marks = { maxRepresentations: 1, audiences: new Set<string>(), hasCodings: true }
const toComparable = (value: unknown): number | string =>
  value instanceof Date ? value.getTime() : (value as number | string)

/** Returns whether a row matches a filter, by the semantics of filters. */
function isMatch(row: Row, filter: FilterExpression): boolean {
  const { op } = filter
  if (op === 'and') return filter.of.every((one) => isMatch(row, one))
  if (op === 'or') return filter.of.some((one) => isMatch(row, one))
  const { field, any, value } = filter as { field: string; any?: readonly { value: unknown }[]; value?: unknown }
  const actual = toComparable(row[field])
  if (op === '=') return any?.some((one) => toComparable(one.value) === actual) === true
  if (op === '!=') return any?.every((one) => toComparable(one.value) !== actual) === true
  return op === '<' ? actual < toComparable(value) : actual >= toComparable(value)
}

const SECOND = Date.UTC(2026, 0, 2, 3, 4, 5)
const moments = [-1000, -1, 0, 1, 999, 1000].map((more) => new Date(SECOND + more))
const toHttpDate = (time: number) => new Date(time).toUTCString()

// Each value has one textual form, that of the API.
const KINDS = {
  integer: { attribute: t.integer(), values: [6, 7, 8], texts: ['6', '7', '8', '07', '7.0', '+7', 'x', '7;gzip'] },
  string: { attribute: t.string(), values: ['a', 'b;', 'ä'], texts: ['a', 'b%3B', 'b;', '%C3%A4', '%', 'A'] },
  dateTime: {
    attribute: t.dateTime(),
    values: moments,
    texts: [...moments.map((one) => one.toISOString()), 'x'],
  },
} as const

const subject = fc.constantFrom(...(Object.keys(KINDS) as (keyof typeof KINDS)[])).chain((name) => {
  const { attribute, values, texts } = KINDS[name]
  const tag = fc.tuple(fc.constantFrom('', 'W/'), fc.constantFrom(...texts)).map(([weak, text]) => `${weak}"${text}"`)
  const tags = fc.oneof(fc.constantFrom('*', 'nonsense', ''), fc.array(tag, { minLength: 1, maxLength: 3 }).map(String))
  const header = fc.option(tags, { nil: undefined })
  return fc.record({
    validators: fc.tuple(fc.boolean(), fc.boolean()).map(
      ([tagged, timed]): Validators => ({
        tag: tagged ? { field: 'version', attribute } : undefined,
        modified: timed ? { field: 'at', attribute: t.dateTime() } : undefined,
      }),
    ),
    row: fc.record({ version: fc.constantFrom<unknown>(...values), at: fc.constantFrom(...moments) }),
    headers: fc.record({
      'if-match': header,
      'if-none-match': header,
      'if-unmodified-since': fc.option(fc.constantFrom(...[-1000, 0, 1000].map((more) => toHttpDate(SECOND + more))), {
        nil: undefined,
      }),
      'if-modified-since': fc.option(fc.constant(toHttpDate(SECOND)), { nil: undefined }),
    }),
  })
})

describe('conditions of a change', () => {
  it('as a filter are met exactly by the elements that they let an action change', () => {
    const outcomes = new Set<string>()
    fc.assert(
      fc.property(subject, ({ validators, row, headers }) => {
        const conditions = parseConditions(headers, marks)
        if (conditions === undefined) return
        const filter = buildChangeFilter(conditions, validators)
        const isChanged = filter === undefined || (filter !== 'never' && isMatch(row, filter))
        const verdict = evaluateConditions(conditions, readVersion(row, validators), 'change')
        expect(isChanged ? 'go' : 'failed').toBe(verdict)
        outcomes.add(verdict)
      }),
      { numRuns: runs(2000, 10_000) },
    )
    expect([...outcomes].sort()).toEqual(['failed', 'go'])
  })
})

it.each([
  ['if-match', 'nonsense', '/If-Match', /entity tags/],
  ['if-none-match', 'nonsense', '/If-None-Match', /entity tags/],
  ['if-unmodified-since', 'yesterday', '/If-Unmodified-Since', /a date of HTTP/],
])(
  'a change under %s of another form is refused, with the form that it has; a read only under If-Match',
  (name, value, pointer, expected) => {
    const conditions = parseConditions({ [name]: value }, marks)
    if (conditions === undefined) throw new Error('no conditions')
    const catchRefusal = (purpose: 'read' | 'change'): unknown => {
      try {
        refuseMalformed(conditions, purpose)
        return undefined
      } catch (error) {
        return error
      }
    }
    const errors = [{ in: 'headers', pointer, code: 'format', message: expect.stringMatching(expected) }]
    expect(catchRefusal('change')).toMatchObject({ problem: { errors } })
    expect(catchRefusal('read') !== undefined).toBe(name === 'if-match')
  },
)
