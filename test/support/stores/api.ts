// The API of a fleet: what is limited, orders that may be sent again, and who is logged in.
import { controller, endpoint, route, t } from 'edict'
import { idempotent } from 'edict/idempotency'
import { rateLimit } from 'edict/rate-limit'
import { session } from 'edict/sessions'
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

/** Sessions of the desk. */
export const Session = session('Session', { data: t.object({ id: t.integer({ required: true }) }) })

const Desk = endpoint('Desk', {
  actions: {
    login: {
      routing: route.post('/:id'),
      params: { id: t.integer() },
      policies: [Session.writes],
      responses: { ok: 'text/plain' },
    },
    show: { routing: route.get('/'), security: Session, responses: { ok: 'text/plain' } },
    logout: {
      routing: route.delete('/'),
      security: Session,
      policies: [Session.writes],
      responses: { noContent: true },
    },
  },
})

/** Logs clients in and out. */
export const desk = controller(Desk, {
  login({ id }, { session: own }) {
    own.start({ id })
    return 'welcome'
  },
  show: (_, { principal }) => String(principal.id),
  logout(_, { session: own, reply }) {
    own.end()
    return reply.noContent()
  },
})
