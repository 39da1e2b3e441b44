// Applications made of their data: declarations, controllers that do as they are told, and where each route leads.
import {
  type AnyController,
  type Application,
  application,
  childOf,
  collectionOf,
  DefinitionError,
  type Endpoint,
  endpoint,
  route,
  t,
} from 'edict'
import {
  type ActionSpec,
  type ApiSpec,
  type BodySpec,
  consumesOf,
  type EndpointSpec,
  type ResponseSpec,
  type RouteSpec,
  takesForms,
} from './api.ts'
import { attributeOf, attributesOf, shownAs } from './attributes.ts'
import { fixed, formsOf, matcherOf, type Path, patternOf } from './paths.ts'
import type { Fields, Shape } from './shape.ts'

/** The answer that the controller of one request is to give, and the request it saw. */
export interface Order {
  readonly respond: (reply: Readonly<Record<string, (body?: unknown, init?: object) => unknown>>) => unknown
  seen?: Seen
}

/** A request as a controller saw it. */
export interface Seen {
  readonly action: string
  readonly params: unknown
  readonly headers: unknown
  readonly payload: unknown
}

/** A route where the application serves it. */
export interface Served {
  readonly endpoint: EndpointSpec
  readonly action: ActionSpec
  readonly route: RouteSpec
  /** Below the base path and the version. */
  readonly path: Path
  readonly matcher: RegExp
  /** Its captures, the parents' included. */
  readonly captures: Fields
}

/** An application with all that laws have to know of it. */
export interface Built {
  readonly spec: ApiSpec
  readonly app: Application
  readonly definitions: Readonly<Record<string, Endpoint<string, never>>>
  readonly served: readonly Served[]
  readonly orders: Map<string, Order>
}

/** How many pairs a query may have. */
export const PAIRS = 1000

/** The header that names the order of a request. */
export const ORDER = 'x-fuzz-order'

interface Inherited {
  readonly path: Path
  readonly captures: Fields
}

const NONE: Inherited = { path: [], captures: {} }

// A parent's path, with the name of its last capture changed as children see it.
function inheritedBy(child: EndpointSpec, all: readonly EndpointSpec[]): Inherited {
  if (child.parent === undefined) return NONE
  const parent = all[child.parent] as EndpointSpec
  const above = inheritedBy(parent, all)
  const own = (parent.actions[0] as ActionSpec).routes[0] as RouteSpec
  const [from, to] = [`id${parent.number}`, childName(child, parent)]
  const path = [...above.path, ...fixed(prefixOf(parent)), ...own.path].map((piece) =>
    piece.is === 'capture' && piece.name === from ? { ...piece, name: to } : piece,
  )
  return { path, captures: { ...above.captures, [to]: (parent.actions[0] as ActionSpec).captures[from] as Shape } }
}

const childName = (child: EndpointSpec, parent: EndpointSpec): string =>
  child.renames ? `up${parent.number}` : `par${parent.number}_id`

function prefixOf({ prefix, number }: EndpointSpec): string {
  if (prefix === undefined) return `/some${number}`
  return prefix === '' || prefix.startsWith('/') ? prefix : `/${prefix}`
}

/** Where every route of an application leads. */
function servedBy({ endpoints }: ApiSpec): Served[] {
  return endpoints.flatMap((one) => {
    const above = inheritedBy(one, endpoints)
    return one.actions.flatMap((action) =>
      action.routes.map((own): Served => {
        const base = [...above.path, ...fixed(own.bare ? '' : prefixOf(one))]
        const path = own.path.length === 0 && base.length === 0 ? fixed('/') : [...base, ...own.path]
        // The path of a prefix alone also has a slash at its end.
        const slash = own.path.length === 0 && base.length > 0
        return {
          endpoint: one,
          action,
          route: own,
          path,
          matcher: matcherOf(path, slash),
          captures: { ...above.captures, ...action.captures },
        }
      }),
    )
  })
}

/** Tells whether two routes may be such that no request can tell them apart. */
function mayConflict(served: readonly Served[]): boolean {
  const known = new Map<string, Served>()
  for (const one of served) {
    for (const form of formsOf(one.path)) {
      const key = `${one.endpoint.version ?? ''} ${one.route.verb} ${form.replace(/\/$/, '')}`
      if (known.has(key)) return true
      known.set(key, one)
    }
  }
  return false
}

function bodySpec(body: BodySpec): unknown {
  if (body.is === 'media') return shownAs(body.media, body.view)
  if (body.is === 'list') return collectionOf(shownAs(body.media, body.view))
  if (body.is === 'value') return attributeOf(body.shape)
  if (body.is === 'several') return [shownAs(body.media, undefined), 'text/csv']
  return { text: 'text/plain', bytes: 'image/png', json: 'application/json' }[body.is as 'text']
}

function responseSpec({ name, status, body, header }: ResponseSpec): unknown {
  if (body.is === 'failure' || (body.is === 'none' && name === 'noContent')) return true
  const mediaType = bodySpec(body)
  return {
    ...(status === 299 && { status }),
    ...(mediaType !== undefined && { mediaType }),
    ...(header && { headers: { 'X-Count': t.integer({ required: true }) } }),
  }
}

function actionSpec(action: ActionSpec): object {
  const { payload } = action
  return {
    routing: action.routes.map(({ verb, path, bare }) =>
      route[verb as 'get'](`${bare ? '/' : ''}${patternOf(path) || '/'}` as '/'),
    ),
    params: {
      ...attributesOf(action.captures),
      ...attributesOf(action.params),
      ...(action.splat && { splat: t.array(t.string()) }),
    },
    headers: attributesOf(action.headers),
    ...(payload !== undefined && {
      payload: payload.form === 'fields' ? attributesOf(payload.fields) : attributeOf(payload.shape),
      ...(takesForms(payload) && { consumes: consumesOf(payload) }),
    }),
    responses: Object.fromEntries(action.responses.map((one) => [one.name, responseSpec(one)])),
    ...(action.ignores && { ignore: ['utm_*'] }),
  }
}

function declare(spec: EndpointSpec, made: readonly Endpoint<string, never>[], all: readonly EndpointSpec[]): unknown {
  const parent = spec.parent === undefined ? undefined : made[spec.parent]
  const above = spec.parent === undefined ? undefined : (all[spec.parent] as EndpointSpec)
  return endpoint(spec.name, {
    singular: `par${spec.number}`,
    ...(spec.prefix !== undefined && { prefix: spec.prefix }),
    ...(spec.version !== undefined && { version: spec.version }),
    ...(parent !== undefined && {
      parent: (spec.renames
        ? childOf(parent as never, { [`id${above?.number}`]: `up${above?.number}` } as never)
        : parent) as never,
    }),
    actions: Object.fromEntries(spec.actions.map((one) => [one.name, actionSpec(one)])) as never,
  })
}

type Tamper = (seen: Seen) => Seen

/** Makes the application; `tamper` changes what controllers report to have seen. */
function build(spec: ApiSpec, tamper: Tamper = (seen) => seen): Built {
  const orders = new Map<string, Order>()
  const made: Endpoint<string, never>[] = []
  for (const one of spec.endpoints) made.push(declare(one, made, spec.endpoints) as never)
  const controllers = made.map((one, i) => implement(one, spec.endpoints[i] as EndpointSpec, orders, tamper))
  const app = application({
    title: 'Fuzz',
    basePath: spec.basePath,
    versionWith: spec.carriers,
    validation: { status: spec.status },
    // Nesting is drawn as it comes; the limit of pairs is one of the laws.
    limits: { body: 65_536, queryDepth: 32, queryPairs: PAIRS },
    logger: { info() {}, warn() {}, error() {} },
    environment: 'test',
    controllers,
  })
  return {
    spec,
    app,
    orders,
    served: servedBy(spec),
    definitions: Object.fromEntries(made.map((one) => [one.name, one])),
  }
}

function implement(
  one: Endpoint<string, never>,
  spec: EndpointSpec,
  orders: Map<string, Order>,
  tamper: Tamper,
): AnyController {
  const functions = spec.actions.map(({ name, later }) => {
    const act = (params: unknown, { request, reply }: any): unknown => {
      const order = orders.get(request.env.headers[ORDER]) as Order
      const { headers, payload } = request
      order.seen = tamper({ action: `${spec.name}.${name}`, params, headers, payload })
      return order.respond(reply)
    }
    return [name, later ? async (params: unknown, context: unknown) => act(params, context) : act]
  })
  return (one as unknown as { implement(of: object): AnyController }).implement(Object.fromEntries(functions))
}

/** Boots an application; what its declarations contradict each other in must be said, and nothing else refused. */
export function boot(spec: ApiSpec, tamper?: Tamper): Built | undefined {
  try {
    return build(spec, tamper)
  } catch (error) {
    const refused =
      error instanceof DefinitionError && error.mistakes.every(({ problem }) => /no request can tell/.test(problem))
    if (refused && mayConflict(servedBy(spec))) return undefined
    throw error
  }
}
