// The type of an action's principal.
import { expectTypeOf, test } from 'vitest'
import { controller } from '../design/controller.ts'
import { route } from '../design/declare/route.ts'
import { endpoint } from '../design/endpoint.ts'
import { security } from './scheme.ts'
import type { BasicCredentials } from './types.ts'
import { forbidden, verifier } from './verifier.ts'

interface Person {
  readonly name: string
}
interface Robot {
  readonly serial: number
}

const Token = security.bearer<Person>('Token')
const Key = security.apiKey<Robot>('Key', { in: 'header', name: 'X-Key' })
const Doors = endpoint('Doors', {
  actionDefaults: { security: Token },
  actions: {
    token: { routing: route.get('/token') },
    open: { routing: route.get('/open'), security: 'none' },
    maybe: { routing: route.get('/maybe'), security: [Token.scopes('read'), 'none'] },
    either: { routing: route.get('/either'), security: [Key, Token] },
    both: { routing: route.get('/both'), security: [security.all({ user: Token, device: Key.scopes('a') }), 'none'] },
  },
})
const Free = endpoint('Free', { actions: { show: { routing: route.get('/') } } })

test('the principal is what the action asks for', () => {
  controller(Doors, {
    token(_, { principal, response }) {
      expectTypeOf(principal).toEqualTypeOf<Person>()
      return response
    },
    open(_, { principal, response }) {
      expectTypeOf(principal).toEqualTypeOf<undefined>()
      return response
    },
    maybe(_, { principal, response }) {
      expectTypeOf(principal).toEqualTypeOf<Person | undefined>()
      return response
    },
    either(_, { principal, response }) {
      expectTypeOf(principal).toEqualTypeOf<Person | Robot>()
      return response
    },
    both(_, { principal, response }) {
      expectTypeOf(principal).toEqualTypeOf<{ readonly user: Person; readonly device: Robot } | undefined>()
      return response
    },
  })
  controller(Free, {
    show(_, { principal, response }) {
      expectTypeOf(principal).toEqualTypeOf<undefined>()
      return response
    },
  })
})

test('a verifier gets the credentials of its scheme and gives its principal', () => {
  verifier(Token, (token) => {
    expectTypeOf(token).toEqualTypeOf<string>()
    return { name: token }
  })
  verifier(security.basic<Person>('Password'), async (credentials) => {
    expectTypeOf(credentials).toEqualTypeOf<BasicCredentials>()
    return credentials.user === '' ? forbidden : undefined
  })
  // @ts-expect-error: a robot is not a person
  verifier(Token, () => ({ serial: 7 }))
})

test('[FOR-07] a scheme of any name gives its credentials as a text, and has a name', () => {
  const Own = security.http<Robot>('Own', { scheme: 'Token' })
  verifier(Own, (sent) => {
    expectTypeOf(sent).toEqualTypeOf<string>()
    return { serial: 7 }
  })
  // @ts-expect-error: a person is not a robot
  verifier(Own, () => ({ name: 'Ada' }))
  const Doors = endpoint('Doors', { actions: { show: { routing: route.get('/'), security: Own } } })
  controller(Doors, {
    show(_, { principal, response }) {
      expectTypeOf(principal).toEqualTypeOf<Robot>()
      return response
    },
  })
  // @ts-expect-error: the name that the header begins with is missing
  security.http('Own')
  // @ts-expect-error: the name that the header begins with is missing
  security.http('Own', {})
  // @ts-expect-error: it is a text
  security.http('Own', { scheme: 7 })
  // @ts-expect-error: tokens of this scheme have no format
  security.http('Own', { scheme: 'Token', format: 'JWT' })
})

test('only schemes can be asked for', () => {
  // @ts-expect-error: a name is not a scheme
  endpoint('Odd', { actions: { show: { routing: route.get('/'), security: 'Token' } } })
  // @ts-expect-error: a name is not a scheme
  security.all({ user: Token, device: 'Key' })
})
