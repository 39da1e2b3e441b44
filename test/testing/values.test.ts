// Examples and near misses of every kind of attribute: examples load, near misses are refused at their place.
import { inspect } from 'node:util'
import { type Attribute, allOrNone, application, atLeastOne, endpoint, exactlyOne, mediaType, route, t } from 'edict'
import { examples, nearMisses, testClient } from 'edict/testing'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Blogs } from '../../examples/blog/design/blogs.ts'
import { Comment } from '../../examples/blog/design/comment.ts'
import { Post } from '../../examples/blog/design/post.ts'
import { hasAttributeWhere } from '../../src/schema/children.ts'
import { dumpAttributeValue, loadAttributeValue } from '../support/load-value.ts'
import { runs } from '../support/runs.ts'

const size = fc.record({ min: fc.nat(3), room: fc.nat(4) }).map(({ min, room }) => ({ min, max: min + room }))
const leaf: fc.Arbitrary<Attribute> = fc.oneof(
  fc.constantFrom<Attribute[]>(
    t.boolean(),
    t.date(),
    t.dateTime(),
    t.time(),
    t.any(),
    t.decimal(),
    t.bigint(),
    t.number(),
  ),
  size.map((limits) => t.string(limits)),
  size.map(({ min, max }) => t.integer({ min: min - 2, max })),
  size.map(({ min, max }) => t.number({ min, max })),
  size.map(({ min, max }) => t.bigint({ min: BigInt(min), max: BigInt(max) })),
  size.map(({ min, max }) => t.decimal({ scale: 2, precision: 6, min: `${min}.00`, max: `${max}.50` })),
  fc.constantFrom<Attribute[]>(
    t.string({ pattern: /[a-z]{2}-\d+/, max: 12 }),
    t.string({ pattern: /(?:a|b)*c?/ }),
    t.string({ values: ['red', 'green'] }),
    t.string({ values: ['only'] }),
    t.string({ format: 'uuid' }),
    t.string({ format: 'email' }),
    t.string({ format: 'uri', max: 60 }),
    t.integer({ values: [1, 2, 3] }),
    t.file({ types: ['image/png'], max: 100 }),
  ),
)
const { attribute } = fc.letrec<{ attribute: Attribute }>((tie) => ({
  attribute: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    leaf,
    fc.tuple(tie('attribute'), size).map(([of, limits]) => t.array(of, limits)),
    fc.tuple(tie('attribute'), size).map(([of, limits]) => t.record(of, limits)),
    fc.tuple(tie('attribute'), tie('attribute'), fc.nat(3)).map(([a, b, rule]) => structure(a, b, rule)),
    fc.tuple(tie('attribute'), tie('attribute')).map(([a, b]) => t.union('type', { one: { a }, other: { b } })),
  ),
}))

function structure(a: Attribute, b: Attribute, rule: number): Attribute {
  const requires = [atLeastOne('a', 'b'), exactlyOne('a', 'b'), allOrNone('a', 'b')][rule]
  const c = t.ref(a, { required: true, nullable: true } as never)
  return t.object({ a, b, c }, requires === undefined ? {} : { requires: [requires] })
}

const hasFile = (one: Attribute): boolean => hasAttributeWhere(one, ({ core }) => core.shape === 'file')

async function checkValues(one: Attribute, seed: number): Promise<void> {
  const made = examples(one, { seed, count: 4 })
  expect(made).toHaveLength(4)
  for (const value of made) {
    const dumped = hasFile(one) ? { valid: true as const, value } : dumpAttributeValue(one, value)
    expect(dumped, inspect(value)).toMatchObject({ valid: true })
    if (dumped.valid && value !== null)
      expect(await loadAttributeValue(one, dumped.value)).toMatchObject({ valid: true })
  }
  for (const { rule, pointer, value } of nearMisses(one, { seed })) {
    const outcome = await loadAttributeValue(one, value)
    expect(outcome.valid, `${rule} ${pointer} ${inspect(value)}`).toBe(false)
    const issues = outcome.valid ? [] : outcome.issues
    const found = issues.map((issue) => `${issue.code} ${issue.pointer}`)
    expect(found, inspect(value)).toContain(`${rule} ${pointer}`)
  }
}

describe('[TKT-03] examples and near misses', () => {
  it('[TKT-03] of any attribute are valid, and refused at their location by the rule that they name', () =>
    fc.assert(fc.asyncProperty(attribute, fc.nat(1000), checkValues), { numRuns: runs(60, 2000), seed: 7 }))

  it('[TKT-03] of media types, views and payloads of an API', async () => {
    const blogs = Blogs.resolve().actions
    const declared = [Post, Comment, Post.view('teaser'), blogs.get('create')?.payload?.attribute as Attribute]
    for (const [i, one] of declared.entries()) await checkValues(one, i)
  })

  it('[TKT-03] say which rules an attribute has', () => {
    const rules = (one: Attribute): string[] => [
      ...new Set(nearMisses(one).map(({ rule, pointer }) => `${rule}${pointer}`)),
    ]
    const title = t.string({ min: 2, max: 5, pattern: /[a-z]+/ })
    expect(rules(title)).toEqual(['null', 'type', 'min-length', 'max-length', 'nul', 'format', 'pattern'])
    expect(rules(t.object({ id: t.integer({ required: true, max: 9 }) }))).toEqual([
      ...['null', 'type', 'missing/id', 'unknown/undeclared', 'null/id', 'type/id', 'max/id', 'range/id'],
    ])
    expect(nearMisses(t.integer({ min: 3 })).find(({ rule }) => rule === 'min')).toEqual({
      rule: 'min',
      pointer: '',
      value: 2,
    })
  })

  it('[TKT-03] repeat with their seed, and differ with another one', () => {
    const one = t.array(t.string({ max: 30 }), { min: 2 })
    expect(examples(one, { seed: 4 })).toEqual(examples(one, { seed: 4 }))
    expect(examples(one, { seed: 5 })).not.toEqual(examples(one, { seed: 4 }))
  })

  it('[TKT-03] are what the client sends and the server takes', async () => {
    const Book = mediaType('Book', { attributes: { title: t.string({ min: 1 }), sold: t.bigint(), on: t.dateTime() } })
    const Books = endpoint('Books', {
      actions: {
        echo: { routing: route.post('/'), payload: t.ref(Book, { required: true }), responses: { ok: Book } },
      },
    })
    const app = application({
      controllers: [Books.implement({ echo: (_, { request, reply }) => reply.ok(request.payload) })],
    })
    const api = testClient(app, { Books })
    for (const payload of examples(Book))
      expect(await api.Books.echo({}, { payload })).toMatchObject({ status: 200, body: payload })
  })
})

it('a file says itself of which type it is when it is the body', async () => {
  const Pictures = endpoint('Pictures', {
    actions: {
      put: { routing: route.put('/'), payload: t.file({ types: ['image/png'] }), responses: { noContent: true } },
    },
  })
  const app = application({ controllers: [Pictures.implement({ put: (_, { reply }) => reply.noContent() })] })
  const api = testClient(app, { Pictures })
  const payload = new Blob(['x'], { type: 'image/png' })
  expect((await api.Pictures.put({}, { payload: payload as never })).status).toBe(204)
})
