// Tests of the router: precedence, verbs, captured values, conflicts, hostile input.
import { describe, expect, it } from 'vitest'
import {
  charClasses,
  compilePathPattern,
  isWellFormedPath,
  PatternError,
  type PatternOptions,
} from '../../path/index.ts'
import {
  createRouter,
  findIndistinguishable,
  findRoute,
  type RouteEntry,
  type Router,
  readRouteCapture,
  readRouteParams,
  readRouteSplat,
} from './router.ts'

/** Creates an entry whose value is its own text, such as `GET /blogs/:id`. */
function entry(text: string, options?: PatternOptions & { trailingSlash?: boolean }): RouteEntry<string> {
  const [verb = '', path = ''] = text.split(' ')
  const { trailingSlash, ...rest } = options ?? {}
  return {
    verb,
    pattern: compilePathPattern(path, rest),
    value: text,
    ...(trailingSlash !== undefined && { trailingSlash }),
  }
}

function router(...routes: (string | RouteEntry<string>)[]): Router<string> {
  return createRouter(routes.map((route) => (typeof route === 'string' ? entry(route) : route)))
}

function find(of: Router<string>, verb: string, path: string): [string, object] | null {
  const found = findRoute(verb, path, of)
  return found === null ? null : [found.value, { ...readRouteParams(found) }]
}

describe('precedence', () => {
  const routes = [
    'GET /blogs/*',
    'GET /blogs/:id',
    'GET /blogs/:id.json',
    'GET /blogs/new',
    'GET /blogs/:id/posts',
    'GET /:any/new',
  ]

  it.each([routes, routes.toReversed()])(
    '[RTE-21] static beats mixed beats capture beats wildcard, in any order of declaration',
    (...order) => {
      const of = router(...order)
      expect(find(of, 'GET', '/blogs/new')).toEqual(['GET /blogs/new', {}])
      expect(find(of, 'GET', '/blogs/1.json')).toEqual(['GET /blogs/:id.json', { id: '1' }])
      expect(find(of, 'GET', '/blogs/1')).toEqual(['GET /blogs/:id', { id: '1' }])
      expect(find(of, 'GET', '/blogs/1/posts')).toEqual(['GET /blogs/:id/posts', { id: '1' }])
      expect(find(of, 'GET', '/blogs/1/2')).toEqual(['GET /blogs/*', { splat: ['1/2'] }])
      expect(find(of, 'GET', '/blogs/')).toEqual(['GET /blogs/*', { splat: [''] }])
      expect(find(of, 'GET', '/x/new')).toEqual(['GET /:any/new', { any: 'x' }])
      expect(find(of, 'GET', '/blogs')).toBeNull()
    },
  )

  it('[RTE-21] the leftmost segment decides', () => {
    const of = router('GET /:a/b/c', 'GET /a/:b/:c', 'GET /a/*')
    expect(find(of, 'GET', '/a/b/c')?.[0]).toBe('GET /a/:b/:c')
    expect(find(of, 'GET', '/a/b/c/d')?.[0]).toBe('GET /a/*')
    expect(find(of, 'GET', '/x/b/c')?.[0]).toBe('GET /:a/b/c')
  })

  it('[RTE-21] comes back from a way that ends', () => {
    const of = router('GET /a/b/x', 'GET /a/:p/y', 'GET /:q/b/z', 'GET /*rest')
    expect(find(of, 'GET', '/a/b/y')).toEqual(['GET /a/:p/y', { p: 'b' }])
    expect(find(of, 'GET', '/a/b/z')).toEqual(['GET /:q/b/z', { q: 'a' }])
    expect(find(of, 'GET', '/a/b/w')).toEqual(['GET /*rest', { rest: 'a/b/w' }])
  })

  it('[RTE-21] equal ranks go by what follows, then by order of declaration', () => {
    const of = router(
      'GET /:a.x/:b',
      'GET /v:c/d',
      'GET /v:e/:f',
      entry('GET /n/:digits', { capture: charClasses.digit }),
      'GET /n/:word',
    )
    expect(find(of, 'GET', '/v1.x/d')?.[0]).toBe('GET /v:c/d')
    expect(find(of, 'GET', '/v1.x/e')?.[0]).toBe('GET /:a.x/:b')
    expect(find(of, 'GET', '/n/12')).toEqual(['GET /n/:digits', { digits: '12' }])
    expect(find(of, 'GET', '/n/a')).toEqual(['GET /n/:word', { word: 'a' }])
  })

  it('[RTE-21] of two wildcards the one that says more about the path wins', () => {
    const of = router('GET /f/*', 'GET /f/*/raw', 'GET /f/x*')
    expect(find(of, 'GET', '/f/a/raw')).toEqual(['GET /f/*/raw', { splat: ['a'] }])
    expect(find(of, 'GET', '/f/x/raw')).toEqual(['GET /f/x*', { splat: ['/raw'] }])
    expect(find(of, 'GET', '/f/a')).toEqual(['GET /f/*', { splat: ['a'] }])
  })
})

describe('verbs', () => {
  it.each([
    ['ANY /a/:x', 'GET /a/:y'],
    ['GET /a/:y', 'ANY /a/:x'],
  ])('[RTE-03] a concrete verb wins over ANY, declared as %s then %s', (...order) => {
    const of = router(...order)
    expect(find(of, 'GET', '/a/1')).toEqual(['GET /a/:y', { y: '1' }])
    expect(find(of, 'POST', '/a/1')).toEqual(['ANY /a/:x', { x: '1' }])
  })

  it.each(['/v:b', '/:b', '/:b.x', '/*'])('[RTE-03] however exact the pattern of the ANY route is: GET %s', (path) => {
    for (const exact of ['/v.x', '/:a.x', '/v*']) {
      const of = router(`ANY ${exact}`, `GET ${path}`)
      expect(find(of, 'GET', '/v.x')?.[0]).toBe(`GET ${path}`)
      for (const verb of ['HEAD', 'PUT', 'OPTIONS', 'PURGE'])
        expect(find(of, verb, '/v.x')?.[0], verb).toBe(`ANY ${exact}`)
    }
  })

  it.each(['PURGE', 'MKCOL', 'QUERY', 'get', '', '__proto__', 'constructor', 'toString', 'ANY'])(
    '[RTE-04] ANY serves the verb %j',
    (verb) => {
      expect(find(router('ANY /a', 'GET /a'), verb, '/a')?.[0]).toBe('ANY /a')
      expect(find(router('GET /a'), verb, '/a')).toBeNull()
    },
  )

  it('a path without the verb falls through to the next best route that has it', () => {
    const of = router('GET /blogs/new', 'POST /blogs/:id', 'DELETE /*')
    expect(find(of, 'POST', '/blogs/new')).toEqual(['POST /blogs/:id', { id: 'new' }])
    expect(find(of, 'DELETE', '/blogs/new')).toEqual(['DELETE /*', { splat: ['blogs/new'] }])
    expect(find(of, 'PUT', '/blogs/new')).toBeNull()
  })

  it('[RTE-03] [RTE-22] HEAD is served by HEAD, else ANY, else GET', () => {
    expect(find(router('ANY /a', 'GET /a', 'HEAD /a'), 'HEAD', '/a')?.[0]).toBe('HEAD /a')
    expect(find(router('ANY /a', 'GET /a', 'HEAD /:a'), 'HEAD', '/a')?.[0]).toBe('HEAD /:a')
    expect(find(router('ANY /a', 'GET /a'), 'HEAD', '/a')?.[0]).toBe('ANY /a')
    expect(find(router('ANY /*', 'GET /a'), 'HEAD', '/a')?.[0]).toBe('ANY /*')
    expect(find(router('ANY /a', 'POST /a'), 'HEAD', '/a')?.[0]).toBe('ANY /a')
    expect(find(router('HEAD /:a', 'GET /a'), 'HEAD', '/a')?.[0]).toBe('HEAD /:a')
    expect(find(router('GET /a', 'ANY /b'), 'HEAD', '/a')?.[0]).toBe('GET /a')
    expect(find(router('POST /a'), 'HEAD', '/a')).toBeNull()
  })

  it('[RTE-22] tells the verbs of a path, and an unknown path from a known one', () => {
    const of = router(
      'GET /blogs/new',
      'POST /blogs/:id',
      'ANY /blogs/x',
      'PUT /*',
      entry('PATCH /blogs/:n', { capture: /\d+/ }),
    )
    expect(of.findVerbs('/blogs/new')).toEqual(['GET', 'POST', 'PUT'])
    expect(of.findVerbs('/blogs/1')).toEqual(['POST', 'PUT', 'PATCH'])
    expect(of.findVerbs('/blogs/x')).toEqual(['POST', 'PUT', 'ANY'])
    expect(router('GET /a').findVerbs('/b')).toEqual([])
  })
})

describe('captured values', () => {
  it('[RTE-02] are read by index without building an object', () => {
    const found = router('GET /b/:x/c/:y/*').find('GET', '/b/1/c/22/t/u')
    expect(found && [readRouteCapture(found, 0), readRouteCapture(found, 1), readRouteSplat(found)]).toEqual([
      '1',
      '22',
      ['t/u'],
    ])
  })

  it('are decoded once, and an encoded slash stays inside its segment', () => {
    const of = router('GET /blogs/:id', 'GET /café/%2F/x', 'GET /*')
    expect(find(of, 'GET', '/blogs/a%2Fb%252F')).toEqual(['GET /blogs/:id', { id: 'a/b%2F' }])
    expect(find(of, 'GET', '/%62logs/%E6%AD%A3')).toEqual(['GET /blogs/:id', { id: '正' }])
    expect(find(of, 'GET', '/blogs%2F1')).toEqual(['GET /*', { splat: ['blogs/1'] }])
    expect(find(of, 'GET', '/blogs/+')).toEqual(['GET /blogs/:id', { id: '+' }])
    expect(find(router('GET /café/%2F'), 'GET', '/caf%c3%a9/%2f')?.[0]).toBe('GET /café/%2F')
    expect(find(router('GET /café'), 'GET', '/café')?.[0]).toBe('GET /café')
  })

  it('a malformed path finds nothing and can be told from an unknown one', () => {
    const of = router('ANY /*')
    expect(of.find('GET', '/%zz')).toBeNull()
    expect(of.findVerbs('/%zz')).toEqual([])
    expect([isWellFormedPath('/%zz'), isWellFormedPath('/x')]).toEqual([false, true])
  })

  it('are null where an optional part is absent', () => {
    const of = router('GET /a/:x(/:y)?', 'GET /f/:file(.:ext)?', 'GET /(posts|articles)/:id')
    expect(find(of, 'GET', '/a/1')).toEqual(['GET /a/:x(/:y)?', { x: '1', y: null }])
    expect(find(of, 'GET', '/a/1/2')).toEqual(['GET /a/:x(/:y)?', { x: '1', y: '2' }])
    expect(find(of, 'GET', '/f/p.jpg')).toEqual(['GET /f/:file(.:ext)?', { file: 'p', ext: 'jpg' }])
    expect(find(of, 'GET', '/f/.jpg')).toBeNull()
    expect(find(of, 'GET', '/articles/3')).toEqual(['GET /(posts|articles)/:id', { id: '3' }])
  })

  it('go by the pattern where two of its forms fit', () => {
    const of = router('GET /(:a)x?', 'GET /d/(e|:f)')
    expect(find(of, 'GET', '/ax')).toEqual(['GET /(:a)x?', { a: 'a' }])
    expect(find(of, 'GET', '/x')).toBeNull()
    expect(find(of, 'GET', '/d/e')).toEqual(['GET /d/(e|:f)', { f: null }])
    expect(find(of, 'GET', '/d/g')).toEqual(['GET /d/(e|:f)', { f: 'g' }])
  })

  it('[RTE-14] `except` is respected, and another route may take the path', () => {
    const of = router(entry('GET /:id/assets/*', { except: '/:id/assets/private/*' }), 'GET /*')
    expect(find(of, 'GET', '/1/assets/a')?.[0]).toBe('GET /:id/assets/*')
    expect(find(of, 'GET', '/1/assets/private/a')?.[0]).toBe('GET /*')
  })

  it('[RTE-12] constraints are respected, also those that take slashes or nothing', () => {
    const of = router(
      entry('GET /n/:id', { capture: /[a-f]+/ }),
      entry('GET /s/:id', { capture: 'x/y' }),
      entry('GET /e/:id', { capture: /\d*/ }),
    )
    expect(find(of, 'GET', '/n/abc')).toEqual(['GET /n/:id', { id: 'abc' }])
    expect(find(of, 'GET', '/n/xyz')).toBeNull()
    expect(find(of, 'GET', '/s/x/y')).toEqual(['GET /s/:id', { id: 'x/y' }])
    expect(find(of, 'GET', '/e/')).toEqual(['GET /e/:id', { id: '' }])
  })

  it('a trailing slash is served where the route says so, and only there', () => {
    const of = router(
      entry('GET /blogs', { trailingSlash: true }),
      entry('GET /:a-:b', { trailingSlash: true }),
      'GET /x/:id',
    )
    expect(find(of, 'GET', '/blogs/')?.[0]).toBe('GET /blogs')
    expect(find(of, 'GET', '/blogs')?.[0]).toBe('GET /blogs')
    expect(find(of, 'GET', '/1-2/')).toEqual(['GET /:a-:b', { a: '1', b: '2' }])
    expect(find(of, 'GET', '/blogs//')).toBeNull()
    expect(find(of, 'GET', '/x/1/')).toBeNull()
  })

  it('a found route keeps its values when other lookups follow', () => {
    const of = router('GET /a/:x')
    const first = of.find('GET', '/a/1')
    of.find('GET', '/a/2')
    expect(first && readRouteCapture(first, 0)).toBe('1')
  })
})

describe('routes that no request can tell apart', () => {
  const pairs = (...entries: RouteEntry<string>[]): string[][] =>
    findIndistinguishable(entries).map(({ first, second }) => [first.value, second.value])

  it('[RTE-21] are reported, whatever their captures are called', () => {
    expect(pairs(entry('GET /a/:x'), entry('GET /a/:y'), entry('POST /a/:z'), entry('GET /a/b'))).toEqual([
      ['GET /a/:x', 'GET /a/:y'],
    ])
    expect(pairs(entry('ANY /*'), entry('ANY /*rest'))).toHaveLength(1)
    expect(pairs(entry('GET /(a|b)'), entry('GET /(b|a)'))).toHaveLength(1)
    expect(pairs(entry('GET /a/?'), entry('GET /a', { trailingSlash: true }))).toHaveLength(1)
    expect(router('GET /a/:x', 'GET /a/:y').conflicts).toHaveLength(1)
    expect(router('GET /a/:x', 'GET (/a/:y)').conflicts).toHaveLength(1)
    expect(router('GET /a/:x', 'GET (/a/:y|/a/:z)').conflicts).toHaveLength(1)
  })

  it('[RTE-21] differ by constraint, exception, form or verb', () => {
    expect(
      pairs(
        entry('GET /:x'),
        entry('GET /:x', { capture: /\d+/ }),
        entry('GET /:x', { capture: charClasses.digit }),
        entry('GET /:y', { except: '/z' }),
      ),
    ).toEqual([])
    expect(pairs(entry('GET /a/?'), entry('GET /a'), entry('HEAD /a'), entry('ANY /a'))).toEqual([])
    expect(pairs(entry('GET /:x', { except: '/:a' }), entry('GET /:y', { except: '/:b' }))).toHaveLength(1)
  })
})

describe('bounds', () => {
  it('refuses a pattern with too many forms', () => {
    expect(() => router(`GET /${'(a)?'.repeat(9)}`)).toThrow(PatternError)
    expect(() => router(`GET /${'(a)?'.repeat(9)}`)).toThrow('more than 256 forms')
  })

  it('stays linear on hostile paths', () => {
    const of = router('GET /*/x/*/y/*/z', 'GET /:a/x/:b', 'GET /a/a/:x.:y/:z-:w/*', 'GET /:a/a/:x.:y/:z-:w/end')
    const makers = [
      (size: number) => '/x'.repeat(size / 2),
      (size: number) => `/a/a/${'.'.repeat(size / 2)}/${'-'.repeat(size / 2)}/`,
    ]
    for (const make of makers) {
      const best = [50_000, 100_000].map((size) => ({ path: make(size), time: Number.POSITIVE_INFINITY }))
      const ratio = (): number => (best[1]?.time ?? 0) / (best[0]?.time ?? 0)
      for (let turn = 0; turn < 3 || (turn < 30 && ratio() >= 3); turn++) {
        for (const each of best) {
          const start = process.cpuUsage()
          of.find('GET', each.path)
          each.time = Math.min(each.time, process.cpuUsage(start).user)
        }
      }
      expect(ratio()).toBeLessThan(3)
    }
  }, 30_000)
})
