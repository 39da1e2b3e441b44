// Cases of params, headers and bodies of requests.
import { deepEqual, equal, match } from 'node:assert/strict'
import { gzipSync } from 'node:zlib'
import { group } from '../case.ts'
import { ask } from '../client.ts'

const params = group('params', {
  'structures, lists, coercion and defaults': async (target) => {
    const { json } = await ask(target, 'GET /api/searches/A1?author[id]=7&tags=sea&tags=ships&draft=true')
    deepEqual(json, { shelf: 'A1', author: { id: 7 }, tags: ['sea', 'ships'], limit: 50, draft: true })
  },
  'escaped brackets, plus and percent': async (target) => {
    const { json } = await ask(target, 'GET /api/searches/A1?author%5Bname%5D=a+b%2Bc%25&tags[]=x')
    deepEqual(json, { shelf: 'A1', author: { name: 'a b+c%' }, tags: ['x'], limit: 50 })
  },
  'all mistakes at once': async (target) => {
    const { status, json } = await ask(target, 'GET /api/searches/A1?limit=1000&tag=x&draft=maybe')
    equal(status, 400)
    deepEqual(json.errors.map(({ pointer }: { pointer: string }) => pointer).sort(), ['/draft', '/limit', '/tag'])
  },
  'ignored names are ignored': async (target) => {
    const { status } = await ask(target, 'GET /api/searches/A1?utm_source=mail')
    equal(status, 200)
  },
  'characters that a URL should escape arrive': async (target) => {
    const { json } = await ask(target, "GET /api/searches/A1?tags=a'b|c^d")
    deepEqual(json.tags, ["a'b|c^d"])
  },
})

const headers = group('headers', {
  'declared headers are coerced, in any case of letters': async (target) => {
    const { json } = await ask(target, 'GET /api/doors', { headers: { 'x-ATTEMPT': '2', 'X-KEY': 'brass' } })
    deepEqual(json, { 'X-Attempt': 2, 'X-Key': 'brass' })
  },
  'headers that do not fit are refused': async (target) => {
    const { status, json } = await ask(target, 'GET /api/doors', { headers: { 'x-attempt': 'two' } })
    equal(status, 400)
    deepEqual(json.errors.map(({ pointer }: { pointer: string }) => pointer).sort(), ['/X-Attempt', '/X-Key'])
  },
  'several cookies stay several': async (target) => {
    const { headers } = await ask(target, 'GET /api/doors/cookies')
    deepEqual(headers['set-cookie'], ['a=1; Path=/', 'b=2; HttpOnly'])
  },
  "a client's id of a request comes back": async (target) => {
    const { json } = await ask(target, 'GET /api/failures/thrown', { headers: { 'x-request-id': 'abc-1' } })
    equal(json.requestId, 'abc-1')
  },
  'headers of 6 KB pass in both directions': async (target) => {
    const { headers } = await ask(target, 'GET /api/doors/large', { headers: { 'x-filler': 'y'.repeat(6000) } })
    equal(headers['x-large']?.length, 6000)
  },
  'credentials are verified': async (target) => {
    const known = await ask(target, 'GET /api/vault', { headers: { authorization: 'Bearer 1815' } })
    deepEqual([known.status, known.text], [200, 'for Ada'])
    const nobody = await ask(target, 'GET /api/vault')
    deepEqual([nobody.status, nobody.json.status], [401, 401])
    match(nobody.headers['www-authenticate'] ?? '', /^Bearer/)
    equal((await ask(target, 'GET /api/vault', { headers: { authorization: 'Bearer 0' } })).status, 403)
  },
})

const form = { 'content-type': 'application/x-www-form-urlencoded' }
const picture = Buffer.from(Array.from({ length: 5000 }, (_, i) => (i * 7) % 256))
const sum = picture.reduce((total, byte) => (total + byte) % 65_521, 0)

/** A multipart body as browsers write it. */
async function multipart(name: string): Promise<{ headers: Record<string, string>; body: Uint8Array }> {
  const data = new FormData()
  data.set('label', 'Größe ✓')
  data.set('page', new File([picture], name, { type: 'image/png' }))
  const written = new Response(data)
  const type = written.headers.get('content-type') ?? ''
  return { headers: { 'content-type': type }, body: new Uint8Array(await written.arrayBuffer()) }
}

const payloads = group('payloads', {
  JSON: async (target) => {
    const { status, json, headers } = await ask(target, 'POST /api/uploads/notes', {
      body: { title: 'Emma', tags: [] },
    })
    deepEqual([status, json], [201, { title: 'Emma', copies: 1, tags: [] }])
    equal(headers.location, '/api/uploads/notes/1')
  },
  'JSON with mistakes': async (target) => {
    const { status, json } = await ask(target, 'POST /api/uploads/notes', { body: { titel: 'Emma', copies: 'x' } })
    equal(status, 400)
    deepEqual(
      json.errors.map(({ pointer }: { pointer: string }) => pointer),
      ['/title', '/copies', '/titel'],
    )
  },
  'what is not JSON': async (target) => {
    const sent = { headers: { 'content-type': 'application/json' }, body: '{"title":' }
    const { status, json } = await ask(target, 'POST /api/uploads/notes', sent)
    deepEqual([status, json.code], [400, 'malformed-body'])
  },
  'a form': async (target) => {
    const sent = { headers: form, body: 'title=Emma+%26+co&copies=3&tags=a&tags=b' }
    const { json } = await ask(target, 'POST /api/uploads/notes', sent)
    deepEqual(json, { title: 'Emma & co', copies: 3, tags: ['a', 'b'] })
  },
  'multipart with a file': async (target) => {
    const { json } = await ask(target, 'POST /api/uploads/scans', await multipart('Käse 情.png'))
    deepEqual(json, { label: 'Größe ✓', filename: 'Käse 情.png', type: 'image/png', size: 5000, sum })
  },
  'a text': async (target) => {
    const sent = { headers: { 'content-type': 'text/plain' }, body: 'Closed on Mondays' }
    equal((await ask(target, 'PUT /api/uploads/text', sent)).text, '17 characters: Closed on Mondays')
  },
  bytes: async (target) => {
    const sent = { headers: { 'content-type': 'application/x-own' }, body: picture }
    deepEqual((await ask(target, 'PUT /api/uploads/bytes', sent)).json, { type: 'application/x-own', size: 5000, sum })
  },
  'in chunks, without a length': async (target) => {
    const sent = { headers: { 'content-type': 'application/json' }, body: ['{"title"', ':"in ', 'pieces"}'] }
    deepEqual((await ask(target, 'POST /api/uploads/notes', sent)).json, { title: 'in pieces', copies: 1 })
  },
  compressed: async (target) => {
    const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' }
    const { json } = await ask(target, 'POST /api/uploads/notes', { headers, body: gzipSync('{"title":"small"}') })
    deepEqual(json, { title: 'small', copies: 1 })
  },
  'of another type': async (target) => {
    const sent = { headers: { 'content-type': 'application/xml' }, body: '<a/>' }
    equal((await ask(target, 'POST /api/uploads/notes', sent)).status, 415)
  },
  'none, where one is needed': async (target) => {
    equal((await ask(target, 'POST /api/uploads/notes', { body: '' })).status, 400)
  },
  'one that nobody reads': async (target) => {
    for (let i = 0; i < 3; i++) {
      const { text } = await ask(target, 'POST /api/uploads/ignored', { body: 'x'.repeat(50_000) })
      equal(text, 'not read')
    }
  },
})

/** All of them. */
export const inputCases = [...params, ...headers, ...payloads]
