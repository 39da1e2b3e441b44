// Pagination in links equals the text of a request, percent-encoded as a whole.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { formatLinkPagination, formatPagination } from './pagination-text.ts'

const text = fc.oneof(fc.string({ unit: 'grapheme' }), fc.stringMatching(/^[\w.-]{1,40}$/))
const number = fc.integer({ min: 1 })
const pagination = fc.record(
  {
    page: number,
    by: text,
    from: text,
    after: text,
    before: text,
    items: number,
    total_count: fc.boolean(),
  },
  { requiredKeys: [] },
)

test('pairs are escaped one by one as all of them together would be', () => {
  fc.assert(
    fc.property(pagination, (one) => {
      expect(formatLinkPagination(one)).toBe(encodeURIComponent(formatPagination(one)))
    }),
  )
})

test('every value is read back as it was', () => {
  fc.assert(
    fc.property(pagination, (one) => {
      const pairs = formatPagination(one).split(',').filter(Boolean)
      const read = pairs.map((pair): [string, string] => {
        const equals = pair.indexOf('=')
        return [pair.slice(0, equals), decodeURIComponent(pair.slice(equals + 1))]
      })
      const sent = Object.entries(one).map(([key, value]): [string, string] => [key, String(value)])
      expect(new Map(read)).toEqual(new Map(sent))
    }),
  )
})
