// The guard over all answers stops what does not fit: a break of each kind is planted, and must be found.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { endpoint, mediaType, route, t } from 'edict'
import { describe, expect, it } from 'vitest'
import { adapterRefusals } from '../../../src/adapters/node/connection/adapter-refusals.ts'
import { stub } from '../documents/stubs.ts'
import { environmentOfNestedRun } from '../nested-run.ts'
import { type Answered, STREAM } from './answered.ts'
import { type Exception, exceptions } from './exceptions.ts'
import { OwnExceptions } from './exceptions-used.ts'
import { type BreakKind, Judge } from './judge.ts'
import { declaredBy } from './watch.ts'

const BOOK = 'application/vnd.book+json'
const PROBLEM = 'application/problem+json'

const Book = mediaType('Book', {
  identifier: BOOK,
  attributes: { id: t.integer({ required: true }), title: t.string({ required: true }) },
})

const Books = endpoint('Books', {
  mediaType: Book,
  version: '1.0',
  actions: {
    index: { routing: route.get('/'), responses: { ok: { mediaType: 'text/csv' } } },
    show: {
      routing: route.get('/:id'),
      params: { id: t.integer({ required: true }) },
      responses: { ok: Book, conflict: { mediaType: Book } },
    },
    create: {
      routing: route.post('/'),
      responses: {
        created: {
          mediaType: Book,
          location: /^\/books\/\d+$/,
          headers: { 'X-Count': t.integer({ required: true }), 'X-Age': t.integer() },
        },
      },
    },
    remove: {
      routing: route.delete('/:id'),
      params: { id: t.integer({ required: true }) },
      responses: { noContent: true, accepted: true },
    },
    hidden: { routing: route.get('/hidden/page'), nodoc: true, responses: { ok: { mediaType: 'text/html' } } },
    file: {
      routing: route.get('/files/*'),
      params: { splat: t.array(t.string()) },
      responses: { ok: { mediaType: 'text/plain' } },
    },
    anything: { routing: route.any('/any'), responses: { ok: { mediaType: 'text/plain' } } },
  },
})

const { app } = stub([Books], { versionWith: ['path', 'header'] })
const judge = new Judge(declaredBy(app, app['~options']).documents())

type Given = readonly [
  line: string,
  status: number,
  type?: string | undefined,
  body?: Answered['body'],
  ...headers: string[],
]

function answered([line, status, type, body = null, ...headers]: Given): Answered {
  const [method = '', url = '', version] = line.split(' ')
  const typed = type === undefined ? [] : ['Content-Type', type]
  return { method, url, version, status, headers: [...typed, ...headers], body }
}

const kinds = (given: Given): BreakKind[] => judge.breaksOf(answered(given)).map(({ kind }) => kind)

const book = '{"id":1,"title":"Kokoro"}'
const problem = '{"type":"about:blank","title":"No","status":404,"code":"not-found"}'
const created = ['Location', '/books/1', 'X-Count', '3'] as const

describe('a response fits', () => {
  it.each<[string, Given]>([
    ['as declared', ['GET /v1.0/books/1', 200, BOOK, book]],
    ['with the version in a header', ['GET /books/1 1.0', 200, BOOK, book]],
    ['with a parameter of its type that nothing declares', ['GET /v1.0/books/1', 200, `${BOOK}; charset=utf-8`, book]],
    ['as bytes', ['GET /v1.0/books/1', 200, BOOK, Buffer.from(book)]],
    ['compressed', ['GET /v1.0/books/1', 200, BOOK, gzipSync(book), 'Content-Encoding', 'gzip']],
    ['as a stream, of which only the head is known', ['GET /v1.0/books/1', 200, BOOK, STREAM]],
    ['with a type and no body where none is declared', ['DELETE /v1.0/books/1', 202, BOOK]],
    ['with headers as declared', ['POST /v1.0/books', 201, BOOK, book, ...created]],
    ['as a text', ['GET /v1.0/books', 200, 'text/csv; charset=utf-8', 'id;title']],
    ['without a body', ['DELETE /v1.0/books/1', 204]],
    ['as a failure that nothing names', ['GET /v1.0/books/1', 503, PROBLEM, problem]],
    ['as HEAD, without its body', ['HEAD /v1.0/books/1', 200, BOOK]],
    ['from an action that is not shown', ['GET /v1.0/books/hidden/page', 200, 'text/html', '<p>']],
    ['below a wildcard', ['GET /v1.0/books/files/a/b', 200, 'text/plain', 'x']],
    ['to a verb that OpenAPI has no name for', ['PURGE /v1.0/books/any', 200, 'text/plain', 'x']],
    ['where there is no route', ['GET /nowhere', 404, PROBLEM, problem]],
    ['without a version', ['GET /books/1', 404, PROBLEM, problem]],
    ['to a verb that is not allowed', ['PUT /v1.0/books/1', 405, PROBLEM, problem, 'Allow', 'GET']],
    ['to OPTIONS', ['OPTIONS /v1.0/books/1', 204, undefined, null, 'Allow', 'GET']],
    ['where the path is no UTF-8', ['GET /v1.0/books/%ff', 400, PROBLEM, problem]],
  ])('%s', (_, given) => expect(judge.breaksOf(answered(given))).toEqual([]))

  it.each(Object.entries(adapterRefusals))('when the adapter refuses by itself: %s', (_, { status, headers, body }) => {
    const refused = { method: 'GET', url: '/v1.0/books/1', version: undefined, status, headers, body: body as string }
    expect(judge.breaksOf(refused)).toEqual([])
  })
})

describe('a response does not fit', () => {
  it.each<[string, BreakKind, Given]>([
    ['with an undeclared status', 'status', ['GET /v1.0/books/1', 202, BOOK, book]],
    ['with a redirect that nothing declares', 'status', ['GET /v1.0/books/1', 302]],
    ['with a body where none is declared', 'body', ['DELETE /v1.0/books/1', 202, BOOK, book]],
    ['without a declared body', 'body', ['GET /v1.0/books/1', 200]],
    ['without a declared body, though with its type', 'body', ['GET /v1.0/books/1', 200, BOOK]],
    ['of another type', 'type', ['GET /v1.0/books/1', 200, 'application/json', book]],
    ['of another type as a stream', 'type', ['GET /v1.0/books/1', 200, 'text/plain', STREAM]],
    ['of another type to HEAD', 'type', ['HEAD /v1.0/books/1', 200, 'text/plain']],
    ['without a type', 'type', ['GET /v1.0/books/1', 200, undefined, book]],
    ['without a member', 'schema', ['GET /v1.0/books/1', 200, BOOK, '{"id":1}']],
    ['with a member of another kind', 'schema', ['GET /v1.0/books/1', 200, BOOK, '{"id":"1","title":"x"}']],
    ['wrong and compressed', 'schema', ['GET /v1.0/books/1', 200, BOOK, gzipSync('{}'), 'Content-Encoding', 'gzip']],
    ['that is no JSON', 'schema', ['GET /v1.0/books/1', 200, BOOK, '{"id":']],
    ['as a failure of another form', 'schema', ['GET /v1.0/books/1', 500, PROBLEM, '{"message":"x"}']],
    ['as a failure of another type', 'type', ['GET /v1.0/books/1', 500, 'text/plain', 'sorry']],
    ['as a problem where something else is declared', 'type', ['GET /v1.0/books/1', 409, PROBLEM, problem]],
    ['without a required header', 'header', ['POST /v1.0/books', 201, BOOK, book, 'X-Count', '3']],
    ['with another header', 'header', ['POST /v1.0/books', 201, BOOK, book, 'Location', '/x', 'X-Count', '3']],
    ['with a header of another kind', 'header', ['POST /v1.0/books', 201, BOOK, book, ...created, 'X-Age', 'old']],
    ['at a path that the document does not have', 'path', ['GET /nowhere', 200, 'text/plain', 'x']],
    ['without the version that its operation has', 'path', ['GET /books/1', 200, BOOK, book]],
    ['at a verb that the document does not have', 'path', ['PUT /v1.0/books', 200, BOOK, book]],
    ['as a miss of another form', 'schema', ['GET /nowhere', 404, PROBLEM, '{}']],
    ['as a miss of another type', 'type', ['GET /nowhere', 404, 'text/html', '<h1>']],
    ['as 405 without Allow', 'header', ['PUT /v1.0/books', 405, PROBLEM, problem]],
    ['as OPTIONS without Allow', 'header', ['OPTIONS /v1.0/books', 204]],
    ['from an action that is not shown', 'type', ['GET /v1.0/books/hidden/page', 200, 'text/plain', 'x']],
  ])('%s', (_, kind, given) => expect(kinds(given)).toEqual([kind]))

  it('is reported with its request, its status, its operation and the location in its body', () => {
    const [{ text } = { text: '' }] = judge.breaksOf(answered(['GET /v1.0/books/1', 200, BOOK, '{"id":1,"title":2}']))
    expect(text).toBe(
      'GET /v1.0/books/1 -> 200: Books.show (/books/{id}, 1.0) response 200: the body as application/vnd.book+json: ' +
        'body/title must be string; it is {"id":1,"title":2}',
    )
  })
})

describe('an exception', () => {
  const list: Exception[] = [{ file: 'a.test.ts', title: 'group > one', kinds: ['schema'], reason: 'planted' }]
  const passed = (title: string) => ({ title, state: 'pass' })

  it('covers its tests and kinds, and nothing else', () => {
    const own = new OwnExceptions(list, 'a.test.ts')
    expect(own.allow({ test: 'group > one', kind: 'schema' })).toBe(true)
    expect(own.allow({ test: 'group > one', kind: 'type' })).toBe(false)
    expect(own.allow({ test: 'group > two', kind: 'schema' })).toBe(false)
    expect(new OwnExceptions(list, 'b.test.ts').allow({ test: 'group > one', kind: 'schema' })).toBe(false)
    expect(own.mistakes([passed('group > one')])).toEqual([])
  })

  it('is a mistake when nothing needs it, or no test is meant', () => {
    const own = new OwnExceptions(list, 'a.test.ts')
    expect(own.mistakes([passed('group > one')])).toEqual([expect.stringContaining('Nothing needs')])
    expect(own.mistakes([passed('group > two')])).toEqual([expect.stringContaining('has no test')])
    expect(own.mistakes([{ title: 'group > one', state: 'skip' }])).toEqual([])
  })

  it('names a file that is there, and a reason', () => {
    expect(exceptions.filter(({ file, reason }) => !existsSync(file) || reason.length < 20)).toEqual([])
  })
})

it('stops the tests whose responses do not fit, here and in processes, and no other', {
  timeout: 120_000,
}, async () => {
  const options = ['run', '--config', 'test/support/guard/planted/vitest.config.ts', '--reporter=json']
  const child = spawn(process.execPath, ['node_modules/vitest/vitest.mjs', ...options], {
    env: environmentOfNestedRun(),
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  let text = ''
  for await (const chunk of child.stdout) text += chunk
  const { testResults } = JSON.parse(text.slice(text.indexOf('{'))) as Report
  const [{ assertionResults = [] } = {}] = testResults
  expect(assertionResults.map(({ title, status }) => [title, status])).toEqual([
    ['gets what is declared', 'passed'],
    ['gets something else', 'failed'],
    ['gets something else from a process', 'failed'],
  ])
  const [, here, there] = assertionResults.map(({ failureMessages }) => failureMessages.join('\n'))
  expect(here).toContain('GET /books/2 -> 200: Books.show (/books/{id}, unversioned) response 200')
  expect(there).toContain('GET /books/3 -> 200: Books.show (/books/{id}, unversioned) response 200')
})

interface Report {
  readonly testResults: readonly {
    readonly assertionResults?: readonly {
      readonly title: string
      readonly status: string
      readonly failureMessages: readonly string[]
    }[]
  }[]
}
