// Builds the contract from resolved declarations.

import { attributeRules } from '../design/attribute-rules.ts'
import type { Terms } from '../design/declare/contract-terms.ts'
import type { ResolvedAction, ResolvedEndpoint, ResolvedPayload } from '../design/resolve/resolved.ts'
import type { VersionCarrier } from '../routing/version.ts'
import type { Attribute, Attributes } from '../schema/attribute.ts'
import { type JsonSchema, NamedSchemas } from '../schema/json-schema.ts'
import { buildRequirementSchemas } from '../schema/requirements.ts'
import { compareAscending } from '../util/compare.ts'
import { isJsonType } from '../util/media-type.ts'
import { toCanonicalData } from './canonical.ts'
import type { ActionContract, Contract, EndpointContract, InputContract, PayloadContract } from './contract.ts'
import { renameSchemas } from './diff/rename-schemas.ts'
import { collectExtraConstraints } from './extra-constraints.ts'
import { buildResponseContract } from './response-contract.ts'
import { buildRouteContract } from './route-contract.ts'

/** The data that a contract is built from. */
export interface ContractSource {
  readonly title: string
  readonly description: string | undefined
  readonly basePath: string
  readonly carriers: readonly VersionCarrier[]
  readonly endpoints: readonly ResolvedEndpoint[]
  readonly validationStatus: number
  /** The media type of problem documents. */
  readonly problems: string
  readonly ignore: readonly string[]
  readonly bodyLimit: number
  readonly queryPairs: number
  readonly queryDepth: number
  /** The terms that plugins set for the params of an action, by param name. */
  readonly terms: (action: ResolvedAction) => Readonly<Record<string, Terms>>
}

/** The named schemas of a contract, in both directions. */
interface ContractSchemas {
  readonly input: NamedSchemas
  readonly output: NamedSchemas
}

const SCHEMAS_ROOT = '#/schemas/'

/** Builds the contract of an application: everything that its clients may rely on. */
export function buildContract(source: ContractSource): Contract {
  const { title, description, basePath, carriers, validationStatus, problems, queryPairs, queryDepth } = source
  const output = new NamedSchemas('output', SCHEMAS_ROOT)
  const schemas: ContractSchemas = {
    output,
    input: new NamedSchemas('input', SCHEMAS_ROOT, { named: output.named, suffix: 'Input' }),
  }
  const sorted = [...source.endpoints].sort((a, b) => compareAscending(formatEndpointKey(a), formatEndpointKey(b)))
  const endpoints = sorted.map((one) => buildEndpointContract(one, source, schemas))
  const versioned = sorted.some(({ version }) => version !== undefined)
  const contract: Contract = {
    contract: 1,
    title,
    ...(description !== undefined && { description }),
    basePath,
    versionWith: versioned ? [...carriers].sort(compareAscending) : [],
    validationStatus,
    problems,
    limits: { queryPairs, queryDepth },
    endpoints,
    schemas: Object.fromEntries(output.named),
  }
  return renameSchemas(toCanonicalData(contract))
}

const formatEndpointKey = ({ name, version = '' }: ResolvedEndpoint): string => `${name}\n${version}`

function buildEndpointContract(
  endpoint: ResolvedEndpoint,
  source: ContractSource,
  schemas: ContractSchemas,
): EndpointContract {
  const { name, version, nodoc } = endpoint
  const actions = [...endpoint.actions.values()].sort((a, b) => compareAscending(a.name, b.name))
  return {
    name,
    ...(version !== undefined && { version }),
    ...pickTexts(endpoint),
    ...(nodoc && { nodoc }),
    actions: Object.fromEntries(actions.map((action) => [action.name, buildActionContract(action, source, schemas)])),
  }
}

function buildActionContract(action: ResolvedAction, source: ContractSource, schemas: ContractSchemas): ActionContract {
  const { nodoc, operationId, routes, params, headers, payload, responses } = action
  const terms = source.terms(action)
  const sortedResponses = [...responses].sort(([a], [b]) => compareAscending(a, b))
  return {
    ...pickTexts(action),
    ...(operationId !== undefined && { operationId }),
    ...(nodoc && { nodoc }),
    routes: routes
      .map((one) => buildRouteContract(one, action.paramTypes))
      .sort((a, b) => compareAscending(JSON.stringify(a), JSON.stringify(b))),
    params: buildInputContracts(params, (name) => locateParam(name, action), schemas.input, terms),
    ...(action.requires.length > 0 && { requires: buildRequirementSchemas(action.requires) }),
    headers: buildInputContracts(
      Object.fromEntries(Object.entries(headers).map(([name, one]) => [name.toLowerCase(), one])),
      () => 'header',
      schemas.input,
      {},
    ),
    ...(payload !== undefined && {
      payload: buildPayloadContract(payload, action.bodyLimit ?? source.bodyLimit, schemas.input),
    }),
    ignore: [...new Set([...source.ignore, ...action.ignore])].sort(compareAscending),
    responses: Object.fromEntries(
      sortedResponses.map(([name, one]) => [name, buildResponseContract(one, action, schemas.output)]),
    ),
    policies: Object.fromEntries(
      [...action.policies.values()].flatMap(({ name, terms: own }) => (own === undefined ? [] : [[name, own]])),
    ),
  }
}

const pickTexts = ({ summary, description }: Pick<ResolvedAction, 'summary' | 'description'>) => ({
  ...(summary !== undefined && { summary }),
  ...(description !== undefined && { description }),
})

// --- inputs --------------------------------------------------------------------------

function locateParam(name: string, { routes }: ResolvedAction): InputContract['in'] {
  const captured = routes.filter(
    ({ pattern }) => pattern.names.includes(name) || (name === 'splat' && pattern.wildcards > 0),
  )
  if (captured.length === 0) return 'query'
  return captured.length === routes.length ? 'path' : 'path or query'
}

function buildInputContracts(
  attributes: Attributes,
  locate: (name: string) => InputContract['in'],
  schemas: NamedSchemas,
  terms: Readonly<Record<string, Terms>>,
): Record<string, InputContract> {
  const sorted = Object.entries(attributes).sort(([a], [b]) => compareAscending(a, b))
  return Object.fromEntries(
    sorted.map(([name, attribute]) => [
      name,
      buildInputContract(attribute, locate(name), schemas, Object.hasOwn(terms, name) ? terms[name] : undefined),
    ]),
  )
}

function buildInputContract(
  attribute: Attribute,
  location: InputContract['in'],
  schemas: NamedSchemas,
  terms: Terms | undefined,
): InputContract {
  const { options, core } = attribute
  const extraConstraints = collectExtraConstraints(attribute, 'input')
  const schema = attributeRules.buildSchema({ core }, schemas)
  return {
    kind: core.kindName,
    in: location,
    required: options.required === true && options.default === undefined,
    schema: terms === undefined ? schema : withoutDerivedTexts(schema, options.description),
    ...(extraConstraints !== undefined && { extraConstraints }),
    ...(terms !== undefined && { terms }),
  }
}

// If a plugin sets terms, generated descriptions and examples only repeat them. A declared description is kept.
function withoutDerivedTexts(
  { description: _, examples: __, ...schema }: JsonSchema,
  declared: string | undefined,
): JsonSchema {
  return declared === undefined ? schema : { ...schema, description: declared }
}

function buildPayloadContract(
  { attribute, form, consumes }: ResolvedPayload,
  limit: number,
  schemas: NamedSchemas,
): PayloadContract {
  const extraConstraints = collectExtraConstraints(
    attribute,
    'input',
    consumes.some((type) => !isJsonType(type)),
  )
  const schema: JsonSchema = form === 'file' ? {} : attributeRules.buildSchema(attribute, schemas)
  const { required, default: initial } = attribute.options
  return {
    form,
    required: required === true && initial === undefined,
    consumes: [...consumes].sort(compareAscending),
    limit,
    schema,
    ...(extraConstraints !== undefined && { extraConstraints }),
  }
}
