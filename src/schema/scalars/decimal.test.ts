// Exact decimals: loading, refusing and dumping, without the loss of a digit.

import { Ajv2020 } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { dumpAttributeValue, type LoadOutcome, loadAttributeValue } from '../../../test/support/load-value.ts'
import { attributeRules } from '../../design/attribute-rules.ts'
import { compareDecimals, expandExponent, normalizeDecimal, unscaleDecimal } from '../../util/decimal.ts'
import { ExampleSeed } from '../example.ts'
import { NamedSchemas } from '../json-schema.ts'
import { t } from '../t.ts'
import type { DecimalOptions } from './decimal.ts'

const readOutcome = (outcome: LoadOutcome<unknown> | Promise<LoadOutcome<unknown>>): unknown => {
  const { valid, ...rest } = outcome as { valid: boolean; value?: unknown; issues?: readonly { code: string }[] }
  return valid ? rest.value : rest.issues?.[0]?.code
}
const read = (options: DecimalOptions, value: unknown, text = false): unknown =>
  readOutcome(loadAttributeValue(t.decimal(options), value, { source: text ? 'text' : 'json' }))
const write = (options: DecimalOptions, value: unknown, checks = true): unknown =>
  readOutcome(dumpAttributeValue(t.decimal(options), value, checks))

describe('a decimal is read', () => {
  it.each([
    [{}, '12.50', '12.5'],
    [{}, '-0', '0'],
    [{}, '-0.00', '0'],
    [{}, '100', '100'],
    [{}, '0.1000', '0.1'],
    [{}, '9007199254740993.1', '9007199254740993.1'],
    [{}, 12, '12'],
    [{}, -0, '0'],
    [{ scale: 2 }, '12.5', '12.50'],
    [{ scale: 2 }, '12.500000', '12.50'],
    [{ scale: 2 }, 12, '12.00'],
    [{ scale: 2 }, '-0', '0.00'],
    [{ scale: 0 }, '7.000', '7'],
    [{ precision: 4, scale: 2 }, '99.99', '99.99'],
    [{ precision: 2, scale: 2 }, '0.99', '0.99'],
    [{ scale: 2, min: '-1.5', max: '1.5' }, '-1.50', '-1.50'],
  ])('with %j from %j as %j', (options, sent, loaded) => {
    expect(read(options, sent)).toBe(loaded)
    expect(read(options, String(sent), true)).toBe(loaded)
  })

  it.each([
    [{}, '', 'type'],
    [{}, '007', 'type'],
    [{}, '.5', 'type'],
    [{}, '5.', 'type'],
    [{}, '+1', 'type'],
    [{}, ' 1', 'type'],
    [{}, '1\n', 'type'],
    [{}, '1e3', 'type'],
    [{}, '1,5', 'type'],
    [{}, '--1', 'type'],
    [{}, 'NaN', 'type'],
    [{}, '１', 'type'],
    [{}, 1.5, 'type'],
    [{}, 2 ** 53, 'type'],
    [{}, Number.NaN, 'type'],
    [{}, true, 'type'],
    [{ scale: 2 }, '12.505', 'digits'],
    [{ precision: 4, scale: 2 }, '100', 'digits'],
    [{ precision: 2, scale: 2 }, '1', 'digits'],
    [{ min: '0.1' }, '0.09999999999999999999999', 'min'],
    [{ max: '9007199254740992' }, '9007199254740992.0000001', 'max'],
  ])('not with %j from %j, which is refused as %s', (options, sent, code) => expect(read(options, sent)).toBe(code))

  it('not when it has more digits than anyone needs', () => {
    expect([read({}, '1'.repeat(1000)), read({}, '1'.repeat(1001))]).toEqual(['1'.repeat(1000), 'digits'])
    expect([read({ scale: 2 }, '1'.repeat(999)), read({}, '1'.repeat(1004))]).toEqual(['digits', 'max-length'])
    expect(read({ scale: 2 }, `1.${'0'.repeat(1_000_000)}`)).toBe('max-length')
    const long = `-0.${'1'.repeat(1000)}`
    expect([read({ scale: 1000 }, long), read({}, long)]).toEqual([long, long])
  })

  it('and a refused number of JSON is told to be a text', () => {
    expect(loadAttributeValue(t.decimal(), 1.5)).toMatchObject({
      issues: [{ code: 'type', message: 'must be a decimal number as a text, such as "12.50"' }],
    })
  })
})

describe('a decimal is written', () => {
  it('as its one text, also where a controller gives another one', () => {
    expect([write({}, '012.50'), write({ scale: 2 }, '5'), write({ scale: 1 }, '-0')]).toEqual(['12.5', '5.00', '0.0'])
  })

  it('never rounded: digits beyond the scale are refused, or stay where responses are not checked', () => {
    expect([write({ scale: 2 }, '1.005'), write({ scale: 2 }, '1.005', false)]).toEqual(['digits', '1.005'])
    for (const bad of [1, 1n, 1.5, 'NaN', 'Infinity', '1e3', '', Number.NaN, true])
      expect(write({}, bad, false)).toBe('type')
  })
})

describe('the declaration of a decimal', () => {
  it.each<[DecimalOptions, string[]]>([
    [{ precision: 10 }, ['precision needs scale: how many of the digits are after the point']],
    [{ precision: 2, scale: 3 }, ['scale (3) is greater than precision (2)']],
    [{ min: '10', max: '9.5' }, ['min (10) is greater than max (9.5)']],
    [{ scale: 2, min: '0.005' }, ['min (0.005) must have at most 998 integer and 2 decimal digits']],
    [{ max: '2', default: '3', example: '2.5' }, ['default must be at most 2', 'example must be at most 2']],
    [{ precision: 4, scale: 2, min: '-99.99', max: '99.99', default: '1.50' }, []],
    [{ scale: 2, default: '1.5' }, ["default is '1.5', which is written '1.50' here"]],
    [{ default: '1.50' }, ["default is '1.50', which is written '1.5' here"]],
  ])('%j has the mistakes %j', (options, mistakes) =>
    expect(attributeRules.findMistakes(t.decimal(options))).toEqual(mistakes),
  )

  it.each([
    { precision: 0, scale: 0 },
    { precision: 1001, scale: 0 },
    { scale: -1 },
    { scale: 1.5 },
    { min: 1 },
    { max: '1e3' },
  ])('%j is not of its form', (options) =>
    expect(attributeRules.findMistakes(t.decimal(options as never))).toHaveLength(1),
  )

  it('shows its digits in the schema', () => {
    expect(
      attributeRules.buildSchema(t.decimal({ precision: 4, scale: 2, min: '0' }), new NamedSchemas('input')),
    ).toEqual({
      type: 'string',
      format: 'decimal',
      maxLength: 1003,
      pattern: String.raw`^-?(?:0|[1-9][0-9]{0,1})(?:\.[0-9]{1,2}0*)?$`,
    })
  })
})

const scaled = fc.tuple(fc.bigInt({ min: -(10n ** 40n), max: 10n ** 40n }), fc.nat({ max: 30 }))

describe('laws of decimals', () => {
  it('what is read is written and read again as the same text, whatever zeros it had', () => {
    fc.assert(
      fc.property(
        scaled,
        fc.nat({ max: 9 }),
        fc.option(fc.integer({ min: 30, max: 60 }), { nil: undefined }),
        ([n, s], zeros, scale) => {
          const options = scale === undefined ? {} : { scale }
          const text = unscaleDecimal(n, s) + (s === 0 ? '' : '0'.repeat(zeros))
          const loaded = read(options, text) as string
          expect(compareDecimals(loaded, text)).toBe(0)
          expect(read(options, write(options, loaded))).toBe(loaded)
          expect(normalizeDecimal(loaded, scale)).toBe(loaded)
        },
      ),
    )
  })

  it('two of them compare as whole numbers of their smallest parts do', () => {
    fc.assert(
      fc.property(scaled, scaled, ([a, s], [b, u]) => {
        const [x, y] = [a * 10n ** BigInt(u), b * 10n ** BigInt(s)]
        expect(compareDecimals(unscaleDecimal(a, s), unscaleDecimal(b, u))).toBe(Number(x > y) - Number(x < y))
        expect(read({ min: unscaleDecimal(b, u) }, unscaleDecimal(a, s)) === 'min').toBe(x < y)
        expect(read({ max: unscaleDecimal(b, u) }, unscaleDecimal(a, s)) === 'max').toBe(x > y)
      }),
    )
  })

  const digits = fc
    .tuple(fc.integer({ min: 1, max: 1000 }), fc.nat({ max: 1000 }), fc.constantFrom('both', 'scale', 'none'))
    .map(([p, s, which]): DecimalOptions => {
      if (which === 'none') return {}
      return which === 'scale' ? { scale: s } : { precision: Math.max(p, s, 1), scale: s }
    })
  const run = (max: number) => fc.tuple(fc.constantFrom('0', '1', '9'), fc.nat({ max })).map(([d, n]) => d.repeat(n))
  const texts = fc.oneof(
    fc
      .tuple(fc.constantFrom('', '-', '+'), run(1001), fc.constantFrom('', '.'), run(1001), run(3))
      .map((all) => all.join('')),
    fc.stringMatching(/^-?[0-9]{1,4}(?:\.[0-9]{1,4})?$/),
  )

  const ajv = new Ajv2020({ formats: { decimal: true } })

  it('the schema accepts exactly the texts that are read, for any precision and scale', () => {
    fc.assert(
      fc.property(digits, fc.array(texts, { minLength: 8, maxLength: 8 }), (options, all) => {
        const accepts = ajv.compile(attributeRules.buildSchema(t.decimal(options), new NamedSchemas('input')))
        for (const text of all) {
          const loaded = (loadAttributeValue(t.decimal(options), text) as { valid: boolean }).valid
          expect({ text, accepted: accepts(text) }).toEqual({ text, accepted: loaded })
        }
      }),
      { numRuns: 60 },
    )
  })

  it('an example keeps to every limit', () => {
    fc.assert(
      fc.property(scaled, scaled, digits, fc.string(), ([a], [b], { precision, scale }, name) => {
        const most = 10n ** BigInt(precision ?? 40)
        const [x, y] = [a % most, b % most].sort((one, two) => (one < two ? -1 : 1)) as [bigint, bigint]
        const limits = { min: unscaleDecimal(x, scale ?? 3), max: unscaleDecimal(y, scale ?? 3) }
        for (const bounds of [limits, { min: limits.min }, { max: limits.max }, {}]) {
          const options = { ...(precision && { precision }), ...(scale !== undefined && { scale }), ...bounds }
          const example = attributeRules.makeExample(t.decimal(options), new ExampleSeed().at(name))
          if (attributeRules.findMistakes(t.decimal(options)).length === 0) expect(read(options, example)).toBe(example)
        }
      }),
    )
  })

  it('the number that a double shows with an exponent is the same without one', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
        expect(Number(expandExponent(String(value)))).toBe(value + 0)
        expect(expandExponent(String(value))).not.toContain('e')
      }),
    )
  })
})
