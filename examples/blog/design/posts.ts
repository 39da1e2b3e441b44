// The posts endpoint, a child of blogs: every path begins with a blog's canonical path, `/blogs/:blog_id`.
import { collectionOf, endpoint, inherit, route, t } from 'edict'
import { FieldSelector, FilteringParams } from 'edict/mapper'
import { OrderingParams, PaginationParams } from 'edict/pagination'
import { Blogs } from './blogs.ts'
import { Post, PostOutline } from './post.ts'
import { Token } from './security.ts'

/** The posts of a blog. */
export const Posts = endpoint('Posts', {
  description: 'What is written in a blog: `/blogs/:blog_id/posts`.',
  parent: Blogs,
  mediaType: Post,
  version: '1.0',
  actionDefaults: { responses: { notFound: true } },
  actions: {
    index: {
      summary: 'List posts',
      description: 'The published posts, the newest first unless `order` says otherwise.',
      routing: route.get('/'),
      params: {
        slugs: t.array(t.string(), { max: 100, description: 'Only these: `slugs[]=a&slugs[]=b`.' }),
        published: t.object(
          { after: t.dateTime(), before: t.dateTime() },
          { description: 'Nested: `published[after]=2024-02-01T00:00:00Z`.' },
        ),
        filters: FilteringParams.for(Post, { title: { wildcards: true }, reading_minutes: {}, 'author.id': {} }),
        order: OrderingParams.for(Post, {
          byFields: ['slug', 'title', 'reading_minutes', 'published_at'],
          default: ['-published_at'],
        }),
        // The key of posts is not called `id`.
        pagination: PaginationParams.for(Post, {
          key: ['blog_id', 'slug'],
          byFields: ['slug', 'title', 'reading_minutes', 'published_at'],
          pageSize: 10,
        }),
        fields: FieldSelector.for(Post),
      },
      responses: { ok: collectionOf(Post, { view: 'teaser' }) },
    },
    archive: {
      summary: 'List the posts of a month',
      // Captures that look like a year and a month; everything else is another path.
      routing: route.get('/archive/:year-:month', {
        name: 'archive',
        capture: { year: /[12]\d{3}/, month: /0[1-9]|1[0-2]/ },
      }),
      params: { year: t.string(), month: t.string() },
      responses: { ok: collectionOf(Post.view('teaser')) },
    },
    show: {
      summary: 'Show a post',
      description: 'One post; as an outline for `Accept: application/vnd.blog.outline+json`.',
      routing: route.get('/:slug'),
      params: { slug: t.string() },
      responses: { ok: { mediaType: [Post, PostOutline] }, notModified: true },
    },
    create: {
      summary: 'Write a post',
      description: 'Writes a post, or a draft of one.',
      routing: route.post('/'),
      security: Token,
      headers: {
        // The general form of a header: any attribute with its options.
        'X-Publish-Delay': t.integer({ min: 0, max: 86_400, default: 0, description: 'In seconds.' }),
      },
      payload: {
        title: inherit,
        slug: inherit,
        blocks: inherit({ required: true }),
        draft: t.boolean({ default: false }),
      },
      responses: { created: { location: /.*\/posts\/[a-z0-9-]+/ }, forbidden: true, conflict: true },
    },
    rewrite: {
      summary: 'Replace the text',
      description: 'Replaces the text of a post by the body of the request.',
      routing: route.put('/:slug/text'),
      params: { slug: t.string() },
      security: Token,
      // One attribute as the whole payload: the body is a text, and of these content types only.
      payload: t.string({ required: true, min: 1, max: 20_000 }),
      consumes: ['text/plain', 'text/markdown'],
      responses: { ok: Post, forbidden: true },
    },
    illustrate: {
      summary: 'Add a cover',
      description: 'Adds a cover to a post: a multipart form with a file and a text.',
      routing: route.put('/:slug/cover'),
      params: { slug: t.string() },
      security: Token,
      payload: {
        image: t.file({ required: true, types: ['image/png'], max: 128 * 1024 }),
        alt: t.string({ required: true, max: 200 }),
      },
      responses: { noContent: true, forbidden: true },
    },
    cover: {
      summary: 'Show the cover',
      description: 'The cover of a post, for `<img>`.',
      routing: route.get('/:slug/cover'),
      params: { slug: t.string() },
      responses: { ok: 'image/png' },
    },
    move: {
      summary: 'Move a post',
      description: 'Moves a post to another blog, which is named by its address.',
      routing: route.post('/:slug/move'),
      params: { slug: t.string() },
      security: Token,
      payload: { blog: t.string({ required: true, example: '/blogs/2' }) },
      responses: {
        seeOther: { location: /.*\/posts\/.*/ },
        forbidden: true,
        conflict: true,
        unprocessableContent: true,
      },
    },
  },
})
