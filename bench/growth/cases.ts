// Cases of growth: for each, an application with so many of something, and one request to it.
import { application, collectionOf, controller, endpoint, mediaType, route, t } from '../../src/index.ts'
import type { Attribute } from '../../src/schema/attribute.ts'
import { askNow, MemoryTransport } from './transport.ts'

/** How the cost may grow: not at all, or by the same for each unit. */
export type Growth = 'flat' | 'linear'

/** One thing that grows. */
export interface Case {
  readonly title: string
  readonly unit: string
  readonly growth: Growth
  readonly sizes: readonly number[]
  /** Makes the work of one request; size 0 is the fixed part of a linear case. */
  work(size: number): () => unknown
}

const quiet = { info() {}, warn() {}, error() {} }
const names = (count: number): string[] => Array.from({ length: count }, (_, i) => `name${String(i).padStart(3, '0')}`)

// Where the number of attributes grows, all of them are of one kind: one unit then costs what another does.
const text = (): Attribute => t.string({ max: 50 })
const textAt = (i: number): string => `value-${String(i).padStart(3, '0')}`

// Where something else grows, each unit has as many texts as numbers.
function mixed(i: number): Attribute {
  return i % 2 === 0 ? text() : t.integer({ min: 0 })
}

const mixedAt = (i: number): string | number => (i % 2 === 0 ? textAt(i) : i)

function structure<T>(count: number, make: (i: number) => T): Record<string, T> {
  return Object.fromEntries(names(count).map((name, i) => [name, make(i)]))
}

// The declarations are built by loops, which no static type describes.
function serve(actions: object, functions: object): ReturnType<typeof application> {
  const Things = endpoint('Things', { actions } as never)
  return application({
    environment: 'production',
    logger: quiet,
    controllers: [controller(Things as never, functions as never)],
  })
}

function asking(app: ReturnType<typeof serve>, transport: MemoryTransport, status: number): () => unknown {
  const { status: given, body } = askNow(app, transport)
  if (given !== status) throw new Error(`${transport.method} ${transport.url} is answered with ${given}: ${body}`)
  return () => askNow(app, transport).body
}

const routes: Case = {
  title: 'Routes of the application',
  unit: 'route',
  growth: 'flat',
  sizes: [10, 30, 100, 300, 1000],
  work(size) {
    const actions: Record<string, object> = {}
    const functions: Record<string, unknown> = {}
    for (const [i, name] of names(Math.max(1, size)).entries()) {
      const routing = route.get(`/${name}/:id/parts/:part`)
      actions[name] = { routing, params: { id: t.integer(), part: t.integer() }, responses: { noContent: true } }
      functions[name] = (_: unknown, { reply }: { reply: { noContent(): unknown } }) => (i < 0 ? _ : reply.noContent())
    }
    const last = names(size).at(-1)
    return asking(serve(actions, functions), new MemoryTransport('GET', `/things/${last}/12/parts/34`), 204)
  },
}

type Context = { reply: { ok(body: unknown): unknown; noContent(): unknown } }

const ATTRIBUTES = [1, 2, 5, 10, 20, 50, 100]

function posting(attributes: object, payload: unknown): () => unknown {
  const actions = { create: { routing: route.post('/'), payload: attributes, responses: { noContent: true } } }
  const app = serve(actions, { create: (_: unknown, { reply }: Context) => reply.noContent() })
  return asking(app, new MemoryTransport('POST', '/things', payload), 204)
}

const payload: Case = {
  title: 'Attributes of a payload',
  unit: 'attribute',
  growth: 'linear',
  sizes: ATTRIBUTES,
  work: (size) => posting(structure(size, text), structure(size, textAt)),
}

const query: Case = {
  title: 'Params in a query',
  unit: 'param',
  growth: 'linear',
  sizes: ATTRIBUTES,
  work(size) {
    const params = structure(size, text)
    const actions = { index: { routing: route.get('/'), params, responses: { noContent: true } } }
    const app = serve(actions, { index: (_: unknown, { reply }: Context) => reply.noContent() })
    const sent = names(size).map((name, i) => `${name}=${textAt(i)}`)
    return asking(app, new MemoryTransport('GET', `/things?${sent.join('&')}`), 204)
  },
}

function answering(attributes: Record<string, Attribute>, list: boolean, body: unknown): () => unknown {
  const Thing = mediaType('Thing', { attributes })
  const responses = { ok: list ? collectionOf(Thing) : Thing }
  const actions = { index: { routing: route.get('/'), responses } }
  const app = serve(actions, { index: (_: unknown, { reply }: Context) => reply.ok(body) })
  return asking(app, new MemoryTransport('GET', '/things'), 200)
}

const media: Case = {
  title: 'Attributes of a media type',
  unit: 'attribute',
  growth: 'linear',
  sizes: ATTRIBUTES,
  work: (size) => answering(structure(size, text), false, structure(size, textAt)),
}

const items: Case = {
  title: 'Items of a list, eight attributes each',
  unit: 'item',
  growth: 'linear',
  sizes: [1, 10, 100, 1000, 10_000],
  work(size) {
    const list = Array.from({ length: size }, () => structure(8, mixedAt))
    return answering(structure(8, mixed), true, list)
  },
}

const DEPTHS = [1, 2, 3, 4, 5, 6, 7, 8]

function nested<T>(depth: number, leaf: (i: number) => T, wrap: (inner: Record<string, T>) => T): Record<string, T> {
  const here = structure(4, leaf)
  return depth <= 1 ? here : { ...here, inner: wrap(nested(depth - 1, leaf, wrap)) }
}

const depthIn: Case = {
  title: 'Depth of a payload, four attributes at each level',
  unit: 'level',
  growth: 'linear',
  sizes: DEPTHS,
  work: (size) =>
    size === 0
      ? posting({}, {})
      : posting(
          nested<Attribute>(size, mixed, (inner) => t.object(inner)),
          nested<unknown>(size, mixedAt, (inner) => inner),
        ),
}

const depthOut: Case = {
  title: 'Depth of a media type, four attributes at each level',
  unit: 'level',
  growth: 'linear',
  sizes: DEPTHS,
  work: (size) =>
    size === 0
      ? answering({}, false, {})
      : answering(
          nested<Attribute>(size, mixed, (inner) => t.object(inner)),
          false,
          nested<unknown>(size, mixedAt, (inner) => inner),
        ),
}

/** All that is measured in process. */
export const CASES: readonly Case[] = [routes, payload, query, media, items, depthIn, depthOut]
