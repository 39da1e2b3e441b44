// Two copies of the package in one process: what one of them makes, the other understands.
import { describe, expect, it, vi } from 'vitest'
import * as own from '../../src/extend.ts'
import { application, endpoint, Responses, route, t } from '../../src/index.ts'
import { BodyFaultError, readBodyFault } from '../../src/server/transport.ts'
import { ask } from '../support/ask.ts'

vi.resetModules()
const other = await import('../../src/extend.ts')
const theirs = await import('../../src/index.ts')
const transport = await import('../../src/server/transport.ts')

const codes = other.defineCodes('hall', {
  issues: { 'seat-odd': 'must be an even seat' },
  failures: { 'seat-taken': { status: 409, title: 'The seat is taken' } },
})

const thrown: Readonly<Record<string, () => unknown>> = {
  refusal: () => new other.Refusal({ ...codes.failures['seat-taken'], detail: 'Choose another one.' }),
  values: () => other.Refusal.ofPayload([{ pointer: '/seat', code: codes.issues['seat-odd'] }]),
  problem: () => other.problem(codes.failures['seat-taken']),
  response: () => new theirs.Responses.Gone({ body: 'It is gone.' }),
  late: () => new transport.BodyFaultError('timeout'),
}

const Halls = endpoint('Halls', {
  actions: {
    show: { routing: route.get('/:how'), params: { how: t.string() }, responses: { ok: 'text/plain', gone: true } },
  },
})
const Theirs = theirs.endpoint('Theirs', {
  actions: {
    show: {
      routing: theirs.route.get('/:how'),
      params: { how: theirs.t.string() },
      responses: { ok: 'text/plain', gone: true },
    },
  },
})
const raise = ({ how }: Readonly<Record<string, unknown>>): never => {
  throw thrown[String(how)]?.()
}
const app = application({
  controllers: [Halls.implement({ show: raise }), Theirs.implement({ show: raise })],
  plugins: [{ name: 'hall', codes }],
})

describe('a value of another copy', () => {
  it('is really one of another copy', () => {
    expect(other.Refusal).not.toBe(own.Refusal)
    expect(theirs.Responses.Gone).not.toBe(Responses.Gone)
    expect(transport.BodyFaultError).not.toBe(BodyFaultError)
  })

  it.each([
    ['refusal', 409, { code: 'seat-taken', title: 'The seat is taken', detail: 'Choose another one.' }],
    ['values', 400, { code: 'validation', errors: [{ code: 'seat-odd', pointer: '/seat' }] }],
    ['problem', 409, { code: 'seat-taken', title: 'The seat is taken' }],
    ['response', 410, { code: 'gone', detail: 'It is gone.' }],
    ['late', 408, { code: 'timeout' }],
  ])('a thrown %s is served as one of this copy would be', async (how, status, problem) => {
    for (const endpoint of ['halls', 'theirs']) {
      const answer = await ask(app, `GET /${endpoint}/${how}`)
      expect([answer.status, answer.json]).toMatchObject([status, problem])
    }
  })

  it('is recognised by its brand', () => {
    expect(own.isRefusal(new other.Refusal({ code: 'unavailable' }))).toBe(true)
    expect(other.isRefusal(new own.Refusal({ code: 'unavailable' }))).toBe(true)
    expect(own.isRefusal(new Error('unavailable'))).toBe(false)
    expect(readBodyFault(new transport.BodyFaultError('coding'))).toBe('coding')
  })

  it('that cannot be looked at is an error like any other', () => {
    const trap = new Proxy(
      {},
      {
        get: () => {
          throw new Error('trapped')
        },
      },
    )
    expect(own.isRefusal(trap)).toBe(false)
  })
})
