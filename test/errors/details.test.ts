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
  ['values', t.string({ values: ['a', 'b'] }), 'c', 'string', { values: 'a, b' }],
  ['equal', t.string({ values: ['a'] }), 'c', 'string', { expected: 'a' }],
  ['type', t.integer(), 'x', 'integer', { expected: 'an integer' }],
  ['format', t.date(), 'x', 'date', { expected: 'a date, written YYYY-MM-DD' }],
  ['digits', t.decimal({ precision: 3, scale: 1 }), '1234.5', 'decimal', { before: 2, after: 1 }],
  ['null', t.string(), null, 'string', undefined],
  ['missing', t.string({ required: true }), undefined, 'string', undefined],
  [
    'constraint',
    t.object({ a: t.string(), b: t.string() }, { requires: [atMostOne('a', 'b')] }),
    { a: '1', b: '2' },
    'object',
    { rule: "at most one of 'a', 'b'", requires: 'atMostOne', names: 'a, b' },
  ],
  ['values', t.string({ values: ['s3', 'cret'], secret: true }), 'c', 'string', { values: '[redacted]' }],
  ['min-length', t.string({ min: 2, secret: true }), 'a', 'string', { limit: 2 }],
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
  const encodeProblem = problemEncoder('text/plain', ({ errors = [] }, { attributeOf }) => {
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
