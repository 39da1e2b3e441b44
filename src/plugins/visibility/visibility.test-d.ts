// Attributes that only some clients see, in types: they may be missing, for controllers and clients.
import { client } from 'edict/client'
import { expectTypeOf, test } from 'vitest'
import { endpoint, inherit, mediaType, route, t } from '../../index.ts'
import { audience, members, visibleTo } from './index.ts'

interface User {
  readonly role: string
}

const Staff = audience<User>('staff')
const Person = mediaType('Person', {
  attributes: { name: t.string({ required: true }), wage: visibleTo(Staff, t.integer({ required: true })) },
})
const People = endpoint('People', {
  mediaType: Person,
  actions: {
    show: { routing: route.get('/'), responses: { ok: Person } },
    create: { routing: route.post('/'), payload: { name: inherit, wage: inherit }, responses: { created: Person } },
  },
})

test('such an attribute may be missing in payloads and answers', () => {
  People.implement({
    show: (_, { reply }) => reply.ok({ name: 'Ada' }),
    create(_, { request, reply }) {
      expectTypeOf(request.payload).toEqualTypeOf<{ name: string; wage?: number }>()
      return reply.created({ name: 'Ada', wage: 1 })
    },
  })
  const { People: calls } = client({ People }, { baseUrl: '' })
  void calls.show().then((response) => {
    if (response.name === 'ok') expectTypeOf(response.body.wage).toEqualTypeOf<number | undefined>()
  })
  void calls.create({}, { payload: { name: 'Ada' } })
})

test('members are told by the principals of their audience', () => {
  members(Staff, (user) => {
    expectTypeOf(user).toEqualTypeOf<User>()
    return user.role === 'staff'
  })
  // @ts-expect-error: the result must be a boolean
  members(Staff, async () => true)
  // @ts-expect-error: an audience, not its name
  visibleTo('staff', t.integer())
})
