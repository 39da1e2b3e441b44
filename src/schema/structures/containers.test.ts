// Arrays, records, unions, references, any, files and Standard Schemas.

import { type } from 'arktype'
import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { dumpAttributeValue, type LoadOutcome, loadAttributeValue } from '../../../test/support/load-value.ts'
import { attributeRules } from '../../design/attribute-rules.ts'
import type { Attribute } from '../attribute.ts'
import { ExampleSeed } from '../example.ts'
import { NamedSchemas } from '../json-schema.ts'
import { t } from '../t.ts'
import type { UploadedFile } from './file.ts'

const summary = <T>(outcome: LoadOutcome<T>): unknown =>
  outcome.valid ? outcome.value : outcome.issues.map(({ pointer, code }) => `${pointer} ${code}`)

function read(one: Attribute, value: unknown, text = false): unknown {
  const outcome = loadAttributeValue(one, value, { source: text ? 'text' : 'json' })
  return outcome instanceof Promise ? outcome.then(summary) : summary(outcome)
}

const write = (one: Attribute, value: unknown, checks = true): unknown =>
  summary(dumpAttributeValue(one, value, checks))

describe('t.array', () => {
  const numbers = t.array(t.integer(), { min: 1, max: 3 })

  it('[ATT-01] loads every element, and reports each at its location', () => {
    expect(read(numbers, ['1', 2])).toEqual([1, 2])
    expect(read(numbers, ['x', 2, null])).toEqual(['/0 type', '/2 null'])
  })

  it('[ATT-05] counts before it loads', () => {
    expect(read(numbers, [])).toEqual([' min-items'])
    expect(read(numbers, ['x', 'x', 'x', 'x'])).toEqual([' max-items'])
  })

  it('takes one value for a collection of one in a text source only', () => {
    expect(read(numbers, '4', true)).toEqual([4])
    expect(read(numbers, '4')).toEqual([' type'])
    expect(read(numbers, 4)).toEqual([' type'])
    expect(read(t.array(t.string()), '', true)).toEqual([''])
  })

  it('takes indices for names in a text source only, complete and from 0', () => {
    const items = t.array(t.object({ id: t.integer() }))
    expect(read(items, { 1: { id: '8' }, 0: { id: '7' } }, true)).toEqual([{ id: 7 }, { id: 8 }])
    expect(read(items, { 0: { id: 'x' } }, true)).toEqual(['/0/id type'])
    expect(read(items, { 1: { id: '8' } }, true)).toEqual([' type'])
    expect(read(items, { 0: {}, x: {} }, true)).toEqual([' type'])
    expect(read(items, { 0: { id: 7 } })).toEqual([' type'])
  })

  it('has nullable elements when the element says so', () => {
    expect(read(t.array(t.integer({ nullable: true })), [1, null])).toEqual([1, null])
  })

  it('nests', () => {
    expect(read(t.array(t.array(t.boolean())), [[true], ['f', 'x']])).toEqual(['/1/1 type'])
  })

  it.each(['x', {}, new Set([1]), new Uint8Array(2)])('never lets %s leave', (bad) =>
    expect(write(numbers, bad, false)).toEqual([' type']),
  )

  it('is checked when it leaves', () => {
    expect(write(numbers, [1, null, {}, 4])).toEqual([' max-items', '/1 null', '/2 type'])
    expect(write(numbers, [1, null, 3, 4], false)).toEqual([1, null, 3, 4])
    expect(write(numbers, [])).toEqual([' min-items'])
  })

  it('reports contradictions', () => {
    expect(attributeRules.findMistakes(t.array(t.string(), { min: 2, max: 1 }))).toHaveLength(1)
    expect(attributeRules.findMistakes(t.array(t.string(), { min: -1 }))).toHaveLength(1)
    expect(attributeRules.findMistakes(t.array(t.string({ max: 1 }), { default: ['ab'] }))).toEqual([
      'default/0 must have at most 1 character',
    ])
  })
})

describe('t.record', () => {
  const prices = t.record(t.number(), { min: 1, max: 3 })

  it('loads free names into an object that inherits nothing', () => {
    const loaded = read(prices, { a: '1.5', toString: 2 }) as object
    expect(Object.getPrototypeOf(loaded)).toBe(null)
    expect({ ...loaded }).toEqual({ a: 1.5, toString: 2 })
  })

  it('refuses names that reach a prototype, and names that are no text', () => {
    const sent: unknown = JSON.parse('{"__proto__":1,"constructor":1,"prototype":1}')
    expect(read(prices, sent)).toEqual(['/__proto__ key', '/constructor key', '/prototype key'])
    expect(read(prices, { 'a\0': 1, '\ud800': 1 })).toEqual(['/a\0 key', '/\ud800 key'])
  })

  it('reports every value at its location, and counts before it loads', () => {
    expect(read(prices, { 'a/b': 'x', c: null })).toEqual(['/a~1b type', '/c null'])
    expect([read(prices, {}), read(prices, { a: 1, b: 1, c: 1, d: 1 })]).toEqual([[' min-items'], [' max-items']])
    for (const bad of ['x', 1, []]) expect(read(prices, bad)).toEqual([' type'])
  })

  it('lets values of its type leave under any name but those', () => {
    expect(write(prices, { a: 1, b: undefined })).toEqual({ a: 1 })
    expect(write(prices, JSON.parse('{"__proto__":1,"a":{}}'), false)).toEqual(['/__proto__ key', '/a type'])
    expect(write(t.record(t.number({ nullable: true })), { a: null })).toEqual({ a: null })
    expect(write(prices, { a: null })).toEqual(['/a null'])
    expect(write(prices, [1], false)).toEqual([' type'])
  })
})

describe('t.union', () => {
  const shape = t.union('type', {
    circle: { radius: t.number({ required: true, min: 0 }) },
    square: { side: t.number({ required: true }), label: t.string({ default: 'none' }) },
  })

  it('loads the variant that the discriminator names', () => {
    expect(read(shape, { type: 'circle', radius: '2' })).toEqual({ type: 'circle', radius: 2 })
    expect(read(shape, { type: 'square', side: 2 })).toEqual({ type: 'square', side: 2, label: 'none' })
  })

  it('refuses what the variant does not have, and an unknown variant with the list of those there are', () => {
    expect(read(shape, { type: 'circle', side: 2 })).toEqual(['/radius missing', '/side unknown'])
    for (const bad of [{}, { type: 'oval' }, { type: 1 }, { type: 'constructor' }, { type: ['circle'] }]) {
      expect(read(shape, bad)).toEqual(['/type discriminator'])
    }
    const outcome = loadAttributeValue(shape, {})
    expect(outcome).toMatchObject({ issues: [{ message: 'must name a variant: one of circle, square' }] })
    for (const bad of ['circle', 1, []]) expect(read(shape, bad)).toEqual([' type'])
  })

  it('dumps the variant, and nothing of the others', () => {
    expect(write(shape, { type: 'circle', radius: 1, side: 2 })).toEqual({ type: 'circle', radius: 1 })
    expect(write(shape, { type: 'oval' }, false)).toEqual(['/type discriminator'])
    expect(write(shape, 'circle', false)).toEqual([' type'])
  })

  it('is described as one of several named schemas with a mapping', () => {
    const schemas = new NamedSchemas('input')
    expect(attributeRules.buildSchema(shape, schemas)).toEqual({
      oneOf: [{ $ref: '#/$defs/Circle' }, { $ref: '#/$defs/Square' }],
      discriminator: { propertyName: 'type', mapping: { circle: '#/$defs/Circle', square: '#/$defs/Square' } },
    })
    expect(schemas.named.get('Circle')).toMatchObject({ required: ['type', 'radius'] })
  })

  it('reports contradictions', () => {
    expect(attributeRules.findMistakes(t.union('type', {}))).toHaveLength(1)
    expect(attributeRules.findMistakes(t.union('type', { a: { type: t.string() } }))).toHaveLength(1)
  })
})

describe('t.any', () => {
  it.each(['x', 0, false, [], {}, [1, { a: [null] }], { a: null }])('passes %j', (sent) =>
    expect(read(t.any(), sent)).toEqual(sent),
  )

  it('refuses null unless nullable', () => {
    expect([read(t.any(), null), read(t.any({ nullable: true }), null)]).toEqual([[' null'], null])
  })

  it('refuses names that reach a prototype at any depth, and endless depth', () => {
    expect(read(t.any(), JSON.parse('{"a":[{"__proto__":{"admin":true}}],"constructor":{}}'))).toEqual([
      '/a/0/__proto__ key',
      '/constructor key',
    ])
    expect(read(t.any(), JSON.parse('['.repeat(65) + ']'.repeat(65)))).toMatchObject([expect.stringMatching(/depth$/)])
    expect(read(t.any(), JSON.parse('['.repeat(64) + ']'.repeat(64)))).toBeTruthy()
  })

  it('lets plain data leave, whatever was returned', () => {
    class Money {
      amount = 5
      secret = () => 'x'
      toJSON() {
        return { amount: String(this.amount), more: Symbol('x') }
      }
    }
    const own = JSON.parse('{"__proto__":{"x":1},"b":2}')
    const value = {
      at: new Date(0),
      bad: new Date(Number.NaN),
      big: 2n,
      no: undefined,
      fn: () => 1,
      list: [1, undefined, Number.NaN, () => 1],
      money: new Money(),
      own,
    }
    expect(write(t.any(), value)).toEqual({
      at: '1970-01-01T00:00:00.000Z',
      bad: null,
      big: '2',
      list: [1, null, null, null],
      money: { amount: '5' },
      own: { b: 2 },
    })
    for (const bad of [() => 1, Symbol('x')]) expect(write(t.any(), bad, false)).toEqual([' type'])
  })

  it('ends in data with cycles, also when they branch', () => {
    let reads = 0
    const node = {
      get left(): object {
        reads++
        return node
      },
      get right(): object[] {
        return [node, node]
      },
    }
    expect(write(t.any(), node, false)).toMatchObject([expect.stringMatching(/depth$/)])
    expect(reads).toBeLessThan(200)
  })
})

describe('t.ref', () => {
  interface Tree {
    name: string
    children?: Tree[]
    next?: Tree
  }
  const tree: Attribute<Tree> = t.object({
    name: t.string({ required: true }),
    children: t.array(t.ref<Tree>(() => tree, { name: 'Tree' })),
    next: t.ref<Tree>(() => tree, { name: 'Tree' }),
  })

  it('replaces options of an attribute', () => {
    const one = t.object({ a: t.ref(t.string({ max: 2 }), { required: true, nullable: true }) })
    expect([read(one, {}), read(one, { a: null }), read(one, { a: 'abc' })]).toEqual([
      ['/a missing'],
      { a: null },
      ['/a max-length'],
    ])
  })

  it('[ATT-08] loads and dumps a recursive type', () => {
    const value = { name: 'a', children: [{ name: 'b', children: [] }], next: { name: 'c' } }
    expect(read(tree, value)).toEqual(value)
    expect(write(tree, { ...value, secret: 1 })).toEqual(value)
    expect(read(tree, { name: 'a', children: [{ next: { name: 1 } }] })).toEqual([
      '/children/0/name missing',
      '/children/0/next/name type',
    ])
  })

  it('ends: asked for what lies below, for a schema, for an example', () => {
    expect(Object.keys(tree.core.children['next']?.core.children ?? {})).toEqual(['name', 'children', 'next'])
    expect(attributeRules.isAsync(tree)).toBe(true)
    expect(tree.core.related).toBe(false)
    expect(attributeRules.findMistakes(tree)).toEqual([])
    const schemas = new NamedSchemas()
    expect(attributeRules.buildSchema(tree, schemas)).toMatchObject({ properties: { next: { $ref: '#/$defs/Tree' } } })
    expect(schemas.named.get('Tree')).toMatchObject({ properties: { children: { items: { $ref: '#/$defs/Tree' } } } })
    expect(read(tree, write(tree, attributeRules.makeExample(tree, new ExampleSeed())))).toMatchObject({
      name: expect.stringMatching(/^\p{Lu}.* \p{Lu}/u),
    })
  })

  it('ends an example of a type that requires itself', () => {
    interface Endless {
      self: Endless
    }
    const endless: Attribute<Endless> = t.object({
      self: t.ref<Endless, true>(() => endless, { required: true }),
    })
    expect(attributeRules.makeExample(endless, new ExampleSeed())).toBeTruthy()
  })

  it('bounds the depth of what it loads, and of cyclic data that it dumps', () => {
    let deep: Tree = { name: 'x' }
    for (let i = 0; i < 10_000; i++) deep = { name: 'x', next: deep }
    expect(read(tree, deep)).toMatchObject([expect.stringMatching(/depth$/)])
    const cyclic: Tree = { name: 'x' }
    cyclic.next = cyclic
    cyclic.children = [cyclic, cyclic]
    expect(write(tree, cyclic)).toMatchObject([expect.stringMatching(/depth$/)])
  })

  it('dumps siblings of deep data at their own depth', () => {
    let deep: Tree = { name: 'x' }
    for (let i = 0; i < 60; i++) deep = { name: 'x', next: deep }
    expect(dumpAttributeValue(t.array(tree), [deep, deep, deep]).valid).toBe(true)
  })
})

const file = (type: string, size: number | undefined): UploadedFile => ({
  '~file': true,
  filename: 'a.png',
  type,
  size,
  bytes: async () => new Uint8Array(),
  text: async () => '',
  stream: () => new ReadableStream(),
  async *[Symbol.asyncIterator]() {},
})

describe('t.file', () => {
  const image = t.file({ max: 10, types: ['image/*', 'application/pdf'] })

  it('takes a file of the declared types and size', () => {
    for (const type of ['image/png', 'IMAGE/PNG; q=1', 'application/pdf'])
      expect(read(image, file(type, 10))).toMatchObject({ type })
    expect(read(image, file('image/png', undefined))).toBeTruthy()
    expect(read(t.file(), file('x/y', 5))).toBeTruthy()
  })

  it('refuses other types, larger files and what is not a file', () => {
    expect([read(image, file('text/plain', 1)), read(image, file('image/png', 11))]).toEqual([[' file-type'], [' max']])
    for (const bad of ['x', 1, {}, { '~file': false }, []]) expect(read(image, bad)).toEqual([' type'])
    expect(read(image, [file('image/png', 1), file('image/png', 1)], true)).toEqual([' repeated'])
    expect(read(image, file('', 1))).toEqual([' file-type'])
  })

  it('makes a collection of one in a text source', () => {
    expect(read(t.array(image), file('image/png', 1), true)).toHaveLength(1)
  })

  it('never leaves', () => {
    expect(write(image, file('image/png', 1), false)).toEqual([' type'])
  })

  it('reports contradictions', () => {
    expect(attributeRules.findMistakes(t.file({ max: -1, types: [] }))).toHaveLength(2)
    expect(attributeRules.findMistakes(t.file({ types: ['png', '*/*', 'image/svg+xml'] }))).toHaveLength(1)
  })
})

describe('t.standard', () => {
  const isOdd = async (n: number): Promise<boolean> => n % 2 === 1

  it.each([
    ['zod', z.object({ n: z.number().min(3), s: z.array(z.string()) })],
    ['valibot', v.object({ n: v.pipe(v.number(), v.minValue(3)), s: v.array(v.string()) })],
    ['arktype', type({ n: 'number >= 3', s: 'string[]' })],
  ])('loads through %s, with places and messages of its own', (_, standard) => {
    const one = t.object({ x: t.standard(standard) })
    expect(read(one, { x: { n: 3, s: ['a'] } })).toEqual({ x: { n: 3, s: ['a'] } })
    expect(read(one, { x: { n: 2, s: ['a', 1] } })).toEqual(['/x/n custom', '/x/s/1 custom'])
    expect(attributeRules.findMistakes(one)).toEqual([])
  })

  it('hands on what the schema made of the value', () => {
    expect(read(t.standard(z.string().transform((text) => text.length)), 'four')).toBe(4)
  })

  it('[ATT-09] waits for asynchronous schemas, and reports their issues with the others, each at its location', async () => {
    const odd = t.standard(z.number().refine(isOdd, 'must be odd'))
    const one = t.object({ list: t.array(odd), more: t.object({ a: odd, b: t.integer() }), map: t.record(odd) })
    expect(await read(one, { list: [1, 3], more: { a: 5 }, map: { k: 7 } })).toEqual({
      list: [1, 3],
      more: { a: 5 },
      map: { k: 7 },
    })
    expect(await read(one, { list: [1, 2], more: { a: 4, b: 'x' }, map: { k: 6, l: 1 }, zz: 1 })).toEqual([
      '/more/b type',
      '/zz unknown',
      '/list/1 custom',
      '/more/a custom',
      '/map/k custom',
    ])
    expect(await read(odd, 2)).toEqual([' custom'])
    expect(await read(odd, 3)).toBe(3)
  })

  it('lets an error of a validator travel, synchronous or not', async () => {
    const throwing = {
      '~standard': {
        version: 1 as const,
        vendor: 'x',
        validate: (): never => {
          throw new Error('bug')
        },
      },
    }
    const rejecting = {
      '~standard': { version: 1 as const, vendor: 'x', validate: () => Promise.reject(new Error('bug')) },
    }
    expect(() => read(t.standard(throwing), 1)).toThrow('bug')
    await expect(read(t.standard(rejecting), 1)).rejects.toThrow('bug')
  })

  it('reports a refusal without a reason', () => {
    const silent = { '~standard': { version: 1 as const, vendor: 'x', validate: () => ({ issues: [] }) } }
    expect(read(t.standard(silent), 1)).toEqual([' custom'])
  })

  it('dumps as anything does', () => {
    expect(write(t.standard(z.any()), { a: new Date(0), f: () => 1 })).toEqual({ a: '1970-01-01T00:00:00.000Z' })
  })

  it('is described by its own JSON Schema where it has one', () => {
    const one = t.standard(z.object({ n: z.number().default(3) }))
    expect(attributeRules.buildSchema(one, new NamedSchemas('input'))).toMatchObject({
      type: 'object',
      properties: { n: { type: 'number' } },
    })
    expect(attributeRules.buildSchema(t.standard(z.string().transform(Number)), new NamedSchemas('output'))).toEqual({})
    expect(attributeRules.buildSchema(t.standard(v.string()), new NamedSchemas())).toEqual({})
    expect(attributeRules.buildSchema(t.standard(type('string')), new NamedSchemas())).toEqual({ type: 'string' })
  })

  it('brings definitions along that its JSON Schema refers to', () => {
    interface Node {
      kids: Node[]
    }
    const node: z.ZodType<Node> = z.lazy(() => z.object({ kids: z.array(node) }))
    const schemas = new NamedSchemas('input')
    const text = JSON.stringify([
      attributeRules.buildSchema(t.standard(z.object({ root: node })), schemas),
      [...schemas.named],
    ])
    for (const [, name] of text.matchAll(/"#\/\$defs\/([^"]+)"/g)) expect(schemas.named.has(name as string)).toBe(true)
    expect(text).not.toContain('"$ref":"#"')
  })

  it('reports what is not a Standard Schema', () => {
    expect(attributeRules.findMistakes(t.standard({} as z.ZodString))).toHaveLength(1)
  })
})
