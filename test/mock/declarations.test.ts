// Mocks of random declarations keep the laws of the test kit.
import { type Attribute, type Attributes, collectionOf, endpoint, type MediaType, mediaType, route, t } from 'edict'
import { FieldSelector, FilteringParams } from 'edict/mapper'
import { mock } from 'edict/mock'
import { OrderingParams, PaginationParams } from 'edict/pagination'
import { checkApplication } from 'edict/testing'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { listOrderableFields } from '../../src/plugins/mapper/fields/field-paths.ts'
import { recorder } from '../support/ask.ts'
import { runs } from '../support/runs.ts'

/** Each run boots an application and asks it about eighty times. */
const RUNS = runs(12, 300)

const flags = fc.record({ required: fc.boolean(), nullable: fc.boolean() })

const limits = fc.tuple(fc.integer({ min: -20, max: 60 }), fc.integer({ min: 0, max: 50 }))

/** An attribute that is a single value. */
const single: fc.Arbitrary<Attribute> = fc
  .tuple(fc.integer({ min: 0, max: 15 }), flags, limits)
  .map(([kind, options, [min, span]]): Attribute => {
    const made: readonly (() => Attribute)[] = [
      () => t.string(options),
      () => t.string({ ...options, min: Math.max(0, min), max: Math.max(0, min) + span }),
      () => t.string({ ...options, pattern: /[a-z]{2,5}(?:-\d+)?/ }),
      () => t.string({ ...options, pattern: /^[A-Z]\d{3}$/ }),
      () => t.string({ ...options, values: ['a', 'b', 'c'] }),
      () => t.string({ ...options, format: (['uuid', 'uri', 'email'] as const)[span % 3] as 'uuid' }),
      () => t.integer({ ...options, min, max: min + span }),
      () => t.integer(options),
      () => t.number({ ...options, min: min / 4, max: min / 4 + span }),
      () => t.bigint({ ...options, min: BigInt(min) }),
      () => t.decimal({ ...options, scale: 2, min: String(min), max: String(min + span) }),
      () => t.decimal(options),
      () => t.boolean(options),
      () => t.date(options),
      () => t.dateTime(options),
      () => t.time(options),
    ]
    return (made[kind] as () => Attribute)()
  })

/** Any attribute, structures and lists included. */
const attribute = (below: readonly MediaType[]): fc.Arbitrary<Attribute> =>
  fc
    .tuple(fc.integer({ min: 0, max: 11 }), single, single, flags, fc.nat(2))
    .map(([kind, one, other, options, size]): Attribute => {
      const related = below[size % Math.max(below.length, 1)]
      if (kind === 6) return t.object({ one, other }, options)
      if (kind === 7) return t.array(one, { ...options, min: size, max: size + 2 })
      if (kind === 8) return t.record(one, { ...options, max: 3 })
      if (kind === 9) return t.union('type', { a: { one }, b: { other } }, options)
      if (kind >= 10 && related !== undefined)
        return kind === 10 ? t.ref(related, options) : t.array(related, { required: options.required })
      return kind === 5 ? t.any(options) : one
    })

const attributes = (below: readonly MediaType[]): fc.Arbitrary<Attributes> =>
  fc.dictionary(fc.constantFrom('a', 'b', 'title', 'name', 'thing_id', 'code'), attribute(below), { maxKeys: 5 })

type Keys = 'number' | 'text' | 'none'

interface World {
  readonly mediaTypes: readonly MediaType[]
  readonly keys: readonly Keys[]
  readonly child: boolean
}

const keyAttributes: Readonly<Record<Keys, Attributes>> = {
  number: { id: t.integer({ required: true }) },
  text: { slug: t.string({ required: true, pattern: /[a-z]+-\d+/ }) },
  none: {},
}

const worlds: fc.Arbitrary<World> = fc
  .tuple(fc.constantFrom<Keys>('number', 'text', 'none'), fc.constantFrom<Keys>('number', 'text', 'none'), fc.boolean())
  .chain(([first, second, child]) =>
    attributes([]).chain((inner) => {
      const Inner = mediaType('Thing', { attributes: { ...keyAttributes[first], ...inner } })
      return attributes([Inner]).map((outer) => {
        // A parent without a key is named by its path alone: an attribute of the param's name cannot name it, too.
        const { thing_id, ...others } = outer
        const all = { ...keyAttributes[second], ...(child && first === 'none' ? others : outer) }
        const names = Object.keys(all)
        // Some media types show what others would leave out.
        const views = names.length % 2 === 0 && names.length > 0 ? { default: names } : {}
        const Outer = mediaType('Whole', { attributes: all, views: views as {} })
        return {
          mediaTypes: [Inner, Outer],
          keys: [first, second],
          child,
          [fc.toStringMethod]: () => JSON.stringify({ first, inner: told(inner), second, outer: told(all), child }),
        }
      })
    }),
  )

/** Attributes as a counterexample shows them. */
const told = (all: Attributes): object =>
  Object.fromEntries(
    Object.entries(all).map(([name, { options, core }]) => [
      name,
      {
        kind: core.kindName,
        ...JSON.parse(
          JSON.stringify(options, (_, one) => {
            if (typeof one === 'bigint') return `${one}n`
            return one instanceof RegExp ? String(one) : one
          }),
        ),
        ...(!core.related && Object.keys(core.children).length > 0 && { of: told(core.children) }),
      },
    ]),
  )

function listParams(of: MediaType, key: Keys): Attributes {
  if (key === 'none') return {}
  // A mock keeps elements without a key as a whole, and has no order of what is in them.
  const fields = listOrderableFields(of).filter((path) => isKept(of, path))
  const names = key === 'number' ? ['id'] : ['slug']
  return {
    fields: FieldSelector.for(of),
    filters: FilteringParams.for(of, Object.fromEntries(names.map((name) => [name, {}]))),
    order: OrderingParams.for(of, { byFields: fields, enforceFor: 'all' }),
    pagination: PaginationParams.for(of, { byFields: fields, key: names as never }),
  }
}

const isKept = ({ attributes }: MediaType, path: string): boolean => {
  const [first = '', ...below] = path.split('.')
  const { related, children } = (attributes[first] as Attribute).core
  return below.length === 0 || !related || 'id' in children || 'slug' in children
}

const PARAMS: Readonly<Record<Keys, string>> = { number: 'id', text: 'slug', none: 'token' }

function endpointOf(name: string, of: MediaType, key: Keys, parent?: ReturnType<typeof endpoint>) {
  const param = PARAMS[key]
  const own = { [param]: key === 'number' ? t.integer() : t.string() }
  const payload = t.object(of.attributes)
  const structure = Object.fromEntries(
    Object.entries(of.attributes).filter(([name, one]) => !one.core.related && name !== param),
  )
  return endpoint(name, {
    mediaType: of,
    ...(parent !== undefined && { parent }),
    actions: {
      index: {
        routing: route.get('/'),
        params: listParams(of, key),
        responses: { ok: collectionOf(of), notFound: true },
      },
      show: { routing: route.get(`/:${param}`), params: own, responses: { ok: of, notFound: true } },
      create: {
        routing: route.post('/'),
        payload: structure,
        responses: { created: { location: /\/\w+.*/ }, notFound: true },
      },
      update: {
        routing: route.patch(`/:${param}`),
        params: own,
        payload: structure,
        responses: { ok: of, notFound: true },
      },
      echo: { routing: route.put(`/:${param}/echo`), params: own, responses: { ok: payload, notFound: true } },
      remove: { routing: route.delete(`/:${param}`), params: own, responses: { noContent: true, notFound: true } },
    },
  } as never)
}

const LAWS = [
  'valid',
  'invalid',
  'bodies',
  'head',
  'verbs',
  'pages',
  'orders',
  'fields',
  'filters',
  'elements',
  'parents',
]

test('a mock of random declarations breaks no law, and every one of its actions is reached', {
  timeout: 300_000,
}, async () => {
  const seen = new Map<string, number>()
  await fc.assert(
    fc.asyncProperty(
      worlds,
      fc.nat(1000),
      async ({ mediaTypes: [Inner, Outer], keys: [first, second], child }, seed) => {
        const Things = endpointOf('Things', Inner as MediaType, first as Keys)
        const Wholes = endpointOf('Wholes', Outer as MediaType, second as Keys, child ? (Things as never) : undefined)
        const app = mock([Things, Wholes], { rows: 8, environment: 'test', logger: recorder() })
        const { cases } = await checkApplication(app, { seed, runs: 1 })
        for (const [law, count] of Object.entries(cases)) seen.set(law, (seen.get(law) ?? 0) + count)
      },
    ),
    { numRuns: RUNS },
  )
  for (const law of LAWS) expect([law, (seen.get(law) ?? 0) > 0]).toEqual([law, true])
})
