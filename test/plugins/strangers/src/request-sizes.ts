// Sizes of requests and responses by action, and an action that shows them. Written with nothing but the guide at hand.
import { controller, endpoint, type Plugin, route, t } from 'edict'
import { form, reportFlaws } from 'edict/extend'

/** Settings of `requestSizes`. */
export interface SizeOptions {
  /** The bytes of a request's body from which on it is logged. */
  readonly large?: number
}

interface Sizes {
  requests: number
  received: number
  sent: number
  large: number
}

const FIELDS: form.Fields<SizeOptions> = { large: form.integerFrom(1) }

const whole = t.integer({ required: true })
const RequestSizes = endpoint('RequestSizes', {
  actions: {
    show: {
      routing: route.get('//request-sizes'),
      responses: { ok: t.record(t.object({ requests: whole, received: whole, sent: whole, large: whole })) },
    },
  },
})

/** Counts bytes by action, and shows them at `/request-sizes`. */
export function requestSizes(options: SizeOptions = {}): Plugin {
  const { value, flaws } = form.accept(options, FIELDS)
  const { large = Number.POSITIVE_INFINITY } = value
  const byAction = new Map<string, Sizes>()
  return {
    name: 'request-sizes',
    checkOptions: (report) => reportFlaws('requestSizes', flaws, report),
    end(request, { received, sent }) {
      const action = request.action ?? 'none'
      const sizes = byAction.get(action) ?? { requests: 0, received: 0, sent: 0, large: 0 }
      byAction.set(action, sizes)
      sizes.requests += 1
      sizes.received += received
      sizes.sent += sent
      if (received < large) return
      sizes.large += 1
      request.warn({ action, received }, 'A request was large')
    },
    apply: (given) => ({
      ...given,
      controllers: [
        ...given.controllers,
        controller(RequestSizes, { show: (_, { reply }) => reply.ok(Object.fromEntries(byAction)) }),
      ],
    }),
  }
}
