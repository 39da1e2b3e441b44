// Loaders that are made as code give what the closures of the kinds give: values, their names in order, and issues.
import { execFile } from 'node:child_process'
import { isDeepStrictEqual, promisify } from 'node:util'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { attributeRules } from '../../src/design/attribute-rules.ts'
import { application, controller, endpoint, inherit, mediaType, route } from '../../src/index.ts'
import type { Attribute } from '../../src/schema/attribute.ts'
import { ExampleSeed } from '../../src/schema/example.ts'
import { generateLoader } from '../../src/schema/loader-code.ts'
import { type Loader, Loading } from '../../src/schema/loading.ts'
import { atLeastOne } from '../../src/schema/requirements.ts'
import { t } from '../../src/schema/t.ts'
import { runs } from '../support/runs.ts'

// Names that objects inherit, that change prototypes, that are no identifiers, and those that end a text or a comment.
const NAMES = [
  ...['id', 'name', 'tags', 'constructor', 'toString', 'hasOwnProperty', 'class', 'value', 'loaded', 'raw', 'k0', 'f0'],
  ...['a b', 'ключ', "'", '"', '`$' + '{value}`', '\\', '*/', '\u2028', '0', '-1', '', 'na-me', 'return', 'arguments'],
]
const limits = fc.constantFrom(-1e21, -5, -0, 0, 1, 2, 5.5, 100, 2 ** 53, 1e300)
const optional = <T>(one: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> => fc.option(one, { nil: undefined })
const withoutUndefined = (options: object): object =>
  Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined))
const presence = fc.constantFrom({}, {}, { required: true }, { nullable: true }, { required: true, nullable: true })

const strings = fc
  .record({
    min: optional(fc.constantFrom(0, 1, 2, 3)),
    max: optional(fc.constantFrom(0, 1, 4, 1000)),
    pattern: optional(fc.constantFrom(/^[a-z]+$/, /\d{2}/, /^.$/u)),
    format: optional(fc.constantFrom('uuid', 'email')),
    values: optional(
      fc.constantFrom(['a'], ['a', '', 'ab'], ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i'], ["'", '\0']),
    ),
    allowNul: optional(fc.boolean()),
  })
  .map(withoutUndefined)
const numbers = fc
  .record({ min: optional(limits), max: optional(limits), values: optional(fc.constantFrom([0], [1, 2, 5.5])) })
  .map(withoutUndefined)
const scalars: fc.Arbitrary<Attribute> = fc.oneof(
  fc.tuple(strings, presence).map(([own, shared]) => t.string({ ...own, ...shared } as never) as Attribute),
  fc.tuple(numbers, presence).map(([own, shared]) => t.integer({ ...own, ...shared } as never) as Attribute),
  fc.tuple(numbers, presence).map(([own, shared]) => t.number({ ...own, ...shared } as never) as Attribute),
  fc.tuple(presence).map(([shared]) => t.boolean(shared as never) as Attribute),
  fc.tuple(presence).map(([shared]) => t.dateTime(shared as never) as Attribute),
  fc.constantFrom<Attribute>(
    t.integer({ default: 7 }),
    t.string({ default: () => 'x' }),
    t.bigint(),
    t.decimal({ precision: 5, scale: 2 }),
    t.date(),
    t.time(),
    t.any(),
    t.record(t.integer()),
    t.ref(() => t.object({ id: t.integer() })),
    t.json(t.object({ id: t.integer() })),
    t.object({ id: t.integer({ default: 3 }) }, { default: () => ({ id: 4 }) }),
  ),
)
const listSizes = fc.record({ min: optional(fc.nat(2)), max: optional(fc.nat(4)) }).map(withoutUndefined)
const { attributes } = fc.letrec<{ attributes: Attribute; objects: Attribute }>((tie) => ({
  objects: fc
    .tuple(fc.dictionary(fc.constantFrom(...NAMES), tie('attributes'), { maxKeys: 6 }), presence, fc.boolean())
    .map(([members, shared, requires]) => {
      const names = Object.keys(members)
      const rules = requires && names.length > 1 ? { requires: [atLeastOne(...(names as [string, string]))] } : {}
      return t.object(members, { ...shared, ...rules } as never) as Attribute
    }),
  attributes: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    scalars,
    tie('objects'),
    fc
      .tuple(tie('attributes'), listSizes, presence)
      .map(([element, own, shared]) => t.array(element, { ...own, ...shared } as never) as Attribute),
    fc
      .tuple(fc.constantFrom('kind', 'a b', 'constructor'), tie('objects'), tie('objects'), presence)
      .map(([tag, one, other, shared]) => {
        const variant = ({ core }: Attribute): object =>
          Object.fromEntries(Object.entries(core.children).filter(([name]) => name !== tag))
        return t.union(tag, { a: variant(one), "'b": variant(other) } as never, shared as never) as Attribute
      }),
  ),
}))

const texts = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 6 }),
  fc.constantFrom(
    '',
    'a',
    'ab',
    '12',
    '-0',
    '007',
    '1e5',
    '9007199254740993',
    'true',
    'FALSE',
    'a\0',
    '\ud800',
    '😀',
    '😀😀',
  ),
  fc.constantFrom('2026-01-02T03:04:05Z', '2026-13-02T03:04:05Z', '{"id":1}', '{"id":"\\u0000"}', 'a@example.com'),
)
const odd = fc.oneof(
  texts,
  fc.constantFrom<unknown>(
    0,
    -0,
    1,
    1.5,
    -1,
    1e21,
    2 ** 53,
    2 ** 53 - 1,
    Number.NaN,
    Infinity,
    true,
    false,
    null,
    undefined,
  ),
  fc.anything({ withBigInt: true, withDate: true, withSparseArray: true, withNullPrototype: true }),
)

/** Values near what an attribute declares: its example, with parts replaced, added and taken away. */
function near(attribute: Attribute): fc.Arbitrary<unknown> {
  return fc.oneof({ weight: 16, arbitrary: nearShape(attribute) }, { weight: 1, arbitrary: odd })
}

function nearShape({ core }: Attribute): fc.Arbitrary<unknown> {
  const { shape, children } = core
  if (shape === 'list') {
    const element = children['*'] as Attribute
    return fc.oneof(
      fc.array(near(element), { maxLength: 5 }),
      fc.sparseArray(near(element), { maxLength: 4 }),
      near(element),
    )
  }
  if (shape === 'object')
    return fc
      .tuple(
        fc.record(Object.fromEntries(Object.entries(children).map(([name, one]) => [name, near(one)])), {
          requiredKeys: [],
        }),
        fc.dictionary(fc.constantFrom(...NAMES, 'more', '__proto__'), odd, { maxKeys: 1 }),
        fc.boolean(),
      )
      .map(([members, more, getter]) => {
        const value: object = JSON.parse('{}') as object
        const all = [
          ...Object.entries(members),
          ...(Object.keys(more).length === 1 && getter ? Object.entries(more) : []),
        ]
        for (const [name, one] of all)
          Object.defineProperty(value, name, {
            enumerable: true,
            configurable: true,
            ...(getter ? { get: () => one } : { value: one }),
          })
        return value
      })
  if (shape === 'union')
    return fc.oneof(
      ...Object.entries(children).map(([name, one]) =>
        nearShape(one).map((value) => ({ ...(value as object), kind: name, 'a b': name, constructor: name })),
      ),
    )
  const example = attributeRules.makeExample({ core }, new ExampleSeed('law'))
  return fc.oneof(
    { weight: 12, arbitrary: fc.constant(example) },
    { weight: 4, arbitrary: fc.constant(String(example)) },
    { weight: 1, arbitrary: odd },
  )
}

const cases = attributes.chain((attribute) =>
  fc.record({
    attribute: fc.constant(attribute),
    value: near(attribute).filter((value) => value !== undefined && value !== null),
    source: fc.constantFrom('text' as const, 'json' as const),
    isIgnoring: fc.boolean(),
  }),
)

interface Case {
  readonly value: unknown
  readonly source: 'text' | 'json'
  readonly isIgnoring: boolean
}

/** What a loader gives, with everything that can be seen of it. */
function outcomeOf(load: Loader, { value, source, isIgnoring }: Case): unknown {
  const loading = new Loading(source, isIgnoring ? (name) => name === 'more' : undefined)
  const result = load(value, loading)
  return {
    result: describeResult(result),
    issues: loading.issues,
    total: loading.total,
    deferred: loading.deferred,
    ...after(loading),
  }
}

const after = ({ depth, source, remainingJsonTokens }: Loading): object => ({ depth, source, remainingJsonTokens })

function describeResult(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(describeResult)
  if (typeof value !== 'object' || value === null || value instanceof Date)
    return Object.is(value, -0) ? 'negative zero' : value
  const prototype: unknown = Object.getPrototypeOf(value)
  return {
    isNull: prototype === null,
    members: Object.entries(value).map(([name, one]) => [name, describeResult(one)]),
  }
}

const Item = mediaType('Item', {
  attributes: { id: t.integer({ required: true }), name: t.string({ max: 5 }), tags: t.array(t.string()) },
})
const Items = endpoint('Items', {
  mediaType: Item,
  actions: {
    create: {
      routing: route.post('/'),
      payload: { id: inherit, name: inherit, tags: inherit },
      params: { n: t.integer() },
      responses: { ok: Item },
    },
  },
})
const makeApp = (): ReturnType<typeof application> =>
  application({
    controllers: [controller(Items, { create: (_, { request, reply }) => reply.ok(request.payload) })],
  })
const BODIES = [
  '{"id":1,"name":"a"}',
  '{"id":"x","name":"abcdef","more":1}',
  '{"id":1,"name":"\\u0000"}',
  '{"id":1,"name":"\\ud800"}',
  '{"id":1,"tags":["a","\\udc00b"]}',
  '{"id":1,"name":"\\u0061","tags":[null]}',
  '{"__proto__":{"id":2},"id":-0}',
  '{"id":9007199254740993}',
]

/** The statuses and bodies of all requests, in the first rounds and after the code was made. */
async function askOften(app: ReturnType<typeof application>): Promise<{ first: string[]; last: string[] }> {
  let first: string[] = []
  let last: string[] = []
  for (let round = 0; round < 30; round++) {
    last = []
    for (const body of BODIES) {
      const headers = { 'content-type': 'application/json' }
      const response = await app.fetch(new Request('http://x/items?n=7', { method: 'POST', body, headers }))
      last.push(`${response.status} ${await response.text()}`)
    }
    if (round === 0) first = last
  }
  return { first, last }
}

describe('an application whose code is made', () => {
  it('answers as it did before', async () => {
    const { first, last } = await askOften(makeApp())
    expect(last).toEqual(first)
    expect(new Set(last.map((one) => one.slice(0, 3)))).toEqual(new Set(['200', '400']))
  })

  it('keeps its closures where the runtime makes no code from texts', async () => {
    const script = `
      import { strict as assert } from 'node:assert'
      assert.throws(() => new Function('return 1'))
      const { GeneratedCode, generateWhenBusy } = await import('./src/util/generated-code.ts')
      const code = new GeneratedCode()
      assert.equal(code.make(code.addFunction('', ['return 1'])), undefined)
      const add = generateWhenBusy((a, b) => a + b, () => code.make('f0'))
      for (let i = 0; i < 300; i++) assert.equal(add(i, 1), i + 1)
      console.log('kept')`
    const flags = ['--disallow-code-generation-from-strings', '--import', 'tsx', '--input-type=module', '-e', script]
    const { stdout } = await promisify(execFile)(process.execPath, flags)
    expect(stdout.trim()).toBe('kept')
  })
})

const CASES = runs(400, 50_000)

describe('a loader made as code', () => {
  it('gives what the closures give, issues included', { timeout: runs(120_000, 3_600_000) }, () => {
    let generated = 0
    let valid = 0
    fc.assert(
      fc.property(cases, ({ attribute, ...one }) => {
        const closure = attributeRules.getLoader(attribute)
        const made = generateLoader(closure)
        if (made === undefined) return
        generated++
        const expected = outcomeOf(closure, one) as { issues: unknown }
        if (expected.issues === null) valid++
        const given = outcomeOf(made, one)
        if (!isDeepStrictEqual(given, expected)) expect(given).toEqual(expected)
      }),
      { numRuns: CASES },
    )
    // Otherwise the law would be tested on nothing.
    expect(generated).toBeGreaterThan(CASES / 5)
    expect(valid).toBeGreaterThan(generated / 40)
  })
})
