// Canonical paths: from arguments to a path and back, for every value that a path can carry.
import { application, controller, endpoint, HrefError, route, t } from 'edict'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ask } from '../support/ask.ts'
import { runs } from '../support/runs.ts'

const responses = { ok: true } as const
const id = t.integer()
const Blogs = endpoint('Blogs', {
  actions: { show: { routing: route.get('/:id'), params: { id, verbose: t.boolean() }, responses } },
})
const Pages = endpoint('Pages', {
  parent: Blogs,
  actions: {
    show: {
      routing: [route.get('/:slug/:n'), route.get('//p/:slug')],
      params: { slug: t.string(), n: t.bigint(), verbose: t.boolean() },
      responses,
    },
  },
})
const Files = endpoint('Files', {
  actions: {
    show: {
      routing: route.get('/:root/*/at/*'),
      params: { root: t.string(), splat: t.array(t.string()) },
      responses,
    },
  },
})

describe('canonical paths', () => {
  it("[CAN-01] toHref expands the canonical action's path", () => {
    expect(Blogs.toHref({ id: 7 })).toBe('/blogs/7')
    expect(Pages.toHref({ blog_id: 1, slug: 'a/b ü?#%', n: 12345678901234567890n })).toBe(
      '/blogs/1/pages/a%2Fb%20%C3%BC%3F%23%25/12345678901234567890',
    )
  })

  it('[CAN-01] arguments that do not fit are refused', () => {
    for (const args of [
      {},
      { id: '7' },
      { id: 1.5 },
      { id: null },
      { id: 7, other: 1 },
      { id: 7, verbose: true },
      undefined,
    ])
      expect(() => Blogs.toHref(args as never), JSON.stringify(args)).toThrow(HrefError)
    expect(() => Blogs.toHref({ id: 'x' as never })).toThrow(HrefError)
    for (const slug of ['', '.', '..']) expect(() => Pages.toHref({ blog_id: 1, slug, n: 1n }), slug).toThrow(HrefError)
  })

  it('[CAN-02] parseHref returns the parameters, coerced', () => {
    expect(Blogs.parseHref('/blogs/7')).toEqual({ id: 7 })
    expect(Pages.parseHref('/blogs/1/pages/a%2Fb/2')).toEqual({ blog_id: 1, slug: 'a/b', n: 2n })
    for (const path of ['/blogs', '/blogs/x', '/blogs/7/', '/posts/7', '/blogs/%zz', '/blogs/7?x=1', '', 'blogs/7'])
      expect(() => Blogs.parseHref(path), path).toThrow(HrefError)
  })

  it('[CAN-03] a controller and the context of a request give the definition', async () => {
    const blogs = controller(Blogs, {
      show: (_, { definition }) => `${definition === Blogs} ${definition.name} ${definition.toHref({ id: 1 })}`,
    })
    expect(blogs.definition).toBe(Blogs)
    expect((await ask(application({ controllers: [blogs] }), 'GET /blogs/7')).text).toBe('true Blogs /blogs/1')
  })

  it('[CAN-05] of several routes the first is canonical, for hrefs and for children alike', () => {
    const Old = endpoint('Blogs', {
      actions: {
        show: {
          routing: [route.prefix('//'), route.get('/b/:id'), route.get('/blogs/:id')],
          params: { id },
          responses,
        },
      },
    })
    const Posts = endpoint('Posts', {
      parent: Old,
      actions: { show: { routing: route.get('/:id'), params: { id }, responses } },
    })
    expect(Old.toHref({ id: 7 })).toBe('/b/7')
    expect(Posts.toHref({ blog_id: 7, id: 8 })).toBe('/b/7/posts/8')
    expect(() => Old.parseHref('/blogs/7')).toThrow(HrefError)
    expect(() => Pages.parseHref('/p/x')).toThrow(HrefError)
  })

  it('[CAN-01] an application adds its base path and the version, as far as a link can carry it', async () => {
    const one = endpoint('Blogs', {
      version: '1.0',
      actions: { show: { routing: route.get('/:id'), params: { id }, responses } },
    })
    const app = application({
      basePath: '/api',
      controllers: [one.implement({ show: (_, { href }) => href(one, { id: 8 }) })],
    })
    expect(app.href(one, { id: 7 })).toBe('/api/v1.0/blogs/7')
    expect((await ask(app, 'GET /api/v1.0/blogs/7')).text).toBe('/api/v1.0/blogs/8')
    expect((await ask(app, 'GET /api/blogs/7', { headers: { 'x-api-version': '1.0' } })).text).toBe('/api/v1.0/blogs/8')
    const plain = { controllers: [one.implement({ show: () => 'x' })] }
    expect(application({ ...plain, versionWith: ['query'] }).href(one, { id: 7 })).toBe('/blogs/7?api_version=1.0')
    expect(application({ ...plain, versionWith: ['header'] }).href(one, { id: 7 })).toBe('/blogs/7')
  })
})

describe('[CAN-04] parseHref(toHref(x)) equals x', () => {
  // Every kind of character that means something in a URL, and every kind of code point.
  const nasty = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.string({
      unit: fc.constantFrom(
        '/',
        '?',
        '#',
        '%',
        '+',
        '&',
        '=',
        ':',
        '*',
        '(',
        ')',
        '|',
        '\\',
        ' ',
        '.',
        ';',
        '@',
        'ü',
        '😀',
        '2',
        'F',
        '"',
        '<',
        '~',
        '\u00a0',
        '\u2028',
        '\n',
      ),
    }),
  )
  // Control character NUL is refused by every String attribute; a path segment must not be empty, `.` or `..`.
  const text = nasty.filter((one) => one !== '' && one !== '.' && one !== '..' && !one.includes('\0'))

  it('[CAN-04] for texts of any characters, integers and bigints', () => {
    fc.assert(
      fc.property(fc.maxSafeInteger(), text, fc.bigInt(), (blog_id, slug, n) => {
        const href = Pages.toHref({ blog_id, slug, n })
        expect(Pages.parseHref(href)).toEqual({ blog_id, slug, n })
        // A URL parser leaves the path as it is.
        expect(new URL(href, 'http://x').pathname).toBe(href)
      }),
    )
  })

  it('[CAN-04] for wildcards, wherever a path leads back to them', () => {
    fc.assert(
      fc.property(text, fc.array(nasty, { minLength: 2, maxLength: 2 }), (root, splat) => {
        let href: string
        try {
          href = Files.toHref({ root, splat })
        } catch {
          // Not every pair of runs can be told apart again; such a pair must be refused, never expanded wrongly.
          return
        }
        expect(Files.parseHref(href)).toEqual({ root, splat })
      }),
    )
    expect(Files.parseHref(Files.toHref({ root: 'r', splat: ['a/b', 'c d/é'] }))).toEqual({
      root: 'r',
      splat: ['a/b', 'c d/é'],
    })
  })

  it('[CAN-04] and the server reads the same values from the path', async () => {
    const app = application({
      controllers: [Pages.implement({ show: ({ blog_id, slug, n }) => JSON.stringify([blog_id, slug, String(n)]) })],
    })
    await fc.assert(
      fc.asyncProperty(text, async (slug) => {
        expect((await ask(app, `GET ${Pages.toHref({ blog_id: 1, slug, n: 2n })}`)).json).toEqual([1, slug, '2'])
      }),
      { numRuns: 50 },
    )
  })

  it('[CAN-04] an optional part behind a capture leads back, with and without its separator in the values', async () => {
    for (const path of ['/:id.?:format?', '/:id-?:format?', '/:id(.:format)?']) {
      const Books = endpoint('Books', {
        actions: {
          show: {
            routing: route.get(path),
            params: { id: t.string({ required: true }), format: t.string() },
            responses,
          },
        },
      })
      const show = Books.implement({ show: ({ id, format }) => JSON.stringify({ id, format }) })
      const app = application({ controllers: [show] })
      const separator = path.includes('-') ? '-' : '.'
      expect((await ask(app, 'GET /books/5')).json).toEqual({ id: '5' })
      expect((await ask(app, 'GET /books/emma')).json).toEqual({ id: 'emma' })
      expect((await ask(app, `GET /books/emma${separator}json`)).json).toEqual({ id: 'emma', format: 'json' })
      expect((await ask(app, `GET /books/${separator}json`)).status).toBe(404)
      const text = fc.string({ unit: fc.constantFrom('a', 'b', '.', '-', '/', 'é'), minLength: 1, maxLength: 5 })
      let written = 0
      await fc.assert(
        fc.asyncProperty(text, fc.option(text, { nil: undefined }), async (id, format) => {
          const args = format === undefined ? { id } : { id, format }
          let href: string
          try {
            href = Books.toHref(args)
          } catch (error) {
            expect(error).toBeInstanceOf(Error)
            return
          }
          written += 1
          expect(Books.parseHref(href)).toEqual(args)
          expect(await (await app.fetch(new Request(`http://localhost${href}`))).json()).toEqual(args)
        }),
        { numRuns: 200 },
      )
      expect(written).toBeGreaterThan(50)
    }
  })
})

describe('hrefs of an application', () => {
  const values = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.string({ unit: fc.constantFrom('/', '?', '#', '%', ':', '*', '-', '.', ' ', 'v', 'ü', '😀', '2', 'F') }),
  )
  const PATTERNS = [
    '/:a',
    '/',
    '/:a/:b',
    '/:a.:b',
    '/:a(/:b)?',
    '/:a-:b/x',
    '//:a/:b',
    '/*',
    '/:a/*',
    '/(x|y)/:a',
    '//',
  ]
  const shape = fc
    .record({
      pattern: fc.constantFrom(...PATTERNS),
      basePath: fc.constantFrom('', '/api', '/v1/api', '/v1.0'),
      version: fc.constantFrom(undefined, '1.0', '2024-01', 'é/1'),
      versionWith: fc.constantFrom<('path' | 'query' | 'header')[]>(['path'], ['query'], ['header'], ['query', 'path']),
      child: fc.boolean(),
      integers: fc.boolean(),
    })
    // Headers carry ASCII only, which boot insists on.
    .filter(({ version, versionWith }) => version !== 'é/1' || versionWith.some((one) => one !== 'header'))
  type Shape = typeof shape extends fc.Arbitrary<infer S> ? S : never

  function made({ pattern, basePath, version, versionWith, child, integers }: Shape) {
    const a = integers ? t.integer() : t.string()
    const params = {
      ...(pattern.includes(':a') && { a }),
      ...(pattern.includes(':b') && { b: t.string() }),
      ...(pattern.includes('*') && { splat: t.array(t.string()) }),
    }
    const settings = version === undefined ? {} : { version }
    const Parents = endpoint('Parents', {
      ...settings,
      actions: { show: { routing: route.get('/:id'), params: { id: t.string() }, responses } },
    })
    const show = { routing: route.get(pattern as never), params, responses }
    const Things = endpoint('Things', { ...settings, ...(child && { parent: Parents }), actions: { show } } as never)
    const implemented = Things.implement({ show: (read: object) => JSON.stringify(read) } as never)
    const parents = Parents.implement({ show: () => '' })
    const app = application({ basePath, versionWith, controllers: [implemented, parents] })
    return { app, Things: Things as never as typeof Blogs, params: Object.keys(params) }
  }

  it('[CAN-04] app.parseHref gives the arguments of app.href back, and the server reads the same', async () => {
    let written = 0
    await fc.assert(
      fc.asyncProperty(shape, fc.array(values, { minLength: 3, maxLength: 3 }), async (declared, [one, two, id]) => {
        const { app, Things, params } = made(declared)
        const all: Record<string, unknown> = {
          a: declared.integers ? (one as string).length : one,
          b: two,
          splat: [two],
        }
        const args = Object.fromEntries(params.map((name) => [name, all[name]]))
        if (declared.child) args['parent_id'] = id
        let href: string
        try {
          href = app.href(Things, args as never)
        } catch (error) {
          expect(error).toBeInstanceOf(HrefError)
          return
        }
        written++
        expect(app.parseHref(Things, href)).toEqual(args)
        const headers = declared.versionWith.includes('header') ? { 'x-api-version': declared.version ?? '1' } : {}
        const { status, json } = await ask(app, `GET ${href}`, { headers })
        expect([href, status, json]).toEqual([href, 200, args])
      }),
      { numRuns: runs(150, 600) },
    )
    expect(written).toBeGreaterThan(40)
  })

  it('[CAN-02] whatever does not fit is an HrefError', () => {
    const Kinds = endpoint('Kinds', {
      actions: {
        show: {
          routing: route.get('/:n/:s/:any/:one/:when'),
          params: {
            n: t.integer({ min: 1 }),
            s: t.string({ max: 5 }),
            any: t.any(),
            one: t.number(),
            when: t.date(),
          },
          responses,
        },
      },
    })
    const good = { n: 1, s: 'a', any: 'x', one: 1.5, when: '2026-01-02' }
    const app = application({ basePath: '/api', controllers: [Kinds.implement({ show: () => '' })] })
    expect(app.parseHref(Kinds, app.href(Kinds, good))).toEqual(good)
    const fits = (make: () => unknown): unknown => {
      try {
        return make()
      } catch (error) {
        expect(error).toBeInstanceOf(HrefError)
        return undefined
      }
    }
    const trap = new Proxy({}, { get: () => fits(() => Kinds.toHref(null as never)), ownKeys: () => [] })
    const odd = fc.oneof(
      fc.anything({ withNullPrototype: true, withBigInt: true, withDate: true, withSparseArray: true }),
      fc.constantFrom<unknown>(trap, Symbol('x'), { toString: () => ({}) }, () => 1, '\ud800', '.', '..', Number.NaN),
    )
    fc.assert(
      fc.property(odd, fc.constantFrom(...Object.keys(good)), (value, name) => {
        fits(() => app.href(Kinds, value as never))
        fits(() => app.parseHref(Kinds, value as never))
        const args = { ...good, [name]: value }
        const href = fits(() => app.href(Kinds, args as never))
        if (href !== undefined && typeof value !== 'bigint')
          expect(app.parseHref(Kinds, href as string)).toEqual(Object.is(value, -0) ? { ...args, [name]: 0 } : args)
      }),
      { numRuns: runs(400, 1500) },
    )
    const wrong = [
      '',
      '/',
      '/api',
      '/kinds/1/a/x/1.5/2026-01-02',
      '/api/kinds/0/a/x/1.5/2026-01-02',
      '//api',
      'http://h/api',
    ]
    for (const path of [
      ...wrong,
      '/api/kinds/1/%zz/x/1.5/2026-01-02',
      '/api/kinds/1/a/x/1.5/2026-01-02#f',
      '/apikinds/1',
    ])
      expect(() => app.parseHref(Kinds, path), path).toThrow(HrefError)
    const None = endpoint('None', { actions: { index: { routing: route.get('/'), responses } } })
    expect(() => None.toHref({} as never)).toThrow(HrefError)
    expect(() => None.parseHref('/none')).toThrow(HrefError)
  })

  it('[CAN-04] parses no path of another base path, version or endpoint', () => {
    const { app, Things } = made({
      pattern: '/:a',
      basePath: '/api',
      version: '1.0',
      versionWith: ['query'],
      child: false,
      integers: true,
    })
    expect(app.parseHref(Things, '/api/things/7?api_version=1.0')).toEqual({ a: 7 })
    for (const href of [
      '/api/things/7',
      '/things/7?api_version=1.0',
      '/api/things/7?api_version=2.0',
      '/api/v1.0/things/7',
    ])
      expect(() => app.parseHref(Things, href), href).toThrow(HrefError)
  })
})
