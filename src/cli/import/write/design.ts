// The files of a design: media types, endpoints, security schemes.
import { snake } from '../../../util/naming.ts'
import type { Action, Admission, Body, Endpoint, Response, Scheme } from '../operations/model.ts'
import { type Component, isMedia, isRelated, type ObjectNode } from '../schemas/node.ts'
import { attributeCode, attributesCode, type Site } from './attributes.ts'
import { type Code, call, list, literal, object, print, quoted, raw } from './code.ts'
import { Module } from './module.ts'
import { ordered, type Placed, referred } from './order.ts'
import type { Plan, PlannedEndpoint } from './plan.ts'

const none: ReadonlySet<Component> = new Set()

/** Writes the media types that several endpoints need; undefined if there are none. */
export function sharedTypes(plan: Plan): string | undefined {
  const module = new Module('Media types and attributes that several endpoints use.')
  const nameOf = (component: Component): string => plan.names.get(component) as string
  for (const one of ordered(plan.shared)) module.add(componentText(one, { module, nameOf, later: one.later }))
  return module.isEmpty ? undefined : module.text()
}

/** Writes an endpoint with the media types that only it needs. */
export function endpointText({ endpoint, name, components }: PlannedEndpoint, plan: Plan): string {
  const module = new Module(`The endpoint ${name}, and the media types that only it uses.`)
  const own = new Set(components)
  const nameOf = (component: Component): string => {
    const known = plan.names.get(component) as string
    return own.has(component) ? known : module.use(known, './media-types.ts')
  }
  for (const one of ordered(components)) module.add(componentText(one, { module, nameOf, later: one.later }))
  const site: Site = { module, nameOf, later: none }
  const made = call(module.use('endpoint'), raw(quoted(endpoint.name)), endpointCode(endpoint, site, plan))
  module.add(
    `/** The actions of ${name}. */\nexport const ${name} = ${print(made, 0, `export const ${name} = `.length)}`,
  )
  return module.text()
}

/** Writes the security schemes. */
export function securityText(schemes: readonly Scheme[], { names }: Plan): string {
  const module = new Module('The security schemes, and whom they stand for.')
  module.use('security')
  module.add(
    '/** The client of a request, as a verifier finds it. */\nexport interface Principal {\n  readonly id: string\n}',
  )
  for (const one of schemes) {
    const name = names.get(one) as string
    const options = Object.keys(one.options).length === 0 ? [] : [literal(one.options)]
    const made = call(`security.${one.kind}<Principal>`, raw(quoted(one.name)), ...options)
    const start = `export const ${name} = `
    module.add(`/** The scheme ${name}. */\n${start}${print(made, 0, start.length)}`)
  }
  return module.text()
}

// --- components ------------------------------------------------------------------------

function componentText({ component, loose }: Placed, site: Site): string {
  const name = site.nameOf(component)
  const { module } = site
  const type = loose ? `: ${module.use('type Attribute').slice('type '.length)}<unknown, false>` : ''
  const start = `export const ${name}${type} = `
  const made = isMedia(component) ? mediaCode(component, site) : attributeCode(component.node, site)
  const what = isMedia(component) ? 'media type' : 'attribute'
  return `/** The ${what} ${name}. */\n${start}${print(made, 0, start.length)}`
}

function mediaCode(component: Component, site: Site): Code {
  const { name, identifier } = component
  const { attributes, writeOnly, options } = component.node as ObjectNode
  const members = [...attributes].map(([key, one]) => {
    const isLate = [...referred(one)].some((other) => site.later.has(other))
    return [key, attributeCode(one, isLate ? { ...site, later: none } : site), isLate] as const
  })
  const shown = [...attributes.keys()].filter((key) => !writeOnly.has(key))
  const isChosen = writeOnly.size > 0 || [...attributes.values()].some((one) => isRelated(one))
  const called = /^\w/.test(name) ? name : site.nameOf(component)
  return call(
    site.module.use('mediaType'),
    raw(quoted(called)),
    object([
      ['identifier', literal(identifier)],
      ['description', options['description'] === undefined ? undefined : literal(options['description'])],
      ['attributes', object(members)],
      ['views', isChosen ? object([['default', literal(shown)]]) : undefined],
    ]),
  )
}

const optional = (value: unknown): Code | undefined => (value === undefined ? undefined : literal(value))

// --- endpoints -------------------------------------------------------------------------

function endpointCode(
  { name, description, tags, externalDocs, prefix, actions }: Endpoint,
  site: Site,
  plan: Plan,
): Code {
  const [first] = actions.map(({ security }) => JSON.stringify(security))
  const isShared =
    actions.length > 1 && first !== '[]' && actions.every(({ security }) => JSON.stringify(security) === first)
  const shared = isShared ? securityCode((actions[0] as Action).security, site, plan) : undefined
  return object([
    ['description', optional(description)],
    ['tags', optional(tags)],
    ['externalDocs', optional(externalDocs)],
    ['prefix', prefix === `/${snake(name)}` ? undefined : literal(prefix)],
    ['actionDefaults', shared === undefined ? undefined : object([['security', shared]])],
    ['actions', object(actions.map((one) => [one.name, actionCode(one, isShared, site, plan)] as const))],
  ])
}

function actionCode(action: Action, isShared: boolean, site: Site, plan: Plan): Code {
  const { verb, path, deprecated, params, headers, payload, responses, security } = action
  return object([
    ['summary', optional(action.summary)],
    ['description', optional(action.description)],
    ['operationId', optional(action.operationId)],
    ['tags', optional(action.tags)],
    ['externalDocs', optional(action.externalDocs)],
    ['routing', call(`${site.module.use('route')}.${verb}`, literal(path))],
    ['deprecated', deprecated ? raw('true') : undefined],
    ['security', isShared || security.length === 0 ? undefined : securityCode(security, site, plan)],
    ['params', params.size === 0 ? undefined : attributesCode(params, site)],
    ['headers', headers.size === 0 ? undefined : attributesCode(headers, site)],
    ['payload', payload && payloadCode(payload, site)],
    ['consumes', payload?.consumes && literal(payload.consumes)],
    ['responses', object([...responses].map(([name, one]) => [name, responseCode(one, site)] as const))],
  ])
}

function payloadCode({ node, inherits }: NonNullable<Action['payload']>, site: Site): Code {
  const { module } = site
  if (inherits !== undefined) {
    const inherit = raw(module.use('inherit'))
    const names = object(inherits.names.map((name) => [name, inherit] as const))
    return call(module.use('payloadOf'), raw(site.nameOf(inherits.component)), names)
  }
  const isBare = node.kind === 'object' && Object.keys(node.options).length === 0
  return isBare ? attributesCode(node.attributes, site) : attributeCode(node, site)
}

function responseCode({ status, description, bodies, headers }: Response, site: Site): Code {
  const all = bodies.map((body) => bodyCode(body, site))
  const isShort = status === undefined && description === undefined && headers.size === 0 && all.length < 2
  if (isShort) return all[0] ?? raw('true')
  return object([
    ['status', status === undefined ? undefined : literal(status)],
    ['description', description === undefined ? undefined : literal(description)],
    ['mediaType', all.length < 2 ? all[0] : list(all)],
    ['headers', headers.size === 0 ? undefined : attributesCode(headers, site)],
  ])
}

function bodyCode(body: Body, site: Site): Code {
  if (typeof body === 'string') return literal(body)
  if ('listOf' in body) {
    const { listOf, type } = body
    if (listOf.identifier !== type) return literal(`${type};type=collection`)
    return call(site.module.use('collectionOf'), raw(site.nameOf(listOf)))
  }
  const { node, type } = body
  const isOther = node.kind === 'ref' && isMedia(node.component) && node.component.identifier !== type
  return isOther && Object.keys(node.options).length === 0 ? literal(type) : attributeCode(node, site)
}

function securityCode(ways: readonly Admission[], { module }: Site, { names }: Plan): Code {
  const all = ways.map((way) => {
    if (way === 'none') return literal(way)
    const parts = way.map(({ scheme, scopes }) => {
      const name = module.use(names.get(scheme) as string, './security.ts')
      const code = scopes.length === 0 ? raw(name) : call(`${name}.scopes`, ...scopes.map(literal))
      return [name.charAt(0).toLowerCase() + name.slice(1), code] as const
    })
    const [first] = parts
    return parts.length === 1 && first !== undefined ? first[1] : call(`${module.use('security')}.all`, object(parts))
  })
  return all.length === 1 ? (all[0] as Code) : list(all)
}
