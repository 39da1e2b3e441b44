// The client sends requests again where a policy says that it is safe: the same request, with the same key.
import { application, controller, endpoint, route, t } from 'edict'
import { client } from 'edict/client'
import { policy } from 'edict/extend'
import { idempotency, idempotent } from 'edict/idempotency'
import { memoryStore } from 'edict/stores'
import { testClient } from 'edict/testing'
import { describe, expect, it } from 'vitest'
import { urlOf } from '../support/ask.ts'

let orders = 0
const Orders = endpoint('Orders', {
  actions: {
    create: {
      routing: route.post('/'),
      payload: t.object({ name: t.string({ required: true }) }),
      policies: [idempotent({ keep: '1h', required: true })],
      responses: { created: 'text/plain' },
    },
    plain: { routing: route.post('/plain'), responses: { created: 'text/plain' } },
  },
})
const app = application({
  controllers: [
    controller(Orders, {
      create: (_, { request, reply }) => reply.created(`order ${++orders} of ${request.payload?.name}`),
      plain: (_, { reply }) => reply.created(`order ${++orders}`),
    }),
  ],
  plugins: [idempotency(memoryStore())],
})

/** An event on the way: an answer in place of the server's, an answer that is lost, or nothing. */
type Event = Response | 'lost' | 'refused' | undefined

/** A client whose first requests meet these events. */
function meeting(...events: Event[]) {
  const keys: (string | null)[] = []
  const send = async (request: Request): Promise<Response> => {
    keys.push(request.headers.get('Idempotency-Key'))
    const event = events.shift()
    if (event === 'refused') throw new TypeError('fetch failed')
    if (event instanceof Response) return event
    const answer = await app.fetch(request)
    if (event === 'lost') throw new TypeError('fetch failed')
    return answer
  }
  return { calls: client({ Orders }, { baseUrl: 'http://localhost', fetch: send }).Orders, keys }
}

const unavailable = (after?: string): Response =>
  new Response('', { status: 503, headers: after === undefined ? {} : { 'Retry-After': after } })
const emma = { payload: { name: 'Emma' } }

describe('the client', () => {
  it('[IDP-03] sends a key of its own with each call, over a socket and in process', async () => {
    const before = orders
    const overSocket = client({ Orders }, { baseUrl: await urlOf(app) }).Orders
    expect((await overSocket.create({}, emma)).name).toBe('created')
    expect((await overSocket.create({}, emma)).name).toBe('created')
    expect((await testClient(app, { Orders }).Orders.create({}, emma)).name).toBe('created')
    expect(orders).toBe(before + 3)
  })

  it('[IDP-03] sends a call again whose answer was lost, with the same key, and gets the response of the first', async () => {
    const before = orders
    const { calls, keys } = meeting('refused', 'lost', 'lost', undefined)
    const answer = await calls.create({}, emma)
    expect([answer.name, answer.name === 'created' && answer.body]).toEqual(['created', `order ${before + 1} of Emma`])
    expect(orders).toBe(before + 1)
    expect([keys.length, new Set(keys).size]).toEqual([4, 1])
  })

  it('[IDP-03] waits as long as it is told, and gives up in the end', async () => {
    const busy = new Response('', { status: 409, headers: { 'Retry-After': '0' } })
    const { calls, keys } = meeting(unavailable('0'), busy, new Response('', { status: 502 }))
    expect((await calls.create({}, emma)).name).toBe('created')
    expect(keys.length).toBe(4)
    const down = meeting(...Array<Event>(9).fill('refused'))
    await expect(down.calls.create({}, emma)).rejects.toThrow('fetch failed')
    expect([down.keys.length, new Set(down.keys).size]).toEqual([5, 1])
  })

  it('[IDP-03] takes a response of the action as it is', async () => {
    const { calls, keys } = meeting(unavailable(), unavailable('86400'))
    expect((await calls.create({}, emma)).status).toBe(503)
    expect((await calls.create({}, emma)).status).toBe(503)
    expect(keys.length).toBe(2)
    const own = meeting(undefined)
    await own.calls.create({}, { ...emma, headers: { 'Idempotency-Key': 'mine' } })
    expect(own.keys).toEqual(['mine'])
  })

  it('[IDP-03] sends nothing again without such a policy, nor after its signal', async () => {
    const { calls, keys } = meeting('lost')
    await expect(calls.plain({})).rejects.toThrow('fetch failed')
    expect(keys).toEqual([null])
    const ending = new AbortController()
    const waiting = meeting(unavailable('30'))
    const call = waiting.calls.create({}, { ...emma, signal: ending.signal })
    await expect.poll(() => waiting.keys.length).toBe(1)
    ending.abort(new Error('enough'))
    await expect(call).rejects.toThrow('enough')
    expect(waiting.keys.length).toBe(1)
  })

  it('retries by any policy that says so, as long as the longest of them wants', async () => {
    const counts: number[] = []
    const patient = policy({
      name: 'patient',
      retry({ count, response: answer }) {
        counts.push(count)
        return answer === undefined && count < 3 ? 1 : undefined
      },
    })
    const Shop = endpoint('Shop', {
      actions: { show: { routing: route.get('/'), policies: [patient], responses: { ok: 'text/plain' } } },
    })
    const open = application({ controllers: [controller(Shop, { show: () => 'open' })] })
    let tries = 0
    const fetch = async (request: Request): Promise<Response> => {
      tries += 1
      if (tries < 3) throw new TypeError('fetch failed')
      return open.fetch(request)
    }
    const answer = await client({ Shop }, { baseUrl: 'http://localhost', fetch }).Shop.show({})
    expect([answer.name, counts]).toEqual(['ok', [1, 2, 3]])
  })
})
