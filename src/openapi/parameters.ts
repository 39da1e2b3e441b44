// Parameters: params in the path and the query, and headers, as operations list them.
import type { ResolvedAction, ResolvedRoute } from '../design/resolve/resolved.ts'
import type { Attribute, Attributes, Shape } from '../schema/attribute.ts'
import type { JsonSchema } from '../schema/json-schema.ts'
import { type SplitRule, getSplitRule } from '../schema/structures/array.ts'
import { isJsonText } from '../schema/structures/json.ts'
import { joinSentences } from '../util/message-text.ts'
import { type CaptureRule, buildCaptureRule } from './captures.ts'
import { makeInputExample, canFormCarry } from './examples.ts'
import type { TemplateCapture, OpenapiTemplate } from './paths.ts'
import type { SchemaRegistry } from './schema-registry.ts'
import type { Parameter } from './types.ts'

/** Facts about a param beyond its declaration. */
export interface ParamNote {
  /** A sentence or two, after the description of the param. */
  readonly text: string
  readonly example?: string
}

/** An action at one of its paths. */
export interface OperationContext {
  readonly action: ResolvedAction
  readonly route: ResolvedRoute
  readonly template: OpenapiTemplate
  readonly notes: Readonly<Record<string, ParamNote>>
  readonly registry: SchemaRegistry
}

/** The parameters of an action at one of its paths. */
export function buildParameters(place: OperationContext): Parameter[] {
  const { action, template, registry, notes, route } = place
  const captured = new Set([...template.captures.values()].map(({ param }) => param))
  const inPath = [...template.captures].map(([name, one]) => buildPathParameter(name, one, place))
  const inQuery = Object.entries(route.params === 'body' ? {} : action.params)
    .filter(([name]) => !captured.has(name))
    .flatMap(([name, one]) =>
      buildQueryParameters(name, one, makeRootParam(one), registry).map((made) => withDeprecated(withParamNote(made, notes[name]), one)),
    )
  return [
    ...inPath.map((made) => withDeprecated(made)),
    ...inQuery,
    ...buildHeaderParameters(action.headers, registry).map((made) => withDeprecated(made)),
  ]
}

// The schema of a deprecated param marks it, and so do the schemas of a deprecated structure's parts.
function withDeprecated(parameter: Parameter, { options }: Pick<Attribute, 'options'> = { options: {} }): Parameter {
  const { schema = parameter.content?.['application/json']?.schema } = parameter
  const isAged = schema?.['deprecated'] === true || (options.deprecated ?? false) !== false
  return isAged ? { ...parameter, deprecated: true } : parameter
}

const isRequiredInput = ({ options }: Attribute): boolean => options.required === true && options.default === undefined

function withParamNote(parameter: Parameter, note: ParamNote | undefined): Parameter {
  if (note === undefined) return parameter
  const { schema, ...rest } = parameter
  if (schema === undefined) return { ...rest, description: joinDescriptions(parameter.description, note.text) as string }
  const { examples: _, ...plain } = schema
  return {
    ...rest,
    description: joinDescriptions(parameter.description, note.text) as string,
    schema: note.example === undefined ? schema : plain,
    ...(note.example !== undefined && { example: note.example }),
  }
}

const joinDescriptions = (...texts: readonly (string | undefined)[]): string | undefined => joinSentences(...texts) || undefined

const WILDCARD_NOTE = 'May have slashes.'

// --- in the path -----------------------------------------------------------------------

function buildPathParameter(
  name: string,
  { param, wildcard }: TemplateCapture,
  { action, route, registry }: OperationContext,
): Parameter {
  const attribute = action.params[param]
  // A wildcard's value is a list of what its wildcards took; each of them is one text in the path.
  const single = attribute?.core.shape === 'list' ? attribute.core.element : attribute
  const rule = buildCaptureRule(route.pattern, param)
  const own = single === undefined ? { type: 'string' } : single.core.jsonSchema(registry.input)
  const { schema, description } = splitDescription(own, attribute?.options.description)
  const { except } = route.pattern.options
  const text = joinDescriptions(description, wildcard ? WILDCARD_NOTE : undefined, except && `Not below \`${except}\`.`)
  const fitting =
    schema['type'] === 'string' ? narrowSchema(schema, wildcard ? {} : (rule.schema ?? { minLength: 1 })) : schema
  const example = makePathExample(single, param, rule)
  return {
    name,
    in: 'path',
    required: true,
    ...(text !== undefined && { description: text }),
    schema: fitting,
    ...(isShowable(example) && { example }),
  }
}

function makePathExample(single: Attribute | undefined, param: string, rule: CaptureRule): unknown {
  const own = single === undefined ? param : makeInputExample(single, `/${param}`)
  if (rule.accepts === undefined || rule.accepts(String(own))) return own
  // A number that the route takes is written as one in the schema of a number.
  const scalar = single?.core.scalar
  return scalar === 'integer' || scalar === 'number' ? undefined : rule.example
}

// The schema's own words win, and what they do not say is added.
const narrowSchema = (schema: JsonSchema, rule: JsonSchema): JsonSchema =>
  'enum' in schema || (schema['format'] ?? PASSWORD_FORMAT) !== PASSWORD_FORMAT ? schema : { ...rule, ...schema }

// Of a secret it says how to show it, not what it may be.
const PASSWORD_FORMAT = 'password'

const isShowable = (example: unknown): boolean => example !== undefined && example !== null && example !== ''

// A description belongs to the parameter; in its schema it would be said twice.
function splitDescription(schema: JsonSchema, own?: string): { readonly schema: JsonSchema; readonly description?: string } {
  const { description = own, ...rest } = schema as { readonly description?: string }
  return description === undefined ? { schema } : { description, schema: '$ref' in rest ? schema : rest }
}

// --- in the query ----------------------------------------------------------------------

/** Where a part of a nested param belongs. */
interface ParentParam {
  readonly required: boolean
  /** The name of the whole param, where this is a part of it. */
  readonly rootName: string | undefined
  readonly path: string
  readonly above: readonly Attribute[]
  readonly description: string | undefined
}

const makeRootParam = (attribute: Attribute): ParentParam => ({
  required: isRequiredInput(attribute),
  rootName: undefined,
  path: '',
  above: [],
  description: undefined,
})

function buildQueryParameters(name: string, attribute: Attribute, owner: ParentParam, registry: SchemaRegistry): Parameter[] {
  const json = isJsonText(attribute)
  const meant = json ? attribute : (attribute.core.target ?? attribute)
  const { core } = meant
  const path = `${owner.path}/${name}`
  const plain = owner.rootName === undefined && isFlat(core.children)
  if (core.shape === 'object' && !plain && !owner.above.includes(meant)) {
    const above = [...owner.above, meant]
    const description = joinDescriptions(owner.description, attribute.options.description)
    return Object.entries(core.children).flatMap(([inner, one]) => {
      const required = owner.required && isRequiredInput(one)
      return buildQueryParameters(`${name}[${inner}]`, one, { required, rootName: name, path, above, description }, registry)
    })
  }
  const { schema, description } = splitDescription(attribute.core.jsonSchema(registry.input), attribute.options.description)
  const needed = owner.rootName !== undefined && !owner.required && isRequiredInput(attribute)
  const text = joinDescriptions(owner.description, description, needed ? `Required where \`${owner.rootName}\` is sent.` : undefined)
  const made = makeInputExample(attribute, path.split('[').join('/').replaceAll(']', ''))
  const example = json || canFormCarry(attribute, made) ? made : undefined
  return [
    {
      name,
      in: 'query',
      ...(owner.required && { required: true }),
      ...(text !== undefined && { description: text }),
      ...(json ? buildJsonContent(schema, example) : { ...getStyle(meant), schema, ...(isShowable(example) && { example }) }),
    },
  ]
}

// A text of JSON is described by what it is a text of.
const buildJsonContent = (schema: JsonSchema, example: unknown): Pick<Parameter, 'content'> => ({
  content: { 'application/json': { schema, ...(example !== undefined && { example }) } },
})

function getStyle(attribute: Attribute): Pick<Parameter, 'style' | 'explode'> {
  const { shape, element } = attribute.core
  if (OBJECT_SHAPES.has(shape)) return DEEP_OBJECT_STYLE
  if (shape !== 'list') return {}
  const delimited = getSplitRule(attribute)
  if (delimited !== undefined) return getDelimitedStyle(delimited)
  // Elements with names are written `items[0][name]=…`, which is closest to this style.
  return element !== undefined && isNested(element) ? DEEP_OBJECT_STYLE : EXPLODED_LIST_STYLE
}

const DELIMITER_STYLES = { ',': 'form', ' ': 'spaceDelimited', '|': 'pipeDelimited' } as const

/** How OpenAPI says that a list comes in one text. */
export const getDelimitedStyle = ({ delimiter }: SplitRule): { readonly style: string; readonly explode: boolean } => ({
  style: DELIMITER_STYLES[delimiter],
  explode: false,
})

const DEEP_OBJECT_STYLE = { style: 'deepObject', explode: true }
const EXPLODED_LIST_STYLE = { style: 'form', explode: true }

/** Shapes whose values have names. */
export const OBJECT_SHAPES: ReadonlySet<Shape> = new Set(['object', 'record', 'union'])

const isNested = ({ core }: Attribute): boolean =>
  OBJECT_SHAPES.has(core.shape) || core.shape === 'list' || core.target !== undefined

// OpenAPI defines the style deepObject for one level only.
const isFlat = (attributes: Attributes): boolean => !Object.values(attributes).some(isNested)

// --- in headers ------------------------------------------------------------------------

// OpenAPI ignores these as parameters: they are described by bodies and by security.
const DESCRIBED_ELSEWHERE: ReadonlySet<string> = new Set(['accept', 'content-type', 'authorization'])

function buildHeaderParameters(headers: Attributes, registry: SchemaRegistry): Parameter[] {
  return Object.entries(headers)
    .filter(([name]) => !DESCRIBED_ELSEWHERE.has(name.toLowerCase()))
    .map(([name, attribute]) => {
      const example = makeInputExample(attribute, `/${name}`)
      const { schema, description } = splitDescription(
        attribute.core.jsonSchema(registry.input),
        attribute.options.description,
      )
      return {
        name,
        in: 'header',
        ...(isRequiredInput(attribute) && { required: true }),
        ...(description !== undefined && { description }),
        ...(isJsonText(attribute) ? buildJsonContent(schema, example) : { schema, ...(isShowable(example) && { example }) }),
      }
    })
}

/** The declared header Authorization, which OpenAPI knows as security only. */
export function findAuthorization({ headers }: ResolvedAction): { readonly required: boolean } | undefined {
  const name = Object.keys(headers).find((one) => one.toLowerCase() === 'authorization')
  return name === undefined ? undefined : { required: isRequiredInput(headers[name] as Attribute) }
}
