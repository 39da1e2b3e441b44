// Production beside development: one application in both, the same requests, and answers held to the same laws.
import { application, collectionOf, endpoint, mediaType, route, t } from 'edict'
import { FieldSelector, mapper } from 'edict/mapper'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Answered, askFetch, recorder } from '../support/ask.ts'
import { runs } from '../support/runs.ts'

/** Marks values that must not be sent: undeclared ones, and values of another kind than the declared one. */
const SECRET = 'hunter2'

const Person = mediaType('Person', {
  attributes: { name: t.string({ required: true, max: 8 }), born: t.date(), email: t.string() },
  views: { default: ['name', 'born'], short: ['name'] },
})
const shape = t.union('form', {
  circle: { radius: t.number({ required: true }) },
  path: { points: t.array(t.array(t.number())) },
})
const Book = mediaType('Book', {
  attributes: {
    id: t.integer({ required: true, min: 1 }),
    title: t.string({ required: true, max: 12, pattern: /^[^~]*$/ }),
    note: t.string({ nullable: true }),
    kind: t.string({ values: ['paper', 'film'] }),
    price: t.decimal(),
    weight: t.number({ max: 100 }),
    sold: t.boolean(),
    copies: t.bigint(),
    added: t.dateTime(),
    day: t.date(),
    time: t.time(),
    tags: t.array(t.string(), { max: 3 }),
    moments: t.array(t.dateTime()),
    marks: t.array(t.integer({ nullable: true })),
    scores: t.record(t.integer(), { max: 3 }),
    people: t.array(Person),
    editor: Person.view('short'),
    meta: t.object({ words: t.integer(), 'odd "name"': t.string(), deep: t.object({ on: t.dateTime() }) }),
    shape,
    shapes: t.array(shape),
    extra: t.any(),
  },
  views: {
    default: [
      ...([
        'id',
        'title',
        'note',
        'kind',
        'price',
        'weight',
        'sold',
        'copies',
        'added',
        'day',
        'time',
        'tags',
      ] as const),
      ...(['moments', 'marks', 'scores', 'people', 'editor', 'meta', 'shape', 'shapes', 'extra'] as const),
    ],
    card: ['id', 'title', 'people'],
  },
})

// --- values ----------------------------------------------------------------------------

/** Now and then something else: of another kind, or nothing. */
const oddly = (one: fc.Arbitrary<unknown>, odd: number): fc.Arbitrary<unknown> =>
  odd === 0
    ? one
    : fc.oneof(
        { weight: 300, arbitrary: one },
        { weight: odd, arbitrary: fc.constantFrom<unknown>(null, undefined) },
        { weight: odd, arbitrary: fc.constantFrom<unknown>([[SECRET]], { secret: SECRET }, Number.NaN, Symbol('x')) },
      )

/** Texts in places where the kind is no text. */
const wrong = (one: fc.Arbitrary<unknown>, odd: number): fc.Arbitrary<unknown> =>
  odd === 0
    ? one
    : fc.oneof({ weight: 300, arbitrary: oddly(one, odd) }, { weight: odd, arbitrary: fc.constant(SECRET) })

/** Values of a book; with `odd` some that its declaration does not allow, with `loose` some beyond its limits. */
function books(odd: number, loose: boolean): fc.Arbitrary<Record<string, unknown>> {
  // Of whole characters, which limits count.
  const text = (max: number) =>
    fc.string({ unit: 'binary', maxLength: loose ? max * 2 : max }).map((one) => one.replace(/[~\0]/g, '-'))
  const list = (of: fc.Arbitrary<unknown>, max: number) => fc.array(of, { maxLength: loose ? max + 2 : max })
  const moment = fc.date({
    min: new Date('0001-01-01T00:00:00Z'),
    max: new Date('9999-12-31T23:59:59.999Z'),
    noInvalidDate: true,
  })
  const day = moment.map((one) => one.toISOString().slice(0, 10))
  const whole = fc.integer({ min: loose ? -5 : 1 })
  const person = fc.record(
    {
      name: oddly(text(8), odd),
      born: oddly(day, odd),
      email: fc.constant(SECRET),
      secret: fc.constant(SECRET),
    },
    { requiredKeys: loose ? [] : ['name'] },
  )
  const number = fc.double({ noNaN: true, noDefaultInfinity: true, max: loose ? 200 : 100, min: -1000 })
  const form = fc.oneof(
    fc.record({ form: fc.constant('circle'), radius: wrong(number, odd), secret: fc.constant(SECRET) }),
    fc.record({
      form: fc.constant('path'),
      points: wrong(fc.array(fc.array(wrong(number, odd), { maxLength: 3 }), { maxLength: 3 }), odd),
    }),
    ...(odd === 0 ? [] : [fc.constant({ form: SECRET })]),
  )
  return fc.record(
    {
      id: wrong(whole, odd),
      title: oddly(text(12), odd),
      note: odd === 0 ? fc.option(text(20)) : oddly(text(20), odd),
      kind: oddly(fc.constantFrom('paper', 'film', ...(loose ? ['stone'] : [])), odd),
      price: oddly(fc.constantFrom('1.50', '-0.001', '12345678901234567890.5'), odd),
      weight: wrong(number, odd),
      sold: wrong(fc.boolean(), odd),
      copies: wrong(fc.bigInt(), odd),
      added: wrong(moment, odd),
      day: oddly(day, odd),
      time: oddly(fc.constantFrom('12:30:00', '00:00:00.5'), odd),
      tags: wrong(list(oddly(text(5), odd), 3), odd),
      moments: wrong(list(wrong(moment, odd), 3), odd),
      marks: wrong(list(fc.option(fc.integer()), 4), odd),
      scores: wrong(
        fc.dictionary(fc.string({ maxLength: 4 }), wrong(fc.integer(), odd), { maxKeys: loose ? 5 : 3 }),
        odd,
      ),
      people: wrong(list(wrong(person, odd), 3), odd),
      editor: wrong(person, odd),
      meta: wrong(
        fc.record({
          words: wrong(fc.integer(), odd),
          'odd "name"': oddly(text(5), odd),
          deep: wrong(fc.record({ on: wrong(moment, odd), secret: fc.constant(SECRET) }), odd),
        }),
        odd,
      ),
      shape: wrong(form, odd),
      shapes: wrong(list(wrong(form, odd), 2), odd),
      extra: fc.jsonValue().map((one) => one ?? 0),
      secret: fc.constant(SECRET),
    },
    { requiredKeys: loose ? [] : ['id', 'title'] },
  )
}

// --- applications ----------------------------------------------------------------------

const responses = {
  whole: { ok: Book },
  card: { ok: Book.view('card') },
  list: { ok: collectionOf(Book) },
  cards: { ok: collectionOf(Book, { view: 'card' }) },
  several: { ok: { mediaType: [Book, 'text/csv'] as const } },
  bare: { ok: t.object({ book: Book, books: t.array(Book), byName: t.record(Book) }) },
  lists: { ok: t.array(t.array(Book)) },
  maybe: { ok: t.array(Book, { nullable: true }) },
}
type Name = keyof typeof responses

const made: Readonly<Record<Name, (one: unknown, other: unknown) => unknown>> = {
  whole: (one) => one,
  card: (one) => one,
  list: (one, other) => [one, other, one],
  cards: (one, other) => [other, one],
  several: (one) => one,
  bare: (one, other) => ({ book: one, books: [other, one], byName: { a: other }, secret: SECRET }),
  lists: (one, other) => [[one], [], [other, one]],
  maybe: (one, other) => [one, other],
}

const Books = endpoint('Books', {
  actions: Object.fromEntries(
    Object.entries(responses).map(([name, declared]) => [
      name,
      {
        routing: route.get(`/${name}`),
        ...(name === 'list' && { params: { fields: FieldSelector.for(Book) } }),
        responses: declared,
      },
    ]),
  ),
} as never)

/** The next body that the actions return. */
let body: unknown

function appIn(settings: object): { ask(line: string): Promise<Answered>; readonly log: ReturnType<typeof recorder> } {
  const log = recorder()
  const actions = Object.keys(responses).map((name) => [name, (_: unknown, { reply }: any) => reply.ok(body)])
  const app = application({
    ...settings,
    logger: log,
    plugins: [mapper()],
    controllers: [Books.implement(Object.fromEntries(actions) as never)],
  })
  return { ask: (line) => askFetch(app, line), log }
}

const development = appIn({ environment: 'development', validateResponses: 'always' })
/** Every way to run in production: all checks, those of the next body, and none. */
const productions = {
  always: appIn({ environment: 'production', validateResponses: 'always' }),
  sample: appIn({ environment: 'production' }),
  off: appIn({ environment: 'production', validateResponses: 'off' }),
}

const seen = ({ status, headers, text }: Answered) => ({ status, type: headers['content-type'], text })

const lines = (name: Name): string[] =>
  name === 'list' ? ['GET /books/list', 'GET /books/list?fields=id,meta{deep},people{name}'] : [`GET /books/${name}`]

const names = Object.keys(responses) as Name[]

/** A body that leaves in every mode, and one that leaves in none. */
const VALID = { id: 1, title: 'x', people: [{ name: 'Ada', email: SECRET }] }
const WRONG = { ...VALID, id: SECRET, people: [{ name: { secret: SECRET } }] }

describe.each(names)('the response %s', (name) => {
  it('is the same in production as in development, byte for byte, where it fits its declaration', async () => {
    await fc.assert(
      fc.asyncProperty(books(0, false), books(0, false), async (one, other) => {
        body = made[name](one, other)
        for (const line of lines(name)) {
          const expected = await development.ask(line)
          expect(expected.status, expected.text).toBe(200)
          expect(expected.text).not.toContain(SECRET)
          for (const production of Object.values(productions))
            expect(seen(await production.ask(line))).toEqual(seen(expected))
        }
      }),
      { numRuns: runs(10, 100) },
    )
  })

  it('shows in production nothing undeclared and nothing of another kind, whatever an action returns', async () => {
    let [refused, sent] = [0, 0]
    await fc.assert(
      fc.asyncProperty(books(2, true), books(1, true), async (one, other) => {
        body = made[name](one, other)
        for (const line of lines(name)) {
          const strict = await development.ask(line)
          for (const [how, production] of Object.entries(productions)) {
            const answer = await production.ask(line)
            expect(answer.text).not.toContain(SECRET)
            if (strict.status === 200 || how === 'always') expect(answer.status).toBe(strict.status)
            if (answer.status === 200) sent++
            else {
              refused++
              expect([answer.status, answer.json.code, answer.json.detail]).toEqual([500, 'internal', undefined])
            }
          }
        }
      }),
      {
        numRuns: runs(20, 150),
        examples: [
          [VALID, VALID],
          [VALID, WRONG],
          [WRONG, VALID],
        ],
      },
    )
    // Otherwise the law would hold of nothing.
    expect([refused > 0, sent > 0]).toEqual([true, true])
  })
})

describe('in production', () => {
  const valid = { id: 1, title: 'x' }
  const inEach = async (name: Name, given: unknown): Promise<readonly number[]> => {
    body = given
    const answers = [
      await productions.off.ask(`GET /books/${name}`),
      await productions.sample.ask(`GET /books/${name}`),
    ]
    return answers.map(({ status }) => status)
  }

  it('a list never leaves with an element that is null or undefined', async () => {
    for (const nothing of [null, undefined]) {
      expect(await inEach('list', [valid, nothing, valid])).toEqual([500, 500])
      expect(await inEach('list', [nothing])).toEqual([500, 500])
      expect(await inEach('cards', [nothing, valid])).toEqual([500, 500])
    }
    expect(await inEach('whole', { ...valid, marks: [1, null] })).toEqual([200, 200])
    expect(await inEach('maybe', null)).toEqual([200, 200])
    expect(await inEach('whole', null)).toEqual([500, 500])
    expect(await inEach('list', null)).toEqual([500, 500])
  })

  it('a response that is written while another one is leaves both whole', async () => {
    const inner: Promise<Answered>[] = []
    const outer = {
      id: 1,
      get title() {
        body = { id: 2, title: 'inner', tags: ['x', 'y'] }
        inner.push(productions.off.ask('GET /books/whole'))
        return 'outer'
      },
      tags: ['a', 'b'],
    }
    for (const [name, given] of [['whole', outer] as const, ['list', [outer, outer]] as const]) {
      body = given
      const { status, json } = await productions.off.ask(`GET /books/${name}`)
      const shown = { id: 1, title: 'outer', tags: ['a', 'b'] }
      expect([status, json]).toEqual([200, name === 'list' ? [shown, shown] : shown])
    }
    expect(inner.length).toBeGreaterThan(2)
    for (const { json } of await Promise.all(inner)) expect(json).toEqual({ id: 2, title: 'inner', tags: ['x', 'y'] })
  })

  it('what lacks a required attribute, is beyond a limit, or has null for a value within is sent as it is', async () => {
    for (const [given, text] of [
      [{ id: 1 }, '{"id":1}'],
      [{ id: 0, title: 'x'.repeat(13) }, `{"id":0,"title":"${'x'.repeat(13)}"}`],
      [{ id: 1, title: null }, '{"id":1,"title":null}'],
      [{ id: 1, title: '~', kind: 'stone' }, '{"id":1,"title":"~","kind":"stone"}'],
      [{ tags: ['a', 'b', 'c', 'd'] }, '{"tags":["a","b","c","d"]}'],
      [{ tags: ['a', null, undefined], scores: { a: null } }, '{"tags":["a",null,null],"scores":{"a":null}}'],
    ] as const) {
      body = given
      expect(seen(await productions.off.ask('GET /books/whole'))).toMatchObject({ status: 200, text })
      expect((await development.ask('GET /books/whole')).status).toBe(500)
    }
  })
})
