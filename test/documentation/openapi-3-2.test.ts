// Documents in OpenAPI 3.2, by choice: what they say that those in 3.1 cannot, before judges of others.
import { collectionOf, endpoint, type OpenapiDocument, type OpenapiVersion, problemEncoder, route, t } from 'edict'
import { docs } from 'edict/docs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { blogApi } from '../../examples/blog/api.ts'
import { openDatabase } from '../../examples/blog/database.ts'
import { EventParser } from '../../src/util/event-stream/parse-events.ts'
import { Order, Orders } from '../streams/shop.ts'
import { ask, mistakesOf } from '../support/ask.ts'
import { check, type Documents, isOpenapi, lint } from '../support/documents/judges.ts'
import { Half, Hidden, Locked, Things } from '../support/documents/kitchen-sink.ts'
import { definitions } from '../support/documents/random.ts'
import { stub } from '../support/documents/stubs.ts'
import { checkOf } from '../support/guard/schemas.ts'
import { Books, Reviews } from '../support/library/design.ts'
import { runs } from '../support/runs.ts'

const Lists = endpoint('Lists', {
  mediaType: Order,
  actions: {
    export: {
      routing: route.get('/'),
      params: { since: t.date() },
      responses: { ok: { mediaType: [collectionOf(Order), collectionOf(Order, { as: 'ndjson' })] } },
    },
    search: {
      routing: [route.query('/'), route.any('/rest')],
      params: { note: t.string() },
      responses: { ok: collectionOf(Order) },
    },
  },
})

const tags = [
  { name: 'Shop', summary: 'The shop', kind: 'nav' },
  { name: 'Orders', summary: 'All orders', parent: 'Shop' },
  { name: 'Lists', parent: 'Orders', kind: 'audience' },
]
const streams = stub([Orders, Lists], { tags }).app
const encoded = stub([Orders], {
  encodeProblem: problemEncoder('application/xml', (problem) => ({
    body: `<failed>${JSON.stringify(problem)}</failed>`,
  })),
}).app

const random = fc.sample(definitions, { numRuns: runs(15, 100), seed: 32 }).flatMap((some) => {
  // Routes that no request can tell apart are refused.
  try {
    return [stub(some).app]
  } catch {
    return []
  }
})

interface Documented {
  readonly versions: readonly (string | undefined)[]
  openapi(version?: string, options?: { readonly openapi?: OpenapiVersion }): OpenapiDocument
}

const apps: Readonly<Record<string, Documented>> = {
  streams,
  encoded,
  blog: blogApi(openDatabase()),
  library: stub([Books, Reviews]).app,
  sink: stub([Things, Locked, Hidden, Half]).app,
  ...Object.fromEntries(random.map((app, i) => [`random${i}`, app])),
}

const plain = <T>(value: T): T => JSON.parse(JSON.stringify(value))

const documents: Documents = Object.fromEntries(
  Object.entries(apps).flatMap(([name, app]) =>
    app.versions.map((version) => [
      `${name}-${version?.replace(/\W/g, '-') ?? 'none'}`,
      plain(app.openapi(version, { openapi: '3.2' })),
    ]),
  ),
)

const shown = plain(streams.openapi(undefined, { openapi: '3.2' })) as any
const contentOf = (path: string) => shown.paths[path].get.responses['200'].content

describe('every document in OpenAPI 3.2', () => {
  it('[EVT-04] is one by the official schema', { timeout: 120_000 }, async () => {
    expect(random.length).toBeGreaterThan(5)
    for (const [name, document] of Object.entries(documents)) {
      expect(document.openapi).toBe('3.2.0')
      expect(await isOpenapi(document), name).toBe(true)
    }
    const content = { 'text/event-stream': { itemSchema: 'text' } }
    const paths = { '/': { get: { responses: { 200: { description: 'OK', content } } } } }
    expect(await isOpenapi({ ...documents['streams-none'], paths } as never)).toBe(false)
  })

  it('[EVT-04] is accepted by another validator, and by the linter of Redocly', {
    timeout: 300_000,
  }, async () => {
    for (const [name, document] of Object.entries(documents)) expect(await check(document), name).toEqual([])
    const linted = Object.entries(documents).filter(([name]) => !/^random\d\d/.test(name))
    expect(await lint(Object.fromEntries(linted))).toEqual([])
  })

  it('[EVT-04] differs from that in OpenAPI 3.1 by streams, QUERY and tags only', () => {
    for (const [name, app] of Object.entries(apps).filter(([name]) => !['streams', 'encoded'].includes(name))) {
      for (const version of app.versions) {
        const { paths, ...rest } = plain(app.openapi(version))
        const other = plain(app.openapi(version, { openapi: '3.2' }))
        const renamed = JSON.parse(JSON.stringify(paths).replaceAll('"x-query":', '"query":'))
        const titled = rest.tags.map(({ 'x-displayName': summary, ...tag }) => ({
          ...tag,
          ...(summary && { summary }),
        }))
        expect(other, name).toEqual({ ...rest, openapi: '3.2.0', tags: titled, paths: renamed })
      }
    }
  })
})

describe('a document in OpenAPI 3.2', () => {
  it('[EVT-04] describes a stream by its events: one alternative for each name, and the failure that ends it', () => {
    const { itemSchema, schema } = contentOf('/orders/events')['text/event-stream']
    expect(schema).toBeUndefined()
    const events = itemSchema.oneOf.map(({ properties: { event, data } }: any) => [event.enum, data])
    const json = { type: 'string', contentMediaType: 'application/json' }
    expect(events).toEqual([
      [['created'], { ...json, contentSchema: { $ref: '#/components/schemas/Order' } }],
      [['changed'], { ...json, contentSchema: { $ref: '#/components/schemas/OrderShort' } }],
      [['gone'], { ...json, contentSchema: expect.objectContaining({ required: ['id'] }) }],
      [
        ['error'],
        {
          type: 'string',
          contentMediaType: 'application/problem+json',
          contentSchema: { $ref: '#/components/schemas/Problem' },
        },
      ],
    ])
    const { itemSchema: own } = (plain(encoded.openapi(undefined, { openapi: '3.2' })) as any).paths['/orders/events']
      .get.responses['200'].content['text/event-stream']
    expect(own.oneOf.at(-1).properties.data).toEqual({ type: 'string', contentMediaType: 'application/xml' })
  })

  it('[EVT-04] has examples of streams as they are sent, whose elements fit their schema', () => {
    const { itemSchema, examples } = contentOf('/orders/events')['text/event-stream']
    const { dataValue, serializedValue } = examples.stream
    const parsed = new EventParser().parse(serializedValue).map(({ event, data }) => ({ event, data }))
    expect(parsed).toEqual(dataValue)
    expect(parsed.map(({ event }) => event)).toEqual(['created', 'changed', 'gone'])
    for (const event of dataValue) {
      expect(checkOf(shown, itemSchema)(event)).toBeUndefined()
      const [{ properties }] = itemSchema.oneOf.filter((one: any) => one.properties.event.enum[0] === event.event)
      expect(checkOf(shown, properties.data.contentSchema)(JSON.parse(event.data))).toBeUndefined()
    }
    for (const [path, type, before] of [
      ['/orders/lines', 'application/jsonl', ''],
      ['/orders/texts', 'application/json-seq', '\u001e'],
      ['/lists', 'application/x-ndjson', ''],
    ] as const) {
      const { itemSchema: element, schema, examples: shownExamples } = contentOf(path)[type]
      expect([schema, element]).toEqual([undefined, { $ref: '#/components/schemas/Order' }])
      const [one] = shownExamples.stream.dataValue
      expect(shownExamples.stream.serializedValue).toBe(`${before}${JSON.stringify(one)}\n`)
      expect(checkOf(shown, element)(one)).toBeUndefined()
    }
    expect(contentOf('/lists')['application/vnd.order+json;type=collection'].schema).toMatchObject({ type: 'array' })
  })

  it('[EVT-04] has QUERY among its methods, also beside a route for every method', () => {
    expect(Object.keys(shown.paths['/lists'])).toEqual(['get', 'query'])
    expect(Object.keys((plain(streams.openapi()) as any).paths['/lists'])).toEqual(['get', 'x-query'])
    expect(shown.paths['/lists'].query.requestBody.content['application/json'].schema.properties).toHaveProperty('note')
  })

  it('[EVT-04] nests tags, with the parents of those in use', () => {
    expect(shown.tags).toEqual([
      { name: 'Shop', summary: 'The shop', kind: 'nav' },
      { name: 'Orders', summary: 'All orders', parent: 'Shop' },
      { name: 'Lists', parent: 'Orders', kind: 'audience' },
    ])
    expect(streams.openapi().tags).toEqual([{ name: 'Orders', 'x-displayName': 'All orders' }, { name: 'Lists' }])
  })

  it('[EVT-04] is what the documentation shows by choice', async () => {
    const [plugin, other] = [docs({ openapi: '3.2' }), docs()]
    const documented = stub([Orders], { plugins: [plugin] }).app
    const { json } = await ask(documented, 'GET /docs/openapi.json')
    expect(json).toEqual(plain(documented.openapi(undefined, { openapi: '3.2' })))
    const { json: usual } = await ask(stub([Orders], { plugins: [other] }).app, 'GET /docs/openapi.json')
    expect(usual.openapi).toBe('3.1.1')
    expect(mistakesOf(() => stub([Orders], { plugins: [docs({ openapi: '3.3' as never })] }))).toMatchObject([
      { problem: "it is '3.3'", remedy: "give '3.1' or '3.2'" },
    ])
  })

  it('[EVT-04] is refused in a version that does not exist', () => {
    expect(() => streams.openapi(undefined, { openapi: '3.0' as never })).toThrow(
      "There are no documents in OpenAPI '3.0'; give '3.1' or '3.2'",
    )
  })
})

describe('tags', () => {
  const mistakesIn = (given: readonly { readonly name: string; readonly parent?: string }[]) => {
    const all = [{ name: 'Orders', parent: 'a' }, { name: 'Lists' }, ...given]
    return mistakesOf(() => stub([Orders, Lists], { tags: all })).map(
      ({ setting, problem }) => `${setting}: ${problem}`,
    )
  }

  it('[EVT-04] have parents that exist, and never themselves', () => {
    expect(mistakesIn([])).toEqual(["tags[0].parent: there is no tag 'a' in the list"])
    expect(mistakesIn([{ name: 'a', parent: 'b' }, { name: 'b' }])).toEqual([])
    expect(mistakesIn([{ name: 'a' }, { name: 'b', parent: 'a' }])).toEqual([
      "tags[3]: no endpoint or action has the tag 'b'",
    ])
    expect(mistakesIn([{ name: 'a', parent: 'a' }])).toEqual(["tags[2].parent: the tag 'a' is its own ancestor"])
    expect(
      mistakesIn([
        { name: 'a', parent: 'b' },
        { name: 'b', parent: 'c' },
        { name: 'c', parent: 'b' },
      ]),
    ).toEqual(["tags[3].parent: the tag 'b' is its own ancestor", "tags[4].parent: the tag 'c' is its own ancestor"])
  })
})
