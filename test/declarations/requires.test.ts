// Rules between attributes: how many of some a client gives, in params, payloads and structures.

import { Ajv2020 } from 'ajv/dist/2020.js'
import {
  allOrNone,
  application,
  atLeastOne,
  atMostOne,
  diffContracts,
  endpoint,
  exactlyOne,
  type Requirement,
  route,
  t,
} from 'edict'
import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { attributeRules } from '../../src/extend.ts'
import { ExampleSeed } from '../../src/schema/example.ts'
import { NamedSchemas } from '../../src/schema/json-schema.ts'
import { findRequirementFlaws } from '../../src/schema/requirements.ts'
import { ask, askFetch, mistakesOf } from '../support/ask.ts'
import { loadAttributeValue } from '../support/load-value.ts'

vi.setConfig({ testTimeout: 60_000 })

const text = 'text/plain' as const
const Contacts = endpoint('Contacts', {
  actionDefaults: {
    responses: { ok: text },
    params: { from: t.integer(), to: t.integer({ default: 9 }) },
    requires: { params: [allOrNone('from', 'to')] },
  },
  actions: {
    find: {
      routing: route.get('/'),
      description: 'Finds contacts.',
      params: { email: t.string(), phone: t.string(), sort: t.string() },
      requires: { params: [atMostOne('email', 'phone')] },
    },
    add: {
      routing: route.post('/'),
      payload: {
        name: t.string(),
        email: t.string({ nullable: true }),
        phone: t.string({ default: '1' }),
        home: t.object({ town: t.string(), zip: t.string() }, { nullable: true, requires: [allOrNone('town', 'zip')] }),
      },
      requires: { payload: [exactlyOne('email', 'phone')] },
    },
    whole: {
      routing: route.put('/'),
      payload: t.object({ a: t.string(), b: t.string(), c: t.string() }, { requires: [atLeastOne('a', 'b')] }),
      requires: { payload: [atMostOne('b', 'c')] },
    },
  },
})
const echo = (params: unknown, { request }: any) => JSON.stringify([params, request.payload])
const app = application({ controllers: [Contacts.implement({ find: echo, add: echo, whole: echo } as never)] })
const told = async (line: string, body?: unknown) => {
  const { status, json } = await ask(app, `${line}`, body === undefined ? {} : { body })
  return status === 200 ? json : json.errors.map(({ in: part, pointer, code }: any) => `${part} ${pointer} ${code}`)
}

describe('rules between attributes', () => {
  it('of params: those of the defaults and of the action', async () => {
    expect((await told('GET /contacts?email=a'))[0]).toEqual({ email: 'a', to: 9 })
    expect(await told('GET /contacts?email=a&phone=b')).toEqual(['params  constraint'])
    expect(await told('GET /contacts?email=a&phone=b&from=1')).toEqual(['params  constraint', 'params  constraint'])
    expect((await told('GET /contacts?from=1&to=2'))[0]).toEqual({ from: 1, to: 2 })
  })

  it('of payloads and structures: a sent null counts, a default does not', async () => {
    expect((await told('POST /contacts', { email: 'a' }))[1]).toEqual({ email: 'a', phone: '1' })
    expect((await told('POST /contacts', { email: null }))[1]).toEqual({ email: null, phone: '1' })
    expect(await told('POST /contacts', {})).toEqual(['payload  constraint'])
    expect(await told('POST /contacts')).toEqual(['payload  constraint'])
    expect(await told('POST /contacts', { email: null, phone: '2' })).toEqual(['payload  constraint'])
    expect(await told('POST /contacts', { email: 'a', home: { town: 'x' } })).toEqual(['payload /home constraint'])
    expect((await told('POST /contacts', { email: 'a', home: null }))[1]).toMatchObject({ home: null })
    expect(await told('PUT /contacts', { c: 'x', b: 'y' })).toEqual(['payload  constraint'])
    expect(await told('PUT /contacts', { c: 'x' })).toEqual(['payload  constraint'])
  })

  it('are told by name', async () => {
    const { json } = await ask(app, 'POST /contacts', { body: { email: 'a', home: { zip: '1' } } })
    expect(json.errors[0].detail ?? json.errors[0].message).toContain("must have all or none of 'town', 'zip'")
  })

  it('are in the document: as schemas, and for params in words and as x-requires', () => {
    const { get, post } = app.openapi().paths['/contacts'] as any
    expect(get.description).toBe(
      "Finds contacts.\n\nThe params must have all or none of 'from', 'to', and at most one of 'email', 'phone'.",
    )
    expect(get['x-requires']).toEqual([{ allOrNone: ['from', 'to'] }, { atMostOne: ['email', 'phone'] }])
    expect(post.requestBody.required).toBe(true)
    expect(JSON.stringify(app.openapi())).toContain(
      '"allOf":[{"oneOf":[{"required":["email"],"properties":{"email":{}}}',
    )
  })
})

const NAMES = ['a', 'b', 'constructor', 'd']
const rule: fc.Arbitrary<Requirement> = fc
  .tuple(fc.constantFrom(atLeastOne, exactlyOne, atMostOne, allOrNone), fc.subarray(NAMES, { minLength: 2 }))
  .map(([make, names]) => make(...(names as [string, string])))
const structure = fc
  .tuple(
    fc.array(rule, { minLength: 1, maxLength: 3 }),
    fc.array(fc.constantFrom({}, { required: true }, { default: 1 }, { nullable: true }), {
      minLength: 4,
      maxLength: 4,
    }),
    fc.boolean(),
  )
  .map(([requires, options, nullable]) => {
    const attributes = Object.fromEntries(NAMES.map((name, i) => [name, t.integer(options[i] as {})]))
    return { attributes, requires, attribute: t.object(attributes, { requires, nullable }) }
  })
  .filter(({ attributes, requires }) => findRequirementFlaws(requires, attributes).length === 0)
const value = fc.dictionary(fc.constantFrom(...NAMES), fc.constantFrom(1, null), { noNullPrototype: true })
const ajv = new Ajv2020({ strict: false, ownProperties: true })

describe('law', () => {
  it('a value is loaded exactly when the published schema has it', () => {
    fc.assert(
      fc.property(structure, fc.oneof(value, fc.constant(null)), ({ attribute }, sent) => {
        const check = ajv.compile(attributeRules.buildSchema(attribute, new NamedSchemas('input')))
        expect((loadAttributeValue(attribute, sent) as any).valid).toBe(check(sent))
      }),
      { numRuns: 300 },
    )
  })

  it('examples are values, wide ones and those of great depth', () => {
    fc.assert(
      fc.property(structure, fc.constantFrom(0, 9), ({ attribute }, depth) => {
        expect(
          loadAttributeValue(attribute, attributeRules.makeExample(attribute, new ExampleSeed('', '', depth))),
        ).toMatchObject({
          valid: true,
        })
      }),
      { numRuns: 200 },
    )
  })

  // Written again, by hand, from the meaning of the words.
  const keeps = ({ '~requires': kind, names }: Requirement, given: Set<string>): boolean => {
    const sent = names.filter((name) => given.has(name))
    if (kind === 'atLeastOne') return sent.length >= 1
    if (kind === 'exactlyOne') return sent.length === 1
    if (kind === 'atMostOne') return sent.length <= 1
    return sent.length === 0 || sent.length === names.length
  }
  const serving = (attributes: object, requires: readonly Requirement[]) =>
    application({
      controllers: [
        endpoint('Things', {
          actions: {
            list: {
              routing: route.get('/'),
              params: attributes,
              requires: { params: requires },
              responses: { ok: text },
            },
          },
        } as never).implement({ list: () => '' } as never),
      ],
    })

  it('params are refused exactly when a rule is broken', async () => {
    await fc.assert(
      fc.asyncProperty(structure, fc.subarray(NAMES), async ({ requires }, sent) => {
        const attributes = Object.fromEntries(NAMES.map((name) => [name, t.integer()]))
        fc.pre(findRequirementFlaws(requires, attributes).length === 0)
        const query = sent.map((name) => `${name}=1`).join('&')
        const response = await serving(attributes, requires).fetch(new Request(`http://x/things?${query}`))
        expect(response.status).toBe(requires.every((one) => keeps(one, new Set(sent))) ? 200 : 400)
      }),
      { numRuns: 60 },
    )
  })

  /** The schemas of bodies that a QUERY sends, by how many names its path captures. */
  const bodiesOf = ({ paths }: ReturnType<typeof app.openapi>) =>
    new Map(
      ['/things', '/things/{a}'].map((path, captured) => {
        const { requestBody } = (paths[path] as any)['x-query']
        return [captured, new Ajv2020({ strict: false }).compile(requestBody.content['application/json'].schema)]
      }),
    )

  it.each([
    ['atLeastOne', atLeastOne],
    ['exactlyOne', exactlyOne],
    ['atMostOne', atMostOne],
    ['allOrNone', allOrNone],
  ])('%s counts what the path captures, the query and the body of a QUERY together', async (_, rule) => {
    for (const names of [
      ['a', 'b'],
      ['b', 'c'],
      ['a', 'b', 'c'],
    ] as const) {
      const requires = [rule<string>(...(names as readonly [string, string]))]
      const Things = endpoint('Things', {
        actions: {
          list: {
            routing: [route.query('/'), route.query('/:a'), route.get('/:a')],
            params: { a: t.integer(), b: t.integer(), c: t.integer() },
            requires: { params: requires as never },
            responses: { ok: text },
          },
        },
      })
      const made = application({ controllers: [Things.implement({ list: () => 'here' })] })
      const bodies = bodiesOf(made.openapi())
      for (const captured of [[], ['a']])
        for (const sent of [[], ['b'], ['c'], ['b', 'c']]) {
          const path = `/things${captured.length > 0 ? '/1' : ''}`
          const isRight = requires.every((one) => keeps(one, new Set([...captured, ...sent])))
          const body = Object.fromEntries(sent.map((name) => [name, 1]))
          const { status } = await askFetch(made, `QUERY ${path}`, { body })
          expect(status, JSON.stringify([names, captured, sent])).toBe(isRight ? 200 : 400)
          // A schema of the body can say what the body alone decides.
          const isOwn = captured.length === 0 || !names.some((name) => name === 'a')
          const fits = bodies.get(captured.length) as (value: unknown) => boolean
          expect(fits(body)).toBe(isOwn ? isRight : true)
          if (captured.length === 0) continue
          const query = sent.map((name) => `${name}=1`).join('&')
          expect((await askFetch(made, `GET ${path}?${query}`)).status).toBe(isRight ? 200 : 400)
        }
    }
  })

  it('a change breaks clients exactly when something that was accepted is refused', () => {
    const attributes = Object.fromEntries(NAMES.map((name) => [name, t.integer()]))
    const sound = fc
      .array(rule, { maxLength: 2 })
      .filter((requires) => findRequirementFlaws(requires, attributes).length === 0)
    const all = Array.from({ length: 16 }, (_, bits) => new Set(NAMES.filter((_name, i) => (bits >> i) % 2 === 1)))
    fc.assert(
      fc.property(sound, sound, (old, now) => {
        const accepted = (requires: readonly Requirement[]) =>
          all.map((set) => requires.every((one) => keeps(one, set)))
        const [before, after] = [accepted(old), accepted(now)]
        const changes = diffContracts(serving(attributes, old).contract(), serving(attributes, now).contract())
        const breaks = before.some((was, i) => was && !after[i])
        expect(changes.some(({ kind }) => kind === 'breaking')).toBe(breaks)
        if (before.some((was, i) => was !== after[i])) expect(changes).not.toEqual([])
      }),
      { numRuns: 60 },
    )
  })

  it('the same holds for rules of a structure', () => {
    const of = (...requires: Requirement[]) =>
      application({
        controllers: [
          endpoint('Things', {
            actions: {
              add: {
                routing: route.post('/'),
                payload: { at: t.object({ a: t.string(), b: t.string() }, { requires } as {}) },
                responses: { ok: text },
              },
            },
          }).implement({ add: () => '' }),
        ],
      }).contract()
    const [none, one, some] = [of(), of(exactlyOne('a', 'b')), of(atLeastOne('a', 'b'))]
    const rules = (from: any, to: any) => diffContracts(from, to).map(({ kind, rule: by }) => `${kind} ${by}`)
    expect(rules(none, one)).toEqual(['breaking constraint-added'])
    expect(rules(one, none)).toEqual(['compatible constraint-removed'])
    expect(rules(one, some)).toEqual(['compatible constraint-removed'])
    expect(rules(some, one)).toEqual(['breaking constraint-added'])
    expect(rules(one, one)).toEqual([])
  })
})

describe('a mistake', () => {
  const made = (action: object) =>
    mistakesOf(() =>
      application({
        controllers: [
          endpoint('Things', {
            actions: { list: { routing: route.post('/:id'), responses: { ok: text }, ...action } },
          } as never).implement({ list: () => '' } as never),
        ],
      }),
    ).map(({ setting, problem }) => `${setting}: ${problem}`)
  const params = { id: t.string(), a: t.string(), b: t.string() }

  it.each<readonly [string, object, string]>([
    [
      'an unknown name',
      { params, requires: { params: [atLeastOne('a', 'x')] } },
      "requires.params: requires names 'x', which is not an attribute",
    ],
    [
      'one name alone',
      { params, requires: { params: [atLeastOne(...(['a'] as never as ['a', 'a']))] } },
      "requires.params: requires has at least one of 'a'",
    ],
    [
      'a capture that excludes another',
      { params, requires: { params: [exactlyOne('id', 'a')] } },
      "requires.params: 'a' could never be given: exactly one of 'id', 'a'",
    ],
    [
      'rules that no value keeps',
      {
        params: { id: t.string() },
        payload: t.object({ a: t.string(), b: t.string() }, { requires: [exactlyOne('a', 'b'), allOrNone('a', 'b')] }),
      },
      "payload: no value has exactly one of 'a', 'b' and all or none of 'a', 'b'",
    ],
    [
      'rules of a payload without attributes',
      { params: { id: t.string() }, payload: t.string(), requires: { payload: [atLeastOne('a', 'b')] } },
      'requires.payload: the payload has no attributes of its own',
    ],
    [
      'rules without a payload',
      { params: { id: t.string() }, requires: { payload: [atLeastOne('a', 'b')] } },
      'requires.payload: the payload has no attributes of its own',
    ],
  ])('%s', (_, action, expected) => {
    expect(made(action)).toEqual([expected])
  })

  it('is told to the compiler', () => {
    // @ts-expect-error there is no such attribute
    t.object({ a: t.string(), b: t.string() }, { requires: [atLeastOne('a', 'x')] })
    // @ts-expect-error it is no rule
    t.object({ a: t.string(), b: t.string() }, { requires: ['a'] })
    expect(t.object({ a: t.string(), b: t.string() }, { requires: [atLeastOne('a', 'b')] }).core.shape).toBe('object')
  })
})
