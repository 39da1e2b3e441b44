// Failures of each kind, and an action that only some may call.
import { endpoint, forbidden, route, security, t, verifier } from 'edict'

const Failures = endpoint('Failures', {
  actions: {
    thrown: { routing: route.get('/thrown'), responses: { ok: 'text/plain' } },
    broken: { routing: route.get('/broken'), responses: { ok: t.object({ id: t.integer({ required: true }) }) } },
    late: { routing: route.get('/late'), responses: { ok: 'text/plain' } },
    conflict: { routing: route.get('/conflict'), responses: { conflict: true } },
  },
})

const Card = security.bearer<string>('Card')
const Vault = endpoint('Vault', {
  actions: { show: { routing: route.get('/'), security: Card, responses: { ok: 'text/plain' } } },
})

/** Fails in every way. */
export const failures = Failures.implement({
  thrown() {
    throw new Error('the password is swordfish')
  },
  broken: (_, { reply }) => reply.ok({ id: 'none' as unknown as number }),
  late: (_, { request }) =>
    new Promise((resolve) => {
      request.signal.addEventListener('abort', () => resolve('too late'))
    }),
  conflict: (_, { reply }) => reply.conflict('<script>alert("é")</script>'),
})

/** Accepts known clients. */
export const vault = Vault.implement({ show: (_, { principal }) => `for ${principal}` })

/** Knows Ada by her card, and another whom nothing is allowed. */
export const cards = verifier(Card, (card) => {
  if (card === '1815') return 'Ada'
  return card === '0' ? forbidden : undefined
})
