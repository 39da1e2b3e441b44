// The API of a fleet: what is limited, and orders that may be sent again.
import { controller, endpoint, route, t } from 'edict'
import { idempotent } from 'edict/idempotency'
import { rateLimit } from 'edict/rate-limit'
import { type Store, transaction } from 'edict/stores'
import type pg from 'pg'

/** An action that each tenant may call a hundred times in an hour. */
const Limited = endpoint('Limited', {
  actionDefaults: {
    policies: [rateLimit({ limit: 100, per: '1h', by: ({ headers }) => String(headers['x-tenant']) })],
  },
  actions: { show: { routing: route.get('/'), responses: { ok: 'text/plain' } } },
})

/** Serves it. */
export const limited = controller(Limited, { show: () => 'in' })

/** The table of orders, in which every order that was taken is a row. */
export const ORDERS = 'create table if not exists orders (id serial primary key, name text not null)'

const order = {
  payload: t.object({ name: t.string({ required: true }) }),
  responses: { created: 'text/plain' },
} as const

/** Orders whose keys commit with them. */
export function ordersIn(pool: pg.Pool) {
  const Orders = endpoint('Orders', {
    actions: {
      create: {
        ...order,
        routing: route.post('/'),
        needs: { db: transaction(pool) },
        policies: [idempotent({ keep: '1h', within: 'db' })],
      },
    },
  })
  return controller(Orders, {
    async create(_, { request, db, reply }) {
      const { rows } = await db.query('insert into orders (name) values ($1) returning id', [request.payload?.name])
      return reply.created(`order ${rows[0]?.['id']}`)
    },
  })
}

/** Orders beside their keys, counted in the store. */
export function ordersBeside(store: Store) {
  const Orders = endpoint('Orders', {
    actions: { create: { ...order, routing: route.post('/'), policies: [idempotent({ keep: '1h' })] } },
  })
  return controller(Orders, {
    async create(_, { request, reply }) {
      const { count } = await store.count(`order ${request.payload?.name}`, 3_600_000)
      return reply.created(`${count} of ${request.payload?.name} by ${process.pid}`)
    },
  })
}
