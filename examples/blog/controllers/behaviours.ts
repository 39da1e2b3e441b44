// Behaviour that several controllers share: a function takes a controller and gives it back with callbacks added.
import { eq } from 'drizzle-orm'
import { type Controller, type EndpointSpec, Responses } from 'edict'
import type { Store } from '../resources.ts'

/** Sends strangers away. */
const unauthorized = (detail: string) =>
  new Responses.Unauthorized({ body: detail, headers: { 'WWW-Authenticate': 'Bearer' } })

/**
 * Asks for a token wherever the action declares the header Authorization.
 * It runs before the validation, so that a stranger learns nothing about the rest of the request.
 */
export const authenticated =
  ({ db, tables: { people } }: Store) =>
  <S extends EndpointSpec>(controller: Controller<S>): Controller<S> =>
    controller.before('validate', async ({ request, definition, state }) => {
      const { headers } = definition.spec.actions[request.action.name] ?? {}
      if (headers?.['Authorization'] === undefined) return
      const sent = String(request.env.headers['authorization'] ?? '')
      if (sent === '') return unauthorized('Send a token.')
      const token = sent.replace(/^Bearer /, '')
      const [person] = await db.select({ id: people.id }).from(people).where(eq(people.token, token))
      if (person === undefined) return unauthorized('This token is not known.')
      state['person'] = person
    })

/** Who sent the request; only where `authenticated` ran. */
export const signedIn = ({ state }: { readonly state: Record<string, unknown> }) => state['person'] as { id: number }

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
