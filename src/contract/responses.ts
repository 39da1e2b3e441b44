// Responses in a contract: statuses, forms, and the headers that clients can count on.
import type { ResolvedAction, ResolvedBody, ResolvedResponse } from '../design/resolve/resolved.ts'
import { type Attribute, isAttribute } from '../schema/attribute.ts'
import type { JsonSchema, Schemas } from '../schema/json-schema.ts'
import type { BodyContract, HeaderContract, ResponseContract } from './contract.ts'
import { stepped, unsaidOf } from './unsaid.ts'

/** Describes one declared response of an action. */
export function responseContract(
  { status, description, bodies, headers, location }: ResolvedResponse,
  action: ResolvedAction,
  schemas: Schemas,
): ResponseContract {
  const rules = [...(location === undefined ? [] : [['location', location] as const]), ...headers]
  const declared = rules.map(([name, rule]) => [
    name.toLowerCase(),
    { required: true, schema: ruleSchema(rule, schemas) },
  ])
  return {
    status,
    ...(description !== undefined && { description }),
    headers: { ...addedHeaders(action, status), ...Object.fromEntries(declared) },
    bodies: bodies.map((body) => bodyContract(body, schemas)),
  }
}

// Some params and policies affect the response headers, and declare that themselves.
function addedHeaders({ params, policies }: ResolvedAction, status: number): Record<string, HeaderContract> {
  const ofParams = status < 300 ? Object.values(params).map(({ core }) => core.answerHeaders) : []
  const ofPolicies = [...policies.values()].map(({ sends = {} }) => sends)
  const added = [...ofPolicies, ...ofParams].flatMap((one) => Object.entries(one))
  return Object.fromEntries(added.map(([name, { schema }]) => [name.toLowerCase(), { required: false, schema }]))
}

function bodyContract({ identifier, attribute, list, stream }: ResolvedBody, schemas: Schemas): BodyContract {
  if (attribute === undefined) return { type: identifier, schema: {} }
  const items = attribute.core.jsonSchema(schemas)
  const unsaid = Object.entries(unsaidOf(attribute, 'output') ?? {}).map(([place, one]) => [
    list ? inList(place) : place,
    one,
  ])
  return {
    type: identifier,
    ...(stream?.spreadsheet === true && { spreadsheet: true as const }),
    schema: list ? { type: 'array', items } : items,
    ...(unsaid.length > 0 && { unsaid: Object.fromEntries(unsaid) }),
  }
}

function inList(place: string): string {
  if (place === '' || place.startsWith('[') || place.startsWith('<')) return `[]${place}`
  return stepped('[]', place, 'object')
}

function ruleSchema(rule: string | RegExp | Attribute | true, schemas: Schemas): JsonSchema {
  if (rule === true) return { type: 'string' }
  if (typeof rule === 'string') return { type: 'string', const: rule }
  if (isAttribute(rule)) return rule.core.jsonSchema(schemas)
  return { type: 'string', pattern: `^(?:${rule.source})$`, ...(rule.flags !== '' && { 'x-flags': rule.flags }) }
}
