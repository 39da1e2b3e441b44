// The common shapes and the list of articles on NestJS: Zod schemas through its pipe, a guard for the token.
import {
  Body,
  Controller,
  createParamDecorator,
  Get,
  HttpCode,
  NotFoundException,
  Param,
  Patch,
  Post,
  Query,
  UnauthorizedException,
  UseGuards,
} from '@nestjs/common'
import { RouteSchema } from '@nestjs/platform-fastify'
import { z } from 'zod'
import { articlesById, feed, userOf } from './data.js'
import { schemasOf } from './zod.js'

const { ById, Changes, Message, OrderPayload, SearchHeaders, SearchQuery } = schemasOf(z)
const articles = [...articlesById.values()]

/** The schemas that Fastify writes answers with. */
export const text = { type: 'string' }
export const whole = { type: 'integer' }
export const number = { type: 'number' }
export const flag = { type: 'boolean' }
export const object = (properties) => ({ type: 'object', properties })
export const list = (items) => ({ type: 'array', items })

/** Nest's own decorator of headers takes no schema; one made with its function for custom ones does. */
export const Headers = createParamDecorator((_, context) => context.switchToHttp().getRequest().headers)
const User = createParamDecorator((_, context) => context.switchToHttp().getRequest().user)

const ArticleAnswer = object({
  id: whole,
  title: text,
  slug: text,
  status: text,
  rating: number,
  views: whole,
  published: flag,
  created_at: { type: 'string', format: 'date-time' },
  author: object({ id: whole, name: text }),
  tags: list(text),
})
const FoundAnswer = object({ q: text, limit: whole, sort: text, tags: list(text), archived: flag, trace: text })
const OrderAnswer = object({
  id: whole,
  number: text,
  customer: object({ id: whole, name: text, email: text, country: text }),
  currency: text,
  gift: flag,
  lines: list(object({ sku: text, quantity: whole, price: number, note: text })),
})
const MessageAnswer = object({ to: text, text, priority: whole })
const UserAnswer = object({ id: whole, name: text, roles: list(text) })

class TokenGuard {
  canActivate(context) {
    const request = context.switchToHttp().getRequest()
    request.user = userOf(request.headers.authorization)
    if (request.user === undefined) throw new UnauthorizedException()
    return true
  }
}

/** Answers the common shapes. */
export class ShapesController {
  articles() {
    return articles
  }

  feed() {
    return feed
  }

  showArticle({ id }) {
    return articleOf(id)
  }

  updateArticle({ id }, changes) {
    return { ...articleOf(id), ...changes }
  }

  search(query, headers) {
    return { ...query, trace: headers['x-trace'] }
  }

  placeOrder(order) {
    return { id: 1, ...order }
  }

  postMessage(message) {
    return message
  }

  me(user) {
    return user
  }
}

function articleOf(id) {
  const article = articlesById.get(id)
  if (article === undefined) throw new NotFoundException()
  return article
}

const answers = (status, schema) => RouteSchema({ response: { [status]: schema } })
const own = (...rest) => decorate(ShapesController, ...rest)
own('articles', [Get('/articles'), answers(200, list(ArticleAnswer))])
own('feed', [Get('/feed'), answers(200, list(ArticleAnswer))])
own('showArticle', [Get('/articles/:id'), answers(200, ArticleAnswer)], [Param({ schema: ById })])
own(
  'updateArticle',
  [Patch('/articles/:id'), answers(200, ArticleAnswer)],
  [Param({ schema: ById }), Body({ schema: Changes })],
)
own(
  'search',
  [Get('/search'), answers(200, FoundAnswer)],
  [Query({ schema: SearchQuery }), Headers({ schema: SearchHeaders })],
)
own('placeOrder', [Post('/orders'), answers(201, OrderAnswer)], [Body({ schema: OrderPayload })])
own('postMessage', [Post('/messages'), HttpCode(200), answers(200, MessageAnswer)], [Body({ schema: Message })])
own('me', [Get('/me'), UseGuards(TokenGuard), answers(200, UserAnswer)], [User()])
Controller()(ShapesController)

/** Applies decorators to a method and its parameters, as TypeScript does. */
export function decorate({ prototype }, method, decorators, parameters = []) {
  const descriptor = Object.getOwnPropertyDescriptor(prototype, method)
  for (const [i, decorator] of parameters.entries()) decorator(prototype, method, i)
  for (const decorator of decorators) decorator(prototype, method, descriptor)
}
