// The API of a fleet: what is limited.
import { controller, endpoint, route } from 'edict'
import { rateLimit } from 'edict/rate-limit'

/** An action that each tenant may call a hundred times in an hour. */
const Limited = endpoint('Limited', {
  actionDefaults: {
    policies: [rateLimit({ limit: 100, per: '1h', by: ({ headers }) => String(headers['x-tenant']) })],
  },
  actions: { show: { routing: route.get('/'), responses: { ok: 'text/plain' } } },
})

/** Serves it. */
export const limited = controller(Limited, { show: () => 'in' })
