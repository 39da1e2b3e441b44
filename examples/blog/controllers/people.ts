// People and their pictures.
import { controller, has } from 'edict'
import { Avatars, People } from '../design/people.ts'
import { peopleStore } from '../store.ts'
import { authenticated, signedIn } from './behaviours.ts'

/** Implements People. */
export const people = controller(People, {
  profile({ id }, { reply }) {
    const person = peopleStore.find(id)
    return person ? reply.ok(person) : reply.notFound(`There is no author ${id}.`)
  },

  me(_, context) {
    return context.reply.ok(signedIn(context))
  },

  updateMe(_, context) {
    const { payload } = context.request
    // A bio may be sent, sent as null, or not sent at all; only in the last case it stays as it is.
    const changes = has(payload, 'bio') ? { ...payload, bio: payload.bio?.trim() || null } : payload
    return context.reply.ok(peopleStore.change(signedIn(context), changes))
  },
}).with(authenticated)

/** Implements Avatars. */
export const avatars = controller(Avatars, {
  show({ person_id }, { reply }) {
    const { avatar } = peopleStore.find(person_id) ?? {}
    return avatar ? reply.ok(avatar, { headers: { 'Cache-Control': 'max-age=3600' } }) : reply.notFound()
  },

  async replace({ person_id }, context) {
    const { request, reply } = context
    const person = signedIn(context)
    if (person.id !== person_id) return reply.forbidden('This is the picture of somebody else.')
    peopleStore.change(person, { avatar: await request.payload.bytes() })
    return reply.noContent()
  },
}).with(authenticated)
