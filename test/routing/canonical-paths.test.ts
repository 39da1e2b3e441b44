// Canonical paths: from arguments to a path and back, for every value that a path can carry.
import { application, controller, endpoint, HrefError, route, t } from 'edict'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ask } from '../support/ask.ts'

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
      expect(() => Blogs.toHref(args as never), JSON.stringify(args)).toThrow(Error)
    expect(() => Blogs.toHref({ id: 'x' as never })).toThrow(HrefError)
    for (const slug of ['', '.', '..']) expect(() => Pages.toHref({ blog_id: 1, slug, n: 1n }), slug).toThrow(Error)
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
