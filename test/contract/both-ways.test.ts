// Changes and their way back: what a client loses one way it gains the other way, each named by its rule.
import {
  type ApplicationOptions,
  allOrNone,
  application,
  atLeastOne,
  atMostOne,
  diffContracts,
  endpoint,
  exactlyOne,
  mediaType,
  problemEncoder,
  type Requirement,
  route,
  t,
} from 'edict'
import fc from 'fast-check'
import { describe, expect, it, test, vi } from 'vitest'
import { runs } from '../support/runs.ts'

// The laws boot hundreds of applications, on machines that may be busy.
vi.setConfig({ testTimeout: 60_000 })

type Loose = Readonly<Record<string, unknown>>

/** The contract of one action that is given in parts. */
function contractOf(action: Loose, options: Partial<ApplicationOptions> = {}, spec: Loose = {}) {
  const show = { routing: route.get('/'), responses: { ok: 'text/plain' }, ...action }
  const Books = endpoint('Books', { ...spec, actions: { show } } as never)
  return application({ controllers: [Books.implement({ show: () => 'x' } as never)], ...options }).contract()
}

const param = (q: unknown) => contractOf({ params: { q } })
const payload = (one: unknown, action: Loose = {}) => contractOf({ routing: route.post('/'), payload: one, ...action })
const routed = (...routing: unknown[]) => contractOf({ routing, params: { q: t.string() } })
const shown = (a: unknown) => contractOf({ responses: { ok: mediaType('Book', { attributes: { a } as never }) } })

type Contract = ReturnType<typeof contractOf>
type Told = readonly string[]
type Case = readonly [title: string, old: () => Contract, now: () => Contract, there: Told, back: Told]

const Q = 'Books.show › params.q'
const P = 'Books.show › payload'
const R = 'Books.show › routing'
const OK = 'Books.show › responses.ok'

const CASES: readonly Case[] = [
  [
    'a param may come from the path as well',
    () => routed(route.get('/')),
    () => routed(route.get('/'), route.get('/:q')),
    [`compatible ${Q} input-also-moved`, `compatible ${R} route-added`],
    [`breaking ${Q} input-moved`, `breaking ${R} route-removed`],
  ],
  [
    'a param comes from the path only',
    () => routed(route.get('/'), route.get('/:q')),
    () => routed(route.get('/:q')),
    [`breaking ${Q} input-moved`, `breaking ${Q} required`, `breaking ${R} route-removed`],
    [`compatible ${Q} input-also-moved`, `compatible ${Q} optional`, `compatible ${R} route-added`],
  ],
  [
    'the rest of a path is one',
    () => contractOf({ routing: route.get('/files/*'), params: { splat: t.array(t.string()) } }),
    () => contractOf({ routing: [route.get('/files/*'), route.get('/all')], params: { splat: t.array(t.string()) } }),
    [
      'compatible Books.show › params.splat input-also-moved',
      'compatible Books.show › params.splat optional',
      `compatible ${R} route-added`,
    ],
    [
      'breaking Books.show › params.splat input-moved',
      'breaking Books.show › params.splat required',
      `breaking ${R} route-removed`,
    ],
  ],
  [
    'two routes are replaced by two others, which no one can tell apart',
    () => routed(route.get('/a'), route.get('/b')),
    () => routed(route.get('/c'), route.get('/d')),
    [
      `breaking ${R} route-removed`,
      `breaking ${R} route-removed`,
      `compatible ${R} route-added`,
      `compatible ${R} route-added`,
    ],
    [
      `breaking ${R} route-removed`,
      `breaking ${R} route-removed`,
      `compatible ${R} route-added`,
      `compatible ${R} route-added`,
    ],
  ],
  [
    'one route is replaced by two',
    () => routed(route.get('/a')),
    () => routed(route.get('/c'), route.get('/d')),
    [`breaking ${R} route-removed`, `compatible ${R} route-added`, `compatible ${R} route-added`],
    [`breaking ${R} route-removed`, `breaking ${R} route-removed`, `compatible ${R} route-added`],
  ],
  [
    'every verb of one of two paths is taken',
    () => routed(route.get('/a')),
    () => routed(route.any('/a'), route.any('/b')),
    [`compatible ${R} route-added`, `compatible ${R} route-verb-widened`],
    [`breaking ${R} route-removed`, `breaking ${R} route-removed`, `compatible ${R} route-added`],
  ],
  [
    'an exception is another one',
    () => routed(route.get('/:q', { except: '/books/new' })),
    () => routed(route.get('/:q', { except: '/books/old' })),
    [`breaking ${R} GET /books/:q exception-changed`],
    [`breaking ${R} GET /books/:q exception-changed`],
  ],
  [
    'an exception is gone',
    () => routed(route.get('/:q', { except: '/books/new' })),
    () => routed(route.get('/:q')),
    [`compatible ${R} GET /books/:q exception-removed`],
    [`breaking ${R} GET /books/:q exception-added`],
  ],
  [
    'params come in the body',
    () => routed(route.post('/')),
    () => routed(route.post('/', { params: 'body' })),
    [`breaking ${R} POST /books params-moved`],
    [`breaking ${R} POST /books params-moved`],
  ],
  [
    'a file is a value',
    () => payload(t.file(), { consumes: ['application/json'] }),
    () => payload(t.any({ nullable: true }), { consumes: ['application/json'] }),
    [`breaking ${P} type-changed`],
    [`breaking ${P} type-changed`],
  ],
  [
    'a body may be left out',
    () => payload(t.string({ required: true })),
    () => payload(t.string()),
    [`compatible ${P} optional`],
    [`breaking ${P} required`],
  ],
  [
    'a file is a value, and of another type: one change is enough',
    () => payload(t.file(), { consumes: ['application/json'] }),
    () => payload(t.any({ nullable: true }), { consumes: ['application/json', 'application/xml+json'] }),
    [`compatible ${P} content-type-added`],
    [`breaking ${P} content-type-removed`],
  ],
  [
    'one kind of content covers another',
    () => payload(t.string(), { consumes: ['text/plain'] }),
    () => payload(t.string(), { consumes: ['text/*', 'application/xml'] }),
    [`compatible ${P} content-type-added`],
    [`breaking ${P} content-type-removed`],
  ],
  [
    'U+0000 is let through',
    () => param(t.string()),
    () => param(t.string({ allowNul: true })),
    [`compatible ${Q} nul-added`],
    [`breaking ${Q} nul-removed`],
  ],
  [
    'elements are separated',
    () => param(t.array(t.string())),
    () => param(t.array(t.string(), { delimiter: ',' })),
    [`breaking ${Q} delimiter-changed`],
    [`breaking ${Q} delimiter-changed`],
  ],
  [
    'a default is computed',
    () => param(t.integer()),
    () => param(t.integer({ default: () => 1 })),
    [`compatible ${Q} default-added`],
    [`breaking ${Q} default-removed`],
  ],
  [
    'any value is one',
    () => param(t.string({ values: ['a'] })),
    () => param(t.string()),
    [`compatible ${Q} values-unlisted`],
    [`breaking ${Q} values-listed`],
  ],
  [
    'it may be anything, with null',
    () => payload({ a: t.string() }),
    () => payload({ a: t.any({ nullable: true }) }),
    [`compatible ${P}.a null-added`, `compatible ${P}.a type-widened`],
    [`breaking ${P}.a null-removed`, `breaking ${P}.a type-narrowed`],
  ],
  [
    'a param is deprecated',
    () => param(t.string()),
    () => param(t.string({ deprecated: true })),
    [`compatible ${Q} deprecated-added`, `documentation ${Q} description-changed`],
    [`compatible ${Q} deprecated-removed`, `documentation ${Q} description-changed`],
  ],
  [
    'an attribute is a secret',
    () => payload({ a: t.string() }),
    () => payload({ a: t.string({ secret: true }) }),
    [`documentation ${P}.a secret-added`],
    [`documentation ${P}.a secret-removed`],
  ],
  [
    'the name that tells variants apart is another one',
    () => payload({ a: t.union('kind', { book: { title: t.string() }, film: {} }) }),
    () => payload({ a: t.union('type', { book: { title: t.string() }, film: {} }) }),
    [
      `breaking ${P}.a discriminator-changed`,
      ...['book', 'film'].flatMap((one) => [
        `breaking ${P}.a<${one}>.kind attribute-removed`,
        `breaking ${P}.a<${one}>.type required-added`,
      ]),
    ],
    [
      `breaking ${P}.a discriminator-changed`,
      ...['book', 'film'].flatMap((one) => [
        `breaking ${P}.a<${one}>.kind required-added`,
        `breaking ${P}.a<${one}>.type attribute-removed`,
      ]),
    ],
  ],
  [
    'names that are not declared are refused',
    () => payload({ a: t.record(t.string()) }),
    () => payload({ a: t.object({ x: t.string() }) }),
    [`breaking ${P}.a other-names-refused`, `breaking ${P}.a schema-changed`, `compatible ${P}.a.x attribute-added`],
    [
      `breaking ${P}.a schema-changed`,
      `compatible ${P}.a other-names-allowed`,
      `compatible ${P}.a.x attribute-removed`,
    ],
  ],
  [
    'elements are anything',
    () => payload({ a: t.array(t.string()) }),
    () => payload({ a: t.array(t.any({ nullable: true })) }),
    [`compatible ${P}.a[] null-added`, `compatible ${P}.a[] type-widened`],
    [`breaking ${P}.a[] null-removed`, `breaking ${P}.a[] type-narrowed`],
  ],
  [
    'an example is another one',
    () => param(t.string({ example: 'a' })),
    () => param(t.string({ example: 'b' })),
    [`documentation ${Q} example-changed`],
    [`documentation ${Q} example-changed`],
  ],
  [
    'an operation has a name of its own',
    () => contractOf({}),
    () => contractOf({ operationId: 'showBook' }),
    ['breaking Books.show operation-id-changed'],
    ['breaking Books.show operation-id-changed'],
  ],
  [
    'queries may be less deep',
    () => contractOf({}, { limits: { queryDepth: 5 } }),
    () => contractOf({}, { limits: { queryDepth: 4 } }),
    ['breaking API query-depth-lowered'],
    ['compatible API query-depth-raised'],
  ],
  [
    'queries may have fewer pairs',
    () => contractOf({}, { limits: { queryPairs: 50 } }),
    () => contractOf({}, { limits: { queryPairs: 40 } }),
    ['breaking API query-pairs-lowered'],
    ['compatible API query-pairs-raised'],
  ],
  [
    'problems are of another media type',
    () => contractOf({}),
    () => contractOf({}, { encodeProblem: problemEncoder('text/plain', () => ({ body: '' })) }),
    ['breaking API problem-type-changed'],
    ['breaking API problem-type-changed'],
  ],
  [
    'versions are read from a header as well',
    () => contractOf({}, { versionWith: ['path'] }, { version: '1' }),
    () => contractOf({}, { versionWith: ['path', 'header'] }, { version: '1' }),
    ['compatible API version-carrier-added'],
    ['breaking API version-carrier-removed'],
  ],
  [
    'a response of 400 is declared',
    () => contractOf({}),
    () => contractOf({ responses: { ok: 'text/plain', wrong: { status: 400 } } }),
    ['compatible Books.show › responses.wrong error-added'],
    ['compatible Books.show › responses.wrong error-removed'],
  ],
  [
    'a redirect is declared',
    () => contractOf({}),
    () => contractOf({ responses: { ok: 'text/plain', moved: { status: 399 } } }),
    ['breaking Books.show › responses.moved response-added'],
    ['breaking Books.show › responses.moved response-removed'],
  ],
  [
    'a limit of a big number in a list of answers rises',
    () => contractOf({ responses: { ok: t.array(t.bigint({ max: 5n })) } }),
    () => contractOf({ responses: { ok: t.array(t.bigint({ max: 6n })) } }),
    [`breaking ${OK}.body[] maximum-raised`],
    [`compatible ${OK}.body[] maximum-lowered`],
  ],
  [
    'a choice is a text',
    () => payload({ a: t.union('kind', { book: { title: t.string() }, film: {} }) }),
    () => payload({ a: t.string() }),
    [`breaking ${P}.a type-changed`],
    [`breaking ${P}.a type-changed`],
  ],
  [
    'an action has a summary',
    () => contractOf({}),
    () => contractOf({ summary: 'Shows.' }),
    ['documentation Books.show summary-changed'],
    ['documentation Books.show summary-changed'],
  ],
  [
    'an answer may be anything',
    () => shown(t.string()),
    () => shown(t.any({ nullable: true })),
    [`breaking ${OK}.body.a null-added`, `breaking ${OK}.body.a type-widened`],
    [`compatible ${OK}.body.a null-removed`, `compatible ${OK}.body.a type-narrowed`],
  ],
]

describe('changes', () => {
  const told = (old: Contract, now: Contract): string[] =>
    diffContracts(old, now).map(({ kind, location, rule }) => `${kind} ${location} ${rule}`)

  it.each(CASES.map(([title, old, now, there, back]) => ({ title, old, now, there, back })))(
    '$title, and back',
    (one) => {
      const { old, now, there, back } = one
      expect(told(old(), now())).toEqual(there)
      expect(told(now(), old())).toEqual(back)
    },
  )

  it('are found where an input was, which a contract says', () => {
    const attribute = t.string()
    const { endpoints } = contractOf({
      routing: [route.get('/:a/:b'), route.get('/:a')],
      params: { a: attribute, b: attribute, c: attribute },
      headers: { 'X-D': attribute },
    })
    const show = endpoints[0]?.actions['show']
    const places = Object.entries({ ...show?.params, ...show?.headers }).map(([name, one]) => [name, one.in])
    expect(Object.fromEntries(places)).toEqual({ a: 'path', b: 'path or query', c: 'query', 'x-d': 'header' })
  })

  it('of one of several recursive types are found, whatever was compared before', () => {
    const trees = (leaf: unknown) => {
      const Branch: unknown = t.object({ next: t.ref(() => Branch as never) } as never)
      const Leaf: unknown = t.object({ at: leaf, next: t.ref(() => Leaf as never) } as never)
      return payload({ branch: t.array(Branch as never), pair: t.object({ branch: Branch, leaf: Leaf } as never) })
    }
    expect(told(trees(t.string()), trees(t.integer()))).toContain(`breaking ${P}.pair.leaf.at type-changed`)
  })
})

describe('rules on what is sent together', () => {
  const NAMES = ['a', 'b', 'c', 'd'] as const
  const makers = [atLeastOne, atMostOne, exactlyOne, allOrNone] as const
  const rule = fc
    .tuple(fc.constantFrom(...makers), fc.subarray([...NAMES], { minLength: 2, maxLength: 3 }))
    .map(([make, names]) => (make as (...names: string[]) => Requirement)(...names))
  const rules = fc.array(rule, { maxLength: 3 })

  /** Whether what is sent is accepted, said independently of the sources. */
  const isAccepted = (all: readonly Requirement[], sent: ReadonlySet<string>): boolean =>
    all.every(({ '~requires': kind, names }) => {
      const count = names.filter((name) => sent.has(name)).length
      if (kind === 'atLeastOne') return count > 0
      if (kind === 'atMostOne') return count < 2
      return kind === 'exactlyOne' ? count === 1 : count === 0 || count === names.length
    })
  const COMBINATIONS = Array.from({ length: 2 ** NAMES.length }, (_, bits) => NAMES.filter((_, i) => (bits >> i) % 2))

  test('are narrower where something that was accepted is refused, and wider where it is the other way round', () => {
    const effects = new Set<string>()
    fc.assert(
      fc.property(rules, rules, fc.boolean(), (old, now, required) => {
        const made = (all: readonly Requirement[]) => {
          const attributes = Object.fromEntries(NAMES.map((one) => [one, t.integer(one === 'a' ? { required } : {})]))
          try {
            return contractOf({ params: attributes, requires: { params: all } })
          } catch {
            // Rules that contradict each other do not boot.
            return undefined
          }
        }
        const [was, is] = [made(old), made(now)]
        fc.pre(was !== undefined && is !== undefined)
        const sent = COMBINATIONS.map((names) => new Set<string>(names)).filter((one) => !required || one.has('a'))
        const isLost = sent.some((one) => isAccepted(old, one) && !isAccepted(now, one))
        const isGained = sent.some((one) => !isAccepted(old, one) && isAccepted(now, one))
        const changes = diffContracts(was as Contract, is as Contract).map((one) => `${one.kind} ${one.rule}`)
        effects.add(`${isLost} ${isGained}`)
        expect(changes.includes('breaking constraint-added')).toBe(isLost)
        expect(changes.includes('compatible constraint-removed')).toBe(isGained)
      }),
      { numRuns: runs(150, 5000) },
    )
    expect(effects.size).toBe(4)
  })
})
