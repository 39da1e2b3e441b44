// Comments.
import { controller } from 'edict'
import { Comment, Comments } from '../design/comments.ts'
import type { Context, Store } from '../resources.ts'

/** Implements Comments. */
export const commentsController = ({ articles, comments }: Store) => {
  async function findArticle(slug: string, context: Context) {
    return (await articles.within(context).find({ slug }, { fields: ['id'] }))?.id
  }
  return controller(Comments, {
    async index({ slug }, context) {
      const articleId = await findArticle(slug, context)
      if (articleId === undefined) return context.reply.notFound('article not found')
      const query = { where: { articleId }, order: ['id'], limit: Number.POSITIVE_INFINITY } as const
      return context.reply.ok({ comments: await comments.within(context).list(query) })
    },
    async create({ slug }, context) {
      const articleId = await findArticle(slug, context)
      if (articleId === undefined) return context.reply.notFound('article not found')
      const now = new Date()
      const author = { id: context.principal.id }
      const values = { ...context.request.payload.comment, createdAt: now, updatedAt: now, articleId, author }
      return context.reply.ok({ comment: await comments.within(context).create(values, { shown: Comment }) })
    },
    async delete({ slug, id }, context) {
      const articleId = await findArticle(slug, context)
      if (articleId === undefined) return context.reply.notFound('article not found')
      const comment = await comments.within(context).find({ id, articleId }, { fields: ['author.id'] })
      if (comment === undefined) return context.reply.notFound()
      if (comment.author.id !== context.principal.id) return context.reply.forbidden()
      await comments.within(context).delete(id)
      return context.reply.noContent()
    },
  })
}
