// Timestamps are parsed as Date parses them; unsupported forms return undefined.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseIsoTimestamp } from './parse-timestamp.ts'

const moments = fc.date({
  min: new Date('0000-01-01T00:00:00Z'),
  max: new Date('9999-12-31T23:59:59.999Z'),
  noInvalidDate: true,
})

test('every moment of four-digit years is read', () => {
  fc.assert(
    fc.property(moments, fc.constantFrom('T', ' '), fc.constantFrom('Z', '', '+00:00'), (moment, separator, zone) => {
      const text = moment.toISOString().slice(0, -1).replace('T', separator)
      expect(parseIsoTimestamp(text + zone)).toBe(moment.getTime())
    }),
  )
})

test('offsets are subtracted, and digits after the milliseconds left out', () => {
  for (const text of ['2020-02-29T12:30:00+05:45', '2020-02-29T12:30:00.1-11:00'])
    expect(parseIsoTimestamp(text)).toBe(Date.parse(text))
  expect(parseIsoTimestamp('2020-02-29 12:30:00.123987+01:00')).toBe(Date.parse('2020-02-29T11:30:00.123Z'))
})

test.each([
  '2020-02-30 12:30:00',
  '2020-02-29 24:00:00',
  '2020-02-29 12:30:60',
  '2020-02-29 12:30:00.',
  '2020-02-29 12:30:00+01',
  '2020-02-29 12:30:00+01:00:30',
  '2020-02-29 12:30:00 BC',
  '12020-02-29 12:30:00',
  '2020-02-29',
  'infinity',
  '',
])('%j is left to others', (text) => {
  expect(parseIsoTimestamp(text)).toBeUndefined()
})
