// The types of what is declared with a media type whose default view hides required attributes, such as a password.
import { assertType, describe, expectTypeOf, it } from 'vitest'
import type { PayloadSent } from '../design/infer/inference.ts'
import { collectionOf, endpoint, inherit, mediaType, route, t } from '../index.ts'
import { FieldSelector, FilteringParams } from '../plugins/mapper/index.ts'
import { jsonApi, OrderingParams, PaginationParams, stripe } from '../plugins/pagination/index.ts'
import { client } from './client.ts'

const User = mediaType('User', {
  attributes: {
    id: t.integer({ required: true }),
    name: t.string({ required: true }),
    password: t.string({ required: true }),
  },
  views: { default: ['id', 'name'] },
})
const Users = endpoint('Users', {
  mediaType: User,
  actions: {
    list: {
      routing: route.get('/'),
      params: {
        fields: FieldSelector.for(User),
        filters: FilteringParams.for(User, { password: {} }),
        order: OrderingParams.for(User, { byFields: ['name'] }),
        pagination: PaginationParams.for(User, { byFields: ['id'] }),
      },
      responses: { ok: collectionOf(User) },
    },
    create: { routing: route.post('/'), payload: { name: inherit, password: inherit }, responses: { created: User } },
    wrapped: {
      routing: route.post('/wrapped'),
      payload: { by: t.object({ user: t.object({ password: inherit }, { required: true }) }) },
      responses: { created: User },
    },
  },
})

describe('[FOR-03] a media type with hidden attributes', () => {
  it('is inherited from, also in envelopes', () => {
    type S = (typeof Users)['spec']
    assertType<PayloadSent<S, 'create'>>({ name: 'ann', password: 'x' })
    assertType<PayloadSent<S, 'wrapped'>>({ by: { user: { password: 'x' } } })
    // @ts-expect-error the password is required
    assertType<PayloadSent<S, 'create'>>({ name: 'ann' })
    // @ts-expect-error it is a text
    assertType<PayloadSent<S, 'wrapped'>>({ by: { user: { password: 7 } } })
    endpoint('Others', {
      mediaType: User,
      // @ts-expect-error there is no such attribute
      actions: { create: { routing: route.post('/'), payload: { user: t.object({ nam: inherit }) }, responses: {} } },
    })
  })

  it('has fields for lists', () => {
    assertType(stripe.for(User, { order: ['-id'] }))
    // @ts-expect-error there is no such field
    stripe.for(User, { order: ['nam'] })
    // @ts-expect-error nor here
    jsonApi.for(User, { orderBy: ['nam'] })
    // @ts-expect-error nor here
    OrderingParams.for(User, { byFields: ['nam'] })
  })

  it('narrows the elements of calls', () => {
    void (async () => {
      const { list } = client({ Users }, { baseUrl: 'http://api.test' }).Users
      expectTypeOf(await list.ok({ fields: ['password'] })).toMatchTypeOf<readonly { password: string }[]>()
      // @ts-expect-error it was not selected
      void (await list.ok({ fields: ['name'] }))[0]?.id
      // @ts-expect-error there is no such field
      void list.ok({ fields: ['nam'] })
    })
  })
})
