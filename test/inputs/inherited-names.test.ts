// A declared name that objects inherit, and that nobody sent, is absent: wherever names are declared, and whatever looks for them.
import { type Application, application, collectionOf, controller, endpoint, inherit, mediaType, route, t } from 'edict'
import { client } from 'edict/client'
import { checkConditions, conditional, etag, lastModified } from 'edict/conditional'
import { FieldSelector, FilteringParams, mapper, memoryDatastore, resource } from 'edict/mapper'
import { mock } from 'edict/mock'
import { jsonApi, PaginationParams, paginate, pagination } from 'edict/pagination'
import { describe, expect, test } from 'vitest'
import { type Asked, ask as askBoth, askFetch } from '../support/ask.ts'

const NAMES = Object.getOwnPropertyNames(Object.prototype).filter((name) => name !== '__proto__')

const asking =
  (app: Application, way = askFetch) =>
  async (line: string, asked?: Asked): Promise<{ readonly status: number; readonly body: unknown }> => {
    const { status, text } = await way(app, line, asked)
    return { status, body: text === '' ? undefined : JSON.parse(text) }
  }

/** What a controller finds by a name: nothing, or a value. */
const seen = (values: object | undefined | null, name: string): unknown =>
  values === undefined || values === null
    ? 'no object'
    : { has: Object.hasOwn(values, name), value: typeof (values as Record<string, unknown>)[name] }

const ABSENT = { has: false, value: 'undefined' }
const SENT = { has: true, value: 'string' }

interface Context {
  readonly request: { readonly params: unknown; readonly payload: unknown; readonly headers: unknown }
  readonly reply: { ok(body: unknown): unknown }
}

function echo(name: string) {
  const Echo = mediaType('Echo', { attributes: { result: t.any() } })
  const declared = { other: t.string(), [name]: t.string() }
  const Echoes = endpoint('Echoes', {
    mediaType: Echo,
    actions: {
      params: {
        routing: route.get('/params'),
        params: { ...declared, deep: t.object(declared) },
        headers: { [name]: t.string() },
        responses: { ok: Echo },
      },
      create: {
        routing: route.post('/'),
        payload: {
          ...declared,
          deep: t.object(declared),
          list: t.array(t.object(declared)),
          any: t.record(t.string()),
        },
        responses: { ok: Echo },
      },
      capture: { routing: route.get(`/at/:${name}`), params: { [name]: t.string() }, responses: { ok: Echo } },
    },
  })
  const all = controller(Echoes, {
    params: (_: unknown, { request, reply }: Context) => {
      const params = request.params as Record<string, object>
      const result = {
        params: seen(params, name),
        deep: seen(params['deep'], name),
        headers: seen(request.headers as object, name),
      }
      return reply.ok({ result })
    },
    create: (_: unknown, { request, reply }: Context) => {
      const payload = request.payload as Record<string, object>
      const list = (payload['list'] as object[] | undefined)?.[0]
      return reply.ok({
        result: { payload: seen(payload, name), deep: seen(payload['deep'], name), list: seen(list, name) },
      })
    },
    capture: (_: unknown, { request, reply }: Context) => reply.ok({ result: seen(request.params as object, name) }),
  } as never)
  return asking(application({ controllers: [all] }), askBoth)
}

const JSON_TYPE = { 'content-type': 'application/json' }

describe.each(NAMES)('%s', (name) => {
  test('not sent is absent in params, headers and payloads, and what is below them', async () => {
    const ask = echo(name)
    const params = await ask(`GET /echoes/params?other=x&deep[other]=x`)
    expect(params).toMatchObject({ status: 200, body: { result: { params: ABSENT, deep: ABSENT, headers: ABSENT } } })
    const body = { other: 'x', deep: { other: 'x' }, list: [{ other: 'x' }] }
    const created = await ask('POST /echoes', { headers: JSON_TYPE, body: JSON.stringify(body) })
    expect(created).toMatchObject({ status: 200, body: { result: { payload: ABSENT, deep: ABSENT, list: ABSENT } } })
  })

  test('sent is there', async () => {
    const ask = echo(name)
    const params = await ask(`GET /echoes/params?${name}=x&deep[${name}]=x`, { headers: { [name]: 'x' } })
    expect(params).toMatchObject({ status: 200, body: { result: { params: SENT, deep: SENT, headers: SENT } } })
    expect(await ask(`GET /echoes/at/x`)).toMatchObject({ status: 200, body: { result: SENT } })
    const body = `{"${name}":"x","deep":{"${name}":"x"},"list":[{"${name}":"x"}]}`
    const created = await ask('POST /echoes', { headers: JSON_TYPE, body })
    expect(created).toMatchObject({ status: 200, body: { result: { payload: SENT, deep: SENT, list: SENT } } })
  })

  test('is absent in views, selections, columns, exports and mocks if no row has it', async () => {
    const { ask, app, things } = kept(name)
    const whole = { id: 1 }
    expect((await ask('GET /things/1')).body).toEqual(whole)
    expect((await ask('GET /things/1/card')).body).toEqual({ id: 1 })
    expect((await ask(`GET /things?fields=id,${name}`)).body).toEqual([whole, { id: 2, [name]: 'b' }])
    expect((await ask(`GET /things?filters=${name}!!`)).body).toEqual([whole])
    expect((await ask(`GET /things?filters=${name}=b`)).body).toEqual([{ id: 2, [name]: 'b' }])
    expect((await ask(`GET /things?pagination=by=${name},items=1`)).body).toEqual([{ id: 2, [name]: 'b' }])
    const csv = await app.fetch(new Request('http://x/things/export', { headers: { accept: 'text/csv' } }))
    expect(await csv.text()).toBe(`id,${name}\r\n1,\r\n2,b\r\n`)
    await ask('POST /things', { headers: JSON_TYPE, body: '{}' })
    expect((await ask('GET /things/3')).body).toEqual({ id: 3 })
    await ask('PATCH /things/2', { headers: JSON_TYPE, body: '{}' })
    expect((await ask('GET /things/2')).body).toEqual({ id: 2, [name]: 'b' })
    expect(await things.upsert({ id: 2 } as never)).toEqual({ id: 2 })
    const mocked = asking(mock(app))
    const made = (await mocked('GET /things')).body as Record<string, unknown>[]
    for (const one of made)
      expect(['string', 'undefined']).toContain(Object.hasOwn(one, name) ? typeof one[name] : 'undefined')
  })
})

describe.each(NAMES)('%s in answers that actions make themselves', (name) => {
  const Thing = mediaType('Thing', {
    attributes: { id: t.integer({ required: true }), [name]: t.string(), deep: t.object({ [name]: t.string() }) },
  })
  const Text = mediaType('Text', { attributes: { id: t.integer({ required: true }), [name]: t.dateTime() } })
  const listed = jsonApi.for(Thing, { key: ['id'], filterBy: { [name]: ['='] } as never })
  const paged = { byFields: ['id', name] as never }
  const Things = endpoint('Things', {
    mediaType: Thing,
    actions: {
      index: {
        routing: route.get('/'),
        params: {
          filters: FilteringParams.for(Thing, { [name]: {} } as never),
          pagination: PaginationParams.for(Thing, paged),
        },
        responses: { ok: collectionOf(Thing) },
      },
      listed: { routing: route.get('/listed'), params: listed.params, responses: { ok: listed.body } },
      lines: { routing: route.get('/lines'), responses: { ok: collectionOf(Thing, { as: 'ndjson' }) } },
      tagged: { routing: route.get('/tagged'), policies: [etag(name)], responses: { ok: Thing } },
      timed: { routing: route.get('/timed'), policies: [lastModified(name)], responses: { ok: Text } },
    },
  } as never)
  const bare = { id: 1, deep: {} }
  class Row {
    readonly id = 2
    readonly deep = new Inner()
    get [name](): string {
      return 'b'
    }
  }
  class Inner {
    get [name](): string {
      return 'c'
    }
  }
  const own = { id: 3, [name]: 'd' }
  const things = [bare, new Row(), own]
  const app = application({
    controllers: [
      controller(Things, {
        index: (_: unknown, { request, reply }: Context & { request: never }) => reply.ok(paginate(request, things)),
        listed: (_: unknown, { request, reply }: Context & { request: never }) =>
          reply.ok(listed.answer(request, listed.page(request, things as never))),
        lines: (_: unknown, { reply }: Context) => reply.ok(things),
        tagged: (_: unknown, { request, reply }: Context) => {
          checkConditions(request, bare)
          return reply.ok(bare)
        },
        timed: (_: unknown, { reply }: Context) => reply.ok(bare),
      } as never),
    ],
    plugins: [mapper(), pagination(), conditional()],
  })
  const ask = asking(app, askBoth)

  // What a class gives itself under a name that every object inherits is none of its attributes: it may be a method.
  const whole = [bare, { id: 2, deep: {} }, own]

  test('is absent in lists, their lines, filters and orders', async () => {
    expect((await ask('GET /things')).body).toEqual(whole)
    const lines = await app.fetch(new Request('http://x/things/lines'))
    expect(
      (await lines.text())
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toEqual(whole)
    expect((await ask(`GET /things?filters=${name}=d`)).body).toEqual([own])
    expect((await ask(`GET /things?filters=${name}!!`)).body).toEqual(whole.slice(0, 2))
    expect((await ask(`GET /things?pagination=by=${name}`)).body).toEqual([own, ...whole.slice(0, 2)])
  })

  test('is absent in the resources of JSON:API', async () => {
    const { data } = (await ask('GET /things/listed')).body as { data: { attributes: object }[] }
    expect(data.map(({ attributes }) => attributes)).toEqual([{ deep: {} }, { deep: {} }, { [name]: 'd' }])
  })

  test('is the version and the time of no element without it', async () => {
    for (const path of ['tagged', 'timed']) {
      const { headers, status } = await askBoth(app, `GET /things/${path}`, { headers: { 'if-none-match': '"x"' } })
      expect([path, status, headers['etag'], headers['last-modified']]).toEqual([path, 200, undefined, undefined])
    }
  })
})

describe.each(NAMES)('%s in unions', (name) => {
  const variants = (names: readonly string[]) =>
    Object.fromEntries(names.map((one) => [one, { value: t.integer() }])) as never
  const Echo = mediaType('Echo', { attributes: { result: t.any() } })
  const Echoes = endpoint('Echoes', {
    actions: {
      create: {
        routing: route.post('/'),
        payload: {
          without: t.union('kind', variants(['a'])),
          with: t.union('kind', variants([name, 'a'])),
          by: t.union(name, variants(['a'])),
        },
        responses: { ok: Echo },
      },
    },
  } as never)
  const create = (_: unknown, { request, reply }: Context) => reply.ok({ result: request.payload })
  const app = application({ controllers: [controller(Echoes, { create } as never)] })
  const ask = asking(app, askBoth)

  test('names a variant, or tells variants apart, only where it is declared and sent', async () => {
    const sent = async (body: object) => {
      const { status, body: answer } = await ask('POST /echoes', { headers: JSON_TYPE, body: JSON.stringify(body) })
      return status === 200 ? (answer as { result: unknown }).result : status
    }
    const taken = [{ with: { kind: name, value: 1 } }, { by: { [name]: 'a', value: 1 } }]
    for (const body of taken) expect(await sent(body)).toEqual(body)
    const refused = [
      { without: { kind: name } },
      { by: { value: 1 } },
      { by: { [name]: name } },
      { with: { value: 1 } },
    ]
    for (const body of refused) expect([await sent(body), body]).toEqual([400, body])
  })
})

describe.each(NAMES)('%s in a mock', (name) => {
  const declared = { [name]: t.string({ required: true, values: ['made'] }) }
  const Place = t.object({ city: t.string(), [name]: t.string() })
  const Shop = mediaType('Shop', {
    attributes: { id: t.integer({ required: true }), place: Place, ...declared },
  })
  const Shops = endpoint('Shops', {
    mediaType: Shop,
    actions: {
      show: { routing: route.get('/:id'), params: { id: t.integer() }, responses: { ok: Shop, notFound: true } },
      create: { routing: route.post('/'), payload: { place: Place }, responses: { created: Shop } },
    },
  })
  const app = application({ controllers: [controller(Shops, { show: () => '', create: () => '' } as never)] })

  test('is invented where it is required and was not sent, and absent elsewhere', async () => {
    const mocked = asking(mock(app))
    const sent = { headers: JSON_TYPE, body: '{"place":{"city":"Rom"}}' }
    const { status, body } = await mocked('POST /shops', sent)
    const { place, ...rest } = body as Readonly<Record<string, unknown>>
    expect([status, place]).toEqual([201, { city: 'Rom' }])
    expect(rest).toEqual({ id: expect.any(Number), [name]: 'made' })
    expect((await mocked(`GET /shops/${rest['id']}`)).body).toEqual(body)
  })
})

describe.each(NAMES)('%s in a client', (name) => {
  const Echoes = endpoint('Echoes', {
    actions: {
      at: {
        routing: route.get(`/at/:${name}`),
        params: { [name]: t.string() },
        responses: { ok: t.object({ seen: t.any() }) },
      },
      plain: {
        routing: route.get('/plain'),
        params: { q: t.string() },
        responses: { ok: t.object({ seen: t.any() }) },
      },
      list: {
        routing: route.post('/list', { params: 'body' }),
        params: { q: t.string() },
        responses: { noContent: true },
      },
    },
  })
  const asked: string[] = []
  const api = client(
    { Echoes },
    {
      baseUrl: 'http://api.example',
      fetch: (async (request: Request | string | URL, init?: RequestInit) => {
        const { url } = request instanceof Request ? request : new Request(String(request), init)
        asked.push(url)
        return Response.json({ seen: 1 })
      }) as typeof fetch,
    },
  ) as unknown as Record<'Echoes', Record<string, (params: object, options?: object) => Promise<unknown>>>

  test('not given is missing in a path', async () => {
    await expect(async () => api.Echoes['at']?.({})).rejects.toThrow(`the params lack ${name}`)
    await api.Echoes['at']?.({ [name]: 'x' })
    expect(asked.at(-1)).toBe('http://api.example/echoes/at/x')
  })

  test('given, and not declared, is sent as any other', async () => {
    await api.Echoes['plain']?.({ [name]: 1 }, { headers: { [name]: 'x' } })
    expect(asked.at(-1)).toBe(`http://api.example/echoes/plain?${name}=1`)
  })
})

function kept(name: string) {
  const Thing = mediaType('Thing', {
    attributes: { id: t.integer({ required: true }), [name]: t.string() },
    views: { card: ['id', name] as never },
  })
  const Things = endpoint('Things', {
    mediaType: Thing,
    actions: {
      index: {
        routing: route.get('/'),
        params: {
          fields: FieldSelector.for(Thing),
          filters: FilteringParams.for(Thing, { [name]: {} } as never),
          pagination: PaginationParams.for(Thing, { byFields: ['id', name] as never }),
        },
        responses: { ok: collectionOf(Thing) },
      },
      export: { routing: route.get('/export'), responses: { ok: collectionOf(Thing, { as: 'csv' }) } },
      show: { routing: route.get('/:id'), params: { id: t.integer() }, responses: { ok: Thing, notFound: true } },
      card: {
        routing: route.get('/:id/card'),
        params: { id: t.integer() },
        responses: { ok: Thing.view('card' as never) },
      },
      create: { routing: route.post('/'), payload: { [name]: inherit } as never, responses: { noContent: true } },
      update: {
        routing: route.patch('/:id'),
        params: { id: t.integer() },
        payload: { [name]: inherit } as never,
        responses: { noContent: true },
      },
    },
  })
  const datastore = memoryDatastore({
    things: {
      columns: { id: { kind: 'integer', generated: true }, [name]: { kind: 'text', nullable: true } },
      key: ['id'],
      rows: [{ id: 1 }, { id: 2, [name]: 'b' }],
    },
  })
  const things = resource(datastore, Thing, { table: 'things' })
  const found = async (id: number, reply: { ok(body: unknown): unknown }, shown: object) =>
    reply.ok(await things.find(id, shown as never))
  const all = controller(Things, {
    index: async (_: unknown, { request, reply }: never) =>
      (reply as never as { ok(body: unknown): unknown }).ok(await things.list(request)),
    export: async (_: unknown, { request, reply }: never) =>
      (reply as never as { ok(body: unknown): unknown }).ok(await things.list(request)),
    show: (_: unknown, { request, reply }: { request: { params: { id: number } }; reply: never }) =>
      found(request.params.id, reply, request),
    card: (_: unknown, { request, reply }: { request: { params: { id: number } }; reply: never }) =>
      found(request.params.id, reply, request),
    create: async (
      _: unknown,
      { request, reply }: { request: { payload: object }; reply: { noContent(): unknown } },
    ) => {
      await things.create(request.payload)
      return reply.noContent()
    },
    update: async (
      _: unknown,
      { request, reply }: { request: { payload: object; params: { id: number } }; reply: { noContent(): unknown } },
    ) => {
      await things.update(request.params.id, request.payload)
      return reply.noContent()
    },
  } as never)
  const app = application({ controllers: [all], plugins: [mapper({ resources: [things] }), pagination()] })
  return { app, ask: asking(app), things }
}

test('what elements inherit from a class of their own is theirs, in answers, filters and orders alike', async () => {
  class Row {
    readonly #n: number
    constructor(n: number) {
      this.#n = n
    }
    get id(): number {
      return this.#n
    }
    get title(): string | null {
      return this.#n === 2 ? null : `t${9 - this.#n}`
    }
  }
  const Shown = mediaType('Row', {
    attributes: { id: t.integer({ required: true }), title: t.string({ nullable: true }) },
  })
  const Rows = endpoint('Rows', {
    mediaType: Shown,
    actions: {
      index: {
        routing: route.get('/'),
        params: {
          filters: FilteringParams.for(Shown, { title: {} }),
          pagination: PaginationParams.for(Shown, { byFields: ['id', 'title'] }),
        },
        responses: { ok: collectionOf(Shown) },
      },
    },
  })
  const rows = [new Row(1), new Row(2), new Row(3)]
  const app = application({
    controllers: [Rows.implement({ index: (_, { request, reply }) => reply.ok(paginate(request, rows)) })],
    plugins: [mapper(), pagination()],
  })
  const idsOf = async (query: string) =>
    ((await asking(app)(`GET /rows?${query}`)).body as { id: number }[]).map(({ id }) => id)
  expect(await idsOf('filters=title=t8')).toEqual([1])
  expect(await idsOf('filters=title!!')).toEqual([2])
  expect(await idsOf('pagination=by=title')).toEqual([3, 1, 2])
})

test('__proto__, which no object can have, is a mistake wherever it is declared', () => {
  const attributes = { ['__proto__']: t.string() }
  const Echo = mediaType('Echo', { attributes: { result: t.any() } })
  const places = {
    params: { params: attributes },
    headers: { headers: attributes },
    payload: { payload: attributes },
    nested: { payload: { deep: t.object(attributes) } },
  }
  for (const [place, spec] of Object.entries(places)) {
    const actions = { create: { routing: route.post('/'), ...spec, responses: { noContent: true } } }
    const Echoes = endpoint('Echoes', { mediaType: Echo, actions: actions as never })
    const boot = () => application({ controllers: [controller(Echoes, { create: () => undefined } as never)] })
    expect(boot, place).toThrow('__proto__ cannot be the name of an attribute')
  }
  const Thing = mediaType('Thing', { attributes })
  const Things = endpoint('Things', {
    mediaType: Thing,
    actions: { index: { routing: route.get('/'), responses: { ok: Thing } } },
  })
  expect(() => application({ controllers: [controller(Things, { index: () => undefined } as never)] })).toThrow(
    '__proto__ cannot be the name of an attribute',
  )
})
