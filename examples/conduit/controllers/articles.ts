// Articles, favorites and tags.
import { randomBytes } from 'node:crypto'
import { controller } from 'edict'
import { optional } from 'edict/mapper'
import { Article, Articles, articleList, Tags } from '../design/articles.ts'
import { type ElementContext, refuseMissing, type Store } from '../resources.ts'

/** Writes a title as the last part of a URL, unlike any other. */
const toSlug = (title: string): string =>
  `${title.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '-')}-${randomBytes(4).toString('hex')}`

export const articlesController = ({ articles, favorites }: Store) => {
  const show = async (slug: string, context: ElementContext) => ({
    article: refuseMissing(await articles.within(context).find({ slug }, Article), context),
  })
  const findId = async (slug: string, context: ElementContext) =>
    refuseMissing(await articles.within(context).find({ slug }, { fields: ['id'] }), context).id
  async function findOwnId(slug: string, context: ElementContext) {
    const found = await articles.within(context).find({ slug }, { fields: ['id', 'author.id'] })
    const { id, author } = refuseMissing(found, context)
    if (author.id !== context.principal?.id) throw context.reply.forbidden?.()
    return id
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
      return context.reply.ok(await show(slug, context))
    },
    async create(_, context) {
      const { tagList, ...sent } = context.request.payload.article
      const values = { ...sent, slug: toSlug(sent.title), tagList: [...new Set(tagList)], author: context.principal }
      return context.reply.created({ article: await articles.within(context).create(values, { shown: Article }) })
    },
    async update({ slug: old }, context) {
      const { tagList, ...sent } = context.request.payload.article
      const slug = sent.title === undefined ? old : toSlug(sent.title)
      const changes = { ...sent, slug, ...(tagList && { tagList: [...new Set(tagList)] }) }
      await articles.within(context).update(await findOwnId(old, context), changes)
      return context.reply.ok(await show(slug, context))
    },
    async delete({ slug }, context) {
      await articles.within(context).delete(await findOwnId(slug, context))
      return context.reply.noContent()
    },
    async favorite({ slug }, context) {
      await favorites.within(context).upsert({ articleId: await findId(slug, context), userId: context.principal.id })
      return context.reply.ok(await show(slug, context))
    },
    async unfavorite({ slug }, context) {
      await favorites.within(context).delete({ articleId: await findId(slug, context), userId: context.principal.id })
      return context.reply.ok(await show(slug, context))
    },
  })
}

export const tagsController = ({ tags }: Store) =>
  controller(Tags, {
    index: async (_, { reply }) => reply.ok({ tags: await tags.distinct('name', { limit: Number.POSITIVE_INFINITY }) }),
  })
