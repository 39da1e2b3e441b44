// The errors of a refused request as data, from which encoders write messages of their own.
import { describe, expect, it } from 'vitest'
import { application, atMostOne, endpoint, type InputError, problemEncoder, route, t } from '../../src/index.ts'
import { ask } from '../support/ask.ts'

/** Attributes with a value that each refuses, the kind of the attribute, and the values of the message. */
const refused: readonly [
  code: string,
  of: ReturnType<typeof t.string> | object,
  sent: unknown,
  kind: string,
  detail: object | undefined,
][] = [
  ['min', t.integer({ min: 3 }), 1, 'integer', { limit: 3 }],
  ['max', t.number({ max: 3 }), 4.5, 'number', { limit: 3 }],
  ['min-length', t.string({ min: 2 }), 'a', 'string', { limit: 2 }],
  ['max-length', t.string({ max: 2 }), 'abc', 'string', { limit: 2 }],
  ['min-items', t.array(t.string(), { min: 2 }), ['a'], 'array', { limit: 2 }],
  ['max-items', t.array(t.string(), { max: 1 }), ['a', 'b'], 'array', { limit: 1 }],
  ['pattern', t.string({ pattern: /^a+$/ }), 'b', 'string', { pattern: '/^a+$/' }],
  ['values', t.string({ values: ['a', 'b'] }), 'c', 'string', { values: ['a', 'b'] }],
  ['equal', t.string({ values: ['a'] }), 'c', 'string', { expected: 'a' }],
  ['type', t.integer(), 'x', 'integer', { expected: 'an integer', kind: 'integer' }],
  ['type', t.array(t.string()), 1, 'array', { expected: 'a list', kind: 'array' }],
  ['type', t.object({ a: t.string() }), 1, 'object', { expected: 'an object', kind: 'object' }],
  ['type', t.record(t.string()), 1, 'record', { expected: 'an object', kind: 'record' }],
  ['type', t.boolean(), 7, 'boolean', { expected: 'true or false', kind: 'boolean' }],
  ['values', t.integer({ values: [1, 2] }), 3, 'integer', { values: [1, 2] }],
  ['values', t.bigint({ values: [1n, 2n] }), '3', 'bigint', { values: ['1', '2'] }],
  ['values', t.string({ values: ['a, b', 'c'] }), 'a', 'string', { values: ['a, b', 'c'] }],
  ['format', t.string({ format: 'uuid' }), 'x', 'string', { expected: 'a UUID', kind: 'uuid' }],
  ['format', t.string({ format: 'email' }), 'x', 'string', { expected: 'an e-mail address', kind: 'email' }],
  ['format', t.time(), 'x', 'time', { expected: 'a time of day, written HH:MM or HH:MM:SS', kind: 'time' }],
  ['format', t.date(), 'x', 'date', { expected: 'a date, written YYYY-MM-DD', kind: 'date' }],
  ['digits', t.decimal({ precision: 3, scale: 1 }), '1234.5', 'decimal', { before: 2, after: 1 }],
  ['null', t.string(), null, 'string', undefined],
  ['missing', t.string({ required: true }), undefined, 'string', undefined],
  [
    'constraint',
    t.object({ a: t.string(), b: t.string() }, { requires: [atMostOne('a', 'b')] }),
    { a: '1', b: '2' },
    'object',
    { rule: "at most one of 'a', 'b'", requires: 'atMostOne', names: ['a', 'b'] },
  ],
  ['values', t.string({ values: ['s3', 'cret'], secret: true }), 'c', 'string', { values: '[redacted]' }],
  ['min-length', t.string({ min: 2, secret: true }), 'a', 'string', { limit: 2 }],
  ['type', t.integer({ secret: true }), 'x', 'integer', { expected: '[redacted]', kind: 'integer' }],
]

interface Seen {
  readonly errors: readonly InputError[]
  readonly kinds: readonly (string | undefined)[]
}

/** Asks an action with one attribute at some depth, and returns what the encoder saw, and what a client gets without it. */
async function refuse(of: never, sent: unknown, where: 'payload' | 'below' | 'params'): Promise<[Seen, object[]]> {
  const Books = endpoint('Books', {
    actions: {
      create: {
        routing: where === 'params' ? route.query('/') : route.post('/'),
        ...(where === 'params'
          ? { params: { of } }
          : { payload: where === 'below' ? { list: t.array(t.object({ of })) } : { of } }),
        responses: { ok: 'text/plain' },
      },
    },
  })
  const books = Books.implement({ create: () => 'made' } as never)
  let seen: Seen = { errors: [], kinds: [] }
  const encodeProblem = problemEncoder('text/plain', ({ errors = [] }, { findAttribute: attributeOf }) => {
    seen = { errors, kinds: errors.map((one) => attributeOf(one)?.core.kindName) }
    return { body: 'non' }
  })
  const body = where === 'below' ? { list: [{ of: sent }] } : { of: sent }
  const line = where === 'params' ? 'QUERY /books' : 'POST /books'
  const encoded = await ask(application({ controllers: [books], encodeProblem }), line, { body })
  expect([encoded.status, encoded.text]).toEqual([400, 'non'])
  const plain = await ask(application({ controllers: [books] }), line, { body })
  return [seen, plain.json.errors]
}

describe('an error that an encoder sees', () => {
  describe.each(['payload', 'below', 'params'] as const)('in %s', (where) => {
    it.each(refused)(
      'has its code, the values of its message and its attribute: %s',
      async (...[code, of, sent, kind, detail]) => {
        const [{ errors, kinds }, plain] = await refuse(of as never, sent, where)
        expect(errors.map((one) => [one.code, one.detail])).toEqual([[code, detail]])
        expect(kinds).toEqual([kind])
        // Problem documents stay as they are.
        expect(plain.map((one) => Object.keys(one))).toEqual([['in', 'pointer', 'code', 'message']])
      },
    )
  })
})

describe('the value that a client sent, as an encoder finds it', () => {
  const secret = { secret: true } as const
  const inputs = {
    count: t.integer(),
    list: t.array(t.integer()),
    delimited: t.array(t.integer(), { delimiter: ',' }),
    pin: t.integer(secret),
    safe: t.object({ code: t.integer() }, secret),
    rule: t.object({ a: t.string(), pin: t.string(secret) }, { requires: [atMostOne('a', 'pin')] }),
  }
  const Books = endpoint('Books', {
    actions: {
      create: {
        routing: route.post('/:id'),
        params: { id: t.integer(), ...inputs },
        headers: { 'X-Count': t.integer(), 'X-Pin': t.integer(secret) },
        payload: inputs,
        responses: { ok: 'text/plain' },
      },
    },
  })
  const books = Books.implement({ create: () => 'made' })

  async function valuesIn(line: string, body: unknown, headers: Record<string, string> = {}): Promise<object> {
    let seen = {}
    const encodeProblem = problemEncoder('text/plain', ({ errors = [] }, { findSentValue: sentValue }) => {
      seen = Object.fromEntries(errors.map((one) => [`${one.in}${one.pointer}`, sentValue(one)]))
      return { body: 'non' }
    })
    expect((await ask(application({ controllers: [books], encodeProblem }), line, { body, headers })).status).toBe(400)
    return seen
  }

  it('is the single value there, or the text that has it, and of secrets nothing', async () => {
    const query = 'count=one&list=1&list=two&delimited=1,zwei&pin=1234x&safe[code]=y&rule[a]=1&rule[pin]=2&unknown=u'
    expect(await valuesIn(`POST /books/x?${query}`, {}, { 'X-Count': 'c', 'X-Pin': 'p' })).toEqual({
      'params/id': 'x',
      'params/count': 'one',
      'params/list/1': 'two',
      'params/delimited/1': 'zwei',
      'params/pin': '[redacted]',
      'params/safe/code': '[redacted]',
      'params/rule': undefined,
      'params/unknown': undefined,
      'headers/X-Count': 'c',
      'headers/X-Pin': '[redacted]',
    })
    const payload = {
      count: 1.5,
      list: [1, null],
      pin: 'p',
      safe: { code: 'c' },
      rule: { a: '1', pin: '2' },
      unknown: 1,
    }
    expect(await valuesIn('POST /books/1', payload)).toEqual({
      'payload/count': 1.5,
      'payload/list/1': null,
      'payload/pin': '[redacted]',
      'payload/safe/code': '[redacted]',
      'payload/rule': undefined,
      'payload/unknown': undefined,
    })
  })
})

describe('the reason of a failure, as an encoder sees it', () => {
  const Files = endpoint('Files', {
    actions: {
      list: { routing: route.get('/'), responses: { ok: { mediaType: ['text/plain', 'text/csv'] } } },
      create: {
        routing: route.post('/'),
        payload: { name: t.string(), data: t.array(t.integer()), file: t.file({ max: 3 }) },
        consumes: ['application/json', 'multipart/form-data', 'application/x-www-form-urlencoded'],
        responses: { ok: 'text/plain' },
      },
    },
  })
  const files = Files.implement({ list: () => 'a', create: () => 'made' } as never)
  const json = { 'content-type': 'application/json' }
  const multipart = { 'content-type': 'multipart/form-data; boundary=b' }
  const part = (head: string, data: string): string =>
    `--b\r\nContent-Disposition: form-data; ${head}\r\n\r\n${data}\r\n--b--`
  const accepted = [
    'application/json',
    'application/*+json',
    'multipart/form-data',
    'application/x-www-form-urlencoded',
  ]

  it.each<[line: string, init: object, reason: object]>([
    ['GET /nowhere', {}, { code: 'no-route' }],
    [
      'GET /files',
      { headers: { accept: 'image/png' } },
      { code: 'other-types', values: { types: ['text/plain', 'text/csv'] } },
    ],
    ['GET /%ff', {}, { code: 'path-encoding' }],
    [
      'PUT /files',
      {},
      { code: 'other-methods', values: { method: 'PUT', quoted: '"PUT"', methods: expect.any(Array) } },
    ],
    ['POST /files', { headers: json, body: '{"a":}' }, { code: 'json-syntax', values: { line: 1, column: 6 } }],
    ['POST /files', { headers: json, body: '{"a":' }, { code: 'json-short' }],
    ['POST /files', { headers: json, body: '['.repeat(70) }, { code: 'json-depth', values: { limit: 64 } }],
    ['POST /files', { headers: json, body: 'x'.repeat(2000) }, { code: 'body-size', values: { limit: 1003 } }],
    [
      'POST /files',
      { headers: { 'content-type': 'text/csv' }, body: 'a' },
      { code: 'type-unsupported', values: { type: 'text/csv', accepted: expect.arrayContaining(accepted.slice(2)) } },
    ],
    ['POST /files', { headers: { ...json, 'content-encoding': 'br' }, body: 'a' }, { code: 'coding' }],
    ['POST /files', { headers: multipart, body: '--b' }, { code: 'multipart-short' }],
    ['POST /files', { headers: multipart, body: part('nothing', '') }, { code: 'part-name' }],
    [
      'POST /files',
      { headers: multipart, body: part('name="file"; filename="f"', 'long') },
      { code: 'part-size', values: { part: 'file', limit: 3 } },
    ],
    [
      'POST /files',
      { headers: multipart, body: part('name="data"\r\nContent-Type: application/json', '[1,') },
      { code: 'part-value', values: { part: 'data', reason: 'json-short', why: expect.any(String) } },
    ],
  ])('is data next to the detail: %s, case %#', async (line, init, reason) => {
    let seen: unknown
    const encodeProblem = problemEncoder('text/plain', ({ detail }, { reason: found }) => {
      seen = found
      return { body: detail ?? '' }
    })
    const options = { controllers: [files], limits: { body: 1000 } }
    const own = await ask(application({ ...options, encodeProblem }), line, init)
    expect(seen).toEqual(reason)
    const plain = await ask(application(options), line, init)
    // The document has the sentence, and nothing of the data.
    expect(plain.json.detail).toBe(own.text)
    expect(plain.json.reason).toBeUndefined()
  })
})
