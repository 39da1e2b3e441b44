// The comments endpoint, a grandchild: blogs → posts → comments.
import { childOf, collectionOf, endpoint, inherit, route, t } from 'edict'
import { Comment } from './comment.ts'
import { Posts } from './posts.ts'
import { Throttled } from './responses.ts'
import { Token } from './security.ts'

/** A reader's comment on a post. */
export const Comments = endpoint('Comments', {
  description: 'What readers say about a post.',
  // A child would call its parent's last parameter `post_id`; a post has a slug, so the mapping names it.
  parent: childOf(Posts, { slug: 'post_slug' }),
  mediaType: Comment,
  version: '1.0',
  actionDefaults: { responses: { notFound: true } },
  actions: {
    index: {
      summary: 'List comments',
      description: 'All comments, with their replies.',
      routing: route.get('/'),
      responses: { ok: collectionOf(Comment) },
    },
    show: {
      summary: 'Show a comment',
      description: 'One comment, with its replies.',
      routing: route.get('/:id'),
      params: { id: t.string({ format: 'uuid' }) },
      responses: { ok: Comment },
    },
    create: {
      summary: 'Write a comment',
      description: 'Says something, or answers another comment. At most three times a minute.',
      routing: route.post('/'),
      payload: {
        author_name: inherit,
        text: inherit,
        reply_to: t.string({ format: 'uuid', description: 'The comment that is answered.' }),
      },
      responses: { created: { location: /.*\/comments\/[0-9a-f-]{36}/ }, throttled: Throttled, locked: true },
    },
    import: {
      description: 'Replaces all comments by those of the request.',
      nodoc: true,
      routing: route.put('/'),
      security: Token,
      // One attribute as the whole payload: a list of comments, each with its replies.
      payload: t.array(Comment, { required: true, max: 1000 }),
      responses: { noContent: true, forbidden: true, conflict: true },
    },
  },
})
