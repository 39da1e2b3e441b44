// Scalars: the values that each kind loads, refuses (with which code) and dumps.

import { describe, expect, it } from 'vitest'
import { dumpAttributeValue, loadAttributeValue } from '../../../test/support/load-value.ts'
import { attributeRules } from '../../design/attribute-rules.ts'
import type { Attribute } from '../attribute.ts'
import { NamedSchemas } from '../json-schema.ts'
import { t } from '../t.ts'

/** Returns the loaded value, or the codes of its issues. */
function read(one: Attribute, value: unknown, text = false): unknown {
  const outcome = loadAttributeValue(one, value, { source: text ? 'text' : 'json' })
  if (outcome instanceof Promise) throw new Error('asynchronous')
  return outcome.valid ? outcome.value : outcome.issues.map((issue) => issue.code).join()
}

function write(one: Attribute, value: unknown, checks = true): unknown {
  const outcome = dumpAttributeValue(one, value, checks)
  return outcome.valid ? outcome.value : outcome.issues.map((issue) => issue.code).join()
}

const ownProto: unknown = JSON.parse('{"__proto__": 1}')

/** Values that every scalar refuses with the code `type`, from any source. */
const neverScalars: unknown[] = [{}, { a: 1 }, ownProto, Symbol('x'), () => 1, new Date(0), new Map(), Number.NaN]

describe.each([
  ['string', t.string()],
  ['integer', t.integer()],
  ['number', t.number()],
  ['bigint', t.bigint()],
  ['decimal', t.decimal()],
  ['boolean', t.boolean()],
  ['date', t.date()],
  ['dateTime', t.dateTime()],
  ['time', t.time()],
] as const)('every scalar: %s', (_, one) => {
  it.each(neverScalars)('refuses %s', (bad) => {
    expect(read(one, bad)).toBe('type')
    expect(read(one, bad, true)).toBe('type')
  })

  it('refuses a list: as a value of the wrong type, or as a name sent twice', () => {
    for (const list of [[], ['1'], ['1', '2'], [1]]) {
      expect(read(one, list)).toBe('type')
      expect(read(one, list, true)).toBe('repeated')
    }
  })

  it('refuses null unless nullable, and never loads undefined', () => {
    expect(read(one, null)).toBe('null')
    expect(read(one.core.derive({ nullable: true }), null)).toBe(null)
    expect(read(one, undefined)).toBe('missing')
  })

  it.each([{}, [], { toString: () => '1' }, new Map(), () => 1, Symbol('x')])('never lets %s leave', (bad) => {
    expect(write(one, bad, false)).toBe('type')
    expect(write(one, bad, true)).toBe('type')
  })

  it('has nothing to complain about itself', () => {
    expect(attributeRules.findMistakes(one)).toEqual([])
  })
})

describe('t.integer', () => {
  it.each([
    ['0', 0],
    ['7', 7],
    ['-7', -7],
    ['9007199254740991', 9007199254740991],
    ['-9007199254740991', -9007199254740991],
    [12, 12],
    [-0, 0],
    [1e3, 1000],
  ])('reads %j', (sent, loaded) => {
    expect(Object.is(read(t.integer(), sent), loaded)).toBe(true)
  })

  it.each([
    '',
    ' ',
    '-',
    '+1',
    ' 1',
    '1 ',
    '1e3',
    '0x10',
    '0b1',
    '1_000',
    '1,000',
    '1.0',
    '01',
    '007',
    '-0',
    '-01',
    '--1',
    '１',
    'NaN',
    'Infinity',
    '1\n',
    '\u0000',
    1.5,
    true,
  ])('refuses %j', (sent) => expect(read(t.integer(), sent)).toBe('type'))

  it.each(['9007199254740992', '9007199254740993', '-9007199254740992', '9'.repeat(400), 2 ** 53, -(2 ** 53), 1e300])(
    'calls %j beyond the safe range',
    (sent) => expect(read(t.integer(), sent)).toBe('range'),
  )

  it('refuses infinities', () => {
    expect(read(t.integer(), Number.POSITIVE_INFINITY)).toBe('type')
    expect(read(t.integer(), Number.NEGATIVE_INFINITY)).toBe('type')
  })

  it('[ATT-05] keeps to its limits', () => {
    const one = t.integer({ min: -2, max: 5 })
    expect([read(one, '-3'), read(one, '-2'), read(one, 5), read(one, 6)]).toEqual(['min', -2, 5, 'max'])
  })

  it('lets safe whole numbers leave, bigints of that size included', () => {
    expect([write(t.integer(), 4), write(t.integer(), 4n)]).toEqual([4, 4])
    for (const bad of [4.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53, 2n ** 60n, '4', true]) {
      expect(write(t.integer(), bad, false)).toBe('type')
    }
    expect([write(t.integer({ max: 3 }), 4), write(t.integer({ max: 3 }), 4, false)]).toEqual(['max', 4])
  })

  it('reports contradicting limits', () => {
    expect(attributeRules.findMistakes(t.integer({ min: 3, max: 2 }))).toEqual(['min (3) is greater than max (2)'])
    expect(attributeRules.findMistakes(t.integer({ max: 2.5 }))).toEqual(['max (2.5) is not a safe integer'])
    expect(attributeRules.findMistakes(t.integer({ min: Number.NaN }))).toMatchObject([{ problem: 'min is NaN' }])
    expect(attributeRules.findMistakes(t.integer({ max: 2, default: 3, example: 4 }))).toEqual([
      'default must be at most 2',
      'example must be at most 2',
    ])
    expect(attributeRules.findMistakes(t.integer({ default: null }))).toEqual([
      'default is null, but the attribute is not nullable',
    ])
  })
})

describe('values of numbers', () => {
  it('[ATT-05] are all that is read', () => {
    const one = t.integer({ values: [1, 2, 3] })
    expect([read(one, 2), read(one, '3'), read(one, 4), read(one, '0')]).toEqual([2, 3, 'values', 'values'])
    const half = t.number({ values: [0.5, 1] })
    expect([read(half, '0.50'), read(half, '5e-1'), read(half, 0.25)]).toEqual([0.5, 0.5, 'values'])
    const large = t.bigint({ values: [1n, 2n ** 64n] })
    expect([read(large, '18446744073709551616'), read(large, 1), read(large, '2')]).toEqual([2n ** 64n, 1n, 'values'])
    expect(read(t.integer({ values: [7] }), 8)).toBe('equal')
    expect(Object.is(read(t.integer({ values: [-0] }), '0'), 0)).toBe(true)
  })

  it('are all that leaves where limits are checked', () => {
    expect([write(t.integer({ values: [1, 2] }), 3), write(t.integer({ values: [1, 2] }), 3, false)]).toEqual([
      'values',
      3,
    ])
  })

  it('are in the schema as JSON carries them', () => {
    const schemas = new NamedSchemas('output')
    expect(attributeRules.buildSchema(t.integer({ values: [1, 2], nullable: true }), schemas)).toEqual({
      type: ['integer', 'null'],
      enum: [1, 2, null],
    })
    expect(attributeRules.buildSchema(t.number({ values: [0.5] }), schemas)).toEqual({ type: 'number', enum: [0.5] })
    expect(attributeRules.buildSchema(t.bigint({ values: [2n ** 64n] }), schemas)).toMatchObject({
      enum: ['18446744073709551616'],
    })
  })

  it('that cannot be are mistakes', () => {
    expect(attributeRules.findMistakes(t.integer({ values: [] }))).toEqual([
      'values is empty: nothing could ever be sent',
    ])
    expect(attributeRules.findMistakes(t.integer({ values: [1, 1] }))).toEqual(['values names a value twice'])
    expect(attributeRules.findMistakes(t.integer({ values: [1, 1.5] }))).toEqual([
      'values names 1.5, which must be an integer',
    ])
    expect(attributeRules.findMistakes(t.number({ values: [Number.NaN] }))).toMatchObject([
      { problem: 'values[0] is NaN' },
    ])
    expect(attributeRules.findMistakes(t.integer({ values: [1, 9], max: 5 }))).toEqual([
      'values names 9, which must be at most 5',
    ])
    expect(
      attributeRules.findMistakes(t.integer({ values: [1, 2], default: 3 as never, example: 4 as never })),
    ).toEqual(['default must be one of 1, 2', 'example must be one of 1, 2'])
    expect(attributeRules.findMistakes(t.bigint({ values: [1n], min: 2n }))).toEqual([
      'values names 1, which must be at least 2',
    ])
  })
})

describe('t.number', () => {
  it.each([
    ['0', 0],
    ['-0', 0],
    ['1.5', 1.5],
    ['-1.5e-3', -0.0015],
    ['1e3', 1000],
    ['1E+2', 100],
    [1.25, 1.25],
    [-0, 0],
  ])('reads %j', (sent, loaded) => expect(Object.is(read(t.number(), sent), loaded)).toBe(true))

  it.each(['', ' ', '.5', '5.', '+1', ' 1', '1 ', '01', '0x10', '1e', '1e400', 'NaN', 'Infinity', '-', '1,5', true])(
    'refuses %j',
    (sent) => expect(read(t.number(), sent)).toBe('type'),
  )

  it('never lets a number leave that JSON cannot write', () => {
    for (const bad of [Number.NaN, Number.POSITIVE_INFINITY, '1', 1n])
      expect(write(t.number(), bad, false)).toBe('type')
    expect(write(t.number({ min: 0 }), -1)).toBe('min')
    expect(attributeRules.findMistakes(t.number({ max: Number.POSITIVE_INFINITY }))).toEqual([
      'max (Infinity) is not finite',
    ])
  })
})

describe('t.bigint', () => {
  it.each([
    ['0', 0n],
    ['-12', -12n],
    ['9007199254740993', 9007199254740993n],
    [12, 12n],
    [-0, 0n],
  ])('reads %j', (sent, loaded) => expect(read(t.bigint(), sent)).toBe(loaded))

  it.each(['', ' ', '-', '-0', '007', '+1', ' 1', '1 ', '1e3', '0x10', '1.0', '1n', 1.5, true])('refuses %j', (sent) =>
    expect(read(t.bigint(), sent)).toBe('type'),
  )

  it('refuses JSON numbers that may have been rounded, and texts too long to be read quickly', () => {
    expect(read(t.bigint(), 2 ** 53)).toBe('range')
    expect(read(t.bigint(), `-${'9'.repeat(1000)}`)).toBe(-(10n ** 1000n) + 1n)
    expect(read(t.bigint(), '9'.repeat(1001))).toBe('max-length')
  })

  it('keeps to its limits and leaves as text', () => {
    const one = t.bigint({ min: 0n, max: 2n ** 63n - 1n })
    expect([read(one, '-1'), read(one, '9223372036854775808'), write(one, 5n), write(one, 5)]).toEqual([
      'min',
      'max',
      '5',
      '5',
    ])
    expect([write(one, -1n), write(one, '5'), write(one, 1.5)]).toEqual(['min', 'type', 'type'])
    expect(attributeRules.findMistakes(t.bigint({ min: 1n, max: 0n }))).toEqual(['min (1) is greater than max (0)'])
  })
})

describe('t.boolean', () => {
  it.each(['true', 'TRUE', 't', 'T', '1', 1, true])('reads %j as true', (sent) =>
    expect(read(t.boolean(), sent)).toBe(true),
  )
  it.each(['false', 'FALSE', 'f', 'F', '0', 0, false])('reads %j as false', (sent) =>
    expect(read(t.boolean(), sent)).toBe(false),
  )
  it.each(['', ' true', 'true ', 'True', 'yes', 'no', 'on', 'off', 'y', 'null', '2', '-1', '1.0', 2, -1, 0.5])(
    'refuses %j',
    (sent) => expect(read(t.boolean(), sent)).toBe('type'),
  )

  it('lets only true and false leave', () => {
    expect([write(t.boolean(), true), write(t.boolean(), 1), write(t.boolean(), 'true')]).toEqual([
      true,
      'type',
      'type',
    ])
  })
})

describe('t.date', () => {
  it.each(['2024-02-29', '2000-02-29', '0000-01-01', '9999-12-31'])('reads %j and keeps it as text', (sent) =>
    expect(read(t.date(), sent)).toBe(sent),
  )
  it.each([
    '',
    '2024-02-30',
    '2023-02-29',
    '1900-02-29',
    '2024-00-01',
    '2024-13-01',
    '2024-04-31',
    '2024-01-00',
    '2024-1-1',
    '20240101',
    '2024-01-01T00:00:00Z',
    ' 2024-01-01',
    '2024-01-01 ',
    '+2024-01-01',
    '２024-01-01',
    '2024/01/01',
  ])('refuses %j', (sent) => expect(read(t.date(), sent)).toBe('format'))

  it('does not let a wrong day leave when checking', () => {
    expect([write(t.date(), '2024-02-30'), write(t.date(), '2024-02-30', false)]).toEqual(['format', '2024-02-30'])
    expect(write(t.date(), new Date(0), false)).toBe('type')
  })
})

describe('t.dateTime', () => {
  it.each([
    ['2024-02-29T12:30:15Z', '2024-02-29T12:30:15.000Z'],
    ['2024-02-29t12:30:15z', '2024-02-29T12:30:15.000Z'],
    ['2024-02-29T12:30:15.5Z', '2024-02-29T12:30:15.500Z'],
    ['2024-02-29T12:30:15.123000Z', '2024-02-29T12:30:15.123Z'],
    ['2024-02-29T00:30:00+02:00', '2024-02-28T22:30:00.000Z'],
    ['2024-12-31T23:59:59.999-23:59', '2025-01-01T23:58:59.999Z'],
    ['0001-01-01T00:00:00-00:00', '0001-01-01T00:00:00.000Z'],
  ])('reads %j', (sent, moment) => expect(read(t.dateTime(), sent)).toEqual(new Date(moment)))

  it.each([
    '',
    '2024-02-29',
    '2024-02-29T12:30Z',
    '2024-02-29T12:30:15',
    '2024-02-30T12:30:15Z',
    '2024-02-29T24:00:00Z',
    '2024-02-29T12:60:00Z',
    '2016-12-31T23:59:60Z',
    '2024-02-29T12:30:15.Z',
    '2024-02-29T12:30:15.1234Z',
    '2024-02-29T12:30:15+0200',
    '2024-02-29T12:30:15+24:00',
    '2024-02-29T12:30:15+02:60',
    '2024-02-29 12:30:15Z',
    '2024-02-29T12:30:15Z ',
    ' 2024-02-29T12:30:15Z',
    '2024-02-29T12:30:15ZZ',
    '1709209815',
    '9999-12-31T23:59:59-00:01',
    '+002024-02-29T12:30:15Z',
    'Thu, 29 Feb 2024 12:30:15 GMT',
  ])('refuses %j', (sent) => expect(read(t.dateTime(), sent)).toBe('format'))

  it('loads text only', () => {
    expect([read(t.dateTime(), 0), read(t.dateTime(), new Date(0))]).toEqual(['type', 'type'])
  })

  it('lets a Date leave, and a text that is one; an invalid or unwritable Date never', () => {
    const one = t.dateTime()
    expect(write(one, new Date(0))).toBe('1970-01-01T00:00:00.000Z')
    expect(write(one, '2024-02-29T00:30:00+02:00')).toBe('2024-02-28T22:30:00.000Z')
    for (const checks of [true, false]) {
      expect(write(one, new Date(Number.NaN), checks)).toBe('format')
      expect(write(one, new Date(253402300800000), checks)).toBe('format')
      expect(write(one, 'today', checks)).toBe('format')
      expect(write(one, 0, checks)).toBe('type')
    }
  })
})

describe('t.time', () => {
  it.each(['00:00:00', '12:30:15', '12:30:15.5', '12:30:15.05', '12:30:15.123456789'])('reads %j', (sent) =>
    expect(read(t.time(), sent)).toBe(sent),
  )
  it('has one text for one time, so that every database finds it', () => {
    const sent = ['00:00', '23:59', '12:30:15.50', '12:00:00.000', '10:20:30.0100']
    expect(sent.map((one) => read(t.time(), one))).toEqual([
      '00:00:00',
      '23:59:00',
      '12:30:15.5',
      '12:00:00',
      '10:20:30.01',
    ])
  })
  it.each([
    '',
    '24:00',
    '12:60',
    '1:30',
    '12',
    '12:30:60',
    '12:30:15.',
    '12:30:15.1234567890',
    '12:30Z',
    '12:30\n',
    ' 12:30',
  ])('refuses %j', (sent) => expect(read(t.time(), sent)).toBe('format'))

  it('is checked when it leaves', () => {
    expect([write(t.time(), '25:00'), write(t.time(), '25:00', false), write(t.time(), 5, false)]).toEqual([
      'format',
      '25:00',
      'type',
    ])
  })
})
