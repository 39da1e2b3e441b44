// Accounts and profiles.
import { controller } from 'edict'
import { Account, Profiles, User, Users } from '../design/users.ts'
import { hashPassword, isPassword } from '../passwords.ts'
import type { ElementContext, Store } from '../resources.ts'

const account = User.view('account')

/** Implements Users. */
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

/** Implements Account. */
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

/** Implements Profiles. */
export const profilesController = ({ users, follows }: Store) => {
  async function show(username: string, context: ElementContext) {
    const profile = await users.within(context).find({ username }, User)
    if (profile === undefined) throw context.reply.notFound()
    return { profile }
  }
  async function findFollow(
    username: string,
    context: ElementContext & { readonly principal: { readonly id: number } },
  ) {
    const user = await users.within(context).find({ username }, { fields: ['id'] })
    if (user === undefined) throw context.reply.notFound()
    return { followedId: user.id, followerId: context.principal.id }
  }
  return controller(Profiles, {
    async show({ username }, context) {
      return context.reply.ok(await show(username, context))
    },
    async follow({ username }, context) {
      await follows.within(context).upsert(await findFollow(username, context))
      return context.reply.ok(await show(username, context))
    },
    async unfollow({ username }, context) {
      await follows.within(context).delete(await findFollow(username, context))
      return context.reply.ok(await show(username, context))
    },
  })
}
