// A person, as a media type: which attributes represent one, and in which selections (views) they are shown.
import { mediaType, t } from 'edict'

/** An author. */
export const Person = mediaType('Person', {
  identifier: 'application/vnd.blog.person+json',
  description: 'Somebody who **writes** here.',
  attributes: {
    id: t.integer({ required: true }),
    name: t.string({ required: true, min: 1, max: 80, example: 'Ada Lovelace' }),
    email: t.string({ format: 'email' }),
    website: t.string({ format: 'uri' }),
    bio: t.string({ nullable: true, max: 500, description: 'Null when there is nothing to say.' }),
    joined_on: t.date(),
  },
  // The view `default` is there without being declared: every attribute that is not itself a media type.
  views: { card: ['id', 'name', 'website'] },
})
