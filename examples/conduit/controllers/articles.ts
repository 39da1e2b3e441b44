// Articles, favorites and tags.
import { randomBytes } from 'node:crypto'
import { controller } from 'edict'
import { optional } from 'edict/mapper'
import { Article, Articles, articleList, Tags } from '../design/articles.ts'
import type { Context, Store } from '../resources.ts'

/** Writes a title as the last part of a URL, unlike any other. */
const toSlug = (title: string): string =>
  `${title.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '-')}-${randomBytes(4).toString('hex')}`

/** Implements Articles. */
export const articlesController = (store: Store) => {
  const { articles, favorites } = store

  /** Finds out whether there is an article, and whether it is the caller's. */
  async function check(slug: string, context: Context) {
    const article = await articles.within(context).find({ slug }, { fields: ['id', 'author.id'] })
    return { id: article?.id, isOwn: article?.author.id === context.principal?.id }
  }

  return controller(Articles, {
    async index({ tag, author, favorited }, context) {
      const page = await articles.within(context).list(context.request, {
        tagList: optional(tag),
        'author.username': optional(author),
        'favoritedBy.username': optional(favorited),
      })
      return context.reply.ok(articleList.answer(context.request, page))
    },
    async feed(_, context) {
      const page = await articles.within(context).list(context.request, { 'author.followers.id': context.principal.id })
      return context.reply.ok(articleList.answer(context.request, page))
    },
    async show({ slug }, context) {
      const article = await articles.within(context).find({ slug }, Article)
      return article ? context.reply.ok({ article }) : context.reply.notFound()
    },
    async create(_, context) {
      const { tagList = [], ...sent } = context.request.payload.article
      const now = new Date()
      const slug = toSlug(sent.title)
      const author = { id: context.principal.id }
      const values = { ...sent, slug, tagList: [...new Set(tagList)], createdAt: now, updatedAt: now, author }
      return context.reply.created({ article: await articles.within(context).create(values, { shown: Article }) })
    },
    async update({ slug }, context) {
      const { tagList, ...sent } = context.request.payload.article
      const { id, isOwn } = await check(slug, context)
      if (id === undefined) return context.reply.notFound()
      if (!isOwn) return context.reply.forbidden()
      const changes = {
        ...sent,
        updatedAt: new Date(),
        ...(sent.title !== undefined && { slug: toSlug(sent.title) }),
        ...(tagList && { tagList: [...new Set(tagList)] }),
      }
      const article = await articles.within(context).update(id, changes, { shown: Article })
      return article ? context.reply.ok({ article }) : context.reply.notFound()
    },
    async delete({ slug }, context) {
      const { id, isOwn } = await check(slug, context)
      if (id === undefined) return context.reply.notFound()
      if (!isOwn) return context.reply.forbidden()
      await articles.within(context).delete(id)
      return context.reply.noContent()
    },
    async favorite({ slug }, context) {
      const { id } = await check(slug, context)
      if (id !== undefined) await favorites.within(context).upsert({ articleId: id, userId: context.principal.id })
      const article = id && (await articles.within(context).find(id, Article))
      return article ? context.reply.ok({ article }) : context.reply.notFound()
    },
    async unfavorite({ slug }, context) {
      const { id } = await check(slug, context)
      if (id !== undefined) await favorites.within(context).delete({ articleId: id, userId: context.principal.id })
      const article = id && (await articles.within(context).find(id, Article))
      return article ? context.reply.ok({ article }) : context.reply.notFound()
    },
  })
}

/** Implements Tags. */
export const tagsController = ({ tags }: Store) =>
  controller(Tags, {
    async index(_, { reply }) {
      return reply.ok({ tags: await tags.distinct('name', { limit: Number.POSITIVE_INFINITY }) })
    },
  })
