// Tests that the years of PostgreSQL are formatted and parsed.
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { formatPostgresDate, formatPostgresTimestamp, parsePostgresDate, withIsoYear } from './postgres-dates.ts'

it.each([
  ['2024-02-29T12:00:00.000Z', '2024-02-29T12:00:00.000Z'],
  ['0001-01-01T00:00:00.000Z', '0001-01-01T00:00:00.000Z'],
  ['0000-12-31T23:59:59.999Z', '0001-12-31T23:59:59.999Z BC'],
  ['-000001-01-01T00:00:00.000Z', '0002-01-01T00:00:00.000Z BC'],
  ['-004711-01-01T00:00:00.000Z', '4712-01-01T00:00:00.000Z BC'],
  ['+010000-01-01T00:00:00.000Z', '10000-01-01T00:00:00.000Z'],
])('the moment %s is %s there', (iso, text) => {
  expect(formatPostgresTimestamp(new Date(iso))).toBe(text)
  expect(withIsoYear(text)).toBe(iso)
})

it('reads every moment that it writes', () => {
  const moment = fc.date({ noInvalidDate: true })
  fc.assert(fc.property(moment, (date) => Date.parse(withIsoYear(formatPostgresTimestamp(date))) === date.getTime()))
})

it('has a year 0 where days have one', () => {
  expect(formatPostgresDate('0000-02-29')).toBe('0001-02-29 BC')
  expect(parsePostgresDate('0001-02-29 BC')).toBe('0000-02-29')
  for (const day of ['0001-01-01', '2024-02-29', '9999-12-31'])
    expect([formatPostgresDate(day), parsePostgresDate(day)]).toEqual([day, day])
})
