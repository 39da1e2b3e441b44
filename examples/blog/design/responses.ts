// Responses of this API's own, beside the built-in ones; each is declared once and listed by the actions that return it.
import { response } from 'edict'

/** Too much at once; tells when to come back. */
export const Throttled = response('throttled', {
  description: 'Slow down.',
  status: 429,
  headers: { 'Retry-After': /^\d+$/ },
})
