// Parents: a child's routes and params begin with those of its parent's canonical path.
import { application, childOf, endpoint, HrefError, type RouteOptions, route, t } from 'edict'
import { describe, expect, it } from 'vitest'
import { findCapture } from '../../src/path/index.ts'
import { ask, mistakesOf } from '../support/ask.ts'

const responses = { ok: true } as const
const id = t.integer({ min: 1 })
const show = { routing: route.get('/:id'), params: { id }, responses } as const
const echo = (params: object) => JSON.stringify(params)

const Blogs = endpoint('Blogs', { actions: { show } })
const Posts = endpoint('Posts', { parent: Blogs, actions: { index: { routing: route.get('/'), responses }, show } })

describe('parents', () => {
  it("[PAR-01] a child's routes start with the parent's canonical path, then its own prefix", async () => {
    const Drafts = endpoint('Drafts', {
      parent: Blogs,
      prefix: '/my/drafts',
      actions: {
        all: { routing: [route.get('/'), route.get('//every'), route.prefix(''), route.get('/plain')], responses },
      },
    })
    const app = application({
      basePath: '/api',
      controllers: [Posts.implement({ index: echo, show: echo }), Drafts.implement({ all: echo })],
    })
    expect(app.routes().map(({ path }) => path)).toEqual([
      '/api/blogs/:blog_id/posts',
      '/api/blogs/:blog_id/posts/:id',
      '/api/blogs/:blog_id/my/drafts',
      '/api/blogs/:blog_id/every',
      '/api/blogs/:blog_id/plain',
    ])
    expect((await ask(app, 'GET /api/blogs/1/my/drafts')).status).toBe(200)
    expect((await ask(app, 'GET /api/posts/1')).status).toBe(404)
  })

  it("[PAR-02] [PAR-03] the parent's params become the child's, with their types, the last one as `<parent>_id`", async () => {
    const app = application({
      controllers: [Posts.implement({ index: ({ blog_id }) => String(blog_id + 1), show: echo })],
    })
    expect((await ask(app, 'GET /blogs/41/posts')).text).toBe('42')
    expect((await ask(app, 'GET /blogs/41/posts/7')).json).toEqual({ blog_id: 41, id: 7 })
    const refused = await ask(app, 'GET /blogs/x/posts/0')
    expect(refused.json.errors.map(({ pointer, code }: any) => `${pointer} ${code}`)).toEqual([
      '/blog_id type',
      '/id min',
    ])
  })

  it('[PAR-03] whatever its own name was, and whatever the plural is', () => {
    const path = (name: string, settings: object = {}) => {
      const Parent = endpoint(name, {
        ...settings,
        actions: { show: { routing: route.get('/:slug'), params: { slug: t.string() }, responses } },
      } as never)
      const Child = endpoint('Posts', { parent: Parent, actions: { show } } as never)
      return application({ controllers: [Child.implement({ show: () => '' } as never)] }).routes()[0]?.path
    }
    expect(path('Blogs')).toBe('/blogs/:blog_id/posts/:id')
    expect(path('BlogCategories')).toBe('/blog_categories/:blog_category_id/posts/:id')
    expect(path('Boxes')).toBe('/boxes/:box_id/posts/:id')
    expect(path('Statuses', { singular: 'status' })).toBe('/statuses/:status_id/posts/:id')
  })

  it('[PAR-04] other parent parameters are copied unchanged', async () => {
    const Pages = endpoint('Pages', {
      prefix: '/:lang/pages',
      actions: {
        show: {
          routing: route.get('/:year/:id'),
          params: { lang: t.string({ values: ['en', 'de'] }), year: t.integer(), id },
          responses,
        },
      },
    })
    const Notes = endpoint('Notes', { parent: Pages, actions: { show } })
    const app = application({ controllers: [Notes.implement({ show: echo })] })
    expect(app.routes()[0]?.path).toBe('/:lang/pages/:year/:page_id/notes/:id')
    expect((await ask(app, 'GET /de/pages/2026/3/notes/4')).json).toEqual({ lang: 'de', year: 2026, page_id: 3, id: 4 })
    expect((await ask(app, 'GET /fr/pages/2026/3/notes/4')).status).toBe(400)
  })

  it('[PAR-05] a mapping overrides the renaming', async () => {
    const Own = endpoint('Posts', { parent: childOf(Blogs, { id: 'parent_id' }), actions: { show } })
    const app = application({ controllers: [Own.implement({ show: ({ parent_id, id }) => `${parent_id + id}` })] })
    expect(app.routes()[0]?.path).toBe('/blogs/:parent_id/posts/:id')
    expect((await ask(app, 'GET /blogs/40/posts/2')).text).toBe('42')
    expect(Own.toHref({ parent_id: 1, id: 2 })).toBe('/blogs/1/posts/2')
  })

  it('[PAR-05] a mapping renames the other parameters too, and must name parameters that exist', () => {
    const Pages = endpoint('Pages', {
      prefix: '/:lang/pages',
      actions: { show: { routing: route.get('/:id'), params: { lang: t.string(), id }, responses } },
    })
    const Notes = endpoint('Notes', { parent: childOf(Pages, { lang: 'language' }), actions: { show } } as never)
    expect(application({ controllers: [Notes.implement({ show: echo } as never)] }).routes()[0]?.path).toBe(
      '/:language/pages/:page_id/notes/:id',
    )
    const Wrong = endpoint('Notes', { parent: childOf(Pages, { nobody: 'x' }), actions: { show } } as never)
    const boot = () => application({ controllers: [Wrong.implement({ show: echo } as never)] })
    expect(mistakesOf(boot)).toMatchObject([
      {
        endpoint: 'Notes',
        setting: 'parent',
        problem: expect.stringContaining('nobody'),
        remedy: 'map one of: lang, id',
      },
    ])
  })

  it('[PAR-06] parents nest', async () => {
    const Comments = endpoint('Comments', { parent: Posts, actions: { show } })
    const Likes = endpoint('Likes', { parent: Comments, actions: { show } })
    const app = application({ controllers: [Comments.implement({ show: echo }), Likes.implement({ show: echo })] })
    expect(app.routes().map(({ path }) => path)).toEqual([
      '/blogs/:blog_id/posts/:post_id/comments/:id',
      '/blogs/:blog_id/posts/:post_id/comments/:comment_id/likes/:id',
    ])
    expect((await ask(app, 'GET /blogs/1/posts/2/comments/3/likes/4')).json).toEqual({
      blog_id: 1,
      post_id: 2,
      comment_id: 3,
      id: 4,
    })
    expect(Likes.parseHref(Likes.toHref({ blog_id: 1, post_id: 2, comment_id: 3, id: 4 }))).toEqual({
      blog_id: 1,
      post_id: 2,
      comment_id: 3,
      id: 4,
    })
  })

  it('[PAR-02] a child may declare the parameter anew', async () => {
    const Own = endpoint('Posts', {
      parent: Blogs,
      actions: { show: { ...show, params: { id, blog_id: t.string() } } },
    })
    const app = application({ controllers: [Own.implement({ show: echo })] })
    expect((await ask(app, 'GET /blogs/abc/posts/1')).json).toEqual({ blog_id: 'abc', id: 1 })
  })

  it('[PAR-01] a parent without a canonical path, and a name that parent and child both capture, are refused', () => {
    const boot = (parent: object) =>
      mistakesOf(() =>
        application({
          controllers: [endpoint('Posts', { parent, actions: { show } } as never).implement({ show: echo } as never)],
        }),
      )
    expect(boot(endpoint('Lists', { actions: { all: { routing: route.get('/'), responses } } }))).toMatchObject([
      { endpoint: 'Posts', setting: 'parent', problem: 'Lists has no canonical path' },
    ])
    expect(boot(childOf(Blogs, { id: 'id' }))).toMatchObject([
      { endpoint: 'Posts', action: 'show', setting: 'routing' },
    ])
  })

  // Every way to limit a route, with paths that it takes and paths that it does not.
  const text = t.string()
  const parents: readonly (readonly [path: string, options: object])[] = [
    ['/:id', { capture: /\d+/ }],
    ['/:id', { capture: { id: /[a-z]+/ } }],
    ['/:id', { capture: ['1', 'new'] }],
    ['/:id', { except: '/new' }],
    ['/:id', { except: '/new|/1' }],
    ['/:id', { except: '/:x-y' }],
    ['/:id', { capture: /.+/, except: '//blogs/a/b' }],
    ['/:shop/:id', { capture: { shop: /\d+/ }, except: '/1/:id' }],
    ['/:shop/:id', { capture: /\d+/ }],
    ['/:id(.:format)?', { capture: { format: ['json'] } }],
    ['/:id/*rest', { except: '/*rest/x' }],
    ['/:id', {}],
  ]
  const owns: readonly object[] = [{}, { capture: /\d+/ }, { capture: { key: ['1', 'a-y'] } }, { except: '/new' }]
  const segments = ['1', '22', 'new', 'a', 'x-y', 'a%2Fb', 'a.json', 'a.xml']

  const matches = (definition: { parseHref(path: string): unknown }, path: string): boolean => {
    try {
      definition.parseHref(path)
      return true
    } catch (error) {
      expect(error).toBeInstanceOf(HrefError)
      return false
    }
  }

  it.each(parents)("[PAR-01] the limits of the parent's route hold in its children: %s %o", (path, options) => {
    const names = [...path.matchAll(/[:*](\w+)/g)].map(([, name]) => name as string)
    const params = Object.fromEntries(names.map((name) => [name, text]))
    const shown = (routing: object, own: object) =>
      ({ actions: { show: { routing, params: own, responses } } }) as never
    const Parents = endpoint('Blogs', shown(route.get(path as never, options as never), params))
    for (const own of owns) {
      // One constraint for all captures of a child also holds for those of the parent that have none.
      const isForAll = 'capture' in own && own.capture instanceof RegExp
      if (isForAll && names.some((name) => findCapture((options as RouteOptions).capture, name) === undefined)) continue
      const routing = route.get('/:key' as never, own as never)
      const Alone = endpoint('Notes', shown(routing, { key: text }))
      const below = { parent: childOf(Parents, { [names.at(-1) as string]: 'blog' } as never), prefix: '/notes' }
      const Notes = endpoint('Notes', { ...below, ...(shown(routing, { key: text }) as object) } as never)
      const nested = { parent: childOf(Notes, { key: 'note' } as never), prefix: '/lines' }
      const Lines = endpoint('Lines', { ...nested, ...(shown(route.get('/:line'), { line: text }) as object) } as never)
      const places = segments.flatMap((one) =>
        path.split('/').length > 2 ? segments.map((two) => `${one}/${two}`) : one,
      )
      for (const place of places)
        for (const key of ['1', 'new', 'a-y']) {
          const expected = matches(Parents, `/blogs/${place}`) && matches(Alone, `/notes/${key}`)
          expect([place, key, matches(Notes, `/blogs/${place}/notes/${key}`)]).toEqual([place, key, expected])
          expect([place, key, matches(Lines, `/blogs/${place}/notes/${key}/lines/z`)]).toEqual([place, key, expected])
        }
    }
  })

  it('[PAR-01] and the server keeps to them below a base path', async () => {
    const parent = endpoint('Blogs', {
      actions: {
        show: {
          routing: route.get('/:id', { capture: /\d+|new/, except: '/new|/7' }),
          params: { id: text },
          responses,
        },
      },
    })
    const Notes = endpoint('Notes', { parent, actions: { index: { routing: route.get('/'), responses } } })
    const controllers = [parent.implement({ show: echo }), Notes.implement({ index: echo })]
    const app = application({ basePath: '/api', controllers })
    for (const [place, status] of [
      ['1', 200],
      ['7', 404],
      ['new', 404],
      ['x', 404],
    ] as const) {
      expect([place, (await ask(app, `GET /api/blogs/${place}`)).status]).toEqual([place, status])
      expect([place, (await ask(app, `GET /api/blogs/${place}/notes`)).status]).toEqual([place, status])
      expect([place, (await ask(app, `GET /api/blogs/${place}/notes/`)).status]).toEqual([place, status])
    }
  })

  it('[PAR-01] a constraint of the parent is not given again', () => {
    const Parents = endpoint('Blogs', {
      actions: { show: { ...show, routing: route.get('/:id', { capture: /\d+/ }) } },
    })
    const routing = route.get('/:id', { capture: { blog_id: /[1-3]/ } } as never)
    const Own = endpoint('Posts', { parent: Parents, actions: { show: { ...show, routing } } })
    const boot = () => application({ controllers: [Own.implement({ show: echo }), Parents.implement({ show: echo })] })
    expect(mistakesOf(boot)).toMatchObject([
      { endpoint: 'Posts', action: 'show', problem: "the parent's route constrains 'blog_id' already" },
    ])
  })
})
