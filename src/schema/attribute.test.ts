// The members that attributes of every kind share.

import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { loadAttributeValue } from '../../test/support/load-value.ts'
import { attributeRules } from '../design/attribute-rules.ts'
import { isAttribute, makeAttribute } from './attribute.ts'
import { ExampleSeed } from './example.ts'
import { NamedSchemas } from './json-schema.ts'
import { t } from './t.ts'

describe('an attribute', () => {
  it('is frozen, and recognised by its form', () => {
    const one = t.string({ max: 3 })
    expect([Object.isFrozen(one), Object.isFrozen(one.options), isAttribute(one), isAttribute({ ...one })]).toEqual([
      true,
      true,
      true,
      true,
    ])
    for (const other of [null, undefined, 'x', {}, () => 1, { kind: 'string' }]) expect(isAttribute(other)).toBe(false)
  })

  it('prepares its loader and dumper at first use and keeps them', () => {
    let count = 0
    const counted = () => {
      count++
      return (value: unknown) => value
    }
    const one = makeAttribute(
      {
        name: 'counted',
        loader: counted,
        dumper: counted,
        jsonSchema: () => ({}),
        example: () => 1,
      },
      undefined,
    )
    expect(count).toBe(0)
    expect(attributeRules.getLoader(one)).toBe(attributeRules.getLoader(one))
    expect(attributeRules.getDumper(one)).toBe(attributeRules.getDumper(one))
    expect(count).toBe(2)
    expect([
      attributeRules.isAsync(one),
      one.core.children,
      one.core.related,
      attributeRules.findMistakes(one),
    ]).toEqual([false, {}, false, []])
  })

  it('tells its shape, its scalar and its element, whatever its kind', () => {
    const inner = t.object({ id: t.integer() })
    const shapes = [t.string(), inner, t.array(inner), t.record(inner), t.union('k', { a: {} }), t.ref(() => inner)]
    expect(shapes.map(({ core }) => core.shape)).toEqual(['value', 'object', 'list', 'record', 'union', 'reference'])
    expect([t.file(), t.any(), t.standard(z.string()), t.json(inner)].map(({ core }) => core.shape)).toEqual([
      'file',
      'open',
      'open',
      'value',
    ])
    expect([t.string(), t.dateTime(), t.any(), inner].map(({ core }) => core.scalar)).toEqual([
      'string',
      'dateTime',
      undefined,
      undefined,
    ])
    expect([t.array(inner), t.record(inner), inner].map(({ core }) => core.element)).toEqual([inner, inner, undefined])
  })

  it('knows what lies below it, and whether that may be asynchronous', () => {
    const later = t.standard(z.string())
    const text = t.string()
    const union = t.union('k', { a: { text }, b: { later } })
    expect(t.array(text).core.children).toEqual({ '*': text })
    expect(t.record(text).core.children).toEqual({ '*': text })
    expect(Object.keys(union.core.children['a']?.core.children ?? {})).toEqual(['k', 'text'])
    expect(
      [union, t.record(later), t.array(later), t.object({ later })].map((one) => attributeRules.isAsync(one)),
    ).toEqual([true, true, true, true])
    expect(
      [t.union('k', { a: { text } }), t.record(text), t.object({ text })].map((one) => attributeRules.isAsync(one)),
    ).toEqual([false, false, false])
  })

  it('stands for another resource when what it refers to does', () => {
    const media = makeAttribute(
      {
        name: 'media',
        related: true,
        loader: () => String,
        dumper: () => String,
        jsonSchema: () => ({ $ref: 'x' }),
        example: () => 1,
      },
      undefined,
    )
    const lazy = t.ref(() => media)
    expect(lazy.core.related).toBe(true)
    expect(attributeRules.buildSchema(lazy, new NamedSchemas())).toEqual({ $ref: 'x' })
  })
})

describe('examples', () => {
  const at = (name: string) => new ExampleSeed().at(name)

  it('are what the declaration says first: example, then default, then what the name suggests', () => {
    expect(attributeRules.makeExample(t.string({ example: 'e', default: 'd' }), at('name'))).toBe('e')
    expect(attributeRules.makeExample(t.string({ default: 'd' }), at('name'))).toBe('d')
    expect(attributeRules.makeExample(t.string({ default: () => 'd' }), at('name'))).toMatch(/^\p{Lu}.* \p{Lu}/u)
    expect(attributeRules.makeExample(t.string(), at('contact_email'))).toMatch(/^[a-z]+-\d+@example\.com$/)
    expect(attributeRules.makeExample(t.string(), at('contactEmail'))).toMatch(/^[a-z]+-\d+@example\.com$/)
    expect(attributeRules.makeExample(t.string({ max: 5 }), at('title'))).toHaveLength(5)
    expect(attributeRules.makeExample(t.string({ min: 40 }), at('name'))).toHaveLength(40)
    expect(attributeRules.makeExample(t.bigint({ min: 10n ** 30n }), at('n'))).toBe(10n ** 30n)
    expect(attributeRules.makeExample(t.bigint({ max: -5n }), at('n'))).toBe(-5n)
    expect(attributeRules.makeExample(t.integer({ min: 5, max: 5 }), at('n'))).toBe(5)
    expect(attributeRules.makeExample(t.number({ min: 0.25, max: 0.5 }), at('n'))).toBe(0.25)
    expect(attributeRules.makeExample(t.array(t.integer(), { min: 3 }), at('n'))).toHaveLength(3)
  })

  it('leave out what has none', () => {
    expect(
      attributeRules.makeExample(t.object({ f: t.file(), s: t.standard(z.bigint()), n: t.date() }), at('x')),
    ).toEqual({
      n: expect.any(String),
    })
  })
})

describe('descriptions', () => {
  it('carry files, defaults and examples in the form that travels', () => {
    const schemas = new NamedSchemas()
    expect(attributeRules.buildSchema(t.file({ types: ['image/png'] }), schemas)).toEqual({
      type: 'string',
      contentMediaType: 'image/png',
    })
    expect(attributeRules.buildSchema(t.file({ types: ['image/*'] }), schemas)).toEqual({
      type: 'string',
      contentMediaType: 'application/octet-stream',
    })
    expect(attributeRules.buildSchema(t.dateTime({ default: new Date(0), example: new Date(1) }), schemas)).toEqual({
      type: 'string',
      format: 'date-time',
      default: '1970-01-01T00:00:00.000Z',
      examples: ['1970-01-01T00:00:00.001Z'],
    })
    expect(attributeRules.buildSchema(t.integer({ default: () => 1, nullable: true }), schemas)).toEqual({
      type: ['integer', 'null'],
    })
    expect(attributeRules.buildSchema(t.string({ nullable: true, default: null }), schemas)).toEqual({
      type: ['string', 'null'],
      default: null,
    })
  })

  it('give two types of one name two names', () => {
    const schemas = new NamedSchemas('input', '#/components/schemas/')
    attributeRules.buildSchema(t.union('k', { item: { a: t.string() } }), schemas)
    expect(attributeRules.buildSchema(t.union('k', { item: { b: t.string() } }), schemas)).toMatchObject({
      oneOf: [{ $ref: '#/components/schemas/Item2' }],
    })
  })
})

describe('defaults', () => {
  it('are copied as deep as they are plain', () => {
    class Shared {}
    const shared = new Shared()
    const initial = { list: [{ at: new Date(0) }], shared }
    const one = t.object({ x: t.any({ default: initial }) })
    const outcome = loadAttributeValue(one, {})
    if (outcome instanceof Promise || !outcome.valid) throw new Error('invalid')
    const { x } = outcome.value as { x: typeof initial }
    expect(x).toEqual(initial)
    expect([
      x === initial,
      x.list[0] === initial.list[0],
      x.list[0]?.at === initial.list[0]?.at,
      x.shared === shared,
    ]).toEqual([false, false, false, true])
  })
})
