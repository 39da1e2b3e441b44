// Renders the files of a design: media types, endpoints, security schemes.
import { toSnakeCase } from '../../../util/naming.ts'
import type {
  ImportedAction,
  ImportedBody,
  ImportedEndpoint,
  ImportedResponse,
  ImportedScheme,
  ImportedSecurityRequirement,
} from '../operations/imported-model.ts'
import { type Component, isMediaComponent, isRelated, type ObjectNode } from '../schemas/attribute-node.ts'
import { buildAttribute, buildAttributeObject, type WriteContext } from './attributes.ts'
import {
  buildCall,
  buildList,
  buildLiteral,
  buildObject,
  buildRaw,
  type Code,
  printCode,
  quoteLiteral,
} from './code.ts'
import { collectReferences, type OrderedComponent, orderComponents } from './declaration-order.ts'
import type { FilePlan, PlannedEndpoint } from './file-plan.ts'
import { GeneratedModule } from './generated-module.ts'

const NO_COMPONENTS: ReadonlySet<Component> = new Set()

/** Renders the media types that several endpoints need; returns undefined if there are none. */
export function renderSharedTypes(plan: FilePlan): string | undefined {
  const module = new GeneratedModule('Media types and attributes that several endpoints use.')
  const getName = (component: Component): string => plan.names.get(component) as string
  for (const one of orderComponents(plan.shared))
    module.add(renderComponent(one, { module, getName, later: one.later }))
  return module.isEmpty ? undefined : module.render()
}

/** Renders an endpoint with the media types that only it needs. */
export function renderEndpoint({ endpoint, name, components }: PlannedEndpoint, plan: FilePlan): string {
  const module = new GeneratedModule(`The endpoint ${name}, and the media types that only it uses.`)
  const own = new Set(components)
  const getName = (component: Component): string => {
    const name = plan.names.get(component) as string
    return own.has(component) ? name : module.importName(name, './media-types.ts')
  }
  for (const one of orderComponents(components)) module.add(renderComponent(one, { module, getName, later: one.later }))
  const context: WriteContext = { module, getName, later: NO_COMPONENTS }
  const code = buildCall(
    module.importName('endpoint'),
    buildRaw(quoteLiteral(endpoint.name)),
    buildEndpoint(endpoint, context, plan),
  )
  module.add(
    `/** The actions of ${name}. */\nexport const ${name} = ${printCode(code, 0, `export const ${name} = `.length)}`,
  )
  return module.render()
}

/** Renders the security schemes. */
export function renderSecurity(schemes: readonly ImportedScheme[], { names }: FilePlan): string {
  const module = new GeneratedModule('The security schemes, and whom they stand for.')
  module.importName('security')
  module.add(
    '/** The client of a request, as a verifier finds it. */\nexport interface Principal {\n  readonly id: string\n}',
  )
  for (const one of schemes) {
    const name = names.get(one) as string
    const options = Object.keys(one.options).length === 0 ? [] : [buildLiteral(one.options)]
    const code = buildCall(`security.${one.kind}<Principal>`, buildRaw(quoteLiteral(one.name)), ...options)
    const start = `export const ${name} = `
    module.add(`/** The scheme ${name}. */\n${start}${printCode(code, 0, start.length)}`)
  }
  return module.render()
}

// --- components ------------------------------------------------------------------------

function renderComponent({ component, needsType }: OrderedComponent, context: WriteContext): string {
  const name = context.getName(component)
  const { module } = context
  const type = needsType ? `: ${module.importName('type Attribute').slice('type '.length)}<unknown, false>` : ''
  const start = `export const ${name}${type} = `
  const code = isMediaComponent(component)
    ? buildMediaType(component, context)
    : buildAttribute(component.node, context)
  const what = isMediaComponent(component) ? 'media type' : 'attribute'
  return `/** The ${what} ${name}. */\n${start}${printCode(code, 0, start.length)}`
}

function buildMediaType(component: Component, context: WriteContext): Code {
  const { name, identifier } = component
  const { attributes, writeOnly, options } = component.node as ObjectNode
  const members = [...attributes].map(([key, one]) => {
    const isLate = [...collectReferences(one)].some((other) => context.later.has(other))
    return [key, buildAttribute(one, isLate ? { ...context, later: NO_COMPONENTS } : context), isLate] as const
  })
  const shown = [...attributes.keys()].filter((key) => !writeOnly.has(key))
  const isChosen = writeOnly.size > 0 || [...attributes.values()].some((one) => isRelated(one))
  const typeName = /^\w/.test(name) ? name : context.getName(component)
  return buildCall(
    context.module.importName('mediaType'),
    buildRaw(quoteLiteral(typeName)),
    buildObject([
      ['identifier', buildLiteral(identifier)],
      ['description', options['description'] === undefined ? undefined : buildLiteral(options['description'])],
      ['attributes', buildObject(members)],
      ['views', isChosen ? buildObject([['default', buildLiteral(shown)]]) : undefined],
    ]),
  )
}

const buildOptional = (value: unknown): Code | undefined => (value === undefined ? undefined : buildLiteral(value))

// --- endpoints -------------------------------------------------------------------------

function buildEndpoint(
  { name, description, tags, externalDocs, prefix, actions }: ImportedEndpoint,
  context: WriteContext,
  plan: FilePlan,
): Code {
  const [first] = actions.map(({ security }) => JSON.stringify(security))
  const isShared =
    actions.length > 1 && first !== '[]' && actions.every(({ security }) => JSON.stringify(security) === first)
  const shared = isShared ? buildSecurity((actions[0] as ImportedAction).security, context, plan) : undefined
  return buildObject([
    ['description', buildOptional(description)],
    ['tags', buildOptional(tags)],
    ['externalDocs', buildOptional(externalDocs)],
    ['prefix', prefix === `/${toSnakeCase(name)}` ? undefined : buildLiteral(prefix)],
    ['actionDefaults', shared === undefined ? undefined : buildObject([['security', shared]])],
    ['actions', buildObject(actions.map((one) => [one.name, buildAction(one, isShared, context, plan)] as const))],
  ])
}

function buildAction(action: ImportedAction, isShared: boolean, context: WriteContext, plan: FilePlan): Code {
  const { verb, path, deprecated, params, headers, payload, responses, security } = action
  return buildObject([
    ['summary', buildOptional(action.summary)],
    ['description', buildOptional(action.description)],
    ['operationId', buildOptional(action.operationId)],
    ['tags', buildOptional(action.tags)],
    ['externalDocs', buildOptional(action.externalDocs)],
    ['routing', buildCall(`${context.module.importName('route')}.${verb}`, buildLiteral(path))],
    ['deprecated', deprecated ? buildRaw('true') : undefined],
    ['security', isShared || security.length === 0 ? undefined : buildSecurity(security, context, plan)],
    ['params', params.size === 0 ? undefined : buildAttributeObject(params, context)],
    ['headers', headers.size === 0 ? undefined : buildAttributeObject(headers, context)],
    ['payload', payload && buildPayload(payload, context)],
    ['consumes', payload?.consumes && buildLiteral(payload.consumes)],
    ['responses', buildObject([...responses].map(([name, one]) => [name, buildResponse(one, context)] as const))],
  ])
}

function buildPayload({ node, inherits }: NonNullable<ImportedAction['payload']>, context: WriteContext): Code {
  const { module } = context
  if (inherits !== undefined) {
    const inherit = buildRaw(module.importName('inherit'))
    const names = buildObject(inherits.names.map((name) => [name, inherit] as const))
    return buildCall(module.importName('payloadOf'), buildRaw(context.getName(inherits.component)), names)
  }
  const isBare = node.kind === 'object' && Object.keys(node.options).length === 0
  return isBare ? buildAttributeObject(node.attributes, context) : buildAttribute(node, context)
}

function buildResponse({ status, description, bodies, headers }: ImportedResponse, context: WriteContext): Code {
  const all = bodies.map((body) => buildBody(body, context))
  const isShort = status === undefined && description === undefined && headers.size === 0 && all.length < 2
  if (isShort) return all[0] ?? buildRaw('true')
  return buildObject([
    ['status', status === undefined ? undefined : buildLiteral(status)],
    ['description', description === undefined ? undefined : buildLiteral(description)],
    ['mediaType', all.length < 2 ? all[0] : buildList(all)],
    ['headers', headers.size === 0 ? undefined : buildAttributeObject(headers, context)],
  ])
}

function buildBody(body: ImportedBody, context: WriteContext): Code {
  if (typeof body === 'string') return buildLiteral(body)
  if ('listOf' in body) {
    const { listOf, type } = body
    if (listOf.identifier !== type) return buildLiteral(`${type};type=collection`)
    return buildCall(context.module.importName('collectionOf'), buildRaw(context.getName(listOf)))
  }
  const { node, type } = body
  const isOther = node.kind === 'ref' && isMediaComponent(node.component) && node.component.identifier !== type
  return isOther && Object.keys(node.options).length === 0 ? buildLiteral(type) : buildAttribute(node, context)
}

function buildSecurity(
  alternatives: readonly ImportedSecurityRequirement[],
  { module }: WriteContext,
  { names }: FilePlan,
): Code {
  const all = alternatives.map((alternative) => {
    if (alternative === 'none') return buildLiteral(alternative)
    const parts = alternative.map(({ scheme, scopes }) => {
      const name = module.importName(names.get(scheme) as string, './security.ts')
      const code = scopes.length === 0 ? buildRaw(name) : buildCall(`${name}.scopes`, ...scopes.map(buildLiteral))
      return [name.charAt(0).toLowerCase() + name.slice(1), code] as const
    })
    const [first] = parts
    return parts.length === 1 && first !== undefined
      ? first[1]
      : buildCall(`${module.importName('security')}.all`, buildObject(parts))
  })
  return all.length === 1 ? (all[0] as Code) : buildList(all)
}
