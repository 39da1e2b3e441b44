// Accounts and profiles.
import { controller } from 'edict'
import { Account, Profiles, User, Users } from '../design/users.ts'
import { hashPassword, isPassword } from '../passwords.ts'
import type { Context, Store } from '../resources.ts'

const account = User.view('account')

/** Implements Users. */
export const usersController = ({ users }: Store) =>
  controller(Users, {
    async create(_, context) {
      const { request, reply } = context
      const { password, ...sent } = request.payload.user
      const values = { ...sent, password: await hashPassword(password) }
      return reply.created({ user: await users.within(context).create(values, { shown: account }) })
    },
    async login(_, context) {
      const { request, reply } = context
      const { email, password } = request.payload.user
      const [found] = await users.within(context).list({ where: { email }, fields: ['id', 'password'] })
      const isKnown = found !== undefined && (await isPassword(password, found.password))
      const user = isKnown && (await users.within(context).find(found.id, account))
      return user ? reply.ok({ user }) : reply.unauthorized('credentials invalid')
    },
  })

/** Implements Account. */
export const accountController = ({ users }: Store) =>
  controller(Account, {
    async show(_, context) {
      const user = await users.within(context).find(context.principal.id, account)
      return user ? context.reply.ok({ user }) : context.reply.unauthorized()
    },
    async update(_, context) {
      const { principal, request, reply } = context
      const { password, ...sent } = request.payload.user
      const changes = { ...sent, ...(password !== undefined && { password: await hashPassword(password) }) }
      for (const name of ['bio', 'image'] as const) if (changes[name] === '') changes[name] = null
      const user = await users.within(context).update(principal.id, changes, { shown: account })
      return user ? reply.ok({ user }) : reply.unauthorized()
    },
  })

/** Implements Profiles. */
export const profilesController = ({ users, follows }: Store) => {
  const findId = async (username: string, context: Context) =>
    (await users.within(context).find({ username }, { fields: ['id'] }))?.id
  const show = (id: number, context: Context) => users.within(context).find(id, User)
  return controller(Profiles, {
    async show({ username }, context) {
      const id = await findId(username, context)
      const profile = id && (await show(id, context))
      return profile ? context.reply.ok({ profile }) : context.reply.notFound()
    },
    async follow({ username }, context) {
      const followedId = await findId(username, context)
      if (followedId === undefined) return context.reply.notFound()
      await follows.within(context).upsert({ followedId, followerId: context.principal.id })
      const profile = await show(followedId, context)
      return profile ? context.reply.ok({ profile }) : context.reply.notFound()
    },
    async unfollow({ username }, context) {
      const followedId = await findId(username, context)
      if (followedId === undefined) return context.reply.notFound()
      await follows.within(context).delete({ followedId, followerId: context.principal.id })
      const profile = await show(followedId, context)
      return profile ? context.reply.ok({ profile }) : context.reply.notFound()
    },
  })
}
