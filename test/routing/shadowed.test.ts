// Routes without a version whose paths belong to one: where the version answers all of them, the application does not boot.
import { application, endpoint, route, t } from 'edict'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { askFetch, mistakesOf } from '../support/ask.ts'
import { runs } from '../support/runs.ts'

const responses = { ok: 'text/plain' } as const
const all = { a: t.string(), b: t.string(), splat: t.array(t.string()) }

const serving = (versioned: readonly object[], plain: readonly object[], options: object = {}) =>
  application({
    controllers: [
      endpoint('Versioned', {
        prefix: '//',
        version: '1.0',
        actions: { answer: { routing: versioned, params: all, responses } },
      } as never).implement({ answer: () => 'versioned' } as never),
      endpoint('Plain', {
        prefix: '//',
        actions: { answer: { routing: plain, params: all, responses } },
      } as never).implement({
        answer: () => 'plain',
      } as never),
    ],
    ...options,
  })

const told = (...args: Parameters<typeof serving>): string[] =>
  mistakesOf(() => serving(...args)).map(({ endpoint: name, setting, problem }) => `${name} ${setting}: ${problem}`)

interface DrawnRoute {
  readonly path: string
  readonly capture: unknown
  readonly except: string | undefined
}

const digits = { capture: /\d+/ }

describe('a route without a version', () => {
  it.each([
    ['the same path', route.get('/blogs'), route.get('/v1.0/blogs')],
    ['a capture', route.get('/:a'), route.get('/v1.0/blogs')],
    ['captures of other names', route.get('/:a/x/:b'), route.get('/v1.0/:b/x/:a')],
    ['a wildcard', route.get('/*'), route.get('/v1.0/:a/:b')],
    ['a constraint', route.get('/:a', digits), route.get('/v1.0/:b', digits)],
    ['the root', route.get('/'), route.get('/v1.0')],
    ['every alternative', route.get('/:a'), route.get('/v1.0/(x|y)')],
    ['more values than an exception leaves', route.get('/*'), route.get('/v1.0/:a', { except: '/v1.0/x' })],
  ])('is refused where the version answers all its requests: %s', (_, versioned, plain) => {
    const [problem, ...more] = told([versioned], [plain])
    expect(problem).toMatch(
      /^Plain routing: no request reaches \w+ \/v1\.0.*: its path names version 1\.0, which Versioned\.answer/,
    )
    expect(more).toEqual([])
    expect(told([versioned], [plain], { basePath: '/api' })).toHaveLength(1)
    expect(told([versioned], [plain], { versionWith: ['header'] })).toEqual([])
  })

  it.each([
    ['another path', route.get('/blogs'), route.get('/v1.0/books')],
    ['another verb', route.get('/blogs'), route.post('/v1.0/blogs')],
    ['a verb beside any', route.any('/blogs'), route.post('/v1.0/blogs')],
    ['HEAD beside GET', route.get('/blogs'), route.head('/v1.0/blogs')],
    ['the same path without the version', route.get('/blogs'), route.get('/blogs')],
    ['another version', route.get('/blogs'), route.get('/v2.0/blogs')],
    ['no version', route.get('/ideos'), route.get('/v1.0ideos')],
    ['one of its paths', route.get('/blogs'), route.get('/v1.0/:a')],
    ['some of its paths', route.get('/:a', digits), route.get('/v1.0/:a')],
    ['some of its verbs', route.get('/blogs'), route.any('/v1.0/blogs')],
    ['all but what the version excludes', route.get('/:a', { except: '/x' }), route.get('/v1.0/:a')],
    ['all but short values', route.get('/:a', { capture: /.{2,}/ }), route.get('/v1.0/:a')],
    ['all but one character', route.get('/:a', { capture: /[^q]+/ }), route.get('/v1.0/:a')],
    ['values without the dot', route.get('/:a.:b'), route.get('/v1.0/:a')],
    ['values of one character', route.get('/:a:b'), route.get('/v1.0/:a')],
    ['paths that the version excludes', route.get('/*', { except: '/x/*' }), route.get('/v1.0/*')],
    ['values of several segments', route.get('/:a'), route.get('/v1.0/:a', { capture: /.+/ })],
    ['paths of one segment', route.get('/*/:a'), route.get('/v1.0/*')],
    ['one of its forms', route.get('/x'), route.get('/(v1.0|v2.0)/x')],
    ['what a capture holds', route.get('/blogs'), route.get('/:a/blogs')],
    ['one of the paths of a wildcard', route.get('/files/'), route.get('/v1.0/files/*')],
    ['all but one of the paths of a wildcard', route.get('/files/:a'), route.get('/v1.0/files/*')],
  ])('boots where some request reaches it: %s', (_, versioned, plain) => {
    expect(told([versioned], [plain])).toEqual([])
  })

  it('and a version that no carrier can bring', () => {
    const of = (version: string, versionWith: readonly string[]): string[] =>
      mistakesOf(() =>
        application({
          versionWith: versionWith as never,
          controllers: [
            endpoint('Versioned', { version, actions: { a: { routing: route.get('/'), responses } } }).implement({
              a: () => '',
            }),
          ],
        }),
      ).map(({ endpoint: name, setting }) => `${name} ${setting}`)
    expect(of(' 1', ['header'])).toEqual(['Versioned version'])
    expect(of('é', ['header'])).toEqual(['Versioned version'])
    expect(of('é', ['header', 'query'])).toEqual([])
    expect(of('1 beta', ['header'])).toEqual([])
  })

  it('law: it boots exactly if some request of its own reaches it', async () => {
    const segment = fc.constantFrom('x', 'y', ':a', ':b')
    const path = fc.uniqueArray(segment, { minLength: 1, maxLength: 2 }).map((steps) => `/${steps.join('/')}`)
    const verb = fc.constantFrom('get', 'post', 'any') as fc.Arbitrary<'get' | 'post' | 'any'>
    await fc.assert(
      fc.asyncProperty(verb, path, verb, path, async (ownVerb, own, otherVerb, other) => {
        const args = [[route[otherVerb](other as '/x')], [route[ownVerb](`/v1.0${own}` as '/x')]] as const
        const isRefused = told(...args).length > 0
        const reached: string[] = []
        if (!isRefused) {
          const app = serving(...args)
          for (const method of ownVerb === 'any' ? ['GET', 'POST', 'PUT'] : [ownVerb.toUpperCase()])
            for (const a of ['x', 'y', 'other'])
              for (const b of ['x', 'y', 'other']) {
                const target = own.replace(':a', a).replace(':b', b)
                reached.push((await askFetch(app, `${method} /v1.0${target}`)).text)
              }
        }
        expect(isRefused).toBe(!reached.includes('plain'))
      }),
      { numRuns: runs(40, 2000) },
    )
  })

  it('law: no route that a request reaches is refused, whatever the patterns', { timeout: 300_000 }, () => {
    const step = fc.constantFrom('x', ':a', ':b', '(x|y)', 'x?', ':a.:b', 'n:a', '*')
    const count = (path: string, name: string): number => path.split(name).length - 1
    const path = fc
      .array(step, { minLength: 1, maxLength: 3 })
      .map((steps) => `/${steps.join('/')}`)
      .filter((one) => [':a', ':b', '*'].every((name) => count(one, name) < 2))
    const capture = fc.constantFrom(undefined, undefined, /\d+/, /[xy]/, { a: ['x', 'y'] }, /.{2,}/)
    const except = fc.constantFrom(undefined, undefined, '/x', '/x/*')
    const drawn = fc.record({ path, capture, except })
    // The same route below the version is refused for certain; others now and then.
    const pairs = fc.oneof(
      fc.tuple(drawn, drawn),
      drawn.map((one) => [one, one] as const),
    )
    const declare = ({ path, capture, except }: DrawnRoute, prefix: string): object =>
      route.get((prefix + path) as '/', {
        ...(capture !== undefined && { capture: capture as RegExp }),
        ...(except !== undefined && { except: prefix + except }),
      })
    const words = ['x', 'y', '1', 'nx', 'x.y', 'zz', '']
    const targets = words.flatMap((one) =>
      ['', ...words.map((two) => `/${two}`), '/zz/q'].map((rest) => `/${one}${rest}`),
    )
    let refused = 0
    fc.assert(
      fc.property(pairs, ([own, other]) => {
        const versioned = [declare(own, '')]
        const plain = [declare(other, '/v1.0')]
        const problems = told(versioned, plain)
        if (!problems.some((one) => one.includes('no request reaches'))) return
        refused++
        // Each by itself: what the plain route takes, the version takes too.
        const byVersion = serving(versioned, [route.get('/none')])
        const byPlain = serving([route.get('/none')], plain)
        for (const target of targets.map((one) => `/v1.0${one}`))
          if (byPlain.knows(target)) expect([target, byVersion.knows(target)]).toEqual([target, true])
      }),
      { numRuns: runs(150, 1000) },
    )
    expect(refused).toBeGreaterThan(20)
  })
})
