// The types that the compiler infers from declarations.
import { type } from 'arktype'
import * as v from 'valibot'
import { assertType, describe, expectTypeOf, it } from 'vitest'
import { z } from 'zod'
import { loadAttributeValue } from '../../test/support/load-value.ts'
import type { Attribute } from './attribute.ts'
import type { UploadedFile } from './structures/file.ts'
import { has } from './structures/object.ts'
import { t } from './t.ts'
import type { Value } from './types.ts'

describe('values', () => {
  it('[ATT-01] have the type of their kind', () => {
    expectTypeOf<Value<Attribute<string>>>().toEqualTypeOf<string>()
    const one = t.object({
      s: t.string({ required: true }),
      i: t.integer({ required: true }),
      n: t.number({ required: true }),
      big: t.bigint({ required: true }),
      price: t.decimal({ required: true, precision: 10, scale: 2 }),
      b: t.boolean({ required: true }),
      d: t.date({ required: true }),
      at: t.dateTime({ required: true }),
      time: t.time({ required: true }),
      any: t.any({ required: true }),
      file: t.file({ required: true }),
      list: t.array(t.object({ id: t.integer({ required: true }) }), { required: true }),
      map: t.record(t.array(t.boolean()), { required: true }),
    })
    expectTypeOf(one['~type']).toEqualTypeOf<{
      s: string
      i: number
      n: number
      big: bigint
      price: string
      b: boolean
      d: string
      at: Date
      time: string
      any: unknown
      file: UploadedFile
      list: { id: number }[]
      map: Record<string, boolean[]>
    }>()
  })

  it('[ATT-02] [ATT-03] [ATT-04] are optional unless required or defaulted', () => {
    const one = t.object({
      a: t.string(),
      b: t.string({ required: false }),
      c: t.string({ required: true }),
      d: t.string({ default: 'x' }),
      e: t.boolean({ default: false }),
      f: t.integer({ default: () => 3 }),
      g: t.array(t.string(), { default: [] }),
      h: t.object({ tags: t.array(t.string(), { required: true }) }, { default: { tags: ['x'] } }),
      i: t.string({ nullable: true, default: null }),
      j: t.dateTime({ default: () => new Date() }),
      k: t.record(t.integer(), { default: { a: 1 } }),
    })
    expectTypeOf(one['~type']).toEqualTypeOf<{
      a?: string
      b?: string
      c: string
      d: string
      e: boolean
      f: number
      g: string[]
      h: { tags: string[] }
      i: string | null
      j: Date
      k: Record<string, number>
    }>()
  })

  it('[ATT-05] are narrowed by their allowed values', () => {
    expectTypeOf(t.string({ values: ['a', 'b'] })['~type']).toEqualTypeOf<'a' | 'b'>()
    expectTypeOf(t.string({ values: ['a'], nullable: true })['~type']).toEqualTypeOf<'a' | null>()
    expectTypeOf(t.string({ values: ['a', 'b'] as string[] })['~type']).toEqualTypeOf<string>()
    expectTypeOf(t.array(t.string({ values: ['a', 'b'] }))['~type']).toEqualTypeOf<('a' | 'b')[]>()
  })

  it('[ATT-05] of numbers are narrowed by their allowed values', () => {
    expectTypeOf(t.integer({ values: [1, 2, 3] })['~type']).toEqualTypeOf<1 | 2 | 3>()
    expectTypeOf(t.integer({ values: [1], nullable: true, default: 1 })['~type']).toEqualTypeOf<1 | null>()
    expectTypeOf(t.number({ values: [0.5, 1] })['~type']).toEqualTypeOf<0.5 | 1>()
    expectTypeOf(t.number({ values: [1, 2] as number[] })['~type']).toEqualTypeOf<number>()
    expectTypeOf(t.bigint({ values: [1n, 2n] })['~type']).toEqualTypeOf<1n | 2n>()
    // @ts-expect-error a text is not a number
    t.integer({ values: ['1'] })
    // @ts-expect-error a number is not a bigint
    t.bigint({ values: [1] })
  })

  it('of lists are the same with a delimiter, and only some texts are one', () => {
    expectTypeOf(t.array(t.integer(), { delimiter: ',', required: true })).toEqualTypeOf<Attribute<number[], true>>()
    // @ts-expect-error only delimiters that OpenAPI can express
    t.array(t.integer(), { delimiter: ';' })
    // @ts-expect-error a record has no delimiter
    t.record(t.integer(), { delimiter: ',' })
  })

  it('[ATT-07] include null only where it is declared', () => {
    expectTypeOf(t.integer({ nullable: true })['~type']).toEqualTypeOf<number | null>()
    expectTypeOf(t.integer({ nullable: false })['~type']).toEqualTypeOf<number>()
    expectTypeOf(t.array(t.integer({ nullable: true }), { nullable: true })['~type']).toEqualTypeOf<
      (number | null)[] | null
    >()
  })

  it('[ATT-08] nest', () => {
    const one = t.object({ a: t.object({ b: t.object({ c: t.integer() }, { required: true }) }) })
    expectTypeOf(one['~type']).toEqualTypeOf<{ a?: { b: { c?: number } } }>()
  })
})

describe('unions', () => {
  it('are discriminated', () => {
    const shape = t.union('type', { circle: { r: t.number({ required: true }) }, square: { side: t.number() } })
    type Shape = (typeof shape)['~type']
    expectTypeOf<Shape>().toEqualTypeOf<{ type: 'circle'; r: number } | { type: 'square'; side?: number }>()
    const area = (one: Shape): number => (one.type === 'circle' ? one.r : (one.side ?? 0))
    assertType<(one: Shape) => number>(area)
  })
})

describe('references', () => {
  interface Tree {
    name: string
    kids?: Tree[]
  }

  it('allow recursion', () => {
    const tree: Attribute<Tree> = t.object({
      name: t.string({ required: true }),
      kids: t.array(t.ref<Tree>(() => tree)),
    })
    expectTypeOf(tree['~type']).toEqualTypeOf<Tree>()
    expectTypeOf(t.ref<Tree, true>(() => tree, { required: true })['~present']).toEqualTypeOf<true>()
  })

  it('replace options', () => {
    const name = t.string({ required: true })
    expectTypeOf(t.ref(name)['~present']).toEqualTypeOf<true>()
    expectTypeOf(t.ref(name, { required: false })['~present']).toEqualTypeOf<false>()
    expectTypeOf(t.ref(t.integer(), { required: true, nullable: true })).toEqualTypeOf<Attribute<number | null, true>>()
    expectTypeOf(t.ref(t.integer({ nullable: true }), { nullable: false })['~type']).toEqualTypeOf<number>()
  })
})

describe('texts of JSON', () => {
  it('are what they are texts of', () => {
    const one = t.object({ a: t.integer({ required: true }) })
    expectTypeOf(t.json(one)).toEqualTypeOf<Attribute<{ a: number }, false>>()
    expectTypeOf(t.json(one, { required: true, nullable: true })).toEqualTypeOf<Attribute<{ a: number } | null, true>>()
    expectTypeOf(t.json(t.string({ nullable: true }), { default: 'x' })).toEqualTypeOf<
      Attribute<string | null, 'default'>
    >()
    // @ts-expect-error an attribute is expected
    t.json({ a: t.integer() })
    // @ts-expect-error not an option
    t.json(one, { min: 1 })
    // @ts-expect-error the default is of another type
    t.json(one, { default: { a: 'x' } })
  })
})

describe('foreign schemas', () => {
  it('give their output type', () => {
    expectTypeOf(t.standard(z.string().transform(Number))['~type']).toEqualTypeOf<number>()
    expectTypeOf(t.standard(v.object({ a: v.number() }))['~type']).toEqualTypeOf<{ a: number }>()
    expectTypeOf(t.standard(type({ a: 'string' }), { required: true })).toEqualTypeOf<Attribute<{ a: string }, true>>()
  })
})

describe('presence', () => {
  const one = t.object({ a: t.string(), b: t.integer({ nullable: true }), c: t.integer({ required: true }) })
  const loaded = {} as (typeof one)['~type']

  it('[ATT-06] narrows to what was sent, and takes declared names only', () => {
    if (has(loaded, 'a')) expectTypeOf(loaded.a).toEqualTypeOf<string>()
    if (has(loaded, 'b')) expectTypeOf(loaded.b).toEqualTypeOf<number | null>()
    // @ts-expect-error not a declared name
    has(loaded, 'd')
  })
})

describe('mistakes that the compiler finds', () => {
  it('in options', () => {
    // @ts-expect-error a text is not a limit
    t.integer({ min: 'x' })
    // @ts-expect-error the default is of another type
    t.integer({ default: 'x' })
    // @ts-expect-error not an option
    t.boolean({ requird: true })
    // @ts-expect-error not a format
    t.string({ format: 'phone' })
    // @ts-expect-error the elements are of another type
    t.array(t.string(), { default: [1] })
    // @ts-expect-error an attribute is expected
    t.array({ id: t.integer() })
    // @ts-expect-error attributes are expected
    t.object({ a: 'string' })
    // @ts-expect-error bigint limits are bigints
    t.bigint({ max: 3 })
    // @ts-expect-error decimal limits are texts
    t.decimal({ min: 0.5 })
    // @ts-expect-error a decimal is a text
    t.decimal({ default: 1.5 })
    // @ts-expect-error decimals have no list of values
    t.decimal({ values: ['1'] })
    // @ts-expect-error not a Standard Schema
    t.standard({ parse: () => 1 })
    // @ts-expect-error the default lacks a required attribute
    t.object({ a: t.string({ required: true }) }, { default: {} })
  })

  it('in what is done with a value', () => {
    const outcome = loadAttributeValue(t.object({ a: t.string() }), {})
    if (!(outcome instanceof Promise) && outcome.valid) {
      // @ts-expect-error not declared
      outcome.value.b
      // @ts-expect-error may be absent
      outcome.value.a.length
    }
  })
})
