// The safe defaults of a server without any configuration, over real sockets.
import { type ChildProcess, spawn } from 'node:child_process'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildHttpOptions } from '../../../src/adapters/node/serve-options.ts'
import { declaredBy } from '../../support/guard/watch.ts'
import { plainApplication } from './api/plain.ts'
import { bundle, bundles, unbundle } from './bundle.ts'
import { type Answered, type Asked, ask, hangUp, type Target } from './client.ts'
import { speak } from './raw.ts'
import { end, toldPort } from './runtimes.ts'

const app = plainApplication()
const watched = declaredBy(app, app['~options'])
const children: ChildProcess[] = []
const servers = new Map<string | undefined, Promise<Target>>()

/** The server in a process whose NODE_ENV is this, or that has none. */
function served(environment: string | undefined): Promise<Target> {
  let starting = servers.get(environment)
  if (starting === undefined) {
    const { NODE_ENV: _, ...others } = process.env
    const env = { ...others, PORT: '0', ...(environment !== undefined && { NODE_ENV: environment }) }
    const child = spawn(process.execPath, ['plain.js'], { cwd: bundles, env, stdio: ['ignore', 'pipe', 'ignore'] })
    children.push(child)
    starting = toldPort(child, 'the server').then((port) => ({ port, prefix: '', watched }))
    servers.set(environment, starting)
  }
  return starting
}

const send = async (line: string, asked: Asked = {}): Promise<Answered> => ask(await served('production'), line, asked)
const raw = async (text: string, quiet?: number) => speak((await served('production')).port, [text], quiet)

beforeAll(bundle, 60_000)
afterAll(async () => {
  hangUp()
  await Promise.all(children.map(end))
  unbundle()
})

const json = { 'content-type': 'application/json' }
const multipart = { 'content-type': 'multipart/form-data; boundary=x' }
const part = (name: string, value: string): string =>
  `--x\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`

describe('limits', () => {
  it.each<[string, number, string, Asked]>([
    ['a body of more than a megabyte', 413, 'POST /things', { headers: json, body: `"${'x'.repeat(1024 * 1024)}"` }],
    [
      'one that becomes larger',
      413,
      'POST /things',
      { headers: { ...json, 'content-encoding': 'gzip' }, body: gzipSync(`"${'x'.repeat(2e7)}"`) },
    ],
    ['deeper JSON than 64', 400, 'POST /things', { headers: json, body: '['.repeat(65) + ']'.repeat(65) }],
    ['more JSON than 65,536 signs', 400, 'POST /things', { headers: json, body: `[${'1,'.repeat(65_536)}1]` }],
    ['more than 200 parameters', 400, `GET /things?${'tags[]=1&'.repeat(201)}`, {}],
    ['deeper parameters than 8', 400, `GET /things?tags${'[a]'.repeat(8)}=1`, {}],
    [
      'more than 200 parts',
      400,
      'POST /things/form',
      { headers: multipart, body: `${part('title', 'a').repeat(201)}--x--\r\n` },
    ],
    ['headers of more than 16 KiB', 431, 'GET /things', { headers: { a: 'x'.repeat(9000), b: 'x'.repeat(9000) } }],
    ['a path of more than 16 KiB', 431, `GET /things/named/${'x'.repeat(17_000)}`, {}],
  ])('refuse %s', async (_, status, line, asked) => {
    const answer = await send(line, asked)
    expect([answer.status, answer.json.status]).toEqual([status, status])
  })

  it('are all finite', () => {
    const { headersTimeout, requestTimeout, keepAliveTimeout, connectionsCheckingInterval, maxHeaderSize } =
      buildHttpOptions({})
    for (const limit of [headersTimeout, requestTimeout, keepAliveTimeout, connectionsCheckingInterval, maxHeaderSize])
      expect(limit).toSatisfy((value: number) => value > 0 && value <= 65_000)
  })

  it('do not wait for headers for ever', async () => {
    const start = performance.now()
    const { statuses, closed } = await raw('GET /things HTTP/1.1\r\nHost: a\r\n', 5000)
    expect([statuses, closed]).toEqual([[408], true])
    expect(performance.now() - start).toBeLessThan(16_000)
  }, 30_000)
})

const known: readonly [string, string][] = [
  ['an answer', 'GET /things HTTP/1.1\r\nHost: a'],
  ['HEAD', 'HEAD /things HTTP/1.1\r\nHost: a'],
  ['OPTIONS', 'OPTIONS /things HTTP/1.1\r\nHost: a'],
  ['no content', 'DELETE /things HTTP/1.1\r\nHost: a'],
  ['an unknown path', 'GET /nothing HTTP/1.1\r\nHost: a'],
  ['a malformed path', 'GET /things/named/%ff HTTP/1.1\r\nHost: a'],
  ['another verb', 'PATCH /things HTTP/1.1\r\nHost: a'],
  ['TRACE', 'TRACE /things HTTP/1.1\r\nHost: a\r\nX-Secret: swordfish'],
  ['a refused parameter', 'GET /things?unknown=1 HTTP/1.1\r\nHost: a'],
  ['a refused body', 'POST /things HTTP/1.1\r\nHost: a\r\nContent-Type: a/b\r\nContent-Length: 0'],
  ['a failure', 'GET /things/thrown HTTP/1.1\r\nHost: a'],
  ['a page', 'GET /docs HTTP/1.1\r\nHost: a'],
  ['a document', 'GET /docs/openapi.json HTTP/1.1\r\nHost: a'],
  ['what the client has', 'GET /docs/openapi.json HTTP/1.1\r\nHost: a\r\nIf-None-Match: *'],
  ['HTTP/1.0', 'GET /things HTTP/1.0'],
  ['no host', 'GET /things HTTP/1.1'],
  ['two hosts', 'GET /things HTTP/1.1\r\nHost: a\r\nHost: b'],
  ['what is not HTTP', 'hello'],
  ['a length that is none', 'POST /things HTTP/1.1\r\nHost: a\r\nContent-Length: x'],
  ['large headers', `GET /things HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(20_000)}`],
  ['a large body', 'POST /things HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 2000000'],
  ['a header that would split the answer', 'GET /things/split?value=a%0d%0aX-Evil:1 HTTP/1.1\r\nHost: a'],
]

describe('headers', () => {
  it.each(known)('of %s forbid guessing its type, and do not name the software', async (_, request) => {
    const { text } = await raw(`${request}\r\n\r\n`, 100)
    const [head = '', ...others] = text.split('\r\n\r\n')
    expect(head).toMatch(/^HTTP\/1\.1 \d{3} /)
    expect(head.match(/^X-Content-Type-Options: nosniff\r?$/gim)).toHaveLength(1)
    expect(head).not.toMatch(/^(Server|X-Powered-By|X-Evil|X-AspNet\S*):/im)
    expect(others.join()).not.toMatch(/swordfish|node_modules|\.js:\d+/)
  })

  it('of the page hold it to a policy', async () => {
    const { headers, text } = await send('GET /docs')
    expect(headers['content-security-policy']).toMatch(/^default-src 'none'; script-src 'self';/)
    expect(headers['content-security-policy']).toContain("frame-ancestors 'self'")
    expect(headers['content-security-policy']).not.toMatch(/unsafe-eval|script-src[^;]*unsafe-inline|\*/)
    expect(headers['referrer-policy']).toBe('no-referrer')
    expect(text).not.toMatch(/<script>|\son\w+=/)
  })
})

describe('failures', () => {
  it.each<[string | undefined, boolean]>([
    ['production', false],
    ['staging', false],
    ['Production', false],
    ['development', true],
    [undefined, true],
  ])('with NODE_ENV %s tell what was thrown: %s, and never where', async (environment, told) => {
    const { status, text } = await ask(await served(environment), 'GET /things/thrown')
    expect(status).toBe(500)
    expect(text.includes('swordfish')).toBe(told)
    expect(text).not.toMatch(/stack|\bat \w|\.js\b|file:/)
  })

  const evil = '<script>alert(1)</script>"\u0000\u202e'
  it.each<[string, Asked]>([
    [`GET /things?${encodeURIComponent(evil)}=1`, {}],
    [`GET /${encodeURIComponent(evil)}`, {}],
    ['POST /things/form', { headers: json, body: JSON.stringify({ [evil]: evil, title: 7 }) }],
    ['POST /things', { headers: json, body: `{"a": ${evil}` }],
    ['POST /things', { headers: { 'content-type': 'text/html;<script>' }, body: evil }],
    ['GET /docs/<script>alert(1)</script>', {}],
  ])('of %s are data, never a page', async (line, asked) => {
    const { status, headers, json: problem, text } = await send(line, asked)
    expect(status).toBeGreaterThanOrEqual(400)
    expect(headers['content-type']).toBe('application/problem+json')
    expect(headers['x-content-type-options']).toBe('nosniff')
    expect(problem.status).toBe(status)
    expect([...text].some((sign) => sign < ' ')).toBe(false)
  })
})
