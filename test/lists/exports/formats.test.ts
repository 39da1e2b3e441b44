// Lists that are written element by element: what NDJSON and CSV say, how they are negotiated, and how they break off.
import { get } from 'node:http'
import { gunzipSync } from 'node:zlib'
import { type Info, parse } from 'csv-parse/sync'
import { application, collectionOf, controller, endpoint, mediaType, route, t } from 'edict'
import { client } from 'edict/client'
import { compression } from 'edict/compression'
import { FieldSelector, mapper } from 'edict/mapper'
import { serve } from 'edict/node'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ask, mistakesOf, recorder, urlOf } from '../../support/ask.ts'
import { runs } from '../../support/runs.ts'
import { cert, key } from '../../support/serving/certificate.ts'
import { answerOf, session } from '../../support/serving/streams.ts'

const Author = mediaType('Author', {
  attributes: { name: t.string({ required: true }), born: t.date() },
})

const Book = mediaType('Book', {
  attributes: {
    id: t.integer({ required: true }),
    title: t.string({ nullable: true }),
    price: t.number(),
    sold: t.boolean(),
    count: t.bigint(),
    when: t.dateTime(),
    author: Author,
    size: t.object({ width: t.integer(), height: t.integer({ nullable: true }) }, { nullable: true }),
    tags: t.array(t.string()),
    notes: t.record(t.string()),
  },
  views: {
    default: ['id', 'title', 'price', 'sold', 'count', 'when', 'author', 'size', 'tags', 'notes'],
    spine: ['id'],
  },
})

type Given = (typeof Book)['~type']

const ndjson = collectionOf(Book, { as: 'ndjson' })
const csv = collectionOf(Book, { as: 'csv' })
const Books = endpoint('Books', {
  mediaType: Book,
  actions: {
    lines: { routing: route.get('/lines'), responses: { ok: ndjson } },
    table: { routing: route.get('/table'), responses: { ok: csv } },
    sheet: { routing: route.get('/sheet'), responses: { ok: collectionOf(Book, { as: 'csv', spreadsheet: true }) } },
    any: {
      routing: route.get('/any'),
      params: { fields: FieldSelector.for(Book) },
      responses: { ok: { mediaType: [collectionOf(Book), ndjson, csv] } },
    },
    spines: { routing: route.get('/spines'), responses: { ok: collectionOf(Book, { as: 'csv', view: 'spine' }) } },
  },
})

/** An application whose lists have what a function gives. */
function appOf(give: () => Iterable<Given> | AsyncIterable<Given>, more: object = {}) {
  const log = recorder()
  const books = controller(Books, {
    lines: (_, { reply }) => reply.ok(give()),
    table: (_, { reply }) => reply.ok(give()),
    sheet: (_, { reply }) => reply.ok(give()),
    any: (_, { reply }) => reply.ok(give()),
    spines: (_, { reply }) => reply.ok(give()),
  })
  const app = application({ controllers: [books], logger: log, plugins: [mapper({ resources: {} })], ...more })
  return { app, log }
}

async function* later<T>(elements: Iterable<T>): AsyncGenerator<T, void, undefined> {
  yield* elements
}

const SOME: readonly Given[] = [
  { id: 1, title: 'A "quoted", text\r\nof two lines', author: { name: 'Ann', born: '1970-01-02' as never } },
  { id: 2, title: null, size: { width: 1, height: null }, tags: ['a', 'b,c'], notes: { x: 'y' } },
  { id: 3, title: '', price: 1.5, sold: true, count: 12345678901234567890n, when: new Date(0), size: null, tags: [] },
] as readonly Given[]

const HEADER = 'id,title,price,sold,count,when,author.name,author.born,size.width,size.height,tags,notes'

describe('[LST-10] lists element by element', () => {
  it.each([
    ['an array', () => SOME],
    ['an iterable', () => new Set(SOME)],
    ['an async iterable', () => later(SOME)],
  ])('[LST-10] %s is sent as NDJSON, a line for each element', async (_, give) => {
    const answer = await ask(appOf(give).app, 'GET /books/lines')
    expect(answer.headers['content-type']).toBe('application/x-ndjson')
    expect(answer.text.endsWith('\n')).toBe(true)
    expect(answer.text.trimEnd().split('\n')[2]).toBe(
      '{"id":3,"title":"","price":1.5,"sold":true,"count":"12345678901234567890","when":"1970-01-01T00:00:00.000Z","size":null,"tags":[]}',
    )
  })

  it('[LST-10] an async iterable is sent as CSV, with dotted names, JSON for lists, and nothing for null', async () => {
    const answer = await ask(appOf(() => later(SOME)).app, 'GET /books/table')
    expect(answer.headers['content-type']).toBe('text/csv; charset=utf-8')
    expect(answer.text).toBe(
      `${[
        HEADER,
        '1,"A ""quoted"", text\r\nof two lines",,,,,Ann,1970-01-02,,,,',
        '2,,,,,,,,1,,"[""a"",""b,c""]","{""x"":""y""}"',
        '3,"",1.5,true,12345678901234567890,1970-01-01T00:00:00.000Z,,,,,[],',
      ].join('\r\n')}\r\n`,
    )
  })

  it('[LST-10] attributes may be called as what objects inherit is, and are empty where they are absent', async () => {
    const Odd = mediaType('Odd', { attributes: { id: t.integer(), constructor: t.string(), toString: t.string() } })
    const Odds = endpoint('Odds', {
      actions: { table: { routing: route.get('/'), responses: { ok: collectionOf(Odd, { as: 'csv' }) } } },
    })
    const rows = [{ id: 1 }, { id: 2, constructor: 'a', toString: 'b' }] as never
    const odd = application({ controllers: [controller(Odds, { table: (_, { reply }) => reply.ok(rows) })] })
    expect((await ask(odd, 'GET /odds')).text).toBe('id,constructor,toString\r\n1,,\r\n2,a,b\r\n')
  })

  it('[LST-10] two columns of one name do not boot', () => {
    const dotted = { 'author.name': t.string(), author: t.object({ name: t.string() }) }
    const Twice = mediaType('Twice', { attributes: { id: t.integer(), ...dotted }, views: { one: ['id', 'author'] } })
    const declared = (view?: 'one') =>
      endpoint('Twices', {
        actions: {
          table: {
            routing: route.get('/'),
            responses: { ok: collectionOf(Twice, { as: 'csv', ...(view && { view }) }) },
          },
        },
      })
    const boot = (view?: 'one') => () =>
      application({ controllers: [controller(declared(view), { table: (_, { reply }) => reply.ok([]) })] })
    expect(mistakesOf(boot())).toMatchObject([
      { setting: 'responses.ok', problem: "two columns of the CSV would be called 'author.name'" },
    ])
    expect(boot('one')).not.toThrow()
  })

  it('[LST-10] an empty list is no line of NDJSON, and the header of CSV', async () => {
    const { app } = appOf(() => later([]))
    expect((await ask(app, 'GET /books/lines')).text).toBe('')
    expect((await ask(app, 'GET /books/table')).text).toBe(`${HEADER}\r\n`)
    expect((await ask(app, 'GET /books/any')).text).toBe('[]')
  })

  it('[LST-10] Accept chooses among JSON, NDJSON and CSV, and the selected fields are the columns', async () => {
    const { app } = appOf(() => later(SOME.slice(0, 2)))
    const as = (Accept: string) => ask(app, 'GET /books/any?fields=id,author{name}', { headers: { Accept } })
    expect((await as('*/*')).text).toBe('[{"id":1,"author":{"name":"Ann"}},{"id":2}]')
    expect((await as('application/x-ndjson')).text).toBe('{"id":1,"author":{"name":"Ann"}}\n{"id":2}\n')
    expect((await as('text/*')).text).toBe('id,author.name\r\n1,Ann\r\n2,\r\n')
    expect((await as('image/png')).status).toBe(406)
    expect((await ask(app, 'GET /books/spines')).text).toBe('id\r\n1\r\n2\r\n')
  })

  it('[LST-10] CSV for spreadsheets has a mark of its encoding, and no formulas', async () => {
    const texts = ['=1+1', '+41 79', '-1', '-1+1', '@A1', '\t=1', 'a=1', "'=1"]
    const { app } = appOf(() => texts.map((title, id) => ({ id, title })))
    const { text } = await ask(app, 'GET /books/sheet')
    const rows: Record<string, string>[] = parse(text, { columns: true, bom: true })
    expect(rows.map(({ title }) => title)).toEqual(["'=1+1", "'+41 79", '-1', "'-1+1", "'@A1", "'\t=1", 'a=1', "'=1"])
    expect(text.charCodeAt(0)).toBe(0xfeff)
    const plain: Record<string, string>[] = parse((await ask(app, 'GET /books/table')).text, { columns: true })
    expect(plain.map(({ title }) => title)).toEqual(texts)
  })

  // Records refuse the names by which objects reach their prototypes.
  const books = fc.array(
    fc.record(
      {
        id: fc.integer(),
        // A text of an attribute never has U+0000.
        title: fc.option(fc.string({ unit: 'binary' }).map((text) => text.replaceAll('\0', ' '))),
        price: fc.double({ noNaN: true, noDefaultInfinity: true }),
        sold: fc.boolean(),
        count: fc.bigInt(),
        size: fc.option(fc.record({ width: fc.integer(), height: fc.option(fc.integer()) }, { requiredKeys: [] })),
        tags: fc.array(fc.string({ unit: 'grapheme' })),
        notes: fc.dictionary(
          fc.string({ minLength: 1 }).filter((name) => !['__proto__', 'constructor', 'prototype'].includes(name)),
          fc.string(),
        ),
      },
      { requiredKeys: ['id'] },
    ),
    { maxLength: 20 },
  )

  it('[LST-10] lines of NDJSON parse back to exactly the list, and the client gives it', async () => {
    let given: readonly Given[] = []
    const { app } = appOf(() => later(given))
    const { Books: api } = client({ Books }, { baseUrl: 'http://books.test', fetch: app.fetch })
    await fc.assert(
      fc.asyncProperty(books, async (drawn) => {
        given = drawn as readonly Given[]
        const text = await (await app.fetch(new Request('http://books.test/books/lines'))).text()
        const lines = text === '' ? [] : text.slice(0, -1).split('\n')
        const whole = await (await app.fetch(new Request('http://books.test/books/any'))).json()
        expect(lines.map((line) => JSON.parse(line))).toEqual(whole)
        const got: unknown[] = []
        for await (const book of await api.lines.ok()) got.push(book)
        expect(JSON.parse(JSON.stringify(got, big))).toEqual(JSON.parse(JSON.stringify(plain(drawn), big)))
      }),
      { numRuns: runs(20, 1000) },
    )
  })

  it('[LST-10] a CSV parser of others gives back exactly the list', async () => {
    let given: readonly Given[] = []
    const { app } = appOf(() => later(given))
    await fc.assert(
      fc.asyncProperty(books, async (drawn) => {
        given = drawn as readonly Given[]
        const text = await (await app.fetch(new Request('http://books.test/books/table'))).text()
        const whole = await (await app.fetch(new Request('http://books.test/books/any'))).json()
        expect(elementsIn(text)).toEqual(whole.map(withoutNulls))
      }),
      { numRuns: runs(20, 1000) },
    )
  })

  it('[LST-10] a failure before the first element is served as any other, one behind it breaks the transfer off', async () => {
    const failing = (before: number) =>
      appOf(async function* () {
        for (let id = 0; id < before; id++) yield { id }
        throw new Error('The shelf fell down')
      })
    const early = await ask(failing(0).app, 'GET /books/lines')
    expect([early.status, early.json.code]).toEqual([500, 'internal'])
    for (const path of ['lines', 'table', 'any']) {
      const { app, log } = failing(3)
      const viaFetch = await app.fetch(new Request(`http://localhost/books/${path}`))
      expect(viaFetch.status).toBe(200)
      await expect(viaFetch.text()).rejects.toThrow('The shelf fell down')
      expect(await transferred(`${await urlOf(app)}/books/${path}`)).toBe('cut')
      expect(log.entries.filter(({ level }) => level === 'error').length).toBe(2)
    }
  })

  it('[LST-10] an element that does not fit its type is never sent', async () => {
    const whole = <T>(elements: readonly T[]): Iterable<T> => elements
    for (const give of [later, whole]) {
      const first = await ask(appOf(() => give([{ id: 'x' } as never])).app, 'GET /books/lines')
      expect([first.status, first.json.detail]).toEqual([500, expect.stringContaining('/0/id must be an integer')])
    }
    const list = Array.from({ length: 5000 }, () => SOME[0] as Given)
    const { app } = appOf(() => later([...list, { id: 'x' } as never]))
    await expect((await app.fetch(new Request('http://localhost/books/table'))).text()).rejects.toThrow('/5000/id')
    expect(await transferred(`${await urlOf(app)}/books/table`)).toBe('cut')
    expect((await ask(appOf(() => 'text' as never).app, 'GET /books/lines')).status).toBe(500)
  })

  it('[LST-10] HEAD reads no element', async () => {
    let read = 0
    const { app } = appOf(async function* () {
      read++
      yield* SOME
    })
    const head = await ask(app, 'HEAD /books/lines')
    expect([head.status, head.headers['content-type'], head.text, read]).toEqual([200, 'application/x-ndjson', '', 0])
  })

  it('[LST-10] a client that leaves ends the source', async () => {
    let ended = 0
    const { app } = appOf(async function* () {
      try {
        for (let id = 0; ; id++) yield { id, title: 'x'.repeat(1000) }
      } finally {
        ended++
      }
    })
    const answer = await app.fetch(new Request('http://localhost/books/lines'))
    const reader = answer.body?.getReader()
    await reader?.read()
    await reader?.cancel()
    expect(ended).toBe(1)
    const url = await urlOf(app)
    await new Promise<void>((resolve) => {
      get(`${url}/books/table`, (response) => response.once('data', () => resolve(void response.destroy())))
    })
    await expect.poll(() => ended).toBe(2)
  })

  it('[LST-10] a slow reader holds the source back, so that little is kept', async () => {
    let read = 0
    const { app } = appOf(async function* () {
      for (; read < 200_000; read++) yield { id: read, title: 'x'.repeat(1000) }
    })
    const url = `${await urlOf(app)}/books/lines`
    await new Promise<void>((resolve, reject) => {
      const request = get(url, (response) => {
        response.pause()
        // Sockets and streams hold a few megabytes; two hundred are on offer.
        const settled = async (): Promise<void> => {
          for (let before = -1; before !== read; await new Promise((soon) => setTimeout(soon, 200))) before = read
          expect(read).toBeGreaterThan(0)
          expect(read).toBeLessThan(30_000)
        }
        settled()
          .then(resolve, reject)
          .finally(() => response.destroy())
      })
      request.on('error', reject)
    })
  })

  it('[LST-10] elements that come slowly are sent as they come', async () => {
    let go = (): void => {}
    const { app } = appOf(async function* () {
      yield { id: 1 }
      await new Promise<void>((resolve) => {
        go = resolve
      })
      yield { id: 2 }
    })
    const response = await fetch(`${await urlOf(app)}/books/lines`)
    const reader = (response.body as ReadableStream<Uint8Array>).getReader()
    const text = async () => new TextDecoder().decode((await reader.read()).value)
    expect(await text()).toBe('{"id":1}\n')
    go()
    expect(await text()).toBe('{"id":2}\n')
    expect((await reader.read()).done).toBe(true)
  })

  it('[LST-10] pieces are compressed, and sent over HTTP/2', async () => {
    const many = Array.from({ length: 20_000 }, (_, id) => ({ id, title: `Title ${id}` }))
    const { app } = appOf(() => later(many), { plugins: [mapper({ resources: {} }), compression()] })
    const zipped = await ask(app, 'GET /books/lines', { headers: { 'Accept-Encoding': 'gzip' } })
    expect(zipped.headers['content-encoding']).toBe('gzip')
    expect(gunzipSync(zipped.bytes).toString().split('\n')[19_999]).toBe('{"id":19999,"title":"Title 19999"}')
    const own = { port: 0, host: '127.0.0.1', signals: false, fatal: false, logger: recorder() }
    const serving = await serve(app, { ...own, tls: { key, cert } })
    const client = await session(Number(new URL(serving.url).port))
    const answer = await answerOf(client.request({ ':path': '/books/lines' }))
    expect(answer.body).toBe(many.map((one) => `${JSON.stringify(one)}\n`).join(''))
    client.close()
    await serving.close()
  })
})

const big = (_: string, value: unknown): unknown => (typeof value === 'bigint' ? String(value) : value)

const plain = (drawn: readonly object[]): unknown => drawn.map((one) => ({ ...one }))

/** Reads an answer of a socket, and tells whether it came to its end. */
function transferred(url: string): Promise<'whole' | 'cut'> {
  return new Promise((resolve) => {
    get(url, (response) => {
      response.on('error', () => resolve('cut'))
      response.on('end', () => resolve(response.complete ? 'whole' : 'cut'))
      response.resume()
    })
  })
}

/** Elements as a reader of the CSV makes them up again. */
function elementsIn(text: string): unknown[] {
  const cast = (value: string, { quoting, column }: Info & { quoting: boolean; column: string }): unknown => {
    if (value === '' && !quoting) return undefined
    if (['id', 'price', 'size.width', 'size.height'].includes(column)) return Number(value)
    if (['sold', 'tags', 'notes'].includes(column)) return JSON.parse(value)
    return value
  }
  const rows: Record<string, unknown>[] = parse(text, { columns: true, cast: cast as never })
  return rows.map((row) => {
    const made: Record<string, unknown> = {}
    for (const [name, value] of Object.entries(row)) {
      if (value === undefined) continue
      const [first = '', second] = name.split('.')
      if (second === undefined) made[first] = value
      else made[first] = { ...(made[first] as object), [second]: value }
    }
    return made
  })
}

// CSV has no sign for these: null, and a structure that has nothing in it.
function withoutNulls(element: Record<string, unknown>): unknown {
  const entries = Object.entries(element).flatMap(([name, value]) => {
    if (value === null) return []
    if (name !== 'size') return [[name, value]]
    const inner = Object.entries(value as object).filter(([, one]) => one !== null)
    return inner.length === 0 ? [] : [[name, Object.fromEntries(inner)]]
  })
  return Object.fromEntries(entries)
}
