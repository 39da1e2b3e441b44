// Examples of schemas from other libraries: suggestions match the schema, and no validator of the library runs.

import { Ajv2020 } from 'ajv/dist/2020.js'
import { type } from 'arktype'
import { type Attribute, t } from 'edict'
import fc from 'fast-check'
import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { runs } from '../../../test/support/runs.ts'
import { attributeRules } from '../../design/attribute-rules.ts'
import { ExampleSeed } from '../example.ts'
import type { JsonSchema } from '../json-schema.ts'
import { Loading } from '../loading.ts'
import { suggestExample } from './json-schema-example.ts'

const ajv = new Ajv2020({ strict: false, validateFormats: false })

const limits = (least: number, most: number): fc.Arbitrary<readonly [number, number]> =>
  fc.tuple(fc.integer({ min: least, max: most }), fc.integer({ min: least, max: most })).map(([a, b]) => {
    return a < b ? ([a, b] as const) : ([b, a] as const)
  })

const { schema } = fc.letrec<{ schema: JsonSchema; leaf: JsonSchema }>((tie) => ({
  leaf: fc.oneof(
    limits(0, 30).map(([minLength, maxLength]) => ({ type: 'string', minLength, maxLength })),
    limits(-50, 50).map(([minimum, maximum]) => ({ type: 'integer', minimum, maximum })),
    limits(-50, 50).map(([minimum, exclusiveMaximum]) => ({
      type: 'number',
      minimum,
      exclusiveMaximum: exclusiveMaximum + 1,
    })),
    fc.integer({ min: 1, max: 9 }).map((multipleOf) => ({ type: 'integer', multipleOf, exclusiveMinimum: 3 })),
    fc.constantFrom(
      { type: 'boolean' },
      { type: 'null' },
      { type: ['null', 'string'] },
      { const: 'a' },
      { enum: [1, 'b', null] },
      { type: 'string', pattern: '^[a-f]{3}-\\d+$' },
      { type: 'string', format: 'date-time' },
    ),
  ),
  schema: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    tie('leaf'),
    fc.record({ type: fc.constant('array'), items: tie('schema'), minItems: fc.nat(3) }),
    fc
      .dictionary(fc.constantFrom('a', 'b', 'c'), tie('schema'))
      .map((properties) => ({ type: 'object', properties, required: Object.keys(properties) })),
    fc.record({ anyOf: fc.array(tie('schema'), { minLength: 1, maxLength: 3 }) }),
    tie('schema').map((one) => ({ $defs: { one }, allOf: [one] })),
  ),
}))

it('a proposal fits its JSON Schema', () => {
  fc.assert(
    fc.property(schema, fc.nat(20), (definition, step) => {
      const example = suggestExample(definition, new ExampleSeed().at(step))
      expect(example).not.toBe(undefined)
      expect([ajv.validate(definition, example), definition, example]).toEqual([true, definition, example])
    }),
    { numRuns: 400 },
  )
})

it('references lead into the schema, and those without an end stop', () => {
  const tree = { type: 'object', properties: { left: { $ref: '#' }, value: { $ref: '#/$defs/value' } } }
  const example = suggestExample({ ...tree, $defs: { value: { type: 'boolean' } } }, new ExampleSeed())
  expect(example).toMatchObject({ left: { left: {} }, value: expect.any(Boolean) })
  expect(suggestExample({ $ref: '#' }, new ExampleSeed())).toBe(undefined)
  expect(suggestExample({ $ref: 'https://example.com/schema' }, new ExampleSeed())).toBe(undefined)
})

function load(attribute: Attribute, value: unknown): Loading {
  const loading = new Loading('json')
  attributeRules.getLoader(attribute)(value, loading)
  return loading
}

const Address = z.object({
  street: z.string().min(1).max(40),
  zip: z.string().regex(/^\d{5}$/),
  country: z.enum(['DE', 'FR']).default('DE'),
  mail: z.email(),
  at: z.iso.datetime(),
  weight: z.number().gt(0).lt(1),
  pair: z.tuple([z.string(), z.number()]),
  kind: z.discriminatedUnion('is', [z.object({ is: z.literal('a'), x: z.uuid() }), z.object({ is: z.literal('b') })]),
})

describe('an example of another library', () => {
  it.each([
    ['zod', t.standard(Address)],
    ['arktype', t.standard(type({ mail: 'string.email', count: '1<number<=10', 'tags?': 'string[]>0' }))],
    ['a value that is converted', t.standard(z.coerce.number().min(3))],
  ])('%s', (_, attribute) => {
    const example = attributeRules.makeExample(attribute, new ExampleSeed())
    expect(example).not.toBe(undefined)
    const { issues } = load(attribute, JSON.parse(JSON.stringify(example)))
    expect(issues).toBe(null)
  })

  it('runs no check', () => {
    const validated: unknown[] = []
    const recordValue = (value: unknown): boolean => validated.push(value) < 0
    expect(attributeRules.makeExample(t.standard(z.string().refine(recordValue)), new ExampleSeed())).toEqual(
      expect.any(String),
    )
    expect(validated).toEqual([])
  })

  it.each([
    ['its JSON Schema cannot be made', z.bigint()],
    ['it converts', z.string().transform((text) => text.length)],
    ['its library has no JSON Schema', v.string()],
  ])('is missing where %s', (_, one) => {
    expect(attributeRules.makeExample(t.standard(one), new ExampleSeed())).toBe(undefined)
  })
})

describe('a number between bounds', () => {
  const bound = fc.constantFrom(-2, -0.5, 0, 0.1, 0.2, 1, 1.5, 2, 3, 10)
  const bounds = fc.record(
    { minimum: bound, exclusiveMinimum: bound, maximum: bound, exclusiveMaximum: bound },
    { requiredKeys: [] },
  )

  it.each(['integer', 'number'])('of the type %s fits all of them, wherever something does', (kind) => {
    fc.assert(
      fc.property(bounds, fc.nat(), (definition, seed) => {
        const one = { type: kind, ...definition }
        const { minimum = -100, exclusiveMinimum = -100, maximum = 100, exclusiveMaximum = 100 } = definition
        const [least, most] = [Math.max(minimum, exclusiveMinimum), Math.min(maximum, exclusiveMaximum)]
        const integers = Array.from({ length: 201 }, (_, i) => i - 100)
        const candidates = kind === 'integer' ? integers : [least, (least + most) / 2]
        fc.pre(candidates.some((value) => ajv.validate(one, value)))
        expect([one, ajv.validate(one, suggestExample(one as JsonSchema, new ExampleSeed(String(seed))))]).toEqual([
          one,
          true,
        ])
      }),
      { numRuns: runs(300, 10_000) },
    )
  })
})
