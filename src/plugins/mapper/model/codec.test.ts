// Codecs: values survive a round trip through a column, and values that a column cannot hold stay unchanged.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Attribute } from '../../../schema/attribute.ts'
import { t } from '../../../schema/t.ts'
import type { ColumnKind } from '../../query/query.ts'
import { describeFittingKinds, findCodec } from './codec.ts'

const safeInteger = fc.maxSafeInteger()
const big = fc.bigInt({ min: -(2n ** 80n), max: 2n ** 80n })
const timestamp = fc.date({ noInvalidDate: true, min: new Date(0), max: new Date(4e12) })

const LAWS: readonly (readonly [string, Attribute, ColumnKind, fc.Arbitrary<unknown>])[] = [
  ['integers', t.integer(), 'integer', safeInteger],
  ['integers', t.integer(), 'bigint', safeInteger],
  ['integers', t.integer(), 'number', safeInteger],
  ['integers', t.integer(), 'decimal', safeInteger],
  ['numbers', t.number(), 'number', fc.double({ noNaN: true, noDefaultInfinity: true })],
  ['numbers', t.number(), 'decimal', fc.double({ noNaN: true, noDefaultInfinity: true }).map((one) => one + 0)],
  ['numbers', t.number(), 'bigint', safeInteger],
  ['bigints', t.bigint(), 'bigint', big],
  ['bigints', t.bigint(), 'decimal', big],
  ['bigints', t.bigint(), 'text', big],
  ['bigints', t.bigint(), 'integer', safeInteger.map(BigInt)],
  ['decimals', t.decimal(), 'decimal', big.map(String)],
  ['decimals', t.decimal({ scale: 2 }), 'decimal', big.map((one) => `${one}.25`)],
  ['decimals', t.decimal({ scale: 2 }), 'text', big.map((one) => `${one}.25`)],
  ['decimals', t.decimal({ scale: 2 }), 'json', big.map((one) => `${one}.25`)],
  ['flags', t.boolean(), 'boolean', fc.boolean()],
  ['flags', t.boolean(), 'integer', fc.boolean()],
  ['moments', t.dateTime(), 'dateTime', timestamp],
  ['moments', t.dateTime(), 'text', timestamp],
  ['moments', t.dateTime(), 'json', timestamp],
  ['bigints', t.bigint(), 'json', big],
  ['structures', t.object({ at: t.dateTime(), n: t.bigint() }), 'json', fc.record({ at: timestamp, n: big })],
  ['lists', t.array(t.string()), 'json', fc.array(fc.string({ unit: 'grapheme' }))],
]

describe('a codec', () => {
  it.each(LAWS)('of %s gives back what it was given (%#)', (_, attribute, kind, values) => {
    const codec = findCodec(attribute, kind)
    fc.assert(
      fc.property(values, (value) => {
        const stored = codec?.toColumn(value)
        expect(codec?.fromColumn(stored)).toEqual(value)
        // A datastore stores structures as JSON.
        if (kind === 'json') expect(codec?.fromColumn(JSON.parse(JSON.stringify(stored)))).toEqual(value)
      }),
    )
  })

  it('leaves what the other kind has no exact form for as it is', () => {
    expect(findCodec(t.bigint(), 'integer')?.toColumn(2n ** 53n + 1n)).toBe(2n ** 53n + 1n)
    expect(findCodec(t.number(), 'bigint')?.toColumn(1.5)).toBe(1.5)
    expect(findCodec(t.bigint(), 'decimal')?.fromColumn('12.00')).toBe(12n)
  })

  it('gives a decimal the one text of its attribute, whatever scale its column has', () => {
    expect(findCodec(t.decimal(), 'decimal')?.fromColumn('12.5000')).toBe('12.5')
    expect(findCodec(t.decimal({ scale: 2 }), 'decimal')?.fromColumn('12.5000')).toBe('12.50')
    expect(findCodec(t.decimal({ scale: 2 }), 'decimal')?.fromColumn('12.5001')).toBe('12.5001')
    expect(findCodec(t.decimal(), 'decimal')?.fromColumn('NaN')).toBe('NaN')
  })

  it('tells which columns have the order of their attribute', () => {
    const comparable = (attribute: Attribute, kind: ColumnKind) => findCodec(attribute, kind)?.comparable
    expect(comparable(t.integer(), 'decimal')).toBe(true)
    expect(comparable(t.bigint(), 'text')).toBe(false)
    expect(comparable(t.decimal(), 'decimal')).toBe(true)
    expect(comparable(t.decimal(), 'text')).toBe(false)
    expect(comparable(t.string(), 'decimal')).toBe(false)
    expect(comparable(t.any(), 'json')).toBe(false)
    expect(comparable(t.integer(), 'json')).toBe(false)
  })

  it('is not there for kinds that do not fit together', () => {
    expect(findCodec(t.integer(), 'text')).toBeUndefined()
    expect(findCodec(t.boolean(), 'text')).toBeUndefined()
    expect(findCodec(t.array(t.string()), 'text')).toBeUndefined()
    expect(findCodec(t.string(), 'bytes')).toBeUndefined()
    expect([describeFittingKinds(t.boolean()), describeFittingKinds(t.any())]).toEqual(['boolean, integer', 'json'])
  })

  it('shows structures that no longer fit as they are, and writes none that do not', () => {
    const codec = findCodec(t.object({ at: t.dateTime() }), 'json')
    expect(codec?.fromColumn({ at: 'never' })).toEqual({ at: 'never' })
    expect(() => codec?.toColumn({ at: 'never' })).toThrow('does not fit its attribute of the kind object')
  })
})

const timestamps = fc.date({ min: new Date('0000-01-01T00:00:00Z'), max: new Date('9999-12-31T23:59:59.999Z') })
const zones = fc.constantFrom('Z', '', '+02:00', '-11:30', ' GMT')

it('texts of moments are what Date takes them for', () => {
  fc.assert(
    fc.property(
      timestamps,
      fc.constantFrom('T', ' '),
      zones,
      fc.integer({ min: 0, max: 8 }),
      (timestamp, sign, zone, cut) => {
        const text = Number.isNaN(timestamp.getTime())
          ? 'yesterday'
          : timestamp
              .toISOString()
              .slice(0, -1)
              .replace('T', sign)
              .slice(0, -cut || undefined) + zone
        expect(findCodec(t.dateTime(), 'text')?.fromColumn(text)).toEqual(new Date(text))
      },
    ),
  )
})

it('numbers stay milliseconds', () => {
  expect(findCodec(t.dateTime(), 'text')?.fromColumn(5)).toEqual(new Date(5))
})

describe('values behind references and texts of JSON', () => {
  it('are read back as what they are', () => {
    const timestamp = new Date(0)
    for (const late of [t.ref(() => t.dateTime()), t.json(t.dateTime())]) {
      const codec = findCodec(t.object({ late }), 'json')
      expect(codec?.fromColumn(codec.toColumn({ late: timestamp }))).toEqual({ late: timestamp })
    }
  })

  it('have the columns of what they are texts of', () => {
    expect(findCodec(t.json(t.integer()), 'integer')?.comparable).toBe(true)
    expect(findCodec(t.json(t.integer()), 'boolean')).toBeUndefined()
  })
})
