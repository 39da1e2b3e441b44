// Definition mistakes: an application with mistakes does not boot, and says all of them at once.
import {
  application,
  childOf,
  controller,
  DefinitionError,
  endpoint,
  header,
  inherit,
  mediaType,
  response,
  route,
  t,
} from 'edict'
import { describe, expect, it } from 'vitest'
import { mistakesOf } from '../../support/ask.ts'
import { naming } from '../../support/naming.ts'

const responses = { ok: true } as const
const id = t.integer()
const Blog = mediaType('Blog', {
  identifier: 'blog',
  attributes: { id, title: t.string({ min: 2, max: 1 }) },
  views: { short: ['id', 'ghost'] as never },
})
const Owners = endpoint('Owners', { actions: { show: { routing: route.get('/:id'), params: { id }, responses } } })
const many = Array.from('abcdefghi', (letter) => `(${letter})?`).join('')

/** Each action has the mistakes that stand beside it. */
const wrong: Readonly<Record<string, readonly [spec: object, ...settings: string[]]>> = {
  noRoute: [{ routing: [] }, 'routing', 'controller'],
  notARoute: [{ routing: ['GET /'] }, 'routing'],
  noResponse: [{ responses: {} }, 'responses'],
  capture: [{ routing: route.get('/capture/:missing') }, 'params'],
  wildcard: [{ routing: route.get('/wildcard/*') }, 'params'],
  syntax: [{ routing: route.get('/syntax/(open') }, 'routing'],
  twice: [{ routing: route.get('/twice/:id/:id'), params: { id } }, 'routing'],
  forms: [{ routing: route.get(`/forms/${many}` as never) }, 'routing'],
  misspelt: [{ parms: { id } }, 'parms'],
  attribute: [{ params: { size: t.integer({ min: 5, max: 1 }) } }, 'params.size'],
  nested: [{ params: { a: t.object({ b: t.array(t.string({ values: [] })) }) } }, 'params.a.b.*'],
  notAttribute: [{ params: { size: 'integer' } }, 'params.size'],
  payload: [
    { payload: { nothing: inherit, other: 5, both: t.string({ min: -1 }) } },
    'payload.nothing',
    'payload.other',
    'payload.both',
  ],
  heading: [
    { headers: { 'X-Size': (header as any)(t.integer(), { required: true }), 'X Y': header() } },
    'headers.X-Size',
    'headers.X Y',
  ],
  status: [
    { responses: { throttled: true, ok: { status: 201 }, odd: { status: 99 } } },
    'responses.throttled',
    'responses.ok',
    'responses.odd',
  ],
  listed: [{ responses: { calm: response('quiet', { status: 420 }), no: false } }, 'responses.calm', 'responses.no'],
  bodies: [
    { responses: { ok: 'nonsense', created: { mediaTypes: [] } } },
    'responses.ok',
    'responses.created.mediaTypes',
  ],
  sent: [
    { responses: { ok: { headers: { 'X Y': true, 'X-Z': t.integer({ min: 2, max: 1 }) } } } },
    'responses.ok.headers.X Y',
    'responses.ok.headers.X-Z',
  ],
  body: [{ payload: { a: t.string() }, bodyLimit: -1, consumes: ['json'] }, 'bodyLimit', 'consumes'],
  clash: [{ routing: route.get('/noResponse') }, 'routing'],
}
const actions = Object.fromEntries(
  Object.entries(wrong).map(([name, [spec]]) => [name, { routing: route.get(`/${name}`), responses, ...spec }]),
)
const Wrong = endpoint('Wrong', {
  mediaType: Blog,
  medaType: Blog,
  version: '',
  canonicalPath: 'nowhere',
  parent: childOf(Owners, { nobody: 'x' } as never),
  actionDefaults: { routing: route.get('/'), payloads: {} },
  actions,
} as never)
const { noRoute: _, ...others } = Object.fromEntries(Object.keys(wrong).map((name) => [name, () => '']))
const controllers = [
  controller(Wrong, { ...others, extra: () => '' } as never)
    .before('sometimes' as never, () => {})
    .after({ actions: ['ghost'] as never }, () => {}),
  endpoint('Empty', { mediaType: 'nonsense', parent: {}, actions: {} } as never).implement({} as never),
  endpoint('2nd', {
    actions: { a: { routing: [route.get('/a', { name: 'n' }), route.get('/b', { name: 'n' })], responses } },
  }).implement({ a: () => '' }),
  {} as never,
]
function messageOf(work: () => unknown): string {
  try {
    work()
  } catch (error) {
    return (error as Error).message
  }
  throw new Error('nothing is wrong')
}

const boot = () =>
  application({
    basePath: '/api/(open',
    versionWith: ['cookie' as never],
    plugins: [{ name: 'late', requires: ['early'] }, { name: 'late' }],
    limits: { body: -1 },
    timeout: Number.NaN,
    controllers,
  })
const found = mistakesOf(boot)

describe('definition mistakes', () => {
  it('[DEF-12] every mistake of an application is reported at once', () => {
    const places = found.map(({ endpoint, action, setting }) => [endpoint, action, setting].filter(Boolean).join(' '))
    const expected = [
      'plugins',
      'basePath',
      'versionWith[0]',
      'controllers[3]',
      'limits.body',
      'timeout',
      'Wrong parent',
      'Wrong version',
      'Wrong canonicalPath',
      'Wrong actionDefaults',
      'Wrong actionDefaults.payloads',
      'Wrong medaType',
      'Wrong mediaType',
      'Wrong Blog.title',
      'Wrong controller',
      'Wrong before',
      'Wrong after',
      'Empty actions',
      'Empty mediaType',
      'Empty parent',
      '2nd name',
      '2nd routing',
      ...Object.entries(wrong).flatMap(([name, [, ...settings]]) =>
        settings.map((setting) => `Wrong ${name} ${setting}`),
      ),
    ]
    expect([...new Set(places)].sort()).toEqual([...new Set(expected)].sort())
    expect(new Set(found.map(({ problem }) => problem)).size).toBeGreaterThan(40)
  })

  it('[DEF-12] each names its location, what is wrong there and a remedy', () => {
    for (const { setting, problem, remedy } of found) {
      expect([setting, problem, remedy].every((text) => text.length > 1)).toBe(true)
      expect(`${problem}${remedy}`).not.toMatch(/undefined|\[object|NaN is not a limit/)
    }
    expect(found).toContainEqual({
      endpoint: 'Wrong',
      action: 'misspelt',
      setting: 'parms',
      problem: 'there is no such setting',
      remedy: expect.stringContaining('params'),
    })
    expect(found).toContainEqual({
      endpoint: 'Wrong',
      action: 'clash',
      setting: 'routing',
      problem: expect.stringContaining('Wrong.noResponse'),
      remedy: expect.any(String),
    })
  })

  it('[DEF-12] the error is one, and says all of it in words', () => {
    expect(boot).toThrow(DefinitionError)
    const { message } = new DefinitionError(found)
    expect(message).toContain(`The application has ${found.length} mistakes in its declarations:`)
    expect(message).toMatch(/Wrong › noRoute › routing: the action has no route\. Remedy: give it at least one/)
    expect(message).toMatch(/Wrong › capture › params: .*'missing'.*\. Remedy: add missing to params/)
    expect(message.split('\n')).toHaveLength(found.length + 1)
  })

  it('[DEF-12] a mistake of an attribute that many share is one mistake', () => {
    const Thing = mediaType('Thing', {
      attributes: { id: t.integer(), size: t.integer({ min: 3, max: 1 }), weight: t.integer({ min: 3, max: 1 }) },
    })
    const Things = endpoint('Things', {
      mediaType: Thing,
      actions: {
        show: { routing: route.get('/:id'), params: { id: inherit }, responses: { ok: Thing } },
        create: { routing: route.post('/'), payload: { size: inherit }, responses: { created: Thing } },
      },
    })
    const controllers = [
      Things.implement({ show: (_, { reply }) => reply.ok({}), create: (_, { reply }) => reply.created({}) }),
    ]
    const lines = messageOf(() => application({ controllers })).split('\n')
    expect(lines).toEqual([
      'The application has 2 mistakes in its declarations:',
      expect.stringMatching(/^ {2}- Things › Thing\.size: .* The same attribute is at Things › .* and \d more\.$/),
      expect.stringMatching(/^ {2}- Things › Thing\.weight: .* The same attribute is at Things › .*\.$/),
    ])
  })

  it('[DEF-12] the error tells where the endpoints are declared, above its stack', () => {
    const Here = endpoint('Here', { actions: { show: { routing: [], responses: { ok: true } } } })
    const There = endpoint('There', { actions: { show: { routing: route.get('/'), responses: { ok: true } } } })
    let error: unknown
    try {
      application({ controllers: [Here.implement({ show: () => 'x' }), There.implement({ show: () => 'x' })] })
    } catch (thrown) {
      error = thrown
    }
    const { locations: places, stack, message } = error as DefinitionError
    // Only of those that have mistakes.
    expect(Object.keys(places)).toEqual(['Here'])
    expect(places['Here']).toMatch(/boot\.test\.ts:\d+:\d+$/)
    expect(stack?.slice(stack.indexOf(message) + message.length)).toMatch(
      /^\n {4}at Here \(.*boot\.test\.ts:\d+:\d+\)\n {4}at /,
    )
    // Consoles print an error's own members behind its stack, which says the same.
    expect(Object.keys(error as object)).not.toContain('mistakes')
    expect(() => Here.toHref({})).toThrow(DefinitionError)
  })

  it('[DEF-12] endpoints of one name are distinguished by their versions', () => {
    const one = { routing: route.get('/'), responses: { ok: true } } as const
    const first = endpoint('Books', { version: '1', actions: { show: { ...one, routing: [] } } })
    const second = endpoint('Books', { version: '2', actions: { show: one } })
    const plain = endpoint('Books', { actions: { show: one } })
    let error: unknown
    try {
      application({ controllers: [first, second, plain].map((books) => books.implement({ show: () => 'x' } as never)) })
    } catch (thrown) {
      error = thrown
    }
    const { locations: places } = error as DefinitionError
    expect(Object.keys(places)).toEqual(['Books (1)', 'Books (2)', 'Books (unversioned)'])
    expect(new Set(Object.values(places)).size).toBe(3)
  })

  it('[DEF-12] a runtime without stacks, or with others, costs nothing but the places', () => {
    const prepare = Error.prepareStackTrace
    try {
      Error.prepareStackTrace = () => ({ strange: true })
      const Odd = endpoint('Odd', { actions: { show: { routing: [], responses: { ok: true } } } })
      expect(mistakesOf(() => application({ controllers: [Odd.implement({ show: () => 'x' })] }))).toMatchObject([
        { endpoint: 'Odd' },
      ])
    } finally {
      Error.prepareStackTrace = prepare
    }
  })

  it('[DEF-12] an application without mistakes boots, and one without controllers does not', () => {
    expect(
      mistakesOf(() => application({ controllers: [naming('Blogs', { a: { routing: route.get('/') } })] })),
    ).toEqual([])
    expect(mistakesOf(() => application({ controllers: [] }))).toMatchObject([{ endpoint: '', setting: 'controllers' }])
    expect(mistakesOf(() => application({} as never))).toMatchObject([{ endpoint: '', setting: 'controllers' }])
  })
})
