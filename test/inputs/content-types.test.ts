// Content types of payloads, as laws: server, contract and documents agree on them, whatever declarations say.
import { type Application, type Attribute, application, DefinitionError, endpoint, mediaType, route, t } from 'edict'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { OpenapiDocument } from '../../src/openapi/types.ts'
import type { JsonSchema } from '../../src/schema/json-schema.ts'
import { ask } from '../support/ask.ts'

const JSON_TYPES = ['application/json', 'application/*+json']
const FORM = 'application/x-www-form-urlencoded'
const PARTS = 'multipart/form-data'

/** The family of a payload, as far as content types go: values by names, others, with files or not, texts, files. */
type Family = 'named' | 'bare' | 'text' | 'file' | 'named with files' | 'bare with files'

const Book = mediaType('Book', { attributes: { id: t.integer(), title: t.string() } })
const Clash = mediaType('CreateBooksPayload', { attributes: { other: t.boolean() } })
const checked = { '~standard': { version: 1 as const, vendor: 'test', validate: (value: unknown) => ({ value }) } }

const families: Readonly<Record<Family, readonly (() => unknown)[]>> = {
  named: [
    () => ({ title: t.string(), tags: t.array(t.string()) }),
    () => ({ clash: Clash }),
    () => Book,
    () => t.ref(Book, { nullable: true }),
    () => t.object({ a: t.integer() }, { required: true }),
    () => t.record(t.integer()),
    () => t.union('is', { one: { a: t.string() }, two: {} }),
    () => t.any(),
    () => t.standard(checked),
    () => t.ref(() => t.ref(() => t.object({ a: t.string() }))),
  ],
  bare: [
    () => t.integer(),
    () => t.boolean({ nullable: true }),
    () => t.array(t.string()),
    () => t.array(Book),
    () => t.ref(() => t.array(t.integer())),
  ],
  text: [() => t.string()],
  file: [() => t.file(), () => t.file({ required: true })],
  'named with files': [
    () => ({ page: t.file(), title: t.string() }),
    () => ({ pages: t.array(t.file({ required: true })) }),
    () => ({ deep: t.object({ page: t.ref(() => t.file()) }) }),
    () => t.record(t.file()),
    () => t.ref(() => t.object({ page: t.file() })),
  ],
  'bare with files': [() => t.array(t.file()), () => t.ref(() => t.file())],
}

interface Drawn {
  readonly family: Family
  readonly n: number
}

const payloads: fc.Arbitrary<Drawn> = fc
  .constantFrom(...(Object.keys(families) as Family[]))
  .chain((family) => fc.nat(families[family].length - 1).map((n) => ({ family, n })))

const payloadOf = ({ family, n }: Drawn): unknown => families[family][n]?.()

const POOL = [...JSON_TYPES, 'application/vnd.x+json', 'Application/JSON', FORM, PARTS, 'text/plain', 'text/*', '*/*']
const consumes = fc.option(fc.subarray(POOL, { minLength: 1, maxLength: 4 }), { nil: undefined, freq: 2 })
const applicationConsumes = fc.option(fc.subarray([...JSON_TYPES, 'text/x+json', FORM, PARTS], { minLength: 1 }), {
  nil: undefined,
})

/** The content types that a payload accepts by default. */
const OWN: Readonly<Record<Family, readonly string[]>> = {
  named: JSON_TYPES,
  bare: JSON_TYPES,
  text: ['text/*', ...JSON_TYPES],
  file: ['*/*'],
  'named with files': [PARTS],
  'bare with files': [],
}

const isJson = (type: string): boolean => type === 'application/json' || type.endsWith('+json')

function isCarried(type: string, family: Family): boolean {
  if (family === 'text' || family === 'file') return true
  return isJson(type) || (family.startsWith('named') && (type === FORM || type === PARTS))
}

/** The types that a payload should be read from; undefined where the declaration is a mistake. */
function expected(family: Family, said: readonly string[] | undefined, general: readonly string[] | undefined) {
  if (family === 'bare with files') return undefined
  const types = said && [...new Set(said.map((type) => type.toLowerCase()))]
  if (types !== undefined) {
    const whole = family !== 'named with files' || types.includes(PARTS)
    return whole && types.every((type) => isCarried(type, family)) ? types : undefined
  }
  const fitting = family === 'named' || family === 'bare' ? general?.filter((type) => isCarried(type, family)) : []
  return fitting === undefined || fitting.length === 0 ? OWN[family] : fitting
}

const covers = (pattern: string, type: string): boolean =>
  pattern === '*/*' ||
  (pattern.includes('*')
    ? type.startsWith(pattern.slice(0, pattern.indexOf('*'))) && type.endsWith(pattern.slice(pattern.indexOf('*') + 1))
    : pattern === type)

const PROBES = [
  'application/json',
  'application/vnd.x+json',
  'application/problem+json',
  'text/x+json',
  FORM,
  PARTS,
  'text/plain',
  'text/markdown',
  'image/png',
  'application/xml',
]

const named = (type: string): string => (type === PARTS ? `${PARTS}; boundary=b` : type)

function emptyBody(type: string): string {
  if (type === PARTS) return '--b--\r\n'
  return isJson(type) ? '{}' : 'a=b'
}

const post = (app: Application, path: string, type: string): Promise<Response> =>
  app.fetch(
    new Request(`http://localhost${path}`, {
      method: 'POST',
      headers: { 'Content-Type': named(type) },
      body: emptyBody(type),
    }),
  )

interface Made {
  readonly payload: unknown
  readonly own: readonly string[] | undefined
  readonly defaults: readonly string[] | undefined
  readonly general: readonly string[] | undefined
}

function made({ payload, own, defaults, general }: Made): Application {
  const Books = endpoint('Books', {
    actionDefaults: { responses: { noContent: true }, ...(defaults && { consumes: defaults }) },
    actions: {
      create: { routing: route.post('/'), payload: payload as Attribute, ...(own && { consumes: own }) },
    },
  })
  return application({
    controllers: [Books.implement({ create: (_, { reply }) => reply.noContent() })],
    ...(general && { consumes: general }),
  })
}

const payloadIn = (app: Application) => app.contract().endpoints[0]?.actions['create']?.payload
const contentIn = (app: Application) => app.openapi().paths['/books']?.['post']?.requestBody?.content ?? {}

describe('for every payload and every consumes', () => {
  it('server and contract take exactly the types of the declaration, and documents name some of them', async () => {
    await fc.assert(
      fc.asyncProperty(payloads, consumes, consumes, applicationConsumes, async (drawn, own, defaults, general) => {
        const { family } = drawn
        const payload = payloadOf(drawn)
        const types = expected(family, own ?? defaults, general)
        const start = (): Application => made({ payload, own, defaults, general })
        if (types === undefined) {
          expect(start).toThrow(DefinitionError)
          return
        }
        const app = start()
        expect([...(payloadIn(app)?.consumes ?? [])].sort()).toEqual([...types].sort())
        for (const probe of PROBES) {
          const { status } = await post(app, '/books', probe)
          const accepted = types.some((type) => covers(type, probe))
          expect(status === 415, `${status} for ${probe}, of ${types}`).toBe(!accepted)
        }
        for (const type of Object.keys(contentIn(app))) {
          const sent = type.replace('*/*', 'image/png').replace('text/*', 'text/plain').replace('*', 'vnd.some')
          expect((await post(app, '/books', sent)).status, type).not.toBe(415)
        }
      }),
      { numRuns: 300 },
    )
  })

  it('documents name JSON itself and no range next to it', () => {
    fc.assert(
      fc.property(payloads, applicationConsumes, (drawn, general) => {
        const { family } = drawn
        fc.pre(family !== 'bare with files' && family !== 'file')
        const payload = payloadOf(drawn)
        const published = Object.keys(contentIn(made({ payload, own: undefined, defaults: undefined, general })))
        const types = expected(family, undefined, general) as readonly string[]
        const ranges = types.includes('application/json') ? ['application/*+json'] : []
        expect(published).toEqual(types.filter((type) => !ranges.includes(type)))
      }),
    )
  })
})

const ACTIONS = ['create', 'createBooks', 'create_books', 'books', 'add cover', 'ü']
const ENDPOINTS = ['Books', 'BooksX', 'X', 'Create', 'Input', 'Books_']

describe('schemas of payloads', () => {
  it('stand in components, and mean there what they mean alone', () => {
    const actions = fc.dictionary(fc.constantFrom(...ACTIONS), fc.tuple(payloads, fc.boolean()), { minKeys: 1 })
    const endpoints = fc.dictionary(fc.constantFrom(...ENDPOINTS), actions, { minKeys: 1, maxKeys: 4 })
    fc.assert(
      fc.property(endpoints, (all) => {
        const document = described(all).openapi()
        for (const [name, declared] of Object.entries(all)) {
          for (const [action, one] of Object.entries(declared)) {
            const id = `${name}.${action}`
            const [schema, ...others] = schemasOf(document, id)
            if (schema === undefined) continue
            for (const other of others) expect(other, id).toEqual(schema)
            const component = /^#\/components\/schemas\/([\w.-]+)$/.exec(String(schema['$ref']))?.[1]
            expect(component, id).toBeDefined()
            const alone = described({ [name]: { [action]: one } }).openapi()
            expect(writtenOut(schema, document), id).toEqual(writtenOut(schemasOf(alone, id)[0], alone))
          }
        }
      }),
    )
  })

  it('are named after the action and the endpoint, and shared by content types', () => {
    const Books = endpoint('Books', {
      actionDefaults: { responses: { noContent: true }, consumes: ['application/json', FORM] },
      actions: {
        create: { routing: [route.post('/'), route.put('/all')], payload: { title: t.string() } },
        'add-cover': { routing: route.post('/cover'), payload: { page: t.file() }, consumes: [PARTS] },
        replace: { routing: route.put('/'), payload: Book },
        rename: { routing: route.patch('/'), payload: t.string(), consumes: ['text/plain'] },
      },
    })
    const nothing = (_: unknown, { reply }: any) => reply.noContent()
    const implementation = { create: nothing, 'add-cover': nothing, replace: nothing, rename: nothing }
    const { paths, components } = application({ controllers: [Books.implement(implementation)] }).openapi()
    const content = (path: string, verb: string) =>
      Object.entries(paths[path]?.[verb]?.requestBody?.content ?? {}).map(([type, { schema }]) => [
        type,
        schema?.['$ref'],
      ])
    const both = (name: string) => [
      ['application/json', `#/components/schemas/${name}`],
      [FORM, `#/components/schemas/${name}`],
    ]
    expect(content('/books', 'post')).toEqual(both('CreateBooksPayload'))
    expect(content('/books/all', 'put')).toEqual(both('CreateBooksPayload'))
    expect(content('/books', 'put')).toEqual(both('BookInput'))
    expect(content('/books/cover', 'post')).toEqual([[PARTS, '#/components/schemas/AddCoverBooksPayload']])
    expect(content('/books', 'patch')).toEqual([['text/plain', '#/components/schemas/RenameBooksPayload']])
    expect(components.schemas['CreateBooksPayload']).toEqual({
      type: 'object',
      properties: { title: { type: 'string' } },
      additionalProperties: false,
    })
  })
})

const schemasOf = ({ paths }: OpenapiDocument, id: string): JsonSchema[] =>
  Object.values(paths)
    .filter((item) => item['post']?.summary === id.replace('.', ' '))
    .flatMap((item) => Object.values(item['post']?.requestBody?.content ?? {}))
    .flatMap(({ schema }) => (schema === undefined ? [] : [schema]))

/** A schema with what it refers to in place of references. */
function writtenOut(schema: unknown, document: OpenapiDocument): unknown {
  if (typeof schema !== 'object' || schema === null) return schema
  if (Array.isArray(schema)) return schema.map((one) => writtenOut(one, document))
  const { $ref, discriminator: _, ...rest } = schema as Record<string, unknown>
  const own = Object.entries(rest).map(([name, one]) => [name, writtenOut(one, document)])
  const meant = $ref === undefined ? {} : document.components.schemas[String($ref).split('/').at(-1) as string]
  return { ...Object.fromEntries(own), ...($ref !== undefined && { meant: writtenOut(meant, document) }) }
}

type Declared = Readonly<Record<string, readonly [Drawn, boolean]>>

function described(all: Readonly<Record<string, Declared>>): Application {
  const controllers = Object.entries(all).map(([name, declared], i) => {
    const actions = Object.entries(declared).map(([action, [drawn, forms]], j) => [
      action,
      {
        routing: route.post(`/${j}`),
        summary: `${name} ${action}`,
        ...(drawn.family !== 'bare with files' && { payload: payloadOf(drawn) }),
        ...(drawn.family === 'named' && forms && { consumes: [...JSON_TYPES, FORM, PARTS] }),
        // Its name is that of a payload.
        responses: { ok: Clash },
      },
    ])
    const made = endpoint(name, { prefix: `/e${i}`, actions: Object.fromEntries(actions) })
    const functions = Object.keys(declared).map((action) => [action, () => undefined])
    return (made as any).implement(Object.fromEntries(functions))
  })
  return application({ controllers })
}

describe('mistakes', () => {
  const mistakesOf = (given: Partial<Made>): string => {
    try {
      made({ payload: { a: t.string() }, own: undefined, defaults: undefined, general: undefined, ...given })
    } catch (error) {
      return (error as Error).message
    }
    return 'none'
  }

  it.each<[string, Partial<Made>, RegExp]>([
    ['a file in JSON', { payload: { a: t.file() }, own: JSON_TYPES }, /consumes.*holds a file.*multipart/],
    ['a structure in a text', { own: ['text/plain'] }, /consumes.*text\/plain cannot carry the payload/],
    ['a structure in anything', { own: ['*/*'] }, /consumes.*\*\/\* cannot carry the payload/],
    ['a list in a form', { payload: t.array(t.string()), own: [FORM] }, /consumes.*cannot carry.*application\/json/],
    ['of the defaults', { defaults: ['image/png'] }, /actionDefaults\.consumes.*image\/png cannot carry/],
    ['nothing at all', { defaults: [] }, /actionDefaults\.consumes.*it is empty/],
    ['a text that is none', { defaults: ['json'] }, /actionDefaults\.consumes.*'json' is not a media type/],
    ['a list of files', { payload: t.array(t.file()) }, /payload.*files without names/],
    ['an application that takes texts', { general: ['text/plain'] }, /consumes.*text\/plain carries neither/],
    ['an application that takes nothing', { general: [] }, /consumes.*it is empty/],
  ])('%s', (_, given, message) => {
    expect(mistakesOf(given)).toMatch(message)
  })

  it.each<[string, Partial<Made>]>([
    ['what the action says counts, not its defaults', { own: [FORM], defaults: ['image/png', FORM, PARTS].slice(1) }],
    ['a file beside JSON', { payload: { a: t.file() }, own: ['application/json', PARTS] }],
    ['a list in an application of forms', { payload: t.array(t.string()), general: [FORM] }],
    ['a text in an application of forms', { payload: t.string(), general: [FORM] }],
  ])('and none: %s', (_, given) => {
    expect(mistakesOf(given)).toBe('none')
  })
})

describe('the content types of an application', () => {
  const Books = endpoint('Books', {
    actionDefaults: { responses: { ok: 'text/plain' } },
    actions: {
      plain: { routing: route.post('/'), payload: { title: t.string() } },
      own: { routing: route.post('/own'), payload: { title: t.string() }, consumes: ['application/json'] },
      list: { routing: route.post('/list'), payload: t.array(t.string()) },
      text: { routing: route.post('/text'), payload: t.string() },
      file: { routing: route.post('/file'), payload: { page: t.file() } },
    },
  })
  const show = (_: unknown, { request }: any) => JSON.stringify(request.payload)
  const controllers = [Books.implement({ plain: show, own: show, list: show, text: show, file: show })]
  const forms = application({ controllers, consumes: ['application/json', FORM] })

  it('hold for structures and values that name none', async () => {
    const consumed = Object.entries(forms.contract().endpoints[0]?.actions ?? {}).map(([name, { payload }]) => [
      name,
      payload?.consumes.join(' '),
    ])
    expect(Object.fromEntries(consumed)).toEqual({
      plain: `application/json ${FORM}`,
      own: 'application/json',
      list: 'application/json',
      text: 'application/*+json application/json text/*',
      file: PARTS,
    })
    const body = new URLSearchParams({ title: 'Emma' })
    expect((await ask(forms, 'POST /books', { body })).json).toEqual({ title: 'Emma' })
    expect((await ask(forms, 'POST /books/own', { body })).status).toBe(415)
  })

  it('stay with their application', async () => {
    const other = application({ controllers })
    expect((await ask(other, 'POST /books', { body: new URLSearchParams({ title: 'Emma' }) })).status).toBe(415)
    expect((await ask(other, 'POST /books', { body: { title: 'Emma' } })).json).toEqual({ title: 'Emma' })
    expect(forms.endpoints[0]?.definition).toBe(other.endpoints[0]?.definition)
  })
})
