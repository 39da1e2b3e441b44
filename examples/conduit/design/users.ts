// Users: their own accounts, and their profiles as others see them.
import { endpoint, inherit, mediaType, route, security, t } from 'edict'

/** The user who calls. */
export interface Caller {
  readonly id: number
}

/** `Authorization: Token …`, with a token from a registration or a login. The contract declares it as an API key. */
export const Token = security.apiKey<Caller>('Token', { in: 'header', name: 'Authorization', scheme: 'Token' })

/** That a user follows another one. */
export const Follow = mediaType('Follow', {
  attributes: { followerId: t.integer({ required: true }), followedId: t.integer({ required: true }) },
})

const nullable = { required: true, nullable: true } as const

/** A user; no view shows `id`, `password` and `followers`. */
export const User = mediaType('User', {
  identifier: 'application/json',
  attributes: {
    id: t.integer({ required: true }),
    email: t.string({ required: true, min: 1, max: 200 }),
    password: t.string({ required: true, min: 1, max: 200 }),
    username: t.string({ required: true, min: 1, max: 100 }),
    bio: t.string({ ...nullable, max: 10_000 }),
    image: t.string({ ...nullable, max: 2000 }),
    token: t.string({ required: true }),
    following: t.boolean({ required: true }),
    get followers() {
      return t.array(User)
    },
  },
  views: {
    default: ['username', 'bio', 'image', 'following'],
    account: ['email', 'token', 'username', 'bio', 'image'],
  },
})

const account = t.object({ user: t.ref(User.view('account'), { required: true }) })
const profile = t.object({ profile: t.ref(User, { required: true }) })
const sent = { required: true } as const
const optional = inherit({ required: false })

export const Users = endpoint('Users', {
  mediaType: User,
  actions: {
    create: {
      routing: route.post('/'),
      payload: { user: t.object({ username: inherit, email: inherit, password: inherit }, sent) },
      responses: { created: account, unprocessableContent: true },
    },
    login: {
      routing: route.post('/login'),
      payload: { user: t.object({ email: inherit, password: inherit }, sent) },
      responses: { ok: account, unauthorized: true },
    },
  },
})

/** The account of the caller. */
export const Account = endpoint('User', {
  mediaType: User,
  prefix: '/user',
  actionDefaults: { security: Token, responses: { ok: account, unauthorized: true, unprocessableContent: true } },
  actions: {
    show: { routing: route.get('/') },
    update: {
      routing: route.put('/'),
      payload: {
        user: t.object(
          { email: optional, password: optional, username: optional, bio: optional, image: optional },
          sent,
        ),
      },
    },
  },
})

const params = { username: t.string() }

export const Profiles = endpoint('Profiles', {
  mediaType: User,
  actionDefaults: { security: Token, responses: { ok: profile, notFound: true } },
  actions: {
    show: { routing: route.get('/:username'), params, security: [Token, 'none'] },
    follow: { routing: route.post('/:username/follow'), params },
    unfollow: { routing: route.delete('/:username/follow'), params },
  },
})
