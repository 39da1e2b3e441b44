// The byte writer writes the same JSON as dumping followed by JSON.stringify, or leaves the value to them.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { runs } from '../../../test/support/runs.ts'
import { attributeRules } from '../../design/attribute-rules.ts'
import { JsonBuffer } from '../../util/json/json-buffer.ts'
import type { Attribute } from '../attribute.ts'
import { Dumping, type JsonWriter } from '../dumping.ts'
import { t } from '../t.ts'
import { getWriter, makeListWriter } from './writer.ts'
import { generateWriter } from './writer-code.ts'

const out = new JsonBuffer()

/** Returns the JSON that the writer of an attribute writes for a value; undefined if it leaves it to the dumper. */
function written({ core }: Attribute, value: unknown): string | undefined {
  return writtenBy(getWriter(attributeRules.getDumper({ core })), value)
}

function writtenBy(write: JsonWriter, value: unknown): string | undefined {
  out.reset()
  if (!write(value, out, new Dumping('unchecked'))) return undefined
  return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(out.take())
}

function dumpAndStringify({ core }: Attribute, value: unknown): string | undefined {
  const dumping = new Dumping('unchecked')
  const dumped = attributeRules.getDumper({ core })(value, dumping)
  return dumping.issues === null ? JSON.stringify(dumped) : undefined
}

const author = t.object({ id: t.integer({ required: true }), 'na"me': t.string(), constructor: t.string() })
const everything = t.object({
  text: t.string({ nullable: true }),
  whole: t.integer(),
  number: t.number(),
  truth: t.boolean(),
  moment: t.dateTime(),
  day: t.date(),
  large: t.bigint(),
  any: t.any(),
  author,
  texts: t.array(t.string()),
  moments: t.array(t.dateTime()),
  authors: t.array(author),
  lists: t.array(t.array(t.integer())),
  hash: t.record(t.integer()),
  variant: t.union('kind', { a: { id: t.integer() }, "'b": { texts: t.array(t.string()), author } }),
  ключ: t.string(),
})

const texts = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 30 }),
  fc.string({ unit: 'grapheme', maxLength: 30 }),
  // Lone surrogates, which JSON writes as escapes.
  fc.array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 8 }).map((codes) => String.fromCharCode(...codes)),
)
const anything = fc.oneof({ depthSize: 'small' }, fc.anything({ withBigInt: true, withDate: true }), texts)
const wholes = fc.oneof(fc.maxSafeInteger(), fc.integer(), fc.nat(2000), fc.constant(-0))
const decimals = fc
  .tuple(fc.integer({ min: -3_000_000_000, max: 3_000_000_000 }), fc.constantFrom(10, 100, 1000, 10_000))
  .map(([digits, scale]) => digits / scale)
const doubles = fc.oneof(fc.double(), fc.integer(), decimals, fc.double({ min: 0, max: 10 }))
const moments = fc.oneof(
  fc.date({ noInvalidDate: false }),
  fc.date({ min: new Date('0000-01-01T00:00:00Z'), max: new Date('9999-12-31T23:59:59.999Z') }),
)
const authors = fc.record({ id: wholes, 'na"me': texts, more: anything }, { requiredKeys: [] })
const maybe = (one: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> =>
  fc.oneof(
    { weight: 24, arbitrary: one },
    { weight: 1, arbitrary: fc.constantFrom(null, undefined) },
    { weight: 1, arbitrary: anything },
  )
const values = fc.record(
  {
    text: maybe(texts),
    whole: maybe(wholes),
    number: maybe(doubles),
    truth: maybe(fc.boolean()),
    moment: maybe(moments),
    large: maybe(fc.bigInt()),
    any: maybe(fc.jsonValue()),
    author: maybe(authors),
    texts: maybe(fc.array(maybe(texts), { maxLength: 4 })),
    moments: maybe(fc.array(maybe(moments), { maxLength: 4 })),
    authors: maybe(fc.array(maybe(authors), { maxLength: 4 })),
    lists: maybe(fc.array(maybe(fc.array(wholes, { maxLength: 4 })), { maxLength: 3 })),
    variant: maybe(
      fc.record({
        kind: fc.constantFrom('a', "'b", 'c', 'constructor'),
        id: maybe(wholes),
        texts: maybe(fc.array(maybe(texts), { maxLength: 3 })),
        author: maybe(authors),
      }),
    ),
    ключ: maybe(texts),
    undeclared: anything,
  },
  { requiredKeys: [] },
)

describe('writing a value', () => {
  it('gives the bytes of dumping and stringifying, whenever it gives any', () => {
    let many = 0
    fc.assert(
      fc.property(values, (value) => {
        const text = written(everything, value)
        const expected = dumpAndStringify(everything, value)
        if (text !== undefined) many++
        if (text !== expected) expect(text).toBe(expected)
      }),
      { numRuns: 3000 },
    )
    // Otherwise the law would be tested on no value.
    expect(many).toBeGreaterThan(300)
  })

  it('gives the same bytes as code that is made at run time', () => {
    const closure = getWriter(attributeRules.getDumper(everything))
    const made = generateWriter(closure) as JsonWriter
    const list = makeListWriter(closure, 'refused')
    const madeList = generateWriter(list) as JsonWriter
    const nested = fc.oneof(values, fc.array(maybe(values), { maxLength: 3 }), fc.sparseArray(values), anything)
    let many = 0
    fc.assert(
      fc.property(nested, (value) => {
        const expected = [writtenBy(closure, value), writtenBy(list, value)]
        if (expected.some((text) => text !== undefined)) many++
        const given = [writtenBy(made, value), writtenBy(madeList, value)]
        if (given.some((text, i) => text !== expected[i])) expect(given).toEqual(expected)
      }),
      { numRuns: runs(3000, 100_000) },
    )
    expect(many).toBeGreaterThan(300)
  })

  it('gives as code what getters and inherited members give', () => {
    const closure = getWriter(attributeRules.getDumper(everything))
    const made = generateWriter(closure) as JsonWriter
    const inherited: unknown = Object.create({ whole: 1, author: { id: 2, constructor: 'no' } })
    let reads = 0
    const getting = {
      get whole(): number {
        return ++reads
      },
    }
    const cyclic: { author?: unknown; lists: unknown[] } = { lists: [] }
    cyclic.lists.push(cyclic.lists)
    for (const value of [
      inherited,
      [inherited],
      new Proxy({ text: 'a' }, {}),
      Object.create(null),
      cyclic,
      new Date(0),
    ])
      expect(writtenBy(made, value)).toBe(writtenBy(closure, value))
    expect([writtenBy(closure, getting), writtenBy(made, getting)]).toEqual(['{"whole":1}', '{"whole":2}'])
  })

  it('goes as deep as code as the closures go', () => {
    interface Node {
      readonly child?: Node
    }
    const node: Attribute<Node> = t.object({ child: t.ref(() => node) })
    const closure = getWriter(attributeRules.getDumper(node))
    const made = generateWriter(closure) as JsonWriter
    let value: Node = {}
    for (let depth = 1; depth < 70; depth++) {
      expect([depth, writtenBy(made, value)]).toEqual([depth, writtenBy(closure, value)])
      value = { child: value }
    }
  })

  it('gives the moments of the calendar as the engine does', () => {
    const one = t.dateTime()
    for (const moment of [
      '0000-01-01T00:00:00.000Z',
      '1969-12-31T23:59:59.999Z',
      '2024-02-29T12:00:00.001Z',
      '9999-12-31T23:59:59.999Z',
    ])
      expect(written(one, new Date(moment))).toBe(JSON.stringify(moment))
    // Covers each day of the month and of the leap years: the step is coprime to both.
    for (let day = -719_528; day < 2_932_896; day += 37) {
      const moment = new Date(day * 86_400_000 + ((day * 7_919_993) % 43_200_000) + 43_200_000)
      if (written(one, moment) !== JSON.stringify(moment)) expect(written(one, moment)).toBe(JSON.stringify(moment))
    }
  })

  it('gives numbers as the engine does', () => {
    const one = t.array(t.number())
    const bounds = [
      2 ** 31 - 1,
      2 ** 31,
      -(2 ** 31),
      -(2 ** 31) - 1,
      1_999_999.999,
      2_000_000.001,
      0.001,
      0.0005,
      1.0001,
    ]
    const numbers = [0, -0, 7, 10, 99, 100, 999_999_999, 1e9, -1, 0.1, 0.12, 0.125, 1e21, 5e-324, 2 ** 53, ...bounds]
    expect(written(one, numbers)).toBe(JSON.stringify(numbers))
  })

  it('grows with what it is given, and begins again', () => {
    const long = ['é'.repeat(50_000), '"'.repeat(50_000), '\u0001'.repeat(20_000), 'a'.repeat(3_000_000)]
    expect(written(t.array(t.string()), long)).toBe(JSON.stringify(long))
    expect(written(t.array(t.string()), [])).toBe('[]')
    expect(written(author, {})).toBe('{}')
  })

  it('leaves it to the dumper to say what does not fit', () => {
    expect(written(author, { id: 'x' })).toBeUndefined()
    expect(written(t.array(author), [{ id: 1 }, 7])).toBeUndefined()
    expect(written(t.dateTime(), new Date(Number.NaN))).toBeUndefined()
  })
})
