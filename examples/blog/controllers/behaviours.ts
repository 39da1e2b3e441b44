// Behaviour that several controllers share: a function takes a controller and gives it back with callbacks added.
import { type Controller, type EndpointSpec, Responses } from 'edict'
import { type PersonRow, peopleStore } from '../store.ts'

const unauthorized = (detail: string) =>
  new Responses.Unauthorized({ body: detail, headers: { 'WWW-Authenticate': 'Bearer' } })

/**
 * Asks for a token wherever the action declares the header Authorization.
 * It runs before the validation, so that a stranger learns nothing about the rest of the request.
 */
export function authenticated<S extends EndpointSpec>(controller: Controller<S>): Controller<S> {
  return controller.before('validate', ({ request, definition, state }) => {
    const { headers } = definition.spec.actions[request.action.name] ?? {}
    if (headers?.['Authorization'] === undefined) return
    const sent = String(request.env.headers['authorization'] ?? '')
    const person = peopleStore.byToken(sent.replace(/^Bearer /, ''))
    if (person === undefined) return unauthorized(sent === '' ? 'Send a token.' : 'This token is not known.')
    state['person'] = person
  })
}

/** Who sent the request; only where `authenticated` ran. */
export const signedIn = ({ state }: { readonly state: Record<string, unknown> }) => state['person'] as PersonRow

/** Tells the client the number under which its request is logged, and how long the action took. */
export function traced<S extends EndpointSpec>(controller: Controller<S>): Controller<S> {
  return controller
    .around(async (context, next) => {
      const start = performance.now()
      await next()
      context.response.headers['Server-Timing'] = `action;dur=${(performance.now() - start).toFixed(1)}`
    })
    .before('response', ({ request, response }) => {
      response.headers['X-Request-Id'] = request.id
    })
}
