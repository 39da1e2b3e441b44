// Laws that hold for every kind: loader, dumper, JSON Schema and example agree.

import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { dumpAttributeValue, type LoadOutcome, loadAttributeValue } from '../../test/support/load-value.ts'
import { attributeRules } from '../design/attribute-rules.ts'
import type { Attribute } from './attribute.ts'
import { ExampleSeed } from './example.ts'
import { type Direction, NamedSchemas } from './json-schema.ts'
import { t } from './t.ts'

/** An attribute, and JSON values in the format of its dumper: most of them valid, some not. */
interface Sample {
  readonly one: Attribute
  readonly json: fc.Arbitrary<unknown>
}

const twoDigits = (max: number): fc.Arbitrary<string> =>
  fc.integer({ min: 0, max }).map((n) => String(n).padStart(2, '0'))
const dates = fc
  .tuple(fc.integer({ min: 0, max: 9999 }), twoDigits(13), twoDigits(32))
  .map(([y, m, d]) => `${String(y).padStart(4, '0')}-${m}-${d}`)
const moments = fc.oneof(
  fc
    .date({ min: new Date('0000-01-02T00:00:00Z'), max: new Date('9999-12-30T00:00:00Z'), noInvalidDate: true })
    .map((one) => one.toISOString()),
  fc
    .tuple(
      fc.date({ min: new Date('0001-01-01'), max: new Date('9998-01-01'), noInvalidDate: true }),
      twoDigits(24),
      twoDigits(61),
      fc.constantFrom('', '.1', '.123', '.1230', '.1234', '.'),
    )
    .map(
      ([day, h, m, fraction]) =>
        `${day.toISOString().slice(0, 10)}T${h}:${m}:${m}${fraction}${h < '12' ? 'Z' : `-${h}:${m}`}`,
    ),
)
const decimals = fc.oneof(
  fc
    .tuple(fc.constantFrom('', '-'), fc.nat({ max: 99_999 }), fc.stringMatching(/^[0-9]{0,4}0{0,3}$/))
    .map(([sign, integer, fraction]) => `${sign}${integer}${fraction === '' ? '' : `.${fraction}`}`),
  fc.constantFrom(
    '-0',
    '0.00',
    '9'.repeat(1000),
    `-${'9'.repeat(1001)}`,
    `0.${'1'.repeat(1000)}`,
    `0.${'0'.repeat(1001)}`,
  ),
)
const texts = fc.oneof(fc.string({ unit: 'grapheme', maxLength: 12 }), fc.string({ maxLength: 12 }))

// JSON Schema cannot express this about free structures: negative zero is zero, and no name may reach a prototype.
const jsonValues = fc
  .jsonValue({ maxDepth: 4 })
  .map((value): unknown => JSON.parse(JSON.stringify(value)))
  .filter((value) => !/"(?:__proto__|constructor|prototype)":/.test(JSON.stringify(value)))

const scalars: Record<string, Sample> = {
  string: { one: t.string(), json: texts },
  'string with limits': { one: t.string({ min: 2, max: 4 }), json: texts },
  'string with a pattern': {
    one: t.string({ pattern: /[a-c]{1,3}|.😀?/u }),
    json: fc.oneof(fc.stringMatching(/^[a-d]{0,4}$/), texts),
  },
  'string with values': { one: t.string({ values: ['a', 'b'] }), json: fc.constantFrom('a', 'b', 'c', '') },
  'integer with values': { one: t.integer({ values: [1, 2, -3] }), json: fc.integer({ min: -4, max: 4 }) },
  'number with values': { one: t.number({ values: [0.5, 1] }), json: fc.constantFrom(0.5, 1, 1.5, 0) },
  'bigint with values': {
    one: t.bigint({ values: [1n, 2n ** 64n] }),
    json: fc.constantFrom('1', '2', '18446744073709551616'),
  },
  uuid: { one: t.string({ format: 'uuid' }), json: fc.oneof(fc.uuid(), fc.string()) },
  uri: {
    one: t.string({ format: 'uri' }),
    json: fc.webUrl({ withFragments: true, withQueryParameters: true, size: 'small' }),
  },
  email: { one: t.string({ format: 'email' }), json: fc.emailAddress({ size: 'small' }) },
  integer: {
    one: t.integer(),
    json: fc.oneof(fc.integer(), fc.maxSafeInteger(), fc.double({ noNaN: true, noDefaultInfinity: true })),
  },
  'integer with limits': { one: t.integer({ min: -3, max: 40 }), json: fc.integer({ min: -50, max: 50 }) },
  number: { one: t.number(), json: fc.double({ noNaN: true, noDefaultInfinity: true }) },
  'number with limits': { one: t.number({ min: -1.5, max: 2 }), json: fc.double({ min: -3, max: 3, noNaN: true }) },
  bigint: {
    one: t.bigint(),
    json: fc.oneof(
      fc.bigInt().map(String),
      fc.constantFrom('007', '-0', '1.0', '', '9'.repeat(1000), '9'.repeat(1001)),
    ),
  },
  decimal: { one: t.decimal(), json: fc.oneof(decimals, fc.constantFrom('007', '.5', '1.', '+1', '1e3', '')) },
  'decimal with digits': { one: t.decimal({ precision: 5, scale: 2 }), json: decimals },
  'decimal with a scale': { one: t.decimal({ scale: 0 }), json: decimals },
  'decimal below one': { one: t.decimal({ precision: 3, scale: 3 }), json: decimals },
  boolean: { one: t.boolean(), json: fc.boolean() },
  date: { one: t.date(), json: dates },
  dateTime: { one: t.dateTime(), json: moments },
  time: {
    one: t.time(),
    json: fc
      .tuple(twoDigits(25), twoDigits(61), fc.constantFrom('', ':00', ':60', ':30.5'))
      .map(([h, m, rest]) => `${h}:${m}${rest}`),
  },
  any: { one: t.any(), json: jsonValues.filter((value) => value !== null) },
}

const samples: Record<string, Sample> = { ...scalars, ...makeContainers(scalars) }

function makeContainers(all: Record<string, Sample>): Record<string, Sample> {
  const [integer, date, text] = [all['integer with limits'], all['date'], all['string with limits']] as [
    Sample,
    Sample,
    Sample,
  ]
  const inner = t.object({
    n: integer.one.core.derive({ required: true }),
    d: date.one.core.derive({ nullable: true }),
    s: text.one,
  })
  const innerJson = fc.record(
    { n: integer.json, d: fc.oneof(date.json, fc.constant(null)), s: text.json, more: fc.constant(1) },
    { requiredKeys: [] },
  )
  return {
    collection: { one: t.array(integer.one, { min: 1, max: 3 }), json: fc.array(integer.json, { maxLength: 5 }) },
    'collection of nullable': {
      one: t.array(t.integer({ nullable: true })),
      json: fc.array(fc.oneof(fc.integer(), fc.constant(null)), { maxLength: 3 }),
    },
    hash: {
      one: t.record(date.one, { max: 2 }),
      json: fc.dictionary(fc.constantFrom('a', 'b', 'c', 'constructor', 'prototype'), date.json),
    },
    struct: { one: inner, json: innerJson },
    'struct of structs': {
      one: t.object({ a: inner, list: t.array(inner, { max: 2 }) }),
      json: fc.record({ a: innerJson, list: fc.array(innerJson, { maxLength: 3 }) }, { requiredKeys: [] }),
    },
    json: { one: t.json(inner), json: innerJson },
    'json of nullable': {
      one: t.json(t.integer({ nullable: true, min: 1 })),
      json: fc.oneof(fc.integer(), fc.constant(null)),
    },
    union: {
      one: t.union('kind', { one: { n: t.integer({ required: true }) }, two: { d: t.date(), inner } }),
      json: fc.record(
        { kind: fc.constantFrom('one', 'two', 'three'), n: fc.integer(), d: date.json, inner: innerJson },
        { requiredKeys: [] },
      ),
    },
  }
}

function sync<T>(outcome: LoadOutcome<T> | Promise<LoadOutcome<T>>): LoadOutcome<T> {
  if (outcome instanceof Promise) throw new Error('asynchronous')
  return outcome
}

// Schemas do not state the safe range of integers: the limits would appear at every integer of a document.
const isUnsafe = (outcome: LoadOutcome<unknown>): boolean =>
  !outcome.valid && outcome.issues.length > 0 && outcome.issues.every(({ code }) => code === 'range')

function validator(one: Attribute, direction: Direction): ValidateFunction {
  const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, allErrors: true })
  addFormats.default(ajv)
  ajv.addFormat('decimal', true)
  ajv.addKeyword('discriminator')
  const schemas = new NamedSchemas(direction)
  const schema = attributeRules.buildSchema(one, schemas)
  return ajv.compile({ ...schema, $defs: Object.fromEntries(schemas.named) })
}

describe.each(Object.entries(samples))('laws of %s', (_, { one, json }) => {
  const input = validator(one, 'input')
  const output = validator(one, 'output')

  it('loads a value of its JSON form exactly when its input schema accepts it', () => {
    fc.assert(
      fc.property(json, (value) => {
        const loaded = sync(loadAttributeValue(one, value))
        if (!isUnsafe(loaded)) expect({ value, loads: loaded.valid }).toEqual({ value, loads: input(value) })
      }),
      { numRuns: 300 },
    )
  })

  it('loads every JSON value that its input schema accepts', () => {
    fc.assert(
      fc.property(jsonValues, (value) => {
        const loaded = sync(loadAttributeValue(one, value))
        if (input(value) && !isUnsafe(loaded)) expect(loaded).toMatchObject({ valid: true })
      }),
    )
  })

  it('dumps what it loaded into what its output schema accepts, and loads that again to the same value', () => {
    fc.assert(
      fc.property(json, (value) => {
        const loaded = sync(loadAttributeValue(one, value))
        if (!loaded.valid) return
        const dumped = dumpAttributeValue(one, loaded.value)
        expect(dumped).toMatchObject({ valid: true })
        if (!dumped.valid) return
        expect(output(dumped.value)).toBe(true)
        expect(sync(loadAttributeValue(one, JSON.parse(JSON.stringify(dumped.value))))).toEqual(loaded)
        expect(dumpAttributeValue(one, loaded.value, false)).toEqual(dumped)
      }),
      { numRuns: 300 },
    )
  })

  it('has an example that its schemas accept and its loader takes, the same in every run', () => {
    for (const name of ['', 'email', 'name', 'x', 'created_at']) {
      const seed = new ExampleSeed().at(name)
      const example = attributeRules.makeExample(one, seed)
      expect(attributeRules.makeExample(one, new ExampleSeed().at(name))).toEqual(example)
      const dumped = dumpAttributeValue(one, example)
      expect(dumped).toMatchObject({ valid: true })
      if (!dumped.valid) return
      expect(output(dumped.value)).toBe(true)
      expect(input(dumped.value)).toBe(true)
      expect(sync(loadAttributeValue(one, dumped.value))).toMatchObject({ valid: true })
    }
  })

  it('never throws, whatever it is given to load or to dump, and gives a reason for every refusal', () => {
    fc.assert(
      fc.property(
        fc.anything({
          withBigInt: true,
          withDate: true,
          withMap: true,
          withNullPrototype: true,
          withSparseArray: true,
        }),
        (value) => {
          const outcomes = [
            loadAttributeValue(one, value),
            loadAttributeValue(one, value, { source: 'text' }),
            dumpAttributeValue(one, value),
            dumpAttributeValue(one, value, false),
          ]
          for (const outcome of outcomes.map((each) => sync(each)))
            if (!outcome.valid) expect(outcome.total).toBeGreaterThan(0)
        },
      ),
    )
  })

  it('lets nothing leave that JSON cannot write', () => {
    fc.assert(
      fc.property(fc.anything({ withBigInt: true, withDate: true, withMap: true }), (value) => {
        const dumped = dumpAttributeValue(one, value, false)
        if (dumped.valid && dumped.value !== null)
          expect(JSON.parse(JSON.stringify(dumped.value))).toEqual(dumped.value)
      }),
    )
  })

  it('keeps its schema valid with every shared option', () => {
    const example = attributeRules.makeExample(one, new ExampleSeed()) as never
    const derived = one.core.derive({ nullable: true, description: 'd', default: example, example })
    expect(attributeRules.findMistakes(derived)).toEqual([])
    for (const direction of ['input', 'output'] as const) {
      const schema = attributeRules.buildSchema(derived, new NamedSchemas(direction))
      expect(JSON.parse(JSON.stringify(schema))).toMatchObject({ description: 'd', default: expect.anything() })
      const check = validator(derived, direction)
      expect([check(null), check(schema['default'])]).toEqual([true, true])
    }
  })
})

describe.each(Object.entries(scalars).filter(([name]) => name !== 'any'))('text and JSON of %s', (_, { one, json }) => {
  it('are loaded alike', () => {
    fc.assert(
      fc.property(json, (value) => {
        const loaded = sync(loadAttributeValue(one, value))
        // A number's text may have an exponent or a sign that an integer's canonical form does not.
        if (loaded.valid)
          expect(
            sync(
              loadAttributeValue(one, String(loaded.value instanceof Date ? value : loaded.value), { source: 'text' }),
            ),
          ).toEqual(loaded)
      }),
    )
  })
})

describe.each(Object.entries(samples))('a text of JSON of %s', (name, { one, json }) => {
  const text = name.startsWith('json') ? one : t.json(one)

  it('is loaded as the JSON itself, with the same issues at the same locations', () => {
    fc.assert(
      fc.property(fc.oneof(json, jsonValues), (value) => {
        const written = JSON.stringify(value)
        expect(sync(loadAttributeValue(text, written, { source: 'text' }))).toEqual(
          sync(loadAttributeValue(text, JSON.parse(written))),
        )
      }),
    )
  })

  it('has the schema of what it is a text of', () => {
    if (text !== one)
      expect(attributeRules.buildSchema(text, new NamedSchemas('input'))).toEqual(
        attributeRules.buildSchema(one, new NamedSchemas('input')),
      )
  })
})
