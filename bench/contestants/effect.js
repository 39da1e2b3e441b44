// Effect 3 with its HttpApi on node:http, and Effect schemas for inputs and outputs.
import { createServer } from 'node:http'
import {
  HttpApi,
  HttpApiBuilder,
  HttpApiEndpoint,
  HttpApiGroup,
  HttpApiSchema,
  HttpMiddleware,
  HttpServerResponse,
  Multipart,
} from '@effect/platform'
import { NodeHttpServer } from '@effect/platform-node'
import { Effect, Layer, Option, Schema, Stream } from 'effect'
import { answering, ROUTES, UPLOAD_LIMIT } from '../contest.js'
import { addLarge, handleLarge } from '../large/effect.js'
import { addShapes, handleShapes, TokenLive } from '../shapes/effect.js'

// Decoding stops at the first error unless a schema says otherwise.
const all = { parseOptions: { errors: 'all' } }
const Whole = Schema.NumberFromString.pipe(Schema.int())
const Positive = Whole.pipe(Schema.positive())

// Absent values are left out, never undefined: schemas that know it have less to try.
const optional = Schema.optionalWith({ exact: true })

const blog = {
  title: Schema.String.pipe(Schema.minLength(1), Schema.maxLength(200)),
  kind: Schema.Literal('personal', 'company'),
  tags: optional(Schema.Array(Schema.String.pipe(Schema.maxLength(50))).pipe(Schema.maxItems(20))),
  rating: optional(Schema.Number.pipe(Schema.between(0, 5))),
  published: optional(Schema.Boolean),
  pinned: Schema.optionalWith(Schema.Boolean, { default: () => false, exact: true }),
  author: Schema.Struct({
    id: Schema.Int.pipe(Schema.positive()),
    name: Schema.String,
    email: optional(Schema.String),
    address: optional(
      Schema.Struct({
        street: optional(Schema.String),
        city: Schema.String,
        zip: optional(Schema.String.pipe(Schema.maxLength(12))),
      }),
    ),
  }),
  links: optional(
    Schema.Array(Schema.Struct({ rel: Schema.String, href: Schema.String, weight: optional(Schema.Int) })),
  ),
  summary: optional(Schema.String.pipe(Schema.maxLength(1000))),
}
const Blog = Schema.Struct({ id: Schema.Int, ...blog })
const Answer = Schema.Struct({
  blog_id: Schema.Int,
  id: Schema.Int,
  author: Schema.optional(Schema.Int),
  tags: Schema.optional(Schema.Array(Schema.String)),
  limit: Schema.Int,
  order: Schema.optional(Schema.String),
  draft: Schema.Boolean,
  trace: Schema.optional(Schema.String),
})
const Upload = Schema.Struct({ title: Schema.String, size: Schema.Int, type: Schema.String })
class UploadError extends Schema.TaggedError()(
  'UploadError',
  { message: Schema.String },
  HttpApiSchema.annotations({ status: 400 }),
) {}

let group = addLarge(addShapes(HttpApiGroup.make('blogs')))
  .add(
    HttpApiEndpoint.get('ping', '/ping').addSuccess(Schema.String.pipe(HttpApiSchema.withEncoding({ kind: 'Text' }))),
  )
  .add(
    HttpApiEndpoint.get('showPost', '/blogs/:blog_id/posts/:id')
      .setPath(Schema.Struct({ blog_id: Positive, id: Positive }))
      .setUrlParams(
        // URL parameters are flat: brackets are part of the names.
        Schema.Struct({
          author: optional(Whole).pipe(Schema.fromKey('author[id]')),
          tags: optional(Schema.Array(Schema.String)).pipe(Schema.fromKey('tags[]')),
          limit: Schema.optionalWith(Whole.pipe(Schema.between(1, 100)), { default: () => 50, exact: true }),
          order: optional(Schema.Literal('title', 'id')),
          draft: Schema.optionalWith(Schema.BooleanFromString, { default: () => false, exact: true }),
        }).annotations(all),
      )
      .setHeaders(
        Schema.Struct({
          authorization: Schema.String,
          'x-trace': optional(Schema.String.pipe(Schema.pattern(/^[0-9a-f]{16}$/))),
        }).annotations(all),
      )
      .addSuccess(Answer),
  )
  .add(
    HttpApiEndpoint.post('create', '/blogs')
      .setPayload(Schema.Struct(blog).annotations(all))
      .addSuccess(Blog, { status: 201 }),
  )
  .add(
    HttpApiEndpoint.post('upload', '/uploads')
      .setPayload(
        HttpApiSchema.MultipartStream(Schema.Struct({ title: Schema.String, file: Multipart.SingleFileSchema }), {
          maxFileSize: Option.some(UPLOAD_LIMIT),
        }),
      )
      .addSuccess(Upload, { status: 201 })
      .addError(UploadError),
  )
for (let i = 0; i < ROUTES; i++)
  group = group.add(
    HttpApiEndpoint.get(`r${i}`, `/r${i}/:id/items/:item`)
      .setPath(Schema.Struct({ id: Positive, item: Positive }))
      .addSuccess(Schema.Struct({ route: Schema.Int, id: Schema.Int, item: Schema.Int })),
  )
const api = HttpApi.make('bench').add(group)

const created = HttpServerResponse.schemaJson(Blog)

const BlogsLive = HttpApiBuilder.group(api, 'blogs', (handlers) => {
  let handled = handleLarge(handleShapes(handlers))
    .handle('ping', () => Effect.succeed('pong'))
    .handle('showPost', ({ path, urlParams: { author, tags, limit, order, draft }, headers }) =>
      Effect.succeed({
        blog_id: path.blog_id,
        id: path.id,
        author,
        tags,
        limit,
        order,
        draft,
        trace: headers['x-trace'],
      }),
    )
    // An answer with a header of its own is made by the handler.
    .handle('create', ({ payload }) =>
      Effect.orDie(created({ id: 1, ...payload }, { status: 201, headers: { location: '/blogs/1' } })),
    )
    .handle('upload', ({ payload }) => takeUpload(payload))
  for (let i = 0; i < ROUTES; i++)
    handled = handled.handle(`r${i}`, ({ path: { id, item } }) => Effect.succeed({ route: i, id, item }))
  return handled
})

// Streamed, since the other way is to write files to the disk; a stream of parts is not checked against the schema.
function takeUpload(parts) {
  const form = { title: undefined, size: 0, type: undefined }
  return parts.pipe(
    Stream.runForEach((part) => {
      if (part._tag === 'Field') {
        if (part.key === 'title') form.title = part.value
        return Effect.void
      }
      form.type = part.contentType
      return Stream.runForEachChunk(part.content, (chunks) => {
        for (const chunk of chunks) form.size += chunk.length
        return Effect.void
      })
    }),
    Effect.flatMap(() => Schema.decodeUnknown(Upload, { errors: 'all' })(form)),
    Effect.mapError(({ message }) => new UploadError({ message })),
  )
}

const notFound = HttpServerResponse.unsafeJson({ error: 'not found' }, { status: 404 })
const NotFoundLive = HttpApiBuilder.middleware((app) => Effect.catchTag(app, 'RouteNotFound', () => notFound))

const server = createServer()
const ServerLive = HttpApiBuilder.serve().pipe(
  Layer.provide(NotFoundLive),
  Layer.provide(HttpApiBuilder.api(api).pipe(Layer.provide(BlogsLive), Layer.provide(TokenLive))),
  Layer.provide(NodeHttpServer.layer(() => server, { port: 0, host: '127.0.0.1' })),
  HttpMiddleware.withTracerDisabledWhen(() => true),
)
server.on('listening', () => answering(server.address().port))
Effect.runFork(Layer.launch(ServerLive))
