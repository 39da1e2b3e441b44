// NestJS 12 on Fastify: Zod schemas through its pipe for inputs, which cost less than classes with class-validator, the other
// way of its documentation; schemas of Fastify for outputs. Plain JavaScript has no decorators, so that they are called by hand.
import 'reflect-metadata'
import {
  Body,
  Controller,
  Get,
  Module,
  Param,
  ParseFilePipe,
  Post,
  Query,
  Res,
  StandardSchemaValidationPipe,
  UploadedFile,
  UseInterceptors,
} from '@nestjs/common'
import { NestFactory } from '@nestjs/core'
import { FastifyAdapter, RouteSchema } from '@nestjs/platform-fastify'
import { FileStreamInterceptor } from '@nestjs/platform-fastify/multipart'
import { z } from 'zod'
import { answering, ROUTES, UPLOAD_LIMIT } from '../contest.js'
import { LargeController } from '../large/nest.js'
import { decorate, flag, Headers, list, number, object, ShapesController, text, whole } from '../shapes/nest.js'

const integer = z.coerce.number().int()
const positive = integer.min(1)
const PostParams = z.object({ blog_id: positive, id: positive })
const PostQuery = z.object({
  // Fastify's own parser leaves names with brackets as they are, and costs less than qs.
  'author[id]': integer.optional(),
  'tags[]': z.union([z.array(z.string()), z.string().transform((tag) => [tag])]).optional(),
  limit: positive.max(100).default(50),
  order: z.enum(['title', 'id']).optional(),
  draft: z.stringbool({ truthy: ['true'], falsy: ['false'] }).default(false),
})
const PostHeaders = z.object({
  authorization: z.string(),
  'x-trace': z
    .string()
    .regex(/^[0-9a-f]{16}$/)
    .optional(),
})
const BlogPayload = z.object({
  title: z.string().min(1).max(200),
  kind: z.enum(['personal', 'company']),
  tags: z.array(z.string().max(50)).max(20).optional(),
  rating: z.number().min(0).max(5).optional(),
  published: z.boolean().optional(),
  pinned: z.boolean().default(false),
  author: z.object({
    id: z.int().min(1),
    name: z.string(),
    email: z.string().optional(),
    address: z
      .object({ street: z.string().optional(), city: z.string(), zip: z.string().max(12).optional() })
      .optional(),
  }),
  links: z.array(z.object({ rel: z.string(), href: z.string(), weight: z.int().optional() })).optional(),
  summary: z.string().max(1000).optional(),
})
const ItemParams = z.object({ id: positive, item: positive })

const PostAnswer = object({
  blog_id: whole,
  id: whole,
  author: whole,
  tags: list(text),
  limit: whole,
  order: text,
  draft: flag,
  trace: text,
})
const BlogAnswer = object({
  id: whole,
  title: text,
  kind: text,
  tags: list(text),
  rating: number,
  published: flag,
  pinned: flag,
  author: object({ id: whole, name: text, email: text, address: object({ street: text, city: text, zip: text }) }),
  links: list(object({ rel: text, href: text, weight: whole })),
  summary: text,
})
class BlogsController {
  ping() {
    return 'pong'
  }

  showPost({ blog_id, id }, { 'author[id]': author, 'tags[]': tags, limit, order, draft }, headers) {
    return { blog_id, id, author, tags, limit, order, draft, trace: headers['x-trace'] }
  }

  create(payload, reply) {
    reply.header('Location', '/blogs/1')
    return { id: 1, ...payload }
  }

  async upload({ title }, { stream, mimetype }) {
    let size = 0
    for await (const chunk of stream) size += chunk.length
    return { title, size, type: mimetype }
  }
}

decorate(BlogsController, 'ping', [Get('/ping')])
decorate(
  BlogsController,
  'showPost',
  [Get('/blogs/:blog_id/posts/:id'), RouteSchema({ response: { 200: PostAnswer } })],
  [Param({ schema: PostParams }), Query({ schema: PostQuery }), Headers({ schema: PostHeaders })],
)
decorate(
  BlogsController,
  'create',
  [Post('/blogs'), RouteSchema({ response: { 201: BlogAnswer } })],
  [Body({ schema: BlogPayload }), Res({ passthrough: true })],
)
decorate(
  BlogsController,
  'upload',
  [Post('/uploads'), UseInterceptors(FileStreamInterceptor('file', { limits: { fileSize: UPLOAD_LIMIT } }))],
  [Body({ schema: z.object({ title: z.string() }) }), UploadedFile(new ParseFilePipe())],
)
for (let i = 0; i < ROUTES; i++) {
  BlogsController.prototype[`route${i}`] = ({ id, item }) => ({ route: i, id, item })
  decorate(BlogsController, `route${i}`, [Get(`/r${i}/:id/items/:item`)], [Param({ schema: ItemParams })])
}
Controller()(BlogsController)

class AppModule {}
Module({ controllers: [BlogsController, ShapesController, LargeController] })(AppModule)

const app = await NestFactory.create(AppModule, new FastifyAdapter({ skipMiddie: true }), { logger: false })
app.useGlobalPipes(new StandardSchemaValidationPipe({ validateCustomDecorators: true }))
await app.listen(0, '127.0.0.1')
answering(app.getHttpServer().address().port)
