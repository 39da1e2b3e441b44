// Behaviour that several controllers share: a function takes a controller and gives it back with callbacks added.
import type { Controller, EndpointSpec } from 'edict'

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
