// From resolved declarations to the contract.

import type { Terms } from '../design/declare/terms.ts'
import { isJsonType } from '../design/resolve/consumes.ts'
import type { ResolvedAction, ResolvedEndpoint, ResolvedPayload } from '../design/resolve/resolved.ts'
import type { VersionCarrier } from '../routing/version.ts'
import type { Attribute, Attributes } from '../schema/attribute.ts'
import { type JsonSchema, Schemas } from '../schema/json-schema.ts'
import { requirementSchemas } from '../schema/requires.ts'
import { byText, canonical } from './canonical.ts'
import type { ActionContract, Contract, EndpointContract, InputContract, PayloadContract } from './contract.ts'
import { renamed } from './diff/renaming.ts'
import { responseContract } from './responses.ts'
import { routeContract } from './routes.ts'
import { unsaidOf } from './unsaid.ts'

/** The input of a contract. */
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
interface SchemaBook {
  readonly input: Schemas
  readonly output: Schemas
}

const ROOT = '#/schemas/'

/** Describes all that clients of an application may rely on. */
export function contractOf(source: ContractSource): Contract {
  const { title, description, basePath, carriers, validationStatus, problems, queryPairs, queryDepth } = source
  const output = new Schemas('output', ROOT)
  const book: SchemaBook = { output, input: new Schemas('input', ROOT, { named: output.named, suffix: 'Input' }) }
  const sorted = [...source.endpoints].sort((a, b) => byText(keyOf(a), keyOf(b)))
  const endpoints = sorted.map((one) => endpointContract(one, source, book))
  const versioned = sorted.some(({ version }) => version !== undefined)
  const whole: Contract = {
    contract: 1,
    title,
    ...(description !== undefined && { description }),
    basePath,
    versionWith: versioned ? [...carriers].sort(byText) : [],
    validationStatus,
    problems,
    limits: { queryPairs, queryDepth },
    endpoints,
    schemas: Object.fromEntries(output.named),
  }
  return renamed(canonical(whole))
}

const keyOf = ({ name, version = '' }: ResolvedEndpoint): string => `${name}\n${version}`

function endpointContract(endpoint: ResolvedEndpoint, source: ContractSource, book: SchemaBook): EndpointContract {
  const { name, version, nodoc } = endpoint
  const actions = [...endpoint.actions.values()].sort((a, b) => byText(a.name, b.name))
  return {
    name,
    ...(version !== undefined && { version }),
    ...wordsOf(endpoint),
    ...(nodoc && { nodoc }),
    actions: Object.fromEntries(actions.map((action) => [action.name, actionContract(action, source, book)])),
  }
}

function actionContract(action: ResolvedAction, source: ContractSource, book: SchemaBook): ActionContract {
  const { nodoc, operationId, routes, params, headers, payload, responses } = action
  const terms = source.terms(action)
  const answers = [...responses].sort(([a], [b]) => byText(a, b))
  return {
    ...wordsOf(action),
    ...(operationId !== undefined && { operationId }),
    ...(nodoc && { nodoc }),
    routes: routes
      .map((one) => routeContract(one, action.paramTypes))
      .sort((a, b) => byText(JSON.stringify(a), JSON.stringify(b))),
    params: inputs(params, (name) => placeOf(name, action), book.input, terms),
    ...(action.requires.length > 0 && { requires: requirementSchemas(action.requires) }),
    headers: inputs(lowerNames(headers), () => 'header', book.input, {}),
    ...(payload !== undefined && {
      payload: payloadContract(payload, action.bodyLimit ?? source.bodyLimit, book.input),
    }),
    ignore: [...new Set([...source.ignore, ...action.ignore])].sort(byText),
    responses: Object.fromEntries(answers.map(([name, one]) => [name, responseContract(one, action, book.output)])),
    policies: Object.fromEntries(
      [...action.policies.values()].flatMap(({ name, terms: own }) => (own === undefined ? [] : [[name, own]])),
    ),
  }
}

const wordsOf = ({ summary, description }: Pick<ResolvedAction, 'summary' | 'description'>) => ({
  ...(summary !== undefined && { summary }),
  ...(description !== undefined && { description }),
})

// --- inputs --------------------------------------------------------------------------

// Letter case does not matter in the names of headers.
const lowerNames = (headers: Attributes): Attributes =>
  Object.fromEntries(Object.entries(headers).map(([name, one]) => [name.toLowerCase(), one]))

function placeOf(name: string, { routes }: ResolvedAction): InputContract['in'] {
  const captured = routes.filter(
    ({ pattern }) => pattern.names.includes(name) || (name === 'splat' && pattern.wildcards > 0),
  )
  if (captured.length === 0) return 'query'
  return captured.length === routes.length ? 'path' : 'path or query'
}

function inputs(
  attributes: Attributes,
  place: (name: string) => InputContract['in'],
  schemas: Schemas,
  terms: Readonly<Record<string, Terms>>,
): Record<string, InputContract> {
  const sorted = Object.entries(attributes).sort(([a], [b]) => byText(a, b))
  return Object.fromEntries(
    sorted.map(([name, attribute]) => [
      name,
      inputContract(attribute, place(name), schemas, Object.hasOwn(terms, name) ? terms[name] : undefined),
    ]),
  )
}

function inputContract(
  attribute: Attribute,
  place: InputContract['in'],
  schemas: Schemas,
  terms: Terms | undefined,
): InputContract {
  const { options, core } = attribute
  const unsaid = unsaidOf(attribute, 'input')
  const schema = core.jsonSchema(schemas)
  return {
    kind: core.kindName,
    in: place,
    required: options.required === true && options.default === undefined,
    schema: terms === undefined ? schema : plainSchema(schema, options.description),
    ...(unsaid !== undefined && { unsaid }),
    ...(terms !== undefined && { terms }),
  }
}

// Where a plugin has terms, descriptions and examples only follow from them, unless they were given.
function plainSchema({ description: _, examples: __, ...schema }: JsonSchema, given: string | undefined): JsonSchema {
  return given === undefined ? schema : { ...schema, description: given }
}

function payloadContract(
  { attribute, form, consumes }: ResolvedPayload,
  limit: number,
  schemas: Schemas,
): PayloadContract {
  const unsaid = unsaidOf(
    attribute,
    'input',
    consumes.some((type) => !isJsonType(type)),
  )
  const schema: JsonSchema = form === 'file' ? {} : attribute.core.jsonSchema(schemas)
  const { required, default: initial } = attribute.options
  return {
    form,
    required: required === true && initial === undefined,
    consumes: [...consumes].sort(byText),
    limit,
    schema,
    ...(unsaid !== undefined && { unsaid }),
  }
}
