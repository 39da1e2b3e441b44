// People and their pictures.
import { eq } from 'drizzle-orm'
import { controller, has, verifier } from 'edict'
import { Avatars, People } from '../design/people.ts'
import { Token } from '../design/security.ts'
import type { Store } from '../resources.ts'

/** Verifies tokens: what it returns is the principal of the actions that name the scheme. */
export const tokens = ({ db, tables: { people } }: Store) =>
  verifier(Token, async (token) => {
    const [person] = await db.select({ id: people.id }).from(people).where(eq(people.token, token))
    return person
  })

/** Implements People. */
export const people = (store: Store) =>
  controller(People, {
    async profile({ id }, { request, reply }) {
      const person = await store.people.find(id, request)
      return person ? reply.ok(person) : reply.notFound(`There is no author ${id}.`)
    },

    async me(_, { principal, request, reply }) {
      const person = await store.people.find(principal.id, request)
      return person ? reply.ok(person) : reply.notFound()
    },

    async updateMe(_, { principal: { id }, request, reply }) {
      const { payload } = request
      // A bio may be sent, sent as null, or not sent at all; only in the last case it stays as it is.
      const changes = has(payload, 'bio') ? { ...payload, bio: payload.bio?.trim() || null } : payload
      await store.people.update(id, changes)
      const person = await store.people.find(id, request)
      return person ? reply.ok(person) : reply.notFound()
    },
  })

/** Implements Avatars: bytes are no attribute of a person, so that Drizzle reads and writes them. */
export const avatars = (store: Store) => {
  const { db, tables } = store
  return controller(Avatars, {
    async show({ person_id }, { reply }) {
      const { avatar } = tables.people
      const [found] = await db.select({ avatar }).from(tables.people).where(eq(tables.people.id, person_id))
      if (!found?.avatar) return reply.notFound()
      return reply.ok(found.avatar, { headers: { 'Cache-Control': 'max-age=3600' } })
    },

    async replace({ person_id }, { principal: { id }, request, reply }) {
      if (id !== person_id) return reply.forbidden('This is the picture of somebody else.')
      const avatar = Buffer.from(await request.payload.bytes())
      await db.update(tables.people).set({ avatar }).where(eq(tables.people.id, id))
      return reply.noContent()
    },
  })
}
