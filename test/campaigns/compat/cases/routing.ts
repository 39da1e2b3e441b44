// Cases of paths, verbs and versions.
import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { group } from '../case.ts'
import { ask } from '../client.ts'

const routing = group('routing', {
  'a path is answered': async (target) => {
    const { status, text, headers } = await ask(target, 'GET /api/paths')
    deepEqual([status, text], [200, 'root'])
    equal(headers['content-type'], 'text/plain; charset=utf-8')
    equal(headers['x-content-type-options'], 'nosniff')
  },
  'captures are decoded and coerced': async (target) => {
    const { json } = await ask(target, 'GET /api/paths/captures/7/a%20b%2Bc+d')
    deepEqual(json, { id: 7, name: 'a b+c+d' })
  },
  'an encoded slash stays in its segment': async (target) => {
    const { json } = await ask(target, 'GET /api/paths/captures/7/a%2Fb')
    deepEqual(json, { id: 7, name: 'a/b' })
  },
  'a capture of the wrong type is refused': async (target) => {
    const { status, json } = await ask(target, 'GET /api/paths/captures/seven/x')
    deepEqual([status, json.code, json.errors[0].pointer], [400, 'validation', '/id'])
  },
  'a splat has the rest of the path': async (target) => {
    const { json } = await ask(target, 'GET /api/paths/files/a/b%20c/d.txt')
    deepEqual(json, ['a/b c/d.txt'])
  },
  'an unknown path is a problem': async (target) => {
    const { status, headers, json } = await ask(target, 'GET /api/nothing')
    deepEqual([status, json.code, json.status], [404, 'not-found', 404])
    equal(headers['content-type'], 'application/problem+json')
    equal(headers['x-content-type-options'], 'nosniff')
  },
  'a path that is not UTF-8 is refused': async (target) => {
    const { status, json } = await ask(target, 'GET /api/paths/captures/1/%ff')
    deepEqual([status, json.code], [400, 'malformed-path'])
  },
})

const verbs = group('verbs', {
  'HEAD has the headers of GET and no body': async (target) => {
    const [get, head] = [await ask(target, 'GET /api/books/1'), await ask(target, 'HEAD /api/books/1')]
    deepEqual([head.status, head.bytes.length], [200, 0])
    for (const name of ['content-type', 'content-length', 'vary', 'x-content-type-options'])
      equal(head.headers[name], get.headers[name], name)
  },
  'HEAD of a stream has no body': async (target) => {
    const { status, bytes } = await ask(target, 'HEAD /api/streams/long')
    deepEqual([status, bytes.length], [200, 0])
  },
  'OPTIONS tells the verbs': async (target) => {
    const { status, headers, bytes } = await ask(target, 'OPTIONS /api/paths/things/1')
    deepEqual([status, bytes.length], [204, 0])
    deepEqual(headers.allow?.split(', ').sort(), ['DELETE', 'OPTIONS', 'PUT'])
  },
  'another verb is refused with the verbs that there are': async (target) => {
    const { status, headers, json } = await ask(target, 'PATCH /api/paths/things/1')
    deepEqual([status, json.code], [405, 'method-not-allowed'])
    ok(headers.allow?.includes('PUT'))
  },
  'an answer without content has none': async (target) => {
    const { status, headers, bytes } = await ask(target, 'DELETE /api/paths/things/1')
    deepEqual([status, bytes.length, headers['content-type']], [204, 0, undefined])
  },
  'a verb of nobody reaches the route for any': async (target) => {
    const { text } = await ask(target, 'PROPFIND /api/paths/visits/me')
    equal(text, 'visited me')
  },
})

const versions = group('versions', {
  'by the path': async (target) => {
    const { text } = await ask(target, 'GET /api/v1.0/editions/7')
    equal(text, `first 7 at ${target.prefix}/api/v1.0/editions/7`)
  },
  'by a header': async (target) => {
    const { text } = await ask(target, 'GET /api/editions/7', { headers: { 'x-api-version': '2.0' } })
    match(text, /^second 7/)
  },
  'by the query': async (target) => {
    const { text } = await ask(target, 'GET /api/editions/7?api_version=1.0')
    match(text, /^first 7/)
  },
  'an unknown version names those that there are': async (target) => {
    const { status, json } = await ask(target, 'GET /api/v9/editions/7')
    deepEqual([status, json.code, json.versions], [404, 'version-not-found', ['1.0', '2.0']])
  },
})

/** All of them. */
export const routingCases = [...routing, ...verbs, ...versions]
