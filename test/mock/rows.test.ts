// The first rows of a mock and the roles of its actions: varied values that look like what they are, and verbs and paths that
// do what they say.
import { collectionOf, endpoint, type MediaType, mediaType, route, t } from 'edict'
import { mock } from 'edict/mock'
import { describe, expect, it } from 'vitest'

const app = (definitions: object, rows = 30) => mock(definitions as never, { rows })

async function ask(made: ReturnType<typeof app>, line: string, body?: unknown): Promise<{ status: number; body: any }> {
  const [method = '', path = ''] = line.split(' ')
  const sent = body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }
  const response = await made.fetch(new Request(`http://a${path}`, { method, ...sent }))
  const text = await response.text()
  return { status: response.status, body: text === '' ? undefined : JSON.parse(text) }
}

const id = t.integer({ required: true })
const required = { required: true } as const

/** The elements of a list whose attributes are these beside a key. */
async function rowsOf(attributes: object, rows = 120): Promise<any[]> {
  const names = ['id', ...Object.keys(attributes)]
  const Row = mediaType('Row', { attributes: { id, ...attributes }, views: { default: names } } as never) as MediaType
  const actions = { index: { routing: route.get('/'), responses: { ok: collectionOf(Row) } } }
  return (await ask(app([endpoint('Rows', { mediaType: Row, actions })], rows), 'GET /rows')).body
}

describe('the first rows of a mock', () => {
  // Every word of every list is used in so many rows.
  const texts: Readonly<Record<string, RegExp>> = {
    name: /^\p{Lu}[\p{L}]+ \p{Lu}['\p{L}]+$/u,
    title: /^[A-Z][a-z]+ [A-Z][a-z]+$/,
    authorName: /^\p{Lu}[\p{L}]+ \p{Lu}['\p{L}]+$/u,
    sub_title: /^[A-Z][a-z]+ [A-Z][a-z]+$/,
    subtitle: /^[A-Z][a-z]+ [A-Z][a-z]+$/,
    email: /^[a-z]+-\d{1,3}@example\.com$/,
    slug: /^[a-z]+-\d{1,3}$/,
    city: /^[\p{L}]{2,}$/u,
    country: /^[A-Z]{2}$/,
    language: /^[a-z]{2}$/,
    locale: /^[a-z]{2}-[A-Z]{2}$/,
    currency: /^[A-Z]{3}$/,
    phone: /^\+44 20 7946 0\d{3}$/,
    word: /^[a-z]+ ([1-9]|[1-3]\d|40)$/,
    ...Object.fromEntries(
      ['url', 'uri', 'href', 'link', 'website'].map((one) => [one, /^https:\/\/example\.com\/[a-z]+-\d{1,3}$/]),
    ),
    ...Object.fromEntries(
      ['description', 'summary', 'body', 'content', 'text', 'bio'].map((one) => [
        one,
        /^[A-Z][a-z]+ [A-Z][a-z]+ and [a-z]+, as \p{Lu}\p{L}+ says\.$/u,
      ]),
    ),
  }

  it('have texts that look like what the name of their attribute says', async () => {
    const rows = await rowsOf(Object.fromEntries(Object.keys(texts).map((one) => [one, t.string(required)])))
    for (const [name, pattern] of Object.entries(texts)) {
      const values = rows.map((row) => row[name])
      expect([name, values.filter((one) => !pattern.test(one))]).toEqual([name, []])
      expect([name, new Set(values).size > 3]).toEqual([name, true])
    }
  })

  it('have texts within their limits, to the character', async () => {
    const rows = await rowsOf({
      title: t.string({ ...required, min: 13 }),
      name: t.string({ ...required, max: 9 }),
      word: t.string({ ...required, min: 40, max: 40 }),
      slug: t.string({ ...required, pattern: /^[a-z]+-\d+$/ }),
      code: t.string({ ...required, pattern: /^[A-Z]{2}\d$/ }),
      kind: t.string({ ...required, values: ['a', 'b', 'c'] }),
      uid: t.string({ ...required, format: 'uuid' }),
    })
    const lengths = (name: string): number[] => rows.map((row) => Array.from(row[name] as string).length)
    expect([Math.min(...lengths('title')), Math.max(...lengths('name'))]).toEqual([13, 9])
    expect(new Set(lengths('word'))).toEqual(new Set([40]))
    // A value that is long enough is left as it is.
    for (const { title } of rows) if (title.length > 13) expect(title).toMatch(/^[A-Z][a-z]+ [A-Z][a-z]+$/)
    for (const { slug, code, uid } of rows)
      expect([slug, code, uid]).toEqual([
        expect.stringMatching(/^[a-z]+-\d+$/),
        expect.stringMatching(/^[A-Z]{2}\d$/),
        expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/),
      ])
    expect(new Set(rows.map(({ kind }) => kind))).toEqual(new Set(['a', 'b', 'c']))
  })

  it('have days, moments and numbers of every size that is allowed', async () => {
    const rows = await rowsOf({
      day: t.date(required),
      moment: t.dateTime(required),
      time: t.time(required),
      price: t.number(required),
      share: t.number({ ...required, min: -2, max: 3 }),
      debt: t.number({ ...required, max: -5 }),
      rate: t.number({ ...required, values: [0.5, 0.7] }),
      count: t.integer({ ...required, min: 3, max: 6 }),
    })
    const values = (name: string): any[] => rows.map((row) => row[name])
    for (const name of ['day', 'moment', 'time', 'price', 'share'])
      expect([name, new Set(values(name)).size > 15]).toEqual([name, true])
    for (const row of rows) {
      expect(row.day).toMatch(/^202[0-4]-(0[1-9]|1[0-2])-(0[1-9]|1\d|2[0-8])$/)
      expect(row.moment).toMatch(/^202[0-4]-(0[1-9]|1[0-2])-(0[1-9]|1\d|2[0-8])T\d\d:\d\d:\d\d\.000Z$/)
      expect(row.time).toMatch(/^([01]\d|2[0-3]):(00|15|30|45):00$/)
      for (const name of ['price', 'share', 'debt']) expect(Number.isInteger(row[name] * 4)).toBe(true)
    }
    const within = (name: string) => [Math.min(...values(name)), Math.max(...values(name))] as [number, number]
    expect(within('share')[0]).toBeGreaterThanOrEqual(-2)
    expect(within('share')[1]).toBeLessThanOrEqual(3)
    expect(within('price')[0]).toBeGreaterThanOrEqual(0)
    expect(within('price')[1]).toBeGreaterThan(50)
    expect(within('price')[1]).toBeLessThanOrEqual(100)
    expect(within('debt')[1]).toBeLessThanOrEqual(-5)
    expect(new Set(values('rate'))).toEqual(new Set([0.5, 0.7]))
    expect(new Set(values('count'))).toEqual(new Set([3, 4, 5, 6]))
    // Times of the whole day.
    expect(new Set(values('moment').map((one) => one.slice(11, 13))).size).toBeGreaterThan(12)
  })

  it('have gaps where there may be some, not in the first row, and not everywhere', async () => {
    const rows = await rowsOf({
      note: t.string(),
      other: t.string({ nullable: true }),
      sure: t.string(required),
      size: t.object({ width: t.integer(required), height: t.integer() }),
    })
    const gaps = (name: string): number => rows.filter((row) => (row[name] ?? null) === null).length
    for (const name of ['note', 'other', 'size'])
      expect([name, gaps(name) > 5, gaps(name) < 50]).toEqual([name, true, true])
    expect(gaps('sure')).toBe(0)
    expect([rows[0].note ?? null, rows[0].other, rows[0].size ?? null].includes(null)).toBe(false)
    // Each attribute has gaps of its own.
    const places = (name: string): string => rows.flatMap((row, i) => ((row[name] ?? null) === null ? [i] : [])).join()
    expect(new Set(['note', 'other', 'size'].map(places)).size).toBe(3)
    // A structure that is there has what it must have.
    for (const { size } of rows) if (size !== undefined) expect(size.width).toEqual(expect.any(Number))
  })

  it('have lists of several lengths, of different values unless there have to be more', async () => {
    const rows = await rowsOf({
      tags: t.array(t.string(), required),
      few: t.array(t.string(), { min: 1, max: 2 }),
      many: t.array(t.string({ values: ['a', 'b'] }), { min: 3, max: 4 }),
      maybe: t.array(t.integer(), { nullable: true }),
      numbers: t.array(t.bigint()),
    })
    const lengths = (name: string): number[] => [...new Set(rows.map((row) => row[name].length as number))].sort()
    expect([lengths('tags'), lengths('few'), lengths('many')]).toEqual([[0, 1, 2, 3], [1, 2], [3]])
    for (const { tags, few } of rows) expect([new Set(tags).size, new Set(few).size]).toEqual([tags.length, few.length])
    expect(rows.some(({ maybe }) => Array.isArray(maybe) && maybe.length > 0)).toBe(true)
    expect(rows.flatMap(({ numbers }) => numbers).every((one) => /^-?\d+$/.test(one))).toBe(true)
  })

  it.each([
    ['a key from a limit on', t.integer({ required: true, min: 5 }), [5, 6, 7]],
    ['a key below a limit', t.integer({ required: true, max: 0 }), [-2, -1, 0]],
    ['a key around zero', t.integer({ required: true, min: -9 }), [1, 2, 3]],
    ['a large key', t.bigint({ required: true, min: 10n ** 20n }), ['100000000000000000000', '100000000000000000001']],
    ['as many as there are', t.integer({ required: true, min: 1, max: 2 }), [1, 2]],
  ])('count %s', async (_, key, expected) => {
    const Row = mediaType('Row', { attributes: { id: key } })
    const actions = { index: { routing: route.get('/'), responses: { ok: collectionOf(Row) } } }
    const rows = (await ask(app([endpoint('Rows', { mediaType: Row, actions })], expected.length), 'GET /rows')).body
    expect(rows.map((row: any) => row.id)).toEqual(expected)
    const more = (await ask(app([endpoint('Rows', { mediaType: Row, actions })], 40), 'GET /rows')).body
    expect(new Set(more.map((row: any) => row.id)).size).toBe(more.length)
  })
})

describe('the role of an action', () => {
  const Owner = mediaType('Owner', { attributes: { id, name: t.string(required) } })
  const Box = mediaType('Box', {
    attributes: { id, label: t.string(required), owner: Owner },
    views: { default: ['id', 'label', 'owner'], card: ['id'] },
  })
  const params = { id: t.integer() }
  const payload = { label: t.string() }
  const Boxes = endpoint('Boxes', {
    mediaType: Box,
    actions: {
      index: { routing: route.get('/'), responses: { ok: collectionOf(Box) } },
      show: { routing: route.get('/:id'), params, responses: { ok: Box, notFound: true } },
      card: { routing: route.get('/:id/card'), params, responses: { ok: Box.view('card'), notFound: true } },
      owner: { routing: route.get('/:id/owner'), params, responses: { ok: Owner, notFound: true } },
      picture: { routing: route.get('/:id/picture'), params, responses: { noContent: true, notFound: true } },
      // The first success is not the one of what is made.
      create: { routing: route.post('/'), payload, responses: { ok: Box, created: Box } },
      found: { routing: route.post('/search'), payload, responses: { ok: collectionOf(Box) } },
      patch: { routing: route.patch('/:id'), params, payload, responses: { ok: Box, notFound: true } },
      put: { routing: route.put('/:id'), params, payload, responses: { noContent: true, notFound: true } },
      label: { routing: route.put('/:id/label'), params, payload, responses: { ok: Box, notFound: true } },
      open: { routing: route.post('/:id/open'), params, responses: { ok: Box, notFound: true } },
      shut: { routing: route.post('/:id/shut'), params, responses: { accepted: true, notFound: true } },
      lid: { routing: route.delete('/:id/lid'), params, responses: { noContent: true, notFound: true } },
      remove: { routing: route.delete('/:id'), params, responses: { noContent: true, notFound: true } },
    },
  } as never)
  const made = () => app([Boxes], 3)

  it.each([
    ['GET /boxes/2', 200],
    ['GET /boxes/2/card', 200],
    ['GET /boxes/2/picture', 204],
    ['POST /boxes/2/open', 200],
    ['POST /boxes/2/shut', 202],
    ['DELETE /boxes/2/lid', 204],
    ['POST /boxes/search', 200, { label: 'x' }],
    ['PUT /boxes/2/label', 200, { label: 'x' }],
  ])('%s leaves everything as it is', async (line, status, body?: object) => {
    const world = made()
    const before = (await ask(world, 'GET /boxes')).body
    expect((await ask(world, line, body)).status).toBe(status)
    expect((await ask(world, 'GET /boxes')).body).toEqual(before)
    if (line.includes('/2')) expect((await ask(world, line.replace('/2', '/9'), body)).status).toBe(404)
  })

  it('what an element shows of itself is the element, in its view', async () => {
    const world = made()
    const { body } = await ask(world, 'GET /boxes/2')
    expect((await ask(world, 'GET /boxes/2/card')).body).toEqual({ id: 2 })
    expect((await ask(world, 'POST /boxes/2/open')).body).toEqual(body)
    expect((await ask(world, 'POST /boxes/search', {})).body).toEqual((await ask(world, 'GET /boxes')).body)
  })

  it('making, changing and removing do that, once', async () => {
    const world = made()
    const { status, body } = await ask(world, 'POST /boxes', { label: 'New' })
    expect([status, body.id, body.label]).toEqual([201, 4, 'New'])
    const patched = await ask(world, 'PATCH /boxes/4', { label: 'Newer' })
    expect([patched.status, patched.body.label]).toEqual([200, 'Newer'])
    expect((await ask(world, 'PUT /boxes/4', { label: 'Newest' })).status).toBe(204)
    expect((await ask(world, 'GET /boxes')).body.map((one: any) => [one.id, one.label])[3]).toEqual([4, 'Newest'])
    for (const status of [204, 404]) expect((await ask(world, 'DELETE /boxes/4')).status).toBe(status)
    for (const line of ['PATCH /boxes/4', 'PUT /boxes/4']) expect((await ask(world, line, {})).status).toBe(404)
    expect((await ask(world, 'GET /boxes')).body.length).toBe(3)
  })
})
