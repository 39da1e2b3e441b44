// Hostile requests for lists, in every datastore: each is answered with 200 or the client's own fault, and none of its
// text is ever part of a statement.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { everywhere, isDatabase, query, type Reader } from '../../support/library/reader.ts'
import { runs } from '../../support/runs.ts'

const MARK = 'zqxj7mark'
const QUOTES = [`'`, `"`, '`', `\\'`, `'); drop table books; --`, `" or 1=1 --`, `\${1}`, '$1', '?', ':a', '/* */', ';']
const DEEP = `${'['.repeat(200)}${']'.repeat(200)}`

/** Places as JSON: what a link never has, of every type that a forger could think of. */
const PLACES = [
  ...['1e400', '-1e400', '1e308', '-0', '0.5', '9007199254740993', '-9223372036854775809', '2147483648', '1e21'],
  ...['true', 'false', 'null', '[]', '{}', '[1]', '{"__proto__":1}', DEEP],
  ...['"\\u0000"', '"a\\u0000b"', '"\\ud800"', '"\\udfff\\ud800"', '""', '" "', '"NaN"', '"Infinity"', '"-Infinity"'],
  ...[
    '"9223372036854775808"',
    '"-99999999999999999999999999"',
    `"${'9'.repeat(900)}"`,
    '"1e999"',
    '"1e-999"',
    '"0x1f"',
  ],
  ...['"0000-00-00"', '"0000-01-01"', '"2024-02-30"', '"9999-99-99"', '"9999999-01-01"', '"0044-03-15 BC"'],
  ...['"infinity"', '"-infinity"', '"2024-02-29T12:00:00Z"', '"2024-02-29 25:61:61"', '"2024-02-29 12:00:00.1234567"'],
  ...[
    '"2024-02-29 12:00:00.123456+99"',
    '"0000-00-00 00:00:00"',
    '"275760-09-13 00:00:01"',
    '"-271821-04-20 00:00:00"',
  ],
  ...['"24:00:00"', '"25:00:00"', '"838:59:59"', '"-838:59:59"', '"12:60:60"', '"2:3"', '"999:99:99"'],
  ...[`"${MARK}"`, `"${'x'.repeat(2000)}"`, ...QUOTES.map((text) => JSON.stringify(`${MARK}${text}`))],
]

/** A field of each kind of column, its own and another resource's, that may be null and that may not. */
const PLACED = ['title', 'subtitle', 'pages', 'price', 'copies', 'lent', 'published_on', 'added_at', 'opens_at'].concat(
  ['author.name', 'author.born_on', 'id'],
)

/** Each field meets every so many places, and the next field those beside them. */
const EVERY = runs(6, 1)

const bad = (status: number): boolean => status !== 200 && (status < 400 || status >= 500)

await everywhere((reader) => {
  const list = (params: Readonly<Record<string, string>>): string => `/books?${query({ fields: 'id', ...params })}`

  /** Sends requests, and returns the forbidden answers. */
  async function wrongAnswers(paths: readonly string[]): Promise<unknown[]> {
    const wrong: unknown[] = []
    for (const path of paths) {
      const { status, body } = await reader.ask(`GET ${path}`)
      if (bad(status)) wrong.push([path, status, body])
    }
    return wrong
  }

  test('[PGN-16] forged places of every type continue nothing, or continue correctly', async () => {
    for (const [turn, field] of PLACED.entries()) {
      const first = await reader.ask(`GET ${list({ pagination: `by=${field},items=9` })}`)
      const token = tokenOf(first.links['next'] as string)
      const wrong = await wrongAnswers(
        PLACES.filter((_, i) => (i + turn) % EVERY === 0).flatMap((place) => [
          list({ pagination: `by=${field},after=${forged(token, 1, place)}` }),
          list({ pagination: `by=${field},before=${forged(token, token.length - 1, place)}` }),
        ]),
      )
      expect([field, wrong]).toEqual([field, []])
    }
  }, 60_000)

  test('[PGN-16] tokens that are cut, changed or of another list are refused', async () => {
    const of = async (params: Readonly<Record<string, string>>): Promise<string> =>
      rawToken((await reader.ask(`GET ${list(params)}`)).links['next'] as string)
    const token = await of({ pagination: 'by=title,items=3' })
    const others = [
      await of({ pagination: 'by=pages,items=3' }),
      await of({ pagination: 'by=title,items=3', order: '-title' }),
      await of({ pagination: 'by=title,items=3', filters: 'lent=true' }),
      ...Array.from(token, (_, length) => token.slice(0, length)).slice(1),
      ...['=', '====', 'AAAA', '!', '\u0000', 'é', `${token}${token}`, btoa('null'), btoa('[]'), btoa('{"length":3}')],
      ...[btoa(DEEP), btoa('['.repeat(2000)), btoa(`["${MARK}"]`), btoa('\xff\xfe')],
    ]
    for (const other of others) {
      const text = encodeURIComponent(other)
      const { status, body } = await reader.ask(`GET ${list({ pagination: `by=title,after=${text}` })}`)
      expect([other, status, body]).toEqual([other, 400, expect.anything()])
    }
    // The same list, whatever is shown of it.
    const same = await reader.ask(`GET ${list({ pagination: `by=title,after=${token}`, fields: 'title' })}`)
    expect(same.status).toBe(200)
  })

  test('[PGN-16] orders, pages, filters and fields of any text are answered or refused', async () => {
    const texts = [
      ...QUOTES,
      MARK,
      '',
      ' ',
      ',',
      ',,',
      '-',
      '+',
      '--id',
      '__proto__',
      'constructor',
      'toString',
      'id.id',
    ]
    const more = [
      'author',
      'author.',
      '.author',
      'author.home',
      'tags',
      'reviews.stars',
      'x'.repeat(5000),
      '\u0000',
      '\ud800',
      '*',
    ]
    const numbers = [
      '0',
      '-1',
      '1.5',
      '1e3',
      '99999999999999999999',
      '9007199254740991',
      'NaN',
      '0x10',
      '٣',
      '1 ',
      MARK,
    ]
    const paths = [...texts, ...more].flatMap((text) => [
      ...['order', 'fields', 'filters', 'pagination'].map((name) => `/books?${safely(name, text)}`),
      ...['id', 'title', 'added_at', 'author.name'].map(
        (by) => `/books?${safely('pagination', `by=${by},from=${text}`)}`,
      ),
      ...['id=', 'title=', 'title=*', 'title>=', 'copies<', 'added_at=', 'tags=', 'reviews.by.name!='].map(
        (start) => `/books?${safely('filters', start + text)}`,
      ),
      `/books?${safely('pagination', `by=${text}`)}`,
    ])
    const pages = numbers.flatMap((number) => [
      list({ pagination: `page=${number},items=3` }),
      list({ pagination: `items=${number}` }),
      list({ pagination: `page=${number},items=${number}` }),
      list({ pagination: `by=id,from=${number}` }),
      list({ pagination: `by=copies,from=${number}` }),
      list({ pagination: `by=price,from=${number}` }),
    ])
    expect(await wrongAnswers([...paths, ...pages])).toEqual([])
  }, 60_000)

  test('numbers beyond every column are compared as the numbers that they are', async () => {
    const ids = (filters: string) => reader.ids(list({ filters }))
    const all = await reader.ids(list({}))
    for (const big of ['2147483648', '-2147483649', '9007199254740991', '-9007199254740991']) {
      const isAbove = !big.startsWith('-')
      for (const field of ['id', 'author.id']) {
        const present = field === 'id' ? all : await ids('author!')
        expect(await ids(`${field}=${big}`)).toEqual([])
        expect(await ids(`${field}!=${big}`)).toEqual(all)
        expect(await ids(`${field}<${big}`)).toEqual(isAbove ? present : [])
        expect(await ids(`${field}>=${big}`)).toEqual(isAbove ? [] : present)
      }
      expect(await reader.ids(list({ pagination: `by=id,from=${big}` }))).toEqual(isAbove ? [] : all)
      expect(await reader.ids(list({ pagination: `by=id,from=${big}`, order: '-id' }))).toEqual(
        isAbove ? all.toReversed() : [],
      )
    }
    const present = await ids('copies!')
    for (const huge of ['9223372036854775808', '1'.repeat(300)]) {
      expect(await ids(`copies<${huge}`)).toEqual(present)
      expect(await ids(`copies>-${huge}`)).toEqual(present)
      expect(await ids(`copies=${huge},-${huge}`)).toEqual([])
    }
    expect(await ids('price<1.7976931348623157e308')).toEqual(await ids('price!'))
    expect(await ids('price=5e-324,-5e-324')).toEqual([])
  })

  test('moments and days at the ends of time are compared like others', async () => {
    for (const [field, least, greatest] of [
      ['published_on', '0000-01-01', '9999-12-31'],
      ['published_on', '0001-01-01', '9999-12-31'],
      ['added_at', '0000-01-01T00:00:00Z', '9999-12-31T23:59:59.999Z'],
      ['added_at', '0001-01-01T00:00:00Z', '9999-12-31T23:59:59Z'],
      ['opens_at', '00:00:00', '23:59:59'],
      ['author.born_on', '0000-12-31', '9999-01-01'],
    ] as const) {
      const text = `${field}: ${least}`
      const present = await reader.ids(
        `/books?${query({ fields: 'id', order: field, pagination: `by=${field},from=${least}` })}`,
      )
      const below = await reader.ids(list({ pagination: `by=${field},from=${greatest}`, order: `-${field}` }))
      expect([text, present.length]).toEqual([text, 47])
      expect([text, below.length > 20]).toEqual([text, true])
      expect(await reader.ids(list({ pagination: `by=${field},from=${greatest}` }))).toHaveLength(47 - below.length)
      if (field === 'author.born_on') continue
      expect(await reader.ids(list({ filters: `${field}>=${least}&${field}<=${greatest}` }))).toHaveLength(below.length)
      expect(await reader.ids(list({ filters: `${field}<${least}|${field}>${greatest}|${field}=${least}` }))).toEqual(
        [],
      )
    }
  })

  test('ids of paths beyond every column are ids of nothing', async () => {
    for (const id of ['2147483648', '-2147483649', '9007199254740991', '-1', '0']) {
      expect((await reader.ask(`GET /books/${id}`)).status).toBe(404)
      expect((await reader.ask(`DELETE /books/${id}`)).status).toBe(404)
      expect((await reader.ask(`PATCH /books/${id}`, { title: 'x' })).status).toBe(404)
      expect((await reader.ask(`PATCH /books/${id}`, {})).status).toBe(404)
    }
    for (const id of ['9223372036854775808', '9'.repeat(400), '1e3', '0x1', "1'", '%00', `${MARK}`, '1%20or%201=1'])
      expect([id, (await reader.ask(`GET /books/${id}`)).status]).toEqual([id, 400])
  })
})

await everywhere((reader) => {
  test('nothing that a client sends is part of a statement', async () => {
    const statements = await reader.statementsOf(async () => {
      for (const quote of ['', ...QUOTES]) await sendEverywhere(reader, `${MARK}${quote}`)
    })
    expect(statements.length).toBeGreaterThan(50)
    expect(statements.filter((one) => one.includes(MARK))).toEqual([])
  }, 60_000)

  test('[PGN-16] random requests never fail', async () => {
    const part = fc.oneof(
      fc.constantFrom(
        'page',
        'items',
        'by',
        'from',
        'after',
        'before',
        'total_count',
        'true',
        'false',
        '1',
        '-3',
        '99999999999',
      ),
      fc.constantFrom(
        'id',
        'title',
        'pages',
        'copies',
        'added_at',
        'opens_at',
        'lent',
        'tags',
        'author',
        'author.name',
      ),
      fc.constantFrom(
        'reviews.stars',
        'reviews.by.name',
        '{',
        '}',
        '{name}',
        '2024-01-01',
        '2024-01-01T00:00:00Z',
        '*',
      ),
      fc.constantFrom(
        '=',
        '!=',
        '<',
        '<=',
        '>',
        '>=',
        '!',
        '!!',
        '&',
        '|',
        '(',
        ')',
        ',',
        '.',
        '-',
        '+',
        '%',
        '%25',
        ' ',
      ),
      fc.string({ maxLength: 6, unit: 'binary' }),
    )
    const text = fc.array(part, { minLength: 1, maxLength: 8 }).map((parts) => parts.join(''))
    const params = fc.record(
      { pagination: text, order: text, filters: text, fields: text },
      { requiredKeys: [], noNullPrototype: true },
    )
    await fc.assert(
      fc.asyncProperty(params, async (sent) => {
        const pairs = Object.entries(sent).map(([name, value]) => safely(name, value ?? ''))
        const { status, body } = await reader.ask(`GET /books?${pairs.join('&')}`)
        expect(bad(status), JSON.stringify(body)).toBe(false)
      }),
      { numRuns: 150 },
    )
  }, 60_000)

  test('[PGN-16] random conditions of the right form never fail', async () => {
    const field = fc.constantFrom(
      'id',
      'title',
      'subtitle',
      'pages',
      'price',
      'copies',
      'lent',
      'published_on',
      'added_at',
    )
    const far = fc.constantFrom('opens_at', 'tags', 'author.id', 'author.name', 'author.home.city', 'reviews.stars')
    const operator = fc.constantFrom('=', '!=', '<', '<=', '>', '>=')
    const value = fc.oneof(
      fc.bigInt({ min: -(2n ** 70n), max: 2n ** 70n }).map(String),
      fc.double().map(String),
      fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
      fc.date({ noInvalidDate: true }).map((date) => date.toISOString().slice(0, 10)),
      fc.date({ noInvalidDate: true }).map((date) => date.toISOString().slice(11, 19)),
      fc.string({ unit: 'grapheme', maxLength: 9 }),
      fc.constantFrom('true', 'false', 'Ada', 'sql', 'novel'),
    )
    const condition = fc
      .tuple(fc.oneof(field, far), operator, value)
      .map(([name, op, one]) => `${name}${op}${encodeURIComponent(one)}`)
    const paths = fc.oneof(
      fc.array(condition, { minLength: 1, maxLength: 3 }).map((all) => list({ filters: all.join('|') })),
      fc.tuple(field, value).map(([by, from]) => list({ pagination: `by=${by},from=${encodeURIComponent(from)}` })),
    )
    const list = (params: Readonly<Record<string, string>>): string => `/books?${query({ fields: 'id', ...params })}`
    await fc.assert(
      fc.asyncProperty(paths, async (path) => {
        const { status, body } = await reader.ask(`GET ${path}`)
        expect(bad(status), JSON.stringify(body)).toBe(false)
      }),
      { numRuns: 250 },
    )
  }, 60_000)
}, isDatabase)

/** A param in a query string, also one that no URL can carry. */
function safely(name: string, value: string): string {
  return `${name}=${encodeURIComponent(value.replace(/\p{Surrogate}/gu, '\ufffd'))}`
}

const rawToken = (link: string): string => decodeURIComponent(/after%3D([\w-]+)/.exec(link)?.[1] ?? '')

/** The JSON of each value in the token of a link. */
function tokenOf(link: string): string[] {
  const token = Buffer.from(rawToken(link), 'base64url').toString()
  return (JSON.parse(token) as unknown[]).map((value) => JSON.stringify(value))
}

function forged(token: readonly string[], at: number, place: string): string {
  return Buffer.from(`[${token.with(at, place).join()}]`).toString('base64url')
}

/** Sends a text in every place of requests that takes one. */
async function sendEverywhere(reader: Reader, text: string): Promise<void> {
  const written = encodeURIComponent(text)
  const first = await reader.ask(`GET /books?${query({ fields: 'id', pagination: 'by=title,items=2' })}`)
  const after = forged(tokenOf(first.links['next'] as string), 1, JSON.stringify(text))
  for (const params of [
    { filters: `title=${written}` },
    { filters: `title=*${written}*` },
    { filters: `title!=${written}*,*${written},${written}|author.name=${written}|tags=${written}` },
    { filters: `reviews.by.name=${written}&subtitle>${written}` },
    { filters: `${written}=1` },
    { order: text },
    { fields: text },
    { pagination: `by=${written}` },
    { pagination: `by=title,from=${written}` },
    { pagination: `by=author.name,from=${written}` },
    { pagination: `by=title,after=${after}` },
    { pagination: `by=title,before=${after}` },
  ])
    expect(bad((await reader.ask(`GET /books?${query(params)}`)).status), JSON.stringify(params)).toBe(false)
  await reader.ask(`GET /books/${written}`)
  const made = await reader.ask('POST /books', { title: text, notes: { [text]: text } })
  expect(made.status).toBe(201)
  const path = made.headers['location'] as string
  expect((await reader.ask(`PATCH ${path}`, { title: `${text}!`, subtitle: text })).status).toBe(204)
  const { body } = await reader.ask(`GET ${path}`)
  expect(body).toMatchObject({ title: `${text}!`, subtitle: text, notes: { [text]: text } })
  expect((await reader.ask(`DELETE ${path}`)).status).toBe(204)
}
