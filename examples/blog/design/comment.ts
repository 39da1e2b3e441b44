// A comment, as a recursive media type: replies are comments.
import { type Attribute, mediaType, t } from 'edict'

/** A comment as a value; the compiler cannot infer a type from its own declaration, so that this one is written down. */
export interface Reply {
  id: string
  author_name: string
  text: string
  written_at: Date
  replies?: Reply[]
}

/** A comment with its replies. */
export const Comment = mediaType('Comment', {
  identifier: 'application/vnd.blog.comment+json',
  attributes: {
    id: t.string({ required: true, format: 'uuid' }),
    author_name: t.string({ required: true, min: 1, max: 80 }),
    text: t.string({ required: true, min: 1, max: 2000 }),
    written_at: t.dateTime({ required: true }),
    replies: t.array(t.ref((): Attribute<Reply> => Comment)),
  },
  // Other resources, lists of them included, are shown only where a view names them.
  views: { default: ['id', 'author_name', 'text', 'written_at', 'replies'] },
})
