// The people endpoint: who writes here, and their pictures.
import { endpoint, inherit, route, t } from 'edict'
import { etag } from 'edict/conditional'
import { Person } from './person.ts'
import { Token } from './security.ts'

/** The authors; under `/authors`, because that is what the public calls them. */
export const People = endpoint('People', {
  description: 'Everybody who **writes** on one of the blogs.',
  prefix: '/authors',
  // `People` has no regular singular; children call their parent's id `person_id`.
  singular: 'person',
  mediaType: Person,
  // There is no action `show`, so the canonical path has to be named: People.toHref({ id: 1 }) is `/authors/1`.
  canonicalPath: 'profile',
  actions: {
    profile: {
      summary: 'Show an author',
      description: 'A public profile.',
      routing: route.get('/:id'),
      params: { id: t.integer() },
      // A client that has this version already gets a 304.
      policies: [etag('body')],
      responses: { ok: Person, notFound: true },
    },
    me: {
      summary: 'Show myself',
      description: 'The profile that belongs to the token.',
      // A text beats a capture, whatever the order of declaration: `/authors/me` never reaches `profile`.
      routing: route.get('/me'),
      // Clients are let in before anything else of the request is looked at.
      security: Token,
      responses: { ok: Person, notFound: true },
    },
    updateMe: {
      summary: 'Change myself',
      description: 'Changes the attributes that are sent. `"bio": null` empties it, leaving `bio` out keeps it.',
      routing: route.patch('/me'),
      security: Token,
      payload: { name: inherit({ required: false }), website: inherit, bio: inherit },
      responses: { ok: Person, notFound: true },
    },
  },
})

/** The picture of a person: binary in both directions. */
export const Avatars = endpoint('Avatars', {
  description: 'The picture of a person.',
  parent: People,
  // In the documentation, pictures stand with their people.
  tags: ['People'],
  prefix: '/avatar',
  mediaType: 'image/png',
  actions: {
    show: {
      summary: 'Show a picture',
      description: 'The picture itself.',
      routing: route.get('/'),
      responses: { ok: true, notFound: true },
    },
    replace: {
      summary: 'Replace a picture',
      description: 'Takes the body of the request as the new picture.',
      routing: route.put('/'),
      security: Token,
      // One attribute as the whole payload: the body is the file.
      payload: t.file({ required: true, types: ['image/png'], max: 64 * 1024 }),
      bodyLimit: 64 * 1024,
      responses: { noContent: true, forbidden: true, notFound: true },
    },
  },
})
