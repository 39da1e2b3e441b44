// Comments.
import { controller } from 'edict'
import { Comment, Comments } from '../design/comments.ts'
import { type ElementContext, refuseMissing, type Store } from '../resources.ts'

export const commentsController = ({ articles, comments }: Store) => {
  const findArticle = async (slug: string, context: ElementContext) =>
    refuseMissing(await articles.within(context).find({ slug }, { fields: ['id'] }), context, 'article not found').id
  return controller(Comments, {
    async index({ slug }, context) {
      const where = { articleId: await findArticle(slug, context) }
      const query = { where, order: ['id'], limit: Number.POSITIVE_INFINITY } as const
      return context.reply.ok({ comments: await comments.within(context).list(query) })
    },
    async create({ slug }, context) {
      const { principal, reply, request } = context
      const values = { ...request.payload.comment, articleId: await findArticle(slug, context), author: principal }
      return reply.ok({ comment: await comments.within(context).create(values, { shown: Comment }) })
    },
    async delete({ slug, id }, context) {
      const articleId = await findArticle(slug, context)
      const found = await comments.within(context).find({ id, articleId }, { fields: ['author.id'] })
      if (refuseMissing(found, context).author.id !== context.principal.id) return context.reply.forbidden()
      await comments.within(context).delete(id)
      return context.reply.noContent()
    },
  })
}
