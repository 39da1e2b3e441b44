// The typed client and servers that are older, newer or careless: it reads what fits its declarations, makes nothing up, and
// says what does not fit; and what a request cannot carry it never writes as a word.
import { collectionOf, endpoint, header, mediaType, route, t } from 'edict'
import { CallError, client, ResponseError } from 'edict/client'
import { FieldSelector } from 'edict/mapper'
import { describe, expect, it } from 'vitest'

const Author = mediaType('Author', {
  attributes: {
    id: t.integer({ required: true }),
    name: t.string({ required: true }),
    rank: t.string({ default: 'new' }),
    secret: t.string({ default: 'none' }),
  },
  views: { default: ['id', 'name', 'rank'], card: ['id'] },
})
const shape = t.union('is', { round: { at: t.dateTime() }, flat: { sides: t.array(t.integer()) } })
const Essay = mediaType('Essay', {
  attributes: {
    id: t.integer({ required: true }),
    at: t.dateTime({ required: true }),
    author: Author,
    others: t.array(Author),
    byName: t.record(Author),
    moments: t.array(t.dateTime()),
    maybe: t.array(t.dateTime({ nullable: true })),
    shape,
    note: t.string({ nullable: true }),
    count: t.integer({ max: 9 }),
    secret: t.string({ default: 'x' }),
  },
  views: { default: ['id', 'at', 'author', 'others', 'byName', 'moments', 'maybe', 'shape', 'note', 'count'] },
})
const marks = t.array(t.string({ nullable: true }), { delimiter: ',' })
const bars = t.array(t.string(), { delimiter: '|' })
const { id, at, ...optional } = Essay.attributes
const Essays = endpoint('Essays', {
  mediaType: Essay,
  actions: {
    index: {
      routing: route.get('/'),
      params: { fields: FieldSelector.for(Essay), within: t.array(t.integer()), marks, bars, text: t.string() },
      responses: { ok: collectionOf(Essay) },
    },
    show: {
      routing: [route.get('/:id'), route.get('/:year/:slug')],
      params: { id: t.integer(), year: t.integer(), slug: t.string(), fields: FieldSelector.for(Essay) },
      responses: {
        ok: Essay,
        // Two of one status: the type of the body tells them apart.
        accepted: { status: 202, mediaType: Essay },
        queued: { status: 202 },
        gone: { mediaType: Author.view('card') },
        notFound: true,
      },
    },
    create: {
      routing: route.post('/'),
      headers: { 'X-Trace': header(), 'Content-Type': header() },
      payload: { ...optional, author: t.object(Author.attributes), whole: Author },
      responses: { noContent: true },
    },
    put: { routing: route.put('/:id'), params: { id: t.integer() }, payload: t.file(), responses: { noContent: true } },
    keep: {
      routing: route.put('/kept'),
      payload: t.file(),
      consumes: ['application/json'],
      responses: { noContent: true },
    },
    tell: {
      routing: route.post('/tell'),
      payload: t.string({ nullable: true }),
      consumes: ['text/plain', 'application/json'],
      responses: { noContent: true },
    },
  },
} as never) as any

const JSON_TYPE = 'application/vnd.essay+json'
const LIST = `${JSON_TYPE};type=collection`
const DATE = '2024-02-29T10:00:00Z'
const when = new Date(DATE)

/** A client whose server gives these answers one after the other, and what it was asked. */
function world(...answers: readonly [body: unknown, status?: number, type?: string, link?: string][]) {
  const asked: Request[] = []
  const options = {
    baseUrl: 'http://a.test',
    headers: { 'X-Trace': 'client', 'X-Own': 'own' },
    fetch: async (request: Request) => {
      const [body, status = 200, type = JSON_TYPE, link] = answers[Math.min(asked.push(request), answers.length) - 1]!
      const text = typeof body === 'string' ? body : (JSON.stringify(body) ?? null)
      return new Response(text, { status, headers: { 'Content-Type': type, ...(link && { Link: link }) } })
    },
  }
  return { asked, api: (client({ Essays }, options) as any).Essays }
}

const fails = (promise: Promise<unknown>): Promise<unknown> => promise.then(JSON.stringify, (error: unknown) => error)

describe('a response', () => {
  const author = { id: 1, name: 'Ada' }
  const full = { id: 1, at: DATE }

  it('has no value that nobody sent, but the default of what it shows', async () => {
    const { body } = await world([{ ...full, author, others: [author, author], byName: { a: author } }]).api.show({
      id: 1,
    })
    const ada = { ...author, rank: 'new' }
    expect(body).toEqual({ id: 1, at: when, author: ada, others: [ada, ada], byName: { a: ada } })
  })

  it('has nothing but what was selected, however deep', async () => {
    const parts = [{ name: 'Ada' }, { name: 'Bob' }]
    const sent = { author: parts[0], others: parts, byName: { a: parts[0], b: parts[1] } }
    const { api } = world([sent], [sent], [{ ...full, author }])
    const fields = 'author{name},others{name},byName{name}'
    expect((await api.show({ id: 1, fields })).body).toEqual(sent)
    // The same selection, and then none: a selected answer is not what a whole one is measured by.
    expect((await api.show({ id: 1, fields })).body).toEqual(sent)
    expect((await api.show({ id: 1 })).body).toEqual({ ...full, at: when, author: { ...author, rank: 'new' } })
  })

  it('is refused where it lacks something and nothing was selected', async () => {
    for (const sent of [{ id: 1 }, { ...full, author: { id: 1 } }, { ...full, others: [author, { name: 'x' }] }]) {
      expect(await fails(world([sent]).api.show({ id: 1 }))).toBeInstanceOf(ResponseError)
      expect(await fails(world([[full, sent], 200, LIST]).api.index({}))).toBeInstanceOf(ResponseError)
    }
  })

  it('has dates in every list, in its second element too, and null where that is allowed', async () => {
    const sent = { ...full, moments: [DATE, DATE], maybe: [null, DATE], shape: { is: 'round', at: DATE }, note: null }
    const expected = { ...sent, at: when, moments: [when, when], maybe: [null, when], shape: { is: 'round', at: when } }
    expect((await world([sent]).api.show({ id: 1 })).body).toEqual(expected)
    expect((await world([[sent, sent], 200, LIST]).api.index({})).body).toEqual([expected, expected])
  })

  it.each([
    ['a word for a number', { ...full, id: 'one' }],
    ['a word for a number, deep', { ...full, others: [{ id: 'one', name: 'x' }] }],
    ['one value for a list of them', { ...full, moments: DATE }],
    ['null for a date in a list', { ...full, moments: [DATE, null] }],
    ['null for an element', { ...full, others: [null] }],
    ['an unknown variant', { ...full, shape: { is: 'odd' } }],
    ['a text for a variant', { ...full, shape: 'round' }],
    ['null for a variant', { ...full, shape: null }],
    ['null', null],
    ['a list for an element', [full]],
    ['a text for a number', { ...full, count: 'ten' }],
  ])('is refused with %s, alone and as the second element of a list', async (_, sent) => {
    expect(await fails(world([sent]).api.show({ id: 1 }))).toBeInstanceOf(ResponseError)
    const listed = await fails(world([[full, sent], 200, LIST]).api.index({}))
    expect(listed).toBeInstanceOf(ResponseError)
    expect((listed as Error).message).toMatch(/^Essays\.index responded with an undeclared body: /)
  })

  it('may have more than is declared, everywhere: its server is newer', async () => {
    const sent = { ...full, more: 1, author: { ...author, more: { x: 1 } }, shape: { is: 'round', at: DATE, more: 2 } }
    expect((await world([sent]).api.show({ id: 1 })).body).toEqual({
      id: 1,
      at: when,
      author: { ...author, rank: 'new' },
      shape: { is: 'round', at: when },
    })
  })

  it('is the declared one of its status and type; a failure of another type is none of them', async () => {
    const named = async (...answer: [unknown, number?, string?]): Promise<unknown[]> => {
      const { name, status, problem } = await world(answer).api.show({ id: 1 })
      return [name, status, problem?.code]
    }
    const problem = { type: 'about:blank', title: 'x', status: 410, code: 'gone' }
    expect(await named(full, 202)).toEqual(['accepted', 202, undefined])
    expect(await named('later', 202, 'text/plain')).toEqual(['queued', 202, undefined])
    expect(await named({ id: 1 }, 410, 'application/vnd.author+json')).toEqual(['gone', 410, undefined])
    expect(await named(problem, 410, 'application/problem+json')).toEqual(['failure', 410, 'gone'])
    expect(await named('<p>', 410, 'text/html')).toEqual(['failure', 410, undefined])
  })
})

describe('a list', () => {
  const full = { id: 1, at: DATE }
  const walked = async (api: any, options?: object): Promise<number[]> => {
    const seen: number[] = []
    for await (const one of api.index.all({ text: 'a b' }, options)) seen.push(one.id)
    return seen
  }

  it('is read on with the headers and the signal of the call, and ends where no link says next', async () => {
    const { api, asked } = world(
      [[full], 200, LIST, '</essays?page=0>; rel="prev", </essays?page=2>; rel="last next"; title="a, b"'],
      [[{ ...full, id: 2 }], 200, LIST, '</essays?page=9>, </essays?page=1>; rel=first; x=next'],
    )
    const { signal } = new AbortController()
    expect(await walked(api, { headers: { 'X-Trace': 'call' }, signal })).toEqual([1, 2])
    expect(asked.map(({ url }) => url)).toEqual(['http://a.test/essays?text=a+b', 'http://a.test/essays?page=2'])
    for (const { headers } of asked) expect([headers.get('X-Trace'), headers.get('X-Own')]).toEqual(['call', 'own'])
  })

  it('stops between pages and within them when its signal says so', async () => {
    const { api, asked } = world([[full, full], 200, LIST, '</essays?page=2>; rel=next'])
    const stop = new AbortController()
    const reading = api.index.all({}, { signal: stop.signal })
    await reading.next()
    await reading.next()
    expect(asked[0]?.signal.aborted).toBe(false)
    stop.abort(new Error('enough'))
    await expect(reading.next()).rejects.toThrow('enough')
    expect([asked.length, asked[0]?.signal.aborted]).toEqual([1, true])
    const later = world([[full], 200, LIST, '</essays?page=2>; rel=next'], [[full], 200, LIST])
    const second = new AbortController()
    for await (const _ of later.api.index.all({}, { signal: second.signal }));
    second.abort()
    expect(later.asked.map(({ signal }) => signal.aborted)).toEqual([true, true])
  })

  it('that is none is told with its status: a failure, and a failure that is a list', async () => {
    const problem = { type: 'about:blank', title: 'x', status: 500, code: 'internal' }
    const said = 'Essays.index responded with 500 failure'
    await expect(walked(world([problem, 500, 'application/problem+json']).api)).rejects.toThrow(said)
    await expect(walked(world([[full], 500, 'application/json']).api)).rejects.toThrow(said)
    const undeclared = 'Essays.index responded with 204 that is not declared'
    await expect(walked(world([undefined, 204]).api)).rejects.toThrow(undeclared)
  })
})

describe('a request', () => {
  const sent = async (name: string, ...given: unknown[]): Promise<Request> => {
    const { api, asked } = world([undefined, 204])
    await api[name](...given)
    return asked[0] as Request
  }

  it('says nothing of what is null or absent, in the query and in headers', async () => {
    const { api, asked } = world([[], 200, LIST])
    await api.index({ text: null, within: [1, null, 2], marks: [null, 'a'], fields: undefined })
    await api.index({ marks: [undefined, null], within: [] })
    expect(asked.map(({ url }) => decodeURIComponent(url))).toEqual([
      'http://a.test/essays?within[]=1&within[]=2&marks[]=a',
      'http://a.test/essays',
    ])
    const { headers } = await sent('create', {}, { headers: { 'X-Trace': null, 'X-Other': undefined }, payload: {} })
    expect([headers.get('X-Trace'), headers.get('X-Other')]).toEqual(['client', null])
  })

  it('writes a list in one text where that can be read, and by its name else', async () => {
    const { api, asked } = world([[], 200, LIST])
    for (const params of [
      { marks: ['a', 'b c'] },
      { marks: ['a,b', 'c'] },
      { bars: ['a', 'b,c'] },
      { bars: ['a|b', 'c'] },
    ])
      await api.index(params)
    expect(asked.map(({ url }) => new URL(url).search)).toEqual([
      '?marks=a,b+c',
      '?marks=a%2Cb,c',
      '?bars=a%7Cb%2Cc',
      '?bars%5B%5D=a%7Cb&bars%5B%5D=c',
    ])
  })

  it('takes the first route that its params fill', async () => {
    const { api, asked } = world([{ id: 1, at: DATE }])
    await api.show({ year: 2024, slug: 'a' })
    await api.show({ id: 3, year: 2024 })
    expect(asked.map(({ url }) => url)).toEqual(['http://a.test/essays/2024/a', 'http://a.test/essays/3?year=2024'])
    await expect(api.show({ year: 2024 })).rejects.toThrow(new CallError('Essays.show: the params lack id'))
  })

  it('has one value of a header: that of the call before that of the client', async () => {
    const { headers } = await sent('create', {}, { headers: { 'X-Trace': 'call' }, payload: {} })
    expect([headers.get('X-Trace'), headers.get('Content-Type')]).toEqual(['call', 'application/json'])
    const typed = { 'Content-Type': 'application/merge-patch+json' }
    const other = await sent('create', {}, { headers: typed, payload: {} })
    expect(other.headers.get('Content-Type')).toBe('application/merge-patch+json')
  })

  it('brings all of a media type, limits or not: the server judges those', async () => {
    const whole = { id: 1, name: 'Ada', rank: 'old', secret: 's' }
    const payload = {
      author: whole,
      whole,
      others: [whole, whole],
      byName: { a: whole },
      count: 99,
      maybe: [null, when],
    }
    const request = await sent('create', {}, { payload })
    expect(await request.json()).toEqual({ ...payload, maybe: [null, '2024-02-29T10:00:00.000Z'] })
  })

  it.each([
    ['an unknown variant', 'payload/shape', { shape: { is: 'odd' } }],
    ['a text for a variant', 'payload/shape', { shape: 'round' }],
    ['a variant with what is not its own', 'payload/shape/sides/0', { shape: { is: 'flat', sides: ['x'] } }],
    ['a text for a number in a list', 'payload/others/0/id', { others: [{ id: 'x', name: 'a' }] }],
  ])('is not made with %s, and the message says where: %s', async (_, place, payload) => {
    const { api, asked } = world([undefined, 204])
    const failed = await fails(api.create({}, { payload }))
    expect(failed).toBeInstanceOf(CallError)
    expect((failed as Error).message).toMatch(new RegExp(`^'${place}' must be `))
    expect(asked).toEqual([])
  })

  it('brings a file as bytes of any kind, and a text as it is, or in words of JSON', async () => {
    const file = await sent('put', { id: 1 }, { payload: new Uint8Array([1, 2]) })
    expect([file.headers.get('Content-Type'), [...new Uint8Array(await file.arrayBuffer())]]).toEqual([
      'application/octet-stream',
      [1, 2],
    ])
    const kept = await sent('keep', {}, { payload: new TextEncoder().encode('{"a":1}') })
    expect([kept.headers.get('Content-Type'), await kept.text()]).toEqual(['application/json', '{"a":1}'])
    for (const [payload, type, body] of [
      ['a', 'text/plain', 'a'],
      ['', 'application/json', '""'],
      [null, 'application/json', 'null'],
    ]) {
      const request = await sent('tell', {}, { payload })
      expect([request.headers.get('Content-Type'), await request.text()]).toEqual([type, body])
    }
  })
})

describe('a schema of another library that checks asynchronously', () => {
  it('leaves a value as it came, and its failure ends no program', async () => {
    const validate = (): Promise<{ readonly value: string }> => Promise.reject(new Error('the database is down'))
    const words = t.standard({ '~standard': { version: 1, vendor: 'test', validate } })
    const Note = mediaType('Note', { attributes: { id: t.integer(), words } })
    const Notes = endpoint('Notes', {
      mediaType: Note,
      actions: { show: { routing: route.get('/'), responses: { ok: Note } } },
    })
    const fetch = async (): Promise<Response> =>
      Response.json({ id: 1, words: 'as they came' }, { headers: { 'Content-Type': Note.identifier } })
    const unhandled: unknown[] = []
    const note = (reason: unknown): unknown => unhandled.push(reason)
    process.on('unhandledRejection', note)
    try {
      const { body } = await client({ Notes }, { baseUrl: 'http://notes.test', fetch }).Notes.show()
      expect(body).toEqual({ id: 1, words: 'as they came' })
      await new Promise((resolve) => setImmediate(resolve))
    } finally {
      process.off('unhandledRejection', note)
    }
    expect(unhandled).toEqual([])
  })
})
