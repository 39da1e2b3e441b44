// The entry point `edict/client/table`: what bundles have in place of `edict/client` when tables stand for declarations. The
// plugin of `edict/bundler` writes modules that import these names; programs import `edict/client`.
import type { PayloadOutline } from '../design/resolve/payload.ts'
import { ensureSafePath, type PathTemplate, parsePathTemplate, readOwn } from '../path/path-template.ts'
import {
  type Attribute,
  type AttributeCore,
  type Attributes,
  convertSingle,
  type KindOutline,
} from '../schema/attribute.ts'
import type { JsonPrimitive } from '../schema/dumping.ts'
import { writeAnyJson } from '../schema/structures/any.ts'
import type { CallRoute, CallTable, TabledBody } from './call-table.ts'
import { tabulateDefinition } from './declared-calls.ts'
import { makeClient } from './make-client.ts'
import { getTable, type TabledEndpoint } from './tabled-endpoint.ts'
import type { Client, ClientOptions, ProblemOf } from './types.ts'
import { writeBody, writeJsonBody } from './write-body.ts'

export { bigintOutline as bigintKind } from '../schema/scalars/bigint.ts'
export { dateTimeOutline as dateTimeKind } from '../schema/scalars/date-time.ts'
export { decimalOutline as decimalKind } from '../schema/scalars/decimal.ts'
export { integerOutline as integerKind } from '../schema/scalars/integer.ts'
export { anyKind } from '../schema/structures/any.ts'
export { fileOutline as fileKind } from '../schema/structures/file.ts'
export type { Around, SentRequest } from './around.ts'
export { type AnyCallResponse, CallError, ResponseError, StatusError } from './call-errors.ts'
export type { CallFailure, CallResponse, EncodedResponse, Problem } from './call-response.ts'
export { readValue, writeValue } from './convert-value.ts'
export { type CachedResponse, etags } from './etags.ts'
export { makeWalk as walk } from './iterate-list.ts'
export { type Progress, progress } from './progress.ts'
export { streamReader as streams } from './read-stream.ts'
export { sendWithRetries as repeat } from './send-with-retries.ts'
export type { Call, CallOptions, Client, ClientOptions, ElementIterator, Page, ProblemOf } from './types.ts'
export { writeParams } from './write-body.ts'

let tabulate: typeof tabulateDefinition | undefined

/** Lets `client` take declarations, too: a bundle keeps those that cannot be a table. */
export function keepDeclarations(): void {
  tabulate = tabulateDefinition
}

/** The `client` of `edict/client`, for tables. */
export const client = <E extends object, F extends Attribute | undefined = undefined, G extends string = never>(
  definitions: E,
  options: ClientOptions<F, G>,
): Client<E, ProblemOf<F>, G> => makeClient(definitions, options, (one) => getTable(one) ?? tabulate?.(one)) as never

// --- endpoints ---------------------------------------------------------------------------

/** One action, as the plugin writes it. */
export interface WrittenAction extends Partial<Omit<CallTable, 'endpoint' | 'name' | 'routes' | 'responses' | 'fill'>> {
  readonly routes: readonly (string | CallRoute)[]
  /** Status and bodies by the names of responses. */
  readonly responses: Readonly<Record<string, readonly [status: number, ...bodies: TabledBody[]]>>
}

/** Makes the table of an endpoint. */
export function table(
  name: string,
  actions: Readonly<Record<string, WrittenAction>>,
  version?: string,
  canonical = 'show',
): TabledEndpoint {
  const calls = new Map(
    Object.entries(actions).map(([action, { routes, responses, ...more }]) => [
      action,
      {
        params: {},
        headers: {},
        policies: [],
        ...more,
        endpoint: { name, version },
        name: action,
        routes: routes.map((one) => (typeof one === 'string' ? readRoute(one) : one)),
        responses: Object.entries(responses).map(([response, [status, ...bodies]]) => ({
          name: response,
          status,
          bodies,
        })),
        fill: readDefault,
      } satisfies CallTable,
    ]),
  )
  return {
    '~table': calls,
    name,
    toHref(args = {}) {
      const { routes: [route] = [], params = {} } = calls.get(canonical) ?? {}
      if (route === undefined) throw new TypeError(`${name} has no canonical path`)
      const entries = Object.entries(args).map(([param, value]) => {
        const fail = (text: string): never => {
          throw new TypeError(`${name}: '${param}' ${text}`)
        }
        return [param, readOwn(params, param)?.core.convert('write', value, fail) ?? value]
      })
      return route.pattern.expand(Object.fromEntries(entries))
    },
  }
}

// The defaults of tables are factories of complete values.
const readDefault: CallTable['fill'] = ({ options }) => options.default as (() => unknown) | undefined

/** Matches the captures of a path that consists of texts and captures only. */
const CAPTURE = /:([A-Za-z_]\w*)/

/** Reads a verb and a path without optional parts: `GET /books/:id`. */
function readRoute(text: string): CallRoute {
  const [verb, path] = text.split(' ') as [CallRoute['verb'], string]
  const parts = path.split(CAPTURE)
  const names = [...new Set(parts.filter((_, i) => i % 2))]
  const fill = (values: Readonly<Record<string, unknown>>): string | undefined => {
    const filled = parts.map((part, i) => (i % 2 ? encodeURIComponent(String(readOwn(values, part) ?? '')) : part))
    return filled.some((part, i) => i % 2 && part === '') ? undefined : filled.join('')
  }
  const pattern: PathTemplate = {
    names,
    required: names,
    wildcards: 0,
    expand: (values) => ensureSafePath(path, fill(values)),
  }
  return { verb, pattern, params: 'query' }
}

/** Makes a route with optional parts, wildcards or alternatives, or one that takes the params in the body. */
export const route = (verb: CallRoute['verb'], path: string, params: CallRoute['params'] = 'query'): CallRoute => ({
  verb,
  pattern: parsePathTemplate(path),
  params,
})

/** Makes the function that writes a payload as JSON. */
export const json =
  (attribute: Attribute, type = 'application/json'): NonNullable<CallTable['writeBody']> =>
  (payload, headers) =>
    writeJsonBody(attribute, type, payload, headers)

/** Makes the function that writes any other payload. */
export const payload =
  (declared: PayloadOutline): NonNullable<CallTable['writeBody']> =>
  (value, headers, action) =>
    writeBody(declared, value, headers, action)

/** Makes a body of a response. */
export const body = (
  identifier: string,
  attribute?: Attribute,
  list = false,
  as?: NonNullable<TabledBody['stream']>['as'],
): TabledBody => ({
  identifier,
  attribute,
  list,
  stream: as && { as },
})

// --- attributes --------------------------------------------------------------------------

const REQUIRED = 1
const NULLABLE = 2

/** What the client asks an attribute for; the rest is of servers and of declarations. */
type TabledCore = Partial<
  Pick<
    AttributeCore,
    'kindName' | 'shape' | 'children' | 'shown' | 'element' | 'target' | 'related' | 'config' | 'convert' | 'variant'
  >
>

const make = (core: TabledCore, flags: number, initial?: () => unknown, more?: object): Attribute =>
  ({
    core,
    options: { ...more, required: !!(flags & REQUIRED), nullable: !!(flags & NULLABLE), default: initial },
  }) as unknown as Attribute

/** Makes a kind of single values that are the same in JSON. */
export const kind = (unchangedType: JsonPrimitive, expected: string): KindOutline<object> => ({
  name: unchangedType,
  unchangedType,
  expected,
})

/** The kind of values that another library checks, on the server. */
export const openKind: KindOutline<object> = { name: 'open', shape: 'open', write: writeAnyJson }

/** Makes an attribute of a kind. */
export function value(one: KindOutline<never>, flags = 0, initial?: () => unknown): Attribute {
  const core: TabledCore = {
    shape: one.shape ?? 'value',
    children: {},
    config: {},
    convert: (way, given, fail) => convertSingle(one, core as AttributeCore, { way, value: given, fail }),
  }
  return make(core, flags, initial)
}

interface StructureParts {
  /** The names that are shown without a selection; all if it is absent. */
  readonly names?: readonly string[]
  /** The media type of a view, from which calls select. */
  readonly whole?: () => Attribute
}

/** Makes a structure, a media type or a view. */
export const structure = (
  children: Attributes,
  flags = 0,
  initial?: () => unknown,
  { names, whole }: StructureParts = {},
): Attribute =>
  make(
    {
      shape: 'object',
      children,
      shown:
        names === undefined ? children : Object.fromEntries(names.map((name) => [name, children[name] as Attribute])),
      related: whole !== undefined,
      config: { origin: () => ({ '~view': true, of: whole?.() }) },
    },
    flags,
    initial,
  )

/** Makes a media type that a program imports. */
export const media = (name: string, identifier: string, attribute: Attribute): object => ({
  ...attribute,
  '~media': true,
  name,
  identifier,
})

/** Makes a list. */
export const list = (element: Attribute, flags = 0, initial?: () => unknown, delimiter?: string): Attribute =>
  make({ shape: 'list', element, children: { '*': element } }, flags, initial, { delimiter })

/** Makes a structure with any names. */
export const record = (element: Attribute, flags = 0, initial?: () => unknown): Attribute =>
  make({ shape: 'record', element, children: { '*': element } }, flags, initial)

/** Makes one of several structures. */
export const union = (discriminator: string, children: Attributes, flags = 0, initial?: () => unknown): Attribute =>
  make(
    {
      shape: 'union',
      children,
      variant(one) {
        const tag: unknown = one[discriminator as never]
        return typeof tag === 'string' && Object.hasOwn(children, tag) ? children[tag] : undefined
      },
    },
    flags,
    initial,
  )

/** Makes a reference to a later attribute. */
export const ref = (target: () => Attribute, flags = 0, initial?: () => unknown): Attribute =>
  make(
    {
      shape: 'reference',
      get target() {
        return target()
      },
    },
    flags,
    initial,
  )

/** Makes a value that queries, headers and forms carry as a JSON text. */
export const jsonText = (target: Attribute, flags = 0, initial?: () => unknown): Attribute =>
  make({ kindName: 'json', shape: 'value', target }, flags, initial)
