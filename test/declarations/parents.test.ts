// Parents: a child's routes and params begin with those of its parent's canonical path.
import { application, childOf, endpoint, route, t } from 'edict'
import { describe, expect, it } from 'vitest'
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
})
