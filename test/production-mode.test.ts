// Tests of whole applications once more, as in production: no body is checked, and answers are what they were. Tests that
// say how much is checked, or what development tells of a failure, are not among them.
import { afterAll, describe } from 'vitest'

const before = process.env['EDICT_TEST_MODE']
process.env['EDICT_TEST_MODE'] = 'production'

afterAll(() => {
  if (before === undefined) delete process.env['EDICT_TEST_MODE']
  else process.env['EDICT_TEST_MODE'] = before
})

describe('actions, in production', () => import('./actions.test.ts'))
describe('callbacks, in production', () => import('./callbacks.test.ts'))
describe('calls of the client, in production', () => import('./client.test.ts'))
describe('controllers, in production', () => import('./controllers.test.ts'))
describe('headers, in production', () => import('./headers.test.ts'))
describe('ordered lists, in production', () => import('./ordering.test.ts'))
describe('pages of lists, in production', () => import('./pagination.test.ts'))
describe('related resources, in production', () => import('./parents.test.ts'))
describe('requests, in production', () => import('./request.test.ts'))
describe('responses of every form, in production', () => import('./response-forms.test.ts'))
describe('versions, in production', () => import('./versions.test.ts'))
describe('answers on the wire, in production', () => import('./socket.test.ts'))
