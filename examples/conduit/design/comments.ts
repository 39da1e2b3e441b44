// Comments on an article.
import { childOf, endpoint, inherit, mediaType, route, t } from 'edict'
import { Articles } from './articles.ts'
import { Token, User } from './users.ts'

/** A comment; no view shows `articleId`. */
export const Comment = mediaType('Comment', {
  identifier: 'application/json',
  attributes: {
    id: t.integer({ required: true }),
    createdAt: t.dateTime({ required: true }),
    updatedAt: t.dateTime({ required: true }),
    body: t.string({ required: true, min: 1, max: 10_000 }),
    author: t.ref(User, { required: true }),
    articleId: t.integer({ required: true }),
  },
  views: { default: { except: ['articleId'] } },
})

export const Comments = endpoint('Comments', {
  mediaType: Comment,
  parent: childOf(Articles, { slug: 'slug' }),
  actionDefaults: { security: Token, responses: { notFound: true } },
  actions: {
    index: {
      routing: route.get('/'),
      security: [Token, 'none'],
      responses: { ok: t.object({ comments: t.array(Comment, { required: true }) }) },
    },
    create: {
      routing: route.post('/'),
      payload: { comment: t.object({ body: inherit }, { required: true }) },
      responses: { ok: t.object({ comment: t.ref(Comment, { required: true }) }) },
    },
    delete: {
      routing: route.delete('/:id'),
      params: { id: t.integer() },
      responses: { noContent: true, forbidden: true },
    },
  },
})
