// Accounts and profiles.
import { controller } from 'edict'
import { hashPassword, isPassword } from '../credentials.ts'
import { Account, Profiles, User, Users } from '../design/users.ts'
import { type ElementContext, refuseMissing, type Store } from '../resources.ts'

const account = User.view('account')

export const usersController = ({ users }: Store) =>
  controller(Users, {
    async create(_, context) {
      const { password, ...sent } = context.request.payload.user
      const values = { ...sent, password: await hashPassword(password) }
      return context.reply.created({ user: await users.within(context).create(values, { shown: account }) })
    },
    async login(_, context) {
      const { email, password } = context.request.payload.user
      const found = await users.within(context).find({ email }, { fields: ['id', 'password'] })
      const isKnown = found !== undefined && (await isPassword(password, found.password))
      const user = isKnown && (await users.within(context).find(found.id, account))
      return user ? context.reply.ok({ user }) : context.reply.unauthorized('credentials invalid')
    },
  })

export const accountController = ({ users }: Store) =>
  controller(Account, {
    async show(_, context) {
      const user = await users.within(context).find(context.principal.id, account)
      return user ? context.reply.ok({ user }) : context.reply.unauthorized()
    },
    async update(_, context) {
      const { password, ...sent } = context.request.payload.user
      const changes = { ...sent, ...(password !== undefined && { password: await hashPassword(password) }) }
      for (const name of ['bio', 'image'] as const) if (changes[name] === '') changes[name] = null
      const user = await users.within(context).update(context.principal.id, changes, { shown: account })
      return user ? context.reply.ok({ user }) : context.reply.unauthorized()
    },
  })

export const profilesController = ({ users, follows }: Store) => {
  const show = async (username: string, context: ElementContext) => ({
    profile: refuseMissing(await users.within(context).find({ username }, User), context),
  })
  const findId = async (username: string, context: ElementContext) =>
    refuseMissing(await users.within(context).find({ username }, { fields: ['id'] }), context).id
  return controller(Profiles, {
    async show({ username }, context) {
      return context.reply.ok(await show(username, context))
    },
    async follow({ username }, context) {
      const followedId = await findId(username, context)
      await follows.within(context).upsert({ followedId, followerId: context.principal.id })
      return context.reply.ok(await show(username, context))
    },
    async unfollow({ username }, context) {
      const followedId = await findId(username, context)
      await follows.within(context).delete({ followedId, followerId: context.principal.id })
      return context.reply.ok(await show(username, context))
    },
  })
}
