// Signed webhooks, with a server on a socket: what was signed is taken, anything else is refused.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { controller, endpoint, route, t } from 'edict'
import { client } from 'edict/client'
import { signWebhook, webhook, webhooks } from '../src/index.js'
import { served } from './served.js'

const NOW = 1_800_000_000
const Orders = endpoint('Orders', {
  actionDefaults: { security: webhook },
  actions: {
    paid: {
      routing: route.post('/paid'),
      payload: { id: t.integer({ required: true }), note: t.string() },
      responses: { ok: 'text/plain' },
    },
    ping: { routing: route.post('/ping'), responses: { ok: 'text/plain' } },
    label: {
      routing: route.put('/label'),
      payload: t.file({ stream: true, required: true }),
      responses: { ok: 'text/plain' },
    },
  },
})
const orders = controller(Orders, {
  paid: (_, { request, principal }) => `${request.payload.id} at ${principal.sentAt}`,
  ping: () => 'pong',
  label: async (_, { request }) => (await request.payload.text()).toUpperCase(),
})

const options = (secrets = ['whsec_new', 'whsec_old']) => ({
  controllers: [orders],
  limits: { body: 1000 },
  plugins: [webhooks({ secrets, clock: () => NOW * 1000 })],
})

/** Sends a body with the signature of another one, by default of itself. */
async function send(
  url: string,
  body: string | Uint8Array | undefined,
  { signed = body ?? '', secret = 'whsec_new', at = NOW, headers = {} as Record<string, string>, method = 'POST' } = {},
): Promise<readonly [status: number, text: string]> {
  const bytes = typeof signed === 'string' ? Buffer.from(signed) : signed
  const signature = `t=${at},v1=${await signWebhook(secret, at, bytes)}`
  const sent = { 'Content-Type': 'application/json', 'Shop-Signature': signature, ...headers }
  const init = { method, headers: sent, ...(body !== undefined && { body: body as string }) }
  const response = await fetch(url, init)
  return [response.status, await response.text()]
}

void test('a webhook is verified over its exact bytes', () =>
  served(options(), async (url) => {
    const paid = `${url}/orders/paid`
    // Spaces and the order of names are part of what was signed.
    for (const body of ['{"id":7}', '{ "id" : 7 }', '{"note":"ü","id":7}'])
      assert.deepEqual(await send(paid, body), [200, `7 at ${NOW}`])
    assert.equal((await send(paid, '{"id": 7}', { signed: '{"id":7}' }))[0], 401)
    assert.equal((await send(paid, '{"id":8}', { signed: '{"id":7}' }))[0], 401)
    assert.equal((await send(paid, '{"id":7}', { secret: 'whsec_old' }))[0], 200)
    assert.equal((await send(paid, '{"id":7}', { secret: 'whsec_other' }))[0], 401)
    assert.equal((await send(paid, '{"id":7}', { at: NOW - 301 }))[0], 401)
    assert.equal((await send(paid, '{"id":7}', { headers: { 'Shop-Signature': 'v1=0' } }))[0], 401)
    // What is signed and invalid is refused as anything invalid.
    assert.equal((await send(paid, '{"id":"x"}'))[0], 400)
    assert.equal((await send(paid, '{"id":'))[0], 400)
  }))

void test('a compressed webhook is verified as it was sent', () =>
  served(options(), async (url) => {
    const zipped = gzipSync('{"id":7}')
    const headers = { 'Content-Encoding': 'gzip' }
    assert.deepEqual(await send(`${url}/orders/paid`, zipped, { headers }), [200, `7 at ${NOW}`])
    assert.equal((await send(`${url}/orders/paid`, zipped, { headers, signed: '{"id":7}' }))[0], 401)
  }))

void test('a webhook without a body is verified, and one above the limit is refused', () =>
  served(options(), async (url) => {
    assert.deepEqual(await send(`${url}/orders/ping`, undefined), [200, 'pong'])
    assert.equal((await send(`${url}/orders/ping`, undefined, { signed: 'x' }))[0], 401)
    assert.equal((await send(`${url}/orders/ping`, 'ignored'))[0], 200)
    assert.equal((await send(`${url}/orders/paid`, `{"id":7,"note":"${'x'.repeat(1000)}"}`))[0], 413)
    assert.equal((await send(`${url}/orders/ping`, 'x'.repeat(1001)))[0], 413)
  }))

void test('a file that is taken as a stream is verified before the action sees it', () =>
  served(options(), async (url, app) => {
    const sent = { method: 'PUT', headers: { 'Content-Type': 'text/plain' } }
    assert.deepEqual(await send(`${url}/orders/label`, 'fragile', sent), [200, 'FRAGILE'])
    assert.equal((await send(`${url}/orders/label`, 'harmless', { ...sent, signed: 'fragile' }))[0], 401)
    const signature = `t=${NOW},v1=${await signWebhook('whsec_new', NOW, Buffer.from('{"id":7}'))}`
    const api = client({ Orders }, { baseUrl: url, headers: { 'Shop-Signature': signature } })
    assert.equal((await api.Orders.paid(undefined, { payload: { id: 7 } })).status, 200)
    assert.ok('Webhook' in (app.openapi().components?.securitySchemes ?? {}))
  }))
