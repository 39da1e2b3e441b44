// The application of the contestant edict, everything on: validation, declared responses, rendering through the media type.
import { application, controller, endpoint, header, inherit, mediaType, route, t } from '../../dist/index.js'
import { ROUTES, UPLOAD_LIMIT } from '../contest.js'
import { large } from '../large/edict.js'
import { shapes, verifiers } from './edict-shapes.js'

const Blog = mediaType('Blog', {
  attributes: {
    id: t.integer({ required: true }),
    title: t.string({ required: true, min: 1, max: 200 }),
    kind: t.string({ required: true, values: ['personal', 'company'] }),
    tags: t.array(t.string({ max: 50 }), { max: 20 }),
    rating: t.number({ min: 0, max: 5 }),
    published: t.boolean(),
    pinned: t.boolean({ default: false }),
    author: t.object(
      {
        id: t.integer({ required: true, min: 1 }),
        name: t.string({ required: true }),
        email: t.string(),
        address: t.object({ street: t.string(), city: t.string({ required: true }), zip: t.string({ max: 12 }) }),
      },
      { required: true },
    ),
    links: t.array(
      t.object({ rel: t.string({ required: true }), href: t.string({ required: true }), weight: t.integer() }),
    ),
    summary: t.string({ max: 1000 }),
  },
})
const Answer = mediaType('Answer', {
  identifier: 'application/json',
  attributes: {
    blog_id: t.integer({ required: true }),
    id: t.integer({ required: true }),
    author: t.integer(),
    tags: t.array(t.string()),
    limit: t.integer(),
    order: t.string(),
    draft: t.boolean(),
    trace: t.string(),
  },
})
const pingOf = (policies) =>
  endpoint('Ping', {
    actionDefaults: { policies },
    actions: { ping: { routing: route.get('/'), responses: { ok: true } } },
  })
const blogsOf = (policies) =>
  endpoint('Blogs', {
    mediaType: Blog,
    actionDefaults: { policies },
    actions: {
      post: {
        routing: route.get('/:blog_id/posts/:id'),
        params: {
          blog_id: t.integer({ min: 1 }),
          id: t.integer({ min: 1 }),
          author: t.object({ id: t.integer() }),
          tags: t.array(t.string()),
          limit: t.integer({ min: 1, max: 100, default: 50 }),
          order: t.string({ values: ['title', 'id'] }),
          draft: t.boolean({ default: false }),
        },
        headers: { Authorization: header(), 'X-Trace': header(/^[0-9a-f]{16}$/) },
        responses: { ok: Answer },
      },
      create: {
        routing: route.post('/'),
        payload: {
          title: inherit,
          kind: inherit,
          tags: inherit,
          rating: inherit,
          published: inherit,
          pinned: inherit,
          author: inherit,
          links: inherit,
          summary: inherit,
        },
        responses: { created: { mediaType: Blog, location: /^\/blogs\/\d+$/ } },
      },
    },
  })
const Uploads = endpoint('Uploads', {
  actions: {
    create: {
      routing: route.post('/'),
      payload: {
        title: t.string({ required: true }),
        file: t.file({ required: true, max: UPLOAD_LIMIT, stream: true }),
      },
      responses: {
        created: {
          mediaType: t.object({
            title: t.string({ required: true }),
            size: t.integer({ required: true }),
            type: t.string({ required: true }),
          }),
        },
      },
    },
  },
})
const more = Array.from({ length: ROUTES }, (_, i) => {
  const Items = endpoint(`R${i}`, {
    prefix: `/r${i}`,
    actions: {
      show: {
        routing: route.get('/:id/items/:item'),
        params: { id: t.integer({ min: 1 }), item: t.integer({ min: 1 }) },
        responses: { ok: t.object({ route: t.integer(), id: t.integer(), item: t.integer() }) },
      },
    },
  })
  return controller(Items, { show: ({ id, item }, { reply }) => reply.ok({ route: i, id, item }) })
})

/**
 * Makes an application that answers all workloads; the policies are those of S1 to S3.
 * @param {readonly object[]} policies
 * @param {object} options
 */
export const edictApp = (policies = [], options = {}) =>
  application({
    environment: 'production',
    ...options,
    controllers: [
      controller(pingOf(policies), { ping: () => 'pong' }),
      controller(blogsOf(policies), {
        post: ({ blog_id, id, author, tags, limit, order, draft }, { request, reply }) =>
          reply.ok({ blog_id, id, author: author?.id, tags, limit, order, draft, trace: request.headers['X-Trace'] }),
        create: (_, { request, reply }) => reply.created({ id: 1, ...request.payload }, { location: '/blogs/1' }),
      }),
      controller(Uploads, {
        async create(_, { request, reply }) {
          const { title, file } = request.payload
          for await (const _piece of file) {
          }
          return reply.created({ title, size: file.size, type: file.type })
        },
      }),
      ...shapes,
      ...large,
      ...more,
    ],
    verifiers,
  })

/** Answers all workloads. */
export const app = edictApp()
