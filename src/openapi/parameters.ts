// Parameters: params in the path and the query, and headers, as operations list them.
import type { ResolvedAction, ResolvedRoute } from '../design/resolve/resolved.ts'
import type { Attribute, Attributes, Shape } from '../schema/attribute.ts'
import type { JsonSchema } from '../schema/json-schema.ts'
import { type Delimited, delimitedOf } from '../schema/structures/array.ts'
import { isJsonText } from '../schema/structures/json.ts'
import { sentences } from '../util/words.ts'
import { type CaptureRule, captureRule } from './captures.ts'
import { inputExampleOf, isTold } from './examples.ts'
import type { Captured, PathTemplate } from './paths.ts'
import type { SchemaRegistry } from './schema-registry.ts'
import type { Parameter } from './types.ts'

/** Facts about a param beyond its declaration. */
export interface ParamNote {
  /** A sentence or two, after the description of the param. */
  readonly text: string
  readonly example?: string
}

/** An action at one of its paths. */
export interface OperationSite {
  readonly action: ResolvedAction
  readonly route: ResolvedRoute
  readonly template: PathTemplate
  readonly notes: Readonly<Record<string, ParamNote>>
  readonly registry: SchemaRegistry
}

/** The parameters of an action at one of its paths. */
export function parametersOf(place: OperationSite): Parameter[] {
  const { action, template, registry, notes, route } = place
  const captured = new Set([...template.captures.values()].map(({ param }) => param))
  const inPath = [...template.captures].map(([name, one]) => pathParameter(name, one, place))
  const inQuery = Object.entries(route.params === 'body' ? {} : action.params)
    .filter(([name]) => !captured.has(name))
    .flatMap(([name, one]) =>
      queryParameters(name, one, rootOf(one), registry).map((made) => aged(noted(made, notes[name]), one)),
    )
  return [
    ...inPath.map((made) => aged(made)),
    ...inQuery,
    ...headerParameters(action.headers, registry).map((made) => aged(made)),
  ]
}

// The schema of a deprecated param marks it, and so do the schemas of a deprecated structure's parts.
function aged(parameter: Parameter, { options }: Pick<Attribute, 'options'> = { options: {} }): Parameter {
  const { schema = parameter.content?.['application/json']?.schema } = parameter
  const isAged = schema?.['deprecated'] === true || (options.deprecated ?? false) !== false
  return isAged ? { ...parameter, deprecated: true } : parameter
}

const isRequired = ({ options }: Attribute): boolean => options.required === true && options.default === undefined

function noted(parameter: Parameter, note: ParamNote | undefined): Parameter {
  if (note === undefined) return parameter
  const { schema, ...rest } = parameter
  if (schema === undefined) return { ...rest, description: joined(parameter.description, note.text) as string }
  const { examples: _, ...plain } = schema
  return {
    ...rest,
    description: joined(parameter.description, note.text) as string,
    schema: note.example === undefined ? schema : plain,
    ...(note.example !== undefined && { example: note.example }),
  }
}

const joined = (...texts: readonly (string | undefined)[]): string | undefined => sentences(...texts) || undefined

const WILDCARD = 'May have slashes.'

// --- in the path -----------------------------------------------------------------------

function pathParameter(
  name: string,
  { param, wildcard }: Captured,
  { action, route, registry }: OperationSite,
): Parameter {
  const attribute = action.params[param]
  // A wildcard's value is a list of what its wildcards took; each of them is one text in the path.
  const single = attribute?.core.shape === 'list' ? attribute.core.element : attribute
  const rule = captureRule(route.pattern, param)
  const own = single === undefined ? { type: 'string' } : single.core.jsonSchema(registry.input)
  const { schema, description } = described(own, attribute?.options.description)
  const { except } = route.pattern.options
  const text = joined(description, wildcard ? WILDCARD : undefined, except && `Not below \`${except}\`.`)
  const fitting =
    schema['type'] === 'string' ? narrowed(schema, wildcard ? {} : (rule.schema ?? { minLength: 1 })) : schema
  const example = pathExample(single, param, rule)
  return {
    name,
    in: 'path',
    required: true,
    ...(text !== undefined && { description: text }),
    schema: fitting,
    ...(isWritable(example) && { example }),
  }
}

function pathExample(single: Attribute | undefined, param: string, rule: CaptureRule): unknown {
  const own = single === undefined ? param : inputExampleOf(single, `/${param}`)
  if (rule.fits === undefined || rule.fits(String(own))) return own
  // A number that the route takes is written as one in the schema of a number.
  const scalar = single?.core.scalar
  return scalar === 'integer' || scalar === 'number' ? undefined : rule.example
}

// The schema's own words win, and what they do not say is added.
const narrowed = (schema: JsonSchema, rule: JsonSchema): JsonSchema =>
  'enum' in schema || (schema['format'] ?? PASSWORD) !== PASSWORD ? schema : { ...rule, ...schema }

// Of a secret it says how to show it, not what it may be.
const PASSWORD = 'password'

const isWritable = (example: unknown): boolean => example !== undefined && example !== null && example !== ''

// A description belongs to the parameter; in its schema it would be said twice.
function described(schema: JsonSchema, own?: string): { readonly schema: JsonSchema; readonly description?: string } {
  const { description = own, ...rest } = schema as { readonly description?: string }
  return description === undefined ? { schema } : { description, schema: '$ref' in rest ? schema : rest }
}

// --- in the query ----------------------------------------------------------------------

/** Where a part of a nested param belongs. */
interface Owner {
  readonly required: boolean
  /** The name of the whole param, where this is a part of it. */
  readonly whole: string | undefined
  readonly path: string
  readonly above: readonly Attribute[]
  readonly description: string | undefined
}

const rootOf = (attribute: Attribute): Owner => ({
  required: isRequired(attribute),
  whole: undefined,
  path: '',
  above: [],
  description: undefined,
})

function queryParameters(name: string, attribute: Attribute, owner: Owner, registry: SchemaRegistry): Parameter[] {
  const json = isJsonText(attribute)
  const meant = json ? attribute : (attribute.core.target ?? attribute)
  const { core } = meant
  const path = `${owner.path}/${name}`
  const plain = owner.whole === undefined && isFlat(core.children)
  if (core.shape === 'object' && !plain && !owner.above.includes(meant)) {
    const above = [...owner.above, meant]
    const description = joined(owner.description, attribute.options.description)
    return Object.entries(core.children).flatMap(([inner, one]) => {
      const required = owner.required && isRequired(one)
      return queryParameters(`${name}[${inner}]`, one, { required, whole: name, path, above, description }, registry)
    })
  }
  const { schema, description } = described(attribute.core.jsonSchema(registry.input), attribute.options.description)
  const needed = owner.whole !== undefined && !owner.required && isRequired(attribute)
  const text = joined(owner.description, description, needed ? `Required where \`${owner.whole}\` is sent.` : undefined)
  const made = inputExampleOf(attribute, path.split('[').join('/').replaceAll(']', ''))
  const example = json || isTold(attribute, made) ? made : undefined
  return [
    {
      name,
      in: 'query',
      ...(owner.required && { required: true }),
      ...(text !== undefined && { description: text }),
      ...(json ? jsonContent(schema, example) : { ...styleOf(meant), schema, ...(isWritable(example) && { example }) }),
    },
  ]
}

// A text of JSON is described by what it is a text of.
const jsonContent = (schema: JsonSchema, example: unknown): Pick<Parameter, 'content'> => ({
  content: { 'application/json': { schema, ...(example !== undefined && { example }) } },
})

function styleOf(attribute: Attribute): Pick<Parameter, 'style' | 'explode'> {
  const { shape, element } = attribute.core
  if (NAMED.has(shape)) return DEEP
  if (shape !== 'list') return {}
  const delimited = delimitedOf(attribute)
  if (delimited !== undefined) return delimitedStyle(delimited)
  // Elements with names are written `items[0][name]=…`, which is closest to this style.
  return element !== undefined && isNested(element) ? DEEP : LISTED
}

const STYLES = { ',': 'form', ' ': 'spaceDelimited', '|': 'pipeDelimited' } as const

/** How OpenAPI says that a list comes in one text. */
export const delimitedStyle = ({ delimiter }: Delimited): { readonly style: string; readonly explode: boolean } => ({
  style: STYLES[delimiter],
  explode: false,
})

const DEEP = { style: 'deepObject', explode: true }
const LISTED = { style: 'form', explode: true }

/** Shapes whose values have names. */
export const NAMED: ReadonlySet<Shape> = new Set(['object', 'record', 'union'])

const isNested = ({ core }: Attribute): boolean =>
  NAMED.has(core.shape) || core.shape === 'list' || core.target !== undefined

// OpenAPI defines the style deepObject for one level only.
const isFlat = (attributes: Attributes): boolean => !Object.values(attributes).some(isNested)

// --- in headers ------------------------------------------------------------------------

// OpenAPI ignores these as parameters: they are described by bodies and by security.
const ELSEWHERE: ReadonlySet<string> = new Set(['accept', 'content-type', 'authorization'])

function headerParameters(headers: Attributes, registry: SchemaRegistry): Parameter[] {
  return Object.entries(headers)
    .filter(([name]) => !ELSEWHERE.has(name.toLowerCase()))
    .map(([name, attribute]) => {
      const example = inputExampleOf(attribute, `/${name}`)
      const { schema, description } = described(
        attribute.core.jsonSchema(registry.input),
        attribute.options.description,
      )
      return {
        name,
        in: 'header',
        ...(isRequired(attribute) && { required: true }),
        ...(description !== undefined && { description }),
        ...(isJsonText(attribute) ? jsonContent(schema, example) : { schema, ...(isWritable(example) && { example }) }),
      }
    })
}

/** The declared header Authorization, which OpenAPI knows as security only. */
export function authorizationOf({ headers }: ResolvedAction): { readonly required: boolean } | undefined {
  const name = Object.keys(headers).find((one) => one.toLowerCase() === 'authorization')
  return name === undefined ? undefined : { required: isRequired(headers[name] as Attribute) }
}
