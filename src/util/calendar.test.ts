// Dates and times: our arithmetic compared with that of the engine.
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { loadAttributeValue } from '../../test/support/load-value.ts'
import { t } from '../schema/t.ts'
import { countDaysSinceEpoch, startsWithDate, toIsoText } from './calendar.ts'

const moments = fc.date({
  min: new Date('0000-01-01T00:00:00.000Z'),
  max: new Date('9999-12-31T23:59:59.999Z'),
  noInvalidDate: true,
})

it('writes every moment as the engine does', () => {
  fc.assert(
    fc.property(moments, (moment) => {
      expect(toIsoText(moment)).toBe(moment.toISOString())
    }),
    { numRuns: 2000 },
  )
})

it('reads every moment as the engine does, with any offset', () => {
  const offsets = fc.constantFrom('Z', '+00:00', '-00:00', '+05:30', '-08:00', '+23:59', '-23:59')
  fc.assert(
    fc.property(moments, offsets, (moment, offset) => {
      const text = moment.toISOString().replace('Z', offset)
      const expected = new Date(text)
      const outcome = loadAttributeValue(t.dateTime(), text)
      const writable = /^\d/.test(expected.toISOString())
      expect(outcome).toMatchObject(writable ? { valid: true, value: expected } : { valid: false })
    }),
    { numRuns: 2000 },
  )
})

it('knows every day of four hundred years, and no other', () => {
  let expected = Date.UTC(1800, 0, 1) / 86_400_000
  for (let year = 1800; year < 2200; year++) {
    for (let month = 1; month <= 12; month++) {
      for (let day = 1; day <= 31; day++) {
        const text = `${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`
        const exists = new Date(Date.UTC(year, month - 1, day)).getUTCDate() === day
        if (startsWithDate(text) !== exists) throw new Error(text)
        if (exists && countDaysSinceEpoch(text) !== expected++) throw new Error(text)
      }
    }
  }
})
