// Declarations that contradict themselves: nothing could ever keep to them, or part of them could never be used.
import {
  type Application,
  allOrNone,
  application,
  atLeastOne,
  atMostOne,
  childOf,
  endpoint,
  exactlyOne,
  header,
  inherit,
  mediaType,
  type Requirement,
  route,
  t,
} from 'edict'
import { client } from 'edict/client'
import { audience, visibility, visibleTo } from 'edict/visibility'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ask, mistakesOf } from '../../support/ask.ts'
import { runs } from '../../support/runs.ts'

const responses = { ok: 'text/plain' } as const
const echo = (params: unknown, { request }: any): string => JSON.stringify([params, request.payload])

/** An application with one action of these settings. */
const serving = (action: object, more: object = {}, options: object = {}): Application =>
  application({
    controllers: [
      endpoint('Things', {
        ...more,
        actions: { make: { routing: route.post('/'), responses, ...action } },
      } as never).implement({ make: echo } as never),
    ],
    ...options,
  })

/** The places and problems of the mistakes in such an application. */
const told = (action: object, more: object = {}, options: object = {}): string[] =>
  mistakesOf(() => serving(action, more, options)).map(({ setting, problem }) => `${setting}: ${problem}`)

const a = t.string()
const b = t.string()
const required = t.string({ required: true })

describe('rules between attributes that no request can keep', () => {
  const places: readonly [place: string, setting: string, (of: object, rule: Requirement) => string[]][] = [
    ['params', 'requires.params', (params, rule) => told({ params, requires: { params: [rule] } })],
    ['a payload', 'requires.payload', (payload, rule) => told({ payload, requires: { payload: [rule] } })],
    [
      'a payload that is a structure',
      'requires.payload',
      (of, rule) => told({ payload: t.object(of as {}), requires: { payload: [rule] } }),
    ],
    [
      'the defaults of actions',
      'requires.payload',
      (payload, rule) => told({}, { actionDefaults: { payload, requires: { payload: [rule] } } }),
    ],
    [
      'defaults with the payload of an action',
      'requires.payload',
      (payload, rule) => told({ payload }, { actionDefaults: { requires: { payload: [rule] } } }),
    ],
    [
      'the defaults of params',
      'requires.params',
      (params, rule) => told({ params }, { actionDefaults: { requires: { params: [rule] } } }),
    ],
    [
      'a structure in a payload',
      'payload.inner',
      (of, rule) => told({ payload: { inner: t.object(of as {}, { requires: [rule] } as {}) } }),
    ],
    [
      'a structure in params',
      'params.inner',
      (of, rule) => told({ params: { inner: t.object(of as {}, { requires: [rule] } as {}) } }),
    ],
    [
      'a structure in a list',
      'payload.inner.*',
      (of, rule) => told({ payload: { inner: t.array(t.object(of as {}, { requires: [rule] } as {})) } }),
    ],
  ]

  const rules: readonly [what: string, of: object, Requirement, problem: string][] = [
    ['a name that is no attribute', { a, b }, atLeastOne('a', 'c'), "requires names 'c', which is not an attribute"],
    ['one name', { a, b }, atLeastOne(...(['a'] as never as ['a', 'a'])), "requires has at least one of 'a'"],
    ['a name twice', { a, b }, allOrNone('a', 'a'), "requires has all or none of 'a', 'a'"],
    [
      'two required attributes of which one may be sent',
      { a: required, b: required },
      exactlyOne('a', 'b'),
      "no value has exactly one of 'a', 'b'",
    ],
    [
      'an attribute that cannot be sent beside a required one',
      { a: required, b },
      atMostOne('a', 'b'),
      "'b' could never be given: at most one of 'a', 'b'",
    ],
  ]

  describe.each(places)('in %s', (_, setting, boot) => {
    it.each(rules)('%s', (_what, of, rule, problem) => {
      expect(boot(of, rule)).toEqual([`${setting}: ${problem}`])
    })

    it('one that can be kept boots', () => {
      expect(boot({ a, b }, exactlyOne('a', 'b'))).toEqual([])
    })
  })

  it('rules of the defaults and of the action, which exclude each other', () => {
    const actionDefaults = { payload: { a, b }, requires: { payload: [exactlyOne('a', 'b')] } }
    expect(told({ requires: { payload: [allOrNone('a', 'b')] } }, { actionDefaults })).toEqual([
      "requires.payload: no value has exactly one of 'a', 'b' and all or none of 'a', 'b'",
    ])
  })

  it.each<[string, readonly string[], Requirement, string[]]>([
    [
      'captures both',
      ['/x/:a/:b', '/y'],
      exactlyOne('a', 'b'),
      ["requires.params: the path /things/x/:a/:b captures 'a', 'b', and no request has exactly one of 'a', 'b'"],
    ],
    ['captures one each', ['/x/:a', '/y/:b'], allOrNone('a', 'b'), []],
    ['may capture the other', ['/x/:a(/:b)?', '/y'], exactlyOne('a', 'b'), []],
  ])('a path that %s', (_, paths, rule, expected) => {
    const routing = paths.map((path) => route.get(path as '/'))
    expect(told({ routing, params: { a, b }, requires: { params: [rule] } })).toEqual(expected)
  })

  it('rules of many names are decided', () => {
    const names = Array.from({ length: 60 }, (_, i) => `n${i}`)
    const pairs = names.flatMap((one, i) => names.slice(i + 1).map((other) => atMostOne(one, other)))
    const payload = Object.fromEntries(names.map((name) => [name, a]))
    expect(told({ payload, requires: { payload: [...pairs, atLeastOne(...(names as [string, string]))] } })).toEqual([])
    expect(told({ payload: { ...payload, n7: required }, requires: { payload: pairs } })).toHaveLength(59)
  })

  it('law: an action boots exactly if some payload keeps its rules and each attribute can be sent', () => {
    const names = ['a', 'b', 'c']
    const rule = fc
      .tuple(fc.constantFrom(atLeastOne, exactlyOne, atMostOne, allOrNone), fc.subarray(names, { minLength: 2 }))
      .map(([make, of]) => make(...(of as ['a', 'b'])))
    const cases = fc.tuple(fc.array(rule, { minLength: 1, maxLength: 3 }), fc.subarray(names))
    fc.assert(
      fc.property(cases, ([requires, needed]) => {
        const payload = Object.fromEntries(names.map((one) => [one, needed.includes(one) ? required : a]))
        const kept = subsets(names).filter(
          (sent) => needed.every((one) => sent.includes(one)) && requires.every((one) => keeps(one, sent)),
        )
        const ruled = [...new Set(requires.flatMap((one) => [...one.names]))]
        const isSound = kept.length > 0 && ruled.every((one) => kept.some((sent) => sent.includes(one)))
        expect(told({ payload, requires: { payload: requires } }).length === 0).toBe(isSound)
      }),
      { numRuns: runs(60, 3000) },
    )
  })

  const subsets = (of: readonly string[]): string[][] =>
    Array.from({ length: 2 ** of.length }, (_, bits) => of.filter((_name, i) => bits & (1 << i)))

  function keeps({ '~requires': rule, names }: Requirement, sent: readonly string[]): boolean {
    const count = names.filter((one) => sent.includes(one)).length
    if (rule === 'atLeastOne') return count > 0
    if (rule === 'exactlyOne') return count === 1
    return rule === 'atMostOne' ? count < 2 : count === 0 || count === names.length
  }
})

describe('lengths that no text of a pattern or a format has', () => {
  const cases: readonly [options: object, problem: string | undefined][] = [
    [{ format: 'uuid', max: 35 }, 'max (35) excludes every text of the format uuid, which has at least 36 characters'],
    [{ format: 'uuid', min: 37 }, 'min (37) excludes every text of the format uuid, which has at most 36 characters'],
    [{ format: 'uuid', min: 36, max: 36 }, undefined],
    [{ format: 'email', max: 4 }, 'max (4) excludes every text of the format email, which has at least 5 characters'],
    [{ format: 'email', max: 5 }, undefined],
    [
      { format: 'email', min: 255 },
      'min (255) excludes every text of the format email, which has at most 254 characters',
    ],
    [{ format: 'uri', max: 1 }, 'max (1) excludes every text of the format uri, which has at least 2 characters'],
    [{ format: 'uri', max: 2 }, undefined],
    [
      { pattern: /[0-9]{10}/, max: 9 },
      'max (9) excludes every text of the pattern /[0-9]{10}/, which has at least 10 characters',
    ],
    [{ pattern: /[0-9]{10}/, max: 10 }, undefined],
    [
      { pattern: /a|bcd?/, min: 4 },
      'min (4) excludes every text of the pattern /a|bcd?/, which has at most 3 characters',
    ],
    [{ pattern: /a|bcd?/, min: 3 }, undefined],
    [{ pattern: /^(?=x)(x(yz)*)$/, max: 1 }, undefined],
    [
      { pattern: /a+/, min: 1001 },
      'min (1001) is more than the 1000 characters that a text with a pattern has without max',
    ],
    [{ pattern: /a+/, min: 1001, max: 2000 }, undefined],
    [{ pattern: /../, max: 1 }, undefined],
    [{ pattern: /../u, max: 1 }, 'max (1) excludes every text of the pattern /../u, which has at least 2 characters'],
    [
      { pattern: /[a-f-]{30}/, format: 'uuid' },
      'no text has both the format uuid and the pattern /[a-f-]{30}/: their lengths differ',
    ],
  ]

  it.each(cases)('%o: %s', (options, problem) => {
    const found = told({ params: { one: t.string(options as {}) } })
    expect(found).toEqual(problem === undefined ? [] : [`params.one: ${problem}`])
  })
})

describe('a default of a param that every path captures', () => {
  const id = t.integer({ default: 1 })
  const problem = 'params.id: it has a default, but every path captures it: nothing could ever use it'
  const Thing = mediaType('Thing', { attributes: { id } })
  const many = [route.get('/x/:id'), route.get('/:id')]

  it.each<[string, object, object, string[]]>([
    ['one route', { routing: route.get('/:id'), params: { id } }, {}, [problem]],
    ['all routes', { routing: many, params: { id } }, {}, [problem]],
    [
      'a wildcard',
      { routing: route.get('/*'), params: { splat: t.array(t.string(), { default: [] }) } },
      {},
      [problem.replace('id', 'splat')],
    ],
    ['some routes only', { routing: [route.get('/:id'), route.get('/')], params: { id } }, {}, []],
    ['an optional capture', { routing: route.get('(/:id)?'), params: { id } }, {}, []],
    ['inherited', { routing: route.get('/:id'), params: { id: inherit } }, { mediaType: Thing }, []],
    ['shared with other actions', { routing: route.get('/:id') }, { actionDefaults: { params: { id } } }, []],
    ['none', { routing: route.get('/:id'), params: { id: t.integer() } }, {}, []],
  ])('%s', (_, action, more, expected) => {
    expect(told(action, more)).toEqual(expected)
  })
})

describe('an attribute that is required and has a default', () => {
  const both = { required: true, default: 'x' } as never
  const problem = 'it is required and has a default, which nothing could ever use'
  const Thing = mediaType('Thing', { attributes: { id: t.integer(), title: t.string(both) } })
  const Fine = mediaType('Fine', { attributes: { must: required, usual: t.string({ default: 'x' }) } })
  const kinds: readonly [string, object][] = [
    ['string', t.string(both)],
    ['integer', t.integer({ required: true, default: 1 } as never)],
    ['a function', t.integer({ required: true, default: () => 1 } as never)],
    ['null', t.integer({ required: true, nullable: true, default: null } as never)],
    ['object', t.object({ a }, { required: true, default: {} } as never)],
    ['array', t.array(a, { required: true, default: [] } as never)],
    ['record', t.record(a, { required: true, default: {} } as never)],
    ['union', t.union('is', { x: {} }, { required: true, default: { is: 'x' } } as never)],
    ['ref', t.ref(a, both)],
    ['a reference', t.ref(() => a, both)],
    ['json', t.json(a, both)],
    ['any', t.any(both)],
  ]

  it.each(kinds)('%s: in params, payload, headers and structures', (_, one) => {
    expect(told({ params: { one } })).toEqual([`params.one: ${problem}`])
    expect(told({ payload: { one } })).toEqual([`payload.one: ${problem}`])
    expect(told({ payload: { in: t.object({ one } as {}) } })).toEqual([`payload.in.one: ${problem}`])
    expect(told({}, { actionDefaults: { params: { one } } })).toEqual([`params.one: ${problem}`])
  })

  it('in headers, media types, bodies, visible to some, and replaced while inheriting', () => {
    expect(told({ headers: { 'X-One': t.string(both) } })).toEqual([`headers.X-One: ${problem}`])
    expect(told({ headers: { 'X-One': header(both) } })).toEqual([`headers.X-One: ${problem}`])
    expect(told({}, { mediaType: Thing })).toEqual([`Thing.title: ${problem}`])
    expect(told({ responses: { ok: Thing } })[0]).toContain(problem)
    expect(told({ payload: { usual: inherit(both) } }, { mediaType: Fine })).toEqual([`payload.usual: ${problem}`])
    const Staff = audience('staff')
    const plugins = [visibility({ audiences: { staff: () => true } } as never)]
    const hidden = visibleTo(Staff, t.string(both))
    expect(told({ payload: { hidden } }, {}, { plugins })).toContainEqual(`payload.hidden: ${problem}`)
  })

  it('[INP-08] either replaces the other that is inherited, or that a reference takes over', async () => {
    const payload = { must: inherit({ default: 'y' }), usual: inherit({ required: true }) }
    const app = serving({ payload }, { mediaType: Fine })
    expect((await ask(app, 'POST /things', { body: { usual: 'u' } })).json[1]).toEqual({ must: 'y', usual: 'u' })
    expect((await ask(app, 'POST /things', { body: {} })).json.errors).toMatchObject([{ pointer: '/usual' }])
    const { must, usual } = Fine.attributes
    const taken = { must: t.ref(must, { default: 'z' }), usual: t.ref(usual, { required: true }) }
    const copied = serving({ payload: taken })
    expect((await ask(copied, 'POST /things', { body: { usual: 'u' } })).json[1]).toEqual({ must: 'z', usual: 'u' })
  })

  it('a header with a default is not required', async () => {
    const app = serving({ headers: { 'X-One': header({ default: 'x' }) } })
    expect((await ask(app, 'POST /things')).status).toBe(200)
  })
})

describe('parents in a circle', () => {
  const specs = (count: number) =>
    Array.from({ length: count }, (_, i) => ({
      name: `E${i}`,
      spec: { actions: { show: { routing: route.get(`/:id${i}`), params: { [`id${i}`]: t.integer() }, responses } } },
    }))

  it.each([
    [1, false],
    [1, true],
    [2, false],
    [3, true],
    [5, false],
  ])('of %i, mapped: %s', (count, isMapped) => {
    const made = specs(count).map(({ name, spec }) => ({ spec, definition: endpoint(name, spec as never) }))
    made.forEach(({ spec }, i) => {
      const { definition } = made[(i + 1) % count] as (typeof made)[number]
      Object.assign(spec, { parent: isMapped ? childOf(definition, {} as never) : definition })
    })
    const child = endpoint('Child', {
      parent: (made[0] as (typeof made)[number]).definition,
      actions: { list: { routing: route.get('/'), responses } },
    })
    const controllers = [
      ...made.map(({ definition }) => definition.implement({ show: () => '' } as never)),
      child.implement({ list: () => '' }),
    ]
    const found = mistakesOf(() => application({ controllers }))
    expect(found.map(({ endpoint: name, setting }) => `${name} ${setting}`)).toEqual([
      ...made.map(({ definition: { name } }) => `${name} parent`),
      'Child parent',
    ])
    for (const { definition } of [...made, { definition: child }]) {
      const refused = mistakesOf(() => client({ definition }, { baseUrl: 'http://localhost' }))
      expect(refused).toEqual(found.filter(({ endpoint: name }) => name === definition.name))
    }
    expect(found[0]?.problem).toMatch(/^the parents are a circle: E0 › .*E0$/)
    expect(found.at(-1)?.problem).toMatch(/^the parents are a circle: Child › E0 › .*E0$/)
  })
})

describe('a controller that lacks an action', () => {
  const Things = endpoint('Things', {
    actions: {
      show: { routing: route.get('/:id'), params: { id: t.integer() }, responses },
      toString: { routing: route.get('/'), responses },
    },
  })
  const lacking = (implementation: object): string[] =>
    mistakesOf(() => application({ controllers: [Things.implement(implementation as never)] })).map(
      ({ action, setting, remedy }) => `${action} ${setting} ${remedy}`,
    )
  const method = () => ''

  it.each([
    ['a class', class {}],
    [
      'a class that names it elsewhere',
      class {
        show2 = 'show =='
        other() {
          const show = 1
          return show
        }
      },
    ],
    ['a constructor', function Things() {}],
    ['a class of the platform', Map],
    [
      'a class below another',
      class extends class {
        index() {}
      } {},
    ],
  ])('%s', (_, implementation) => {
    expect(lacking(implementation)).toContain("show controller add a method 'show' to it")
    expect(lacking(implementation)).toContain("toString controller add a method 'toString' to it")
  })

  it('an object, also of functions that every object has', () => {
    expect(lacking({ show: method })).toEqual(["toString controller add a function 'toString' to it"])
  })

  it.each([
    [
      'methods',
      class {
        show() {}
        toString() {
          return ''
        }
      },
    ],
    [
      'inherited methods',
      class extends class {
        show() {}
        toString() {
          return ''
        }
      } {},
    ],
    [
      'fields',
      class {
        show = method
        toString = method
      },
    ],
    [
      'fields of a class above',
      class extends class {
        show = method
        toString = method
      } {},
    ],
    [
      'a constructor',
      function (this: any) {
        this.show = method
        this['toString'] = method
      },
    ],
    [
      'a constructor that assigns many',
      class {
        constructor() {
          Object.assign(this, { show: method })
        }
        toString() {
          return ''
        }
      },
    ],
    [
      'getters',
      class {
        get show() {
          return method
        }
        get toString() {
          return method
        }
      },
    ],
  ])('one that has them boots: %s', (_, implementation) => {
    expect(lacking(implementation)).toEqual([])
  })
})
