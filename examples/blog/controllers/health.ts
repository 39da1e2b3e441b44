// The smallest endpoint there is: a definition that is its own controller.
import { endpoint, route } from 'edict'

/** Tells load balancers that the process is alive. */
export const health = endpoint('Health', {
  description: 'Whether the process is alive.',
  nodoc: true,
  actions: { show: { description: 'Says ok.', routing: route.get('/'), responses: { ok: 'text/plain' } } },
}).implement({ show: () => 'ok\n' })
