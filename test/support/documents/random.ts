// Random APIs, for the laws that hold for every document.
import {
  type Attribute,
  type Attributes,
  allOrNone,
  atLeastOne,
  atMostOne,
  collectionOf,
  endpoint,
  exactlyOne,
  mediaType,
  type Requirement,
  route,
  security,
  t,
} from 'edict'
import fc from 'fast-check'
import type { AnyDefinition } from '../../../src/design/definition.ts'
import { isAttribute } from '../../../src/schema/attribute.ts'
import { findRequirementFlaws } from '../../../src/schema/requirements.ts'

const names = fc.constantFrom(
  'id',
  'name',
  'email',
  'a b',
  'x-y',
  'ü',
  'default',
  'example',
  'schema',
  'items',
  'title',
)
const plainNames = fc.constantFrom('limit', 'since', 'kind', 'colour', 'tags', 'where', 'example')

const shared = fc.record(
  {
    required: fc.boolean(),
    nullable: fc.boolean(),
    description: fc.constantFrom('A text.', 'With *markdown*', '<b>html</b> & more'),
  },
  { requiredKeys: [] },
)

const scalar: fc.Arbitrary<Attribute> = shared.chain((options) =>
  fc.oneof(
    fc.record({ min: fc.nat(3), max: fc.integer({ min: 4, max: 40 }) }).map((own) => t.string({ ...options, ...own })),
    fc
      .constantFrom(/[a-z]+/, /\d{3}-[A-Z]{2}/, /(a|b)c*/, /[^x]+/i)
      .map((pattern) => t.string({ ...options, pattern })),
    fc
      .constantFrom('uuid' as const, 'uri' as const, 'email' as const)
      .map((format) => t.string({ ...options, format })),
    fc
      .uniqueArray(fc.string({ minLength: 1, maxLength: 5, unit: 'grapheme-ascii' }), { minLength: 1, maxLength: 4 })
      .map((values) => t.string({ ...options, values })),
    fc.integer({ min: -50, max: 50 }).map((min) => t.integer({ ...options, min, max: min + 3 })),
    fc
      .uniqueArray(fc.integer({ min: -9, max: 9 }), { minLength: 1, maxLength: 4 })
      .chain((values) =>
        fc.constantFrom<Attribute>(
          t.integer({ ...options, values }),
          t.number({ ...options, values: values.map((one) => one / 4) }),
          t.bigint({ ...options, values: values.map(BigInt) }),
        ),
      ),
    fc.double({ noNaN: true, min: -5, max: 5 }).map((min) => t.number({ ...options, min })),
    fc
      .constantFrom(t.bigint, t.decimal, t.boolean, t.date, t.dateTime, t.time, t.any)
      .map((kind) => (kind as typeof t.any)(options as {}) as Attribute),
    fc.boolean().map((initial) => t.boolean({ ...options, required: false, default: initial })),
  ),
)

// A rule that excludes an attribute, or has too few, is refused at boot.
function ruled(of: Attributes, rule: typeof atLeastOne | undefined): { requires?: Requirement[] } {
  const requires = rule === undefined ? [] : [rule(...(Object.keys(of) as [string, string]))]
  return findRequirementFlaws(requires, of).length > 0 ? {} : { requires }
}

// Two variants that divide the texts of one name differently are refused at boot.
function besides(one: Attributes, other: Attributes): Attributes {
  const rest = Object.fromEntries(Object.entries(other).filter(([name]) => !Object.hasOwn(one, name)))
  return Object.keys(rest).length > 0 ? rest : { alone: t.boolean() }
}

// Elements and whole payloads must not be texts of JSON.
function unwrapped(one: Attribute): Attribute {
  const { target } = one.core
  return target === undefined ? one : unwrapped(target)
}

const { attribute } = fc.letrec<{ attribute: Attribute; attributes: Attributes }>((tie) => ({
  attributes: fc.dictionary(names, tie('attribute'), { minKeys: 1, maxKeys: 3 }),
  attribute: fc.oneof(
    { maxDepth: 3, depthSize: 'xsmall' },
    scalar,
    fc
      .tuple(tie('attribute'), shared, fc.nat(2))
      .map(([of, options, min]) => t.array(unwrapped(of), { ...options, min })),
    fc
      .tuple(scalar, shared, fc.constantFrom(',' as const, ' ' as const, '|' as const))
      .map(([of, options, delimiter]) => t.array(of, { ...options, delimiter })),
    fc.tuple(tie('attribute'), shared).map(([of, options]) => t.record(unwrapped(of), options)),
    fc.tuple(tie('attribute'), shared).map(([of, options]) => t.json(unwrapped(of), options)),
    fc
      .tuple(tie('attributes'), shared, fc.constantFrom(undefined, atLeastOne, exactlyOne, atMostOne, allOrNone))
      .map(([of, options, rule]) => t.object(of, { ...options, ...ruled(of, rule) })),
    fc
      .tuple(tie('attributes'), tie('attributes'), shared)
      .map(([one, other, options]) => t.union('is', { one, 'the other': besides(one, other) }, options as {})),
    fc.tuple(tie('attribute'), shared).map(([of, options]) => t.ref(() => of, { ...options, name: 'Späte' })),
    fc
      .tuple(fc.constantFrom('Owner', 'A b', 'Owner'), tie('attributes'))
      .map(([name, attributes]) => mediaType(name, { attributes })),
  ),
}))

const attributes = fc.dictionary(names, attribute, { minKeys: 1, maxKeys: 3 })

const thing = attributes.chain((own) =>
  fc.subarray(Object.keys(own), { minLength: 1 }).map((shown) => {
    const all = { id: t.integer({ required: true }), ...own }
    return mediaType('Owner', { attributes: all, views: { some: shown as never[], none: [] } })
  }),
)

const paths = fc.constantFrom(
  '/',
  '/:id',
  '/:id(.:ext)?',
  '/(a|b)/:id',
  '/x/*',
  '/y/*rest',
  '/:id-:ext',
  '/z\\{\\}/ü',
  '/:key',
)
const verbs = fc.constantFrom('get', 'post', 'put', 'patch', 'delete', 'any', 'head', 'options')
const schemes = [
  security.bearer('one'),
  security.basic('one'),
  security.apiKey('öne', { in: 'cookie', name: 'c' }),
  security.apiKey('two', { in: 'query', name: 'key' }),
  security.http('three', { scheme: 'Token' }),
]
const together = security.all({ a: schemes[0] as never, b: schemes[2] as never, c: schemes[3] as never })

const CAPTURED = {
  id: t.string(),
  ext: t.string(),
  key: t.integer(),
  rest: t.string(),
  splat: t.array(t.string()),
}

const EVERY = ['application/json', 'application/*+json', 'application/x-www-form-urlencoded', 'multipart/form-data']

const action = fc
  .record({
    routes: fc.uniqueArray(fc.tuple(verbs, paths), {
      minLength: 1,
      maxLength: 2,
      selector: ([verb, path]) => `${verb} ${path}`,
    }),
    params: fc.dictionary(plainNames, attribute, { maxKeys: 3 }),
    headers: fc.dictionary(
      fc.constantFrom('X-One', 'X-Two', 'Authorization'),
      fc.oneof(
        { weight: 5, arbitrary: scalar },
        attribute.map((of) => t.json(unwrapped(of))),
      ),
      { maxKeys: 2 },
    ),
    payload: fc.option(fc.oneof(attribute.map(unwrapped), attributes as fc.Arbitrary<Attribute | Attributes>)),
    forms: fc.boolean(),
    of: thing,
    response: fc.nat(5),
    nodoc: fc.boolean(),
    description: fc.option(fc.constantFrom('Does it. Well.', 'One\nand two', '')),
    security: fc.option(fc.subarray([...schemes, together, 'none' as const], { minLength: 1 })),
  })
  .map(({ routes, params, headers, payload, forms, of, response, nodoc, description, security: asked }) => {
    const used = routes.map(([, path]) => path).join()
    const captured = Object.fromEntries(
      Object.entries(CAPTURED).filter(
        ([name]) =>
          used.includes(`:${name}`) || used.includes(`*${name}`) || (name === 'splat' && /\*(,|$)/.test(used)),
      ),
    )
    const answers = [
      of,
      collectionOf(of),
      of.view('some'),
      { mediaType: [of.view('some'), collectionOf(of), 'text/plain', 'application/octet-stream'] },
      true,
      { headers: { ETag: /^"\w+"$/, 'X-Total': t.integer() }, description: 'Told' },
    ]
    return {
      routing: routes.map(([verb, path]) => route[verb as 'get'](path as '/')),
      params: { ...params, ...captured },
      headers,
      nodoc: nodoc && response === 0,
      ...(payload !== null && { payload: payload as never }),
      ...(payload !== null && !isAttribute(payload) && forms && { consumes: EVERY }),
      ...(description !== null && { description }),
      ...(asked !== null && { security: asked }),
      responses: { ok: answers[response], noContent: true, conflict: true },
    }
  })

/** The endpoints of a random API. */
export const definitions: fc.Arbitrary<readonly AnyDefinition[]> = fc
  .array(
    fc.tuple(
      fc.dictionary(fc.constantFrom('index', 'show', 'make'), action, { minKeys: 1 }),
      fc.constantFrom(undefined, '1', '2.0 beta'),
    ),
    {
      minLength: 1,
      maxLength: 2,
    },
  )
  .map((all) =>
    all.map(
      ([actions, version], i) =>
        endpoint(`E${i}`, {
          ...(version !== undefined && { version }),
          actions: actions as never,
        }) as unknown as AnyDefinition,
    ),
  )
