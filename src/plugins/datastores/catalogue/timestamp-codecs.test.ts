// Tests timestamps in the formats of databases, on the fast path and on the general one.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createTimestampCodec } from './timestamp-codecs.ts'

const codec = createTimestampCodec({
  encode: (value) => value.toISOString(),
  isCursorValue: () => true,
  hasInfinity: true,
})
const decode = (text: string): string => (codec.decode(text) as Date).toISOString()

test('a moment is the same, however it is written', () => {
  const moments = fc.date({ min: new Date('0000-01-02'), max: new Date('9999-12-30'), noInvalidDate: true })
  const minutes = fc.integer({ min: -15 * 60, max: 15 * 60 })
  fc.assert(
    fc.property(moments, minutes, fc.constantFrom(' ', 'T'), fc.nat(999), (moment, offset, separator, more) => {
      const local = new Date(moment.getTime() + offset * 60_000).toISOString().slice(0, -1).replace('T', separator)
      const size = Math.abs(offset)
      const [hours, rest] = [Math.floor(size / 60), size % 60].map((part) => String(part).padStart(2, '0'))
      const text = `${local}${String(more).padStart(3, '0')}${offset < 0 ? '-' : '+'}${hours}:${rest}`
      expect(decode(text)).toBe(moment.toISOString())
      // Seconds in the offset take the general path.
      expect(decode(`${text}:00`)).toBe(moment.toISOString())
      expect(codec.isCursorValue(text)).toBe(true)
      expect(decode(moment.toISOString())).toBe(moment.toISOString())
      expect(decode(moment.toISOString().slice(0, -1))).toBe(moment.toISOString())
    }),
  )
})

test.each([
  ['2024-05-05 10:00:00', '2024-05-05T10:00:00.000Z'],
  ['2024-05-05 10:00:00.5', '2024-05-05T10:00:00.500Z'],
  ['2024-05-05 10:00:00.999999+02', '2024-05-05T08:00:00.999Z'],
  ['1800-01-01T00:00:00+00:53:28', '1799-12-31T23:06:32.000Z'],
  ['0001-03-01T00:00:00 BC', '0000-03-01T00:00:00.000Z'],
  ['12024-05-05T10:00:00+00:00', '+012024-05-05T10:00:00.000Z'],
  ['infinity', '+275760-09-13T00:00:00.000Z'],
  ['-infinity', '-271821-04-20T00:00:00.000Z'],
])('%s is %s', (text, moment) => expect(decode(text)).toBe(moment))

test.each([
  ...['', 'now', '2024-05-05', '2024-02-30 00:00:00', '2024-05-05 24:00:00', '2024-05-05 10:00:60', '2024-05-05 10:00'],
  ...['2024-05-05 10:00:00.', '2024-05-05 10:00:00 02:00', '2024-05-05 10:00:00+2', '2024-05-05 10:00:00Z+02:00', '0'],
])("'%s' is no moment", (text) => {
  expect((codec.decode(text) as Date).getTime()).toBeNaN()
  expect(codec.isCursorValue(text)).toBe(false)
})
