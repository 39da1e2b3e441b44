// Builds the contract of responses: statuses, representations and headers.
import { attributeRules } from '../design/attribute-rules.ts'
import type { ResolvedAction, ResolvedBody, ResolvedResponse } from '../design/resolve/resolved.ts'
import { type Attribute, isAttribute } from '../schema/attribute.ts'
import type { JsonSchema, NamedSchemas } from '../schema/json-schema.ts'
import type { BodyContract, EventContract, HeaderContract, ResponseContract } from './contract.ts'
import { appendStep, collectExtraConstraints } from './extra-constraints.ts'

/** Describes a declared response of an action. */
export function buildResponseContract(
  { status, description, bodies, headers, location }: ResolvedResponse,
  action: ResolvedAction,
  schemas: NamedSchemas,
): ResponseContract {
  const rules = [...(location === undefined ? [] : [['location', location] as const]), ...headers]
  const declared = rules.map(([name, rule]) => [
    name.toLowerCase(),
    { required: true, schema: buildHeaderSchema(rule, schemas) },
  ])
  return {
    status,
    ...(description !== undefined && { description }),
    headers: { ...collectAddedHeaders(action, status), ...Object.fromEntries(declared) },
    bodies: bodies.map((body) => buildBodyContract(body, schemas)),
  }
}

// Some params and policies add response headers, and declare them.
function collectAddedHeaders({ params, policies }: ResolvedAction, status: number): Record<string, HeaderContract> {
  const ofParams =
    status < 300 ? Object.values(params).map(({ core }) => attributeRules.getResponseHeaders({ core })) : []
  const ofPolicies = [...policies.values()].map(({ documentedHeaders: sends = {} }) => sends)
  const added = [...ofPolicies, ...ofParams].flatMap((one) => Object.entries(one))
  return Object.fromEntries(added.map(([name, { schema }]) => [name.toLowerCase(), { required: false, schema }]))
}

function buildBodyContract({ identifier, attribute, list, stream }: ResolvedBody, schemas: NamedSchemas): BodyContract {
  if (attribute === undefined) return { type: identifier, schema: {} }
  if (stream?.as === 'events') return { type: identifier, schema: {}, events: buildEventContracts(attribute, schemas) }
  const items = attributeRules.buildSchema(attribute, schemas)
  const extraConstraints = Object.entries(collectExtraConstraints(attribute, 'output') ?? {}).map(([path, one]) => [
    list ? prefixListPath(path) : path,
    one,
  ])
  return {
    type: identifier,
    ...(stream?.spreadsheet === true && { spreadsheet: true as const }),
    schema: list ? { type: 'array', items } : items,
    ...(extraConstraints.length > 0 && { extraConstraints: Object.fromEntries(extraConstraints) }),
  }
}

function buildEventContracts({ core }: Attribute, schemas: NamedSchemas): Record<string, EventContract> {
  return Object.fromEntries(
    Object.entries(core.children).map(
      ([
        name,
        {
          core: { children },
        },
      ]) => {
        const data = children['data'] as Attribute
        const extraConstraints = collectExtraConstraints(data, 'output')
        const schema = attributeRules.buildSchema(data, schemas)
        return [name, { schema, ...(extraConstraints !== undefined && { extraConstraints }) }]
      },
    ),
  )
}

function prefixListPath(path: string): string {
  if (path === '' || path.startsWith('[') || path.startsWith('<')) return `[]${path}`
  return appendStep('[]', path, 'object')
}

function buildHeaderSchema(rule: string | RegExp | Attribute | true, schemas: NamedSchemas): JsonSchema {
  if (rule === true) return { type: 'string' }
  if (typeof rule === 'string') return { type: 'string', const: rule }
  if (isAttribute(rule)) return attributeRules.buildSchema(rule, schemas)
  return { type: 'string', pattern: `^(?:${rule.source})$`, ...(rule.flags !== '' && { 'x-flags': rule.flags }) }
}
