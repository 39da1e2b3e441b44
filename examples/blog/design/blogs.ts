// The blogs endpoint, version 1.0.
import { collectionOf, endpoint, header, inherit, payloadOf, route, t } from 'edict'
import { FieldSelector, FilteringParams } from 'edict/mapper'
import { OrderingParams, PaginationParams } from 'edict/pagination'
import { Blog } from './blog.ts'
import { Person } from './person.ts'
import { Throttled } from './responses.ts'
import { Token } from './security.ts'

/** Everything about blogs. */
export const Blogs = endpoint('Blogs', {
  description: `
Everything about **blogs**. Reading is public; writing needs a token.
`,
  mediaType: Blog,
  version: '1.0',
  actionDefaults: {
    params: { dry_run: t.boolean({ default: false, description: 'Checks the request without doing it.' }) },
    // A header by its type: optional, and a number in the controller.
    headers: { 'X-Client-Build': header(t.integer()) },
  },
  actions: {
    index: {
      summary: 'List blogs',
      operationId: 'listBlogs',
      description: 'All blogs, or those that match.',
      routing: route.get('/'),
      params: {
        // Which blogs: `filters=kind=personal&tags=machines`, escaped as queries are.
        filters: FilteringParams.for(Blog, {
          handle: {},
          title: { wildcards: true },
          kind: { operators: ['=', '!='] },
          tags: {},
          open: {},
          rating: {},
          founded_on: {},
          created_at: {},
          contact: {},
          'owner.id': { operators: ['='] },
          'owner.name': { wildcards: true },
        }),
        // In which order, and where equal ones are told apart: `order=-rating,title`.
        order: OrderingParams.for(Blog, { byFields: ['id', 'handle', 'title', 'rating', 'created_at', 'owner.name'] }),
        // Which part of them: `pagination=page=2,items=5`, or from a place on: `pagination=by=title,from=M`.
        pagination: PaginationParams.for(Blog, { byFields: ['id', 'handle', 'title', 'rating', 'created_at'] }),
        // And what of each: `fields=title,owner{name}`.
        fields: FieldSelector.for(Blog),
      },
      // A header by a value: when it is sent, it must be this one.
      headers: { 'X-Requested-With': header('XMLHttpRequest') },
      responses: { ok: collectionOf(Blog, { view: 'summary' }) },
    },
    show: {
      summary: 'Show a blog',
      description: 'One blog with its owner. Also under the short address `/b/:id`.',
      // Several routes; the first is the canonical one. `//` leaves the prefix `/blogs` out.
      routing: [route.get('/:id', { name: 'blog' }), route.get('//b/:id', { name: 'short' })],
      params: { id: t.integer() },
      responses: { ok: Blog.view('full'), notFound: true },
    },
    find: {
      summary: 'Find a blog by its handle',
      routing: route.get('/@:handle', { name: 'handle', capture: { handle: /[a-z][a-z0-9-]*/ } }),
      params: { handle: t.string({ max: 40 }) },
      responses: { ok: Blog, notFound: true },
    },
    create: {
      summary: 'Open a blog',
      operationId: 'createBlog',
      description: 'The blog belongs to the author of the token.',
      routing: route.post('/'),
      // Checked before anything else of the request; the controller gets the author as `principal`.
      security: Token,
      payload: {
        // From the media type: type and options, unless replaced here.
        title: inherit,
        handle: inherit,
        kind: inherit({ required: true }),
        open: inherit({ default: true }),
        tags: inherit,
        contact: inherit,
        links: inherit,
        theme: inherit,
        settings: inherit,
        // Of its own: the media type has no such attribute.
        welcome: t.boolean({ default: false, description: 'Whether a first post is written.' }),
      },
      responses: { created: { location: /.*\/blogs\/\d+/ }, ok: Blog, conflict: true, throttled: Throttled },
    },
    update: {
      summary: 'Change a blog',
      description: 'Attributes that are not sent stay as they are.',
      routing: route.patch('/:id'),
      params: { id: t.integer() },
      // A header by a pattern: optional, and it must match.
      headers: { 'If-Match': header(/^"[0-9a-f]+"$/) },
      security: Token,
      payload: {
        title: inherit({ required: false }),
        tags: inherit,
        open: inherit,
        digest_at: inherit,
        theme: inherit,
      },
      responses: { noContent: true, notFound: true, forbidden: true, preconditionFailed: true },
    },
    transfer: {
      summary: 'Give a blog away',
      description: 'The blog then belongs to the author with this e-mail address.',
      routing: route.put('/:id/owner'),
      params: { id: t.integer() },
      security: Token,
      // Attributes that inherit from another media type than the endpoint's.
      payload: payloadOf(Person, { email: inherit({ required: true }), note: t.string({ max: 200 }) }),
      responses: { noContent: true, notFound: true, forbidden: true, unprocessableContent: true },
    },
    remove: {
      summary: 'Delete a blog',
      description: 'Deletes the blog and everything in it.',
      routing: route.delete('/:id'),
      params: { id: t.integer() },
      headers: { 'X-Confirm': header('delete', { required: true }) },
      security: Token,
      responses: { noContent: true, notFound: true, forbidden: true },
    },
    export: {
      summary: 'Export a blog',
      description: 'The blog and its posts as one JSON document for each line, sent while they are read.',
      routing: route.get('/:id/export'),
      params: { id: t.integer() },
      responses: { ok: 'application/x-ndjson', notFound: true },
    },
  },
})
