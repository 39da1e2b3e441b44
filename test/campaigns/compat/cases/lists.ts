// Cases of lists and of the documentation.
import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import LinkHeader from 'http-link-header'
import { group } from '../case.ts'
import { type Answered, ask, type Target } from '../client.ts'

const linkOf = ({ headers }: Answered, rel: string): string | undefined =>
  LinkHeader.parse(String(headers['link'] ?? '')).get('rel', rel)[0]?.uri

/** Follows `next` as a client does, by the address that it is given. */
async function walk(target: Target, line: string): Promise<number[]> {
  const ids: number[] = []
  const bare: Target = { ...target, prefix: '' }
  for (let url: string | undefined = `${target.prefix}${line}`; url !== undefined; ) {
    const answer: Answered = await ask(bare, `GET ${url}`)
    equal(answer.status, 200, answer.text)
    ids.push(...answer.json.map(({ id }: { id: number }) => id))
    url = linkOf(answer, 'next')
  }
  return ids
}

const all = Array.from({ length: 25 }, (_, i) => i + 1)

const lists = group('lists', {
  'a page with its links and the count': async (target) => {
    const answer = await ask(target, 'GET /api/books?pagination=page=2,items=10,total_count=true')
    equal(answer.headers['content-type'], 'application/vnd.book+json;type=collection')
    equal(answer.headers['total-count'], '25')
    equal(answer.json.length, 10)
    const at = (page: number): string =>
      `${target.prefix}/api/books?pagination=page%3D${page}%2Citems%3D10%2Ctotal_count%3Dtrue`
    deepEqual(
      ['first', 'prev', 'next', 'last'].map((rel) => linkOf(answer, rel)),
      [at(1), at(1), at(3), at(3)],
    )
  },
  'a walk by pages': async (target) =>
    deepEqual(await walk(target, '/api/books?pagination=page=1,items=7&order=id'), all),
  'a walk by a cursor': async (target) => {
    const ids = await walk(target, '/api/books?pagination=by=year,items=4')
    deepEqual(
      [...ids].sort((a, b) => a - b),
      all,
    )
  },
  'only the fields that were asked for': async (target) => {
    const { json } = await ask(target, 'GET /api/books?fields=id,title&pagination=items=1')
    deepEqual(json, [{ id: 1, title: 'Book 1' }])
  },
  'filters and order': async (target) => {
    const { json } = await ask(
      target,
      'GET /api/books?filters=year%3E=1902&order=-year,id&fields=id&pagination=items=2',
    )
    deepEqual(json, [{ id: 4 }, { id: 8 }])
  },
  'a filter by a text beyond ASCII': async (target) => {
    const title = encodeURIComponent(encodeURIComponent('Die Wahlverwandtschaften – 情書 📚'))
    const { json } = await ask(target, `GET /api/books?filters=title=${title}&fields=id`)
    deepEqual(json, [{ id: 7 }])
  },
  'one element, and none': async (target) => {
    deepEqual((await ask(target, 'GET /api/books/7?')).json.title, 'Die Wahlverwandtschaften – 情書 📚')
    equal((await ask(target, 'GET /api/books/70')).status, 404)
  },
})

const documentation = group('documentation', {
  'the page has its policy': async (target) => {
    const { status, headers, text } = await ask(target, 'GET /api/docs')
    deepEqual([status, headers['content-type']], [200, 'text/html; charset=utf-8'])
    match(
      String(headers['content-security-policy']),
      /^default-src 'none'; script-src 'self';.*frame-ancestors 'self'$/,
    )
    equal(headers['x-content-type-options'], 'nosniff')
    match(text, /^<!doctype html>/)
  },
  'the documents are there': async (target) => {
    const { json } = await ask(target, 'GET /api/docs/openapi.json')
    match(json.openapi, /^3\.1\./)
    ok(Object.keys(json.paths).includes('/books'))
    equal((await ask(target, 'GET /api/docs/openapi/2.0.json')).json.info.version, '2.0')
  },
  'the script is the same in every coding': async (target) => {
    const path = /docs\/(scalar-\w+\.js)/.exec((await ask(target, 'GET /api/docs')).text)?.[1]
    const plain = await ask(target, `GET /api/docs/${path}`)
    const gzip = await ask(target, `GET /api/docs/${path}`, { headers: { 'accept-encoding': 'gzip' } })
    equal(gzip.headers['content-encoding'], 'gzip')
    const hash = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')
    equal(hash(gunzipSync(gzip.bytes)), hash(plain.bytes))
    const brotli = await ask(target, `GET /api/docs/${path}`, { headers: { 'accept-encoding': 'br' } })
    if (brotli.headers['content-encoding'] === 'br') equal(hash(brotliDecompressSync(brotli.bytes)), hash(plain.bytes))
  },
  'what the client has is not sent again': async (target) => {
    const { headers } = await ask(target, 'GET /api/docs/openapi.json')
    const again = await ask(target, 'GET /api/docs/openapi.json', {
      headers: { 'if-none-match': String(headers.etag) },
    })
    deepEqual([again.status, again.bytes.length], [304, 0])
  },
})

/** All of them. */
export const listCases = [...lists, ...documentation]
