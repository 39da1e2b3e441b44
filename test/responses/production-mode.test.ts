// Tests of whole applications once more, as in production: no body is checked, and answers are what they were. Tests that
// say how much is checked, or what development tells of a failure, are not among them.
import { afterAll, describe } from 'vitest'

const before = process.env['EDICT_TEST_MODE']
process.env['EDICT_TEST_MODE'] = 'production'

afterAll(() => {
  if (before === undefined) delete process.env['EDICT_TEST_MODE']
  else process.env['EDICT_TEST_MODE'] = before
})

function again(title: string, tests: () => Promise<unknown>): void {
  describe(title, async () => {
    await tests()
  })
}

again('actions, in production', () => import('../declarations/actions.test.ts'))
again('callbacks, in production', () => import('../declarations/callbacks.test.ts'))
again('calls of the client, in production', () => import('../client/calls.test.ts'))
again('controllers, in production', () => import('../declarations/controllers.test.ts'))
again('headers, in production', () => import('../inputs/headers.test.ts'))
again('ordered lists, in production', () => import('../lists/params/order.test.ts'))
again('pages of lists, in production', () => import('../pagination/pages.test.ts'))
again('related resources, in production', () => import('../declarations/parents.test.ts'))
again('requests, in production', () => import('../inputs/request.test.ts'))
again('responses of every form, in production', () => import('./returned.test.ts'))
again('versions, in production', () => import('../routing/versions.test.ts'))
again('answers on the wire, in production', () => import('../serving/sockets.test.ts'))
