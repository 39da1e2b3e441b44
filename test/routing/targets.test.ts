// The target of a request in each form that HTTP knows: an application sees path and query, and links lead to no other host.

import { application, collectionOf, endpoint, mediaType, route, t } from 'edict'
import { PaginationParams, paginate, pagination } from 'edict/pagination'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { toPathAndQuery, toSameHost } from '../../src/server/request/request-target.ts'
import { handled, recorder, urlOf } from '../support/ask.ts'
import { runs } from '../support/runs.ts'
import { Wire } from '../support/serving/wire.ts'

const Book = mediaType('Book', { attributes: { id: t.integer({ required: true }) } })
const params = { pagination: PaginationParams.for(Book), x: t.string() }
const Books = endpoint('Books', {
  prefix: '//',
  actions: {
    index: { routing: route.get('/api/books'), params, responses: { ok: collectionOf(Book) } },
    below: {
      routing: route.any('/*rest'),
      params: { ...params, rest: t.string() },
      responses: { ok: collectionOf(Book) },
    },
  },
})
const books = Array.from({ length: 300 }, (_, i) => ({ id: i + 1 }))
const log = recorder()
const seen: string[] = []
const list = (_: object, { request, reply }: any): any => {
  seen.push(request.url)
  return reply.ok(paginate(request, books))
}
const app = application({
  ignore: ['*'],
  logger: log,
  logRequests: true,
  plugins: [pagination()],
  controllers: [Books.implement({ index: list, below: list })],
})

const OWN = 'http://own.example'

/** The target that an application was given, and the links that it gave, as far as they are no path of its own origin. */
function strays(url: string, link: string): string[] {
  const targets = [...link.matchAll(/<([^>]*)>/g)].map(([, target]) => target as string)
  return [url, ...targets].filter((one) => !/^\/[^#\s]*$/.test(one) || new URL(one, OWN).origin !== OWN)
}

async function askRaw(line: string): Promise<{ status: number; url: string | undefined; link: string }> {
  seen.length = 0
  const wire = await Wire.open(Number(new URL(await urlOf(app)).port))
  const { status, headers } = await wire.send(line, 'Host: own.example', 'Connection: close', '', '').answer()
  wire.close()
  return { status, url: seen[0], link: headers['link'] ?? '' }
}

const word = fc.stringMatching(/^[a-zA-Z0-9._~-]{1,8}$/)
const scheme = fc.constantFrom('http', 'https', 'HTTP', 'hTTpS', 'ftp', 'ws', 'x')
const authority = fc.oneof(
  word,
  fc.tuple(word, word, word).map(([user, word, host]) => `${user}:${word}@${host}`),
  fc.tuple(word, fc.nat(70_000)).map(([host, port]) => `${host}:${port}`),
  fc.constant('[::1]:80'),
)
const path = fc
  .array(fc.oneof(word, fc.constantFrom('', '.', '..', '%2F', '%5C', 'api/books')), { maxLength: 4 })
  .map((segments) => segments.map((one) => `/${one}`).join(''))
const query = fc.oneof(
  fc.constant(''),
  fc.constant('?'),
  fc.webQueryParameters().map((one) => `?${one}`),
)
const fragment = fc.oneof(
  fc.constant(''),
  fc.constant(''),
  word.map((one) => `#${one}`),
)
const target = fc.oneof(
  fc.tuple(scheme, authority, path, query, fragment).map(([s, a, p, q, f]) => `${s}://${a}${p}${q}${f}`),
  fc.tuple(fc.constantFrom('/', '//', '///', '/.//'), authority, path, query, fragment).map((all) => all.join('')),
  fc.tuple(path, query, fragment).map((all) => `/api/books${all.join('')}`),
  fc.constantFrom('*', 'own.example:80', 'api/books', '../api/books', 'http:', 'http:/api/books', '?x=1'),
)

describe('request.url', () => {
  it('is path and query for a target with another host, a user and a password', async () => {
    const { status, url, link } = await askRaw('GET http://user:pw@evil.example/api/books?x=1 HTTP/1.1')
    expect([status, url]).toEqual([200, '/api/books?x=1'])
    expect(link).toMatch(/^<\/api\/books\?x=1&pagination=/)
    expect(link).not.toMatch(/evil|pw/)
    expect(JSON.stringify(log.entries)).not.toMatch(/evil|pw/)
  })

  it('leads to the same host wherever it is resolved, and so do links, over a socket', async () => {
    await fc.assert(
      fc.asyncProperty(fc.constantFrom('GET', 'POST', 'CONNECT', 'OPTIONS'), target, async (verb, one) => {
        const { status, url, link } = await askRaw(`${verb} ${one} HTTP/1.1`)
        expect(status).toBeLessThan(500)
        if (url !== undefined) expect(strays(url, link)).toEqual([])
      }),
      { numRuns: runs(150, 1000) },
    )
  })

  it('leads to the same host in process, whatever an adapter gives', async () => {
    await fc.assert(
      fc.asyncProperty(target, async (one) => {
        seen.length = 0
        const { status, headers } = await handled(app, 'GET', one)
        expect(status).toBeLessThan(500)
        const at = headers.indexOf('Link')
        if (seen[0] !== undefined) expect(strays(seen[0], at < 0 ? '' : (headers[at + 1] as string))).toEqual([])
      }),
      { numRuns: runs(500, 5000) },
    )
  })

  it('is the same through fetch as over a socket', async () => {
    await fc.assert(
      fc.asyncProperty(path, query, async (p, q) => {
        const { href } = new URL(`http://user.example/api/books${p}${q}`)
        // Steps up may leave two slashes at the beginning, which would name a host.
        const expected = toSameHost(toPathAndQuery(href))
        seen.length = 0
        await app.fetch(new Request(href))
        const byFetch = seen[0]
        const { url } = await askRaw(`GET http://evil.example${expected} HTTP/1.1`)
        expect(byFetch).toBe(url)
        expect(byFetch).toBe(expected)
      }),
      { numRuns: runs(50, 300) },
    )
  })

  it('keeps a path that begins with two slashes apart from a host', async () => {
    const { status, url, link } = await askRaw('GET //evil.example/books?x=1 HTTP/1.1')
    expect([status, url]).toEqual([200, '/.//evil.example/books?x=1'])
    expect(new URL(link.slice(1, link.indexOf('>')), OWN).pathname).toBe('//evil.example/books')
  })

  it.each(['/api/books#x', '/api/books?x=1#', 'http://own.example/api/books#x', '#', '/#/api/books', '*#'])(
    'is refused with a fragment: %s',
    async (one) => {
      for (const verb of ['GET', 'POST', 'OPTIONS']) expect((await handled(app, verb, one)).status).toBe(400)
    },
  )

  it.each(['*', 'own.example:80', 'api/books', 'http:/api/books'])('reaches no action as %s', async (one) => {
    expect((await handled(app, 'GET', one)).status).toBe(404)
    expect((await handled(app, 'CONNECT', one)).status).toBe(404)
  })
})

describe('pathAndQuery', () => {
  it.each([
    ['/a?b', '/a?b'],
    ['/a#b?c', '/a'],
    ['http://h', '/'],
    ['http://h?a=/b', '/?a=/b'],
    ['HTTPS://u:p@h:1/a//b?c=://d#e', '/a//b?c=://d'],
    ['http://h#x/y', '/'],
  ])('of %s is %s', (given, expected) => expect(toPathAndQuery(given)).toBe(expected))
})
