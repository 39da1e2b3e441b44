// Builds the parameters of an operation: params in the path and the query, and headers.
import { attributeRules } from '../design/attribute-rules.ts'
import type { ResolvedAction, ResolvedRoute } from '../design/resolve/resolved.ts'
import type { Attribute, Attributes, Shape } from '../schema/attribute.ts'
import type { JsonSchema } from '../schema/json-schema.ts'
import { getSplitRule, type SplitRule } from '../schema/structures/array.ts'
import { isJsonText } from '../schema/structures/json.ts'
import { joinSentences } from '../util/message-text.ts'
import { buildCaptureRule, type CaptureRule } from './captures.ts'
import { canEncodeInForm, makeInputExample } from './examples.ts'
import type { OpenapiTemplate, TemplateCapture } from './paths.ts'
import type { SchemaRegistry } from './schema-registry.ts'
import type { Parameter } from './types.ts'

/** A note about a param, in addition to its declaration. */
export interface ParamNote {
  /** One or two sentences that follow the description of the param. */
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

/** Builds the parameters of an action at one of its paths. */
export function buildParameters(context: OperationContext): Parameter[] {
  const { action, template, registry, notes, route } = context
  const captured = new Set([...template.captures.values()].map(({ param }) => param))
  const inPath = [...template.captures].map(([name, one]) => buildPathParameter(name, one, context))
  const inQuery = Object.entries(route.params === 'body' ? {} : action.params)
    .filter(([name]) => !captured.has(name))
    .flatMap(([name, one]) =>
      buildQueryParameters(name, one, makeRootParam(one), registry).map((parameter) =>
        withDeprecated(withParamNote(parameter, notes[name]), one),
      ),
    )
  return [
    ...inPath.map((parameter) => withDeprecated(parameter)),
    ...inQuery,
    ...buildHeaderParameters(action.headers, registry).map((parameter) => withDeprecated(parameter)),
  ]
}

// A deprecated param is marked by its schema; so are the parts of a deprecated object.
function withDeprecated(parameter: Parameter, { options }: Pick<Attribute, 'options'> = { options: {} }): Parameter {
  const { schema = parameter.content?.['application/json']?.schema } = parameter
  const isDeprecated = schema?.['deprecated'] === true || (options.deprecated ?? false) !== false
  return isDeprecated ? { ...parameter, deprecated: true } : parameter
}

const isRequiredInput = ({ options }: Attribute): boolean => options.required === true && options.default === undefined

function withParamNote(parameter: Parameter, note: ParamNote | undefined): Parameter {
  if (note === undefined) return parameter
  const { schema, ...rest } = parameter
  if (schema === undefined)
    return { ...rest, description: joinDescriptions(parameter.description, note.text) as string }
  const { examples: _, ...plain } = schema
  return {
    ...rest,
    description: joinDescriptions(parameter.description, note.text) as string,
    schema: note.example === undefined ? schema : plain,
    ...(note.example !== undefined && { example: note.example }),
  }
}

const joinDescriptions = (...texts: readonly (string | undefined)[]): string | undefined =>
  joinSentences(...texts) || undefined

const WILDCARD_NOTE = 'May have slashes.'

// --- in the path -----------------------------------------------------------------------

function buildPathParameter(
  name: string,
  { param, wildcard }: TemplateCapture,
  { action, route, registry }: OperationContext,
): Parameter {
  const attribute = action.params[param]
  // The value of a wildcard param is a list; each wildcard in the path is one string of it.
  const single = attribute?.core.shape === 'list' ? attribute.core.element : attribute
  const rule = buildCaptureRule(route.pattern, param)
  const declared = single === undefined ? { type: 'string' } : attributeRules.buildSchema(single, registry.input)
  const { schema, description } = splitDescription(declared, attribute?.options.description)
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
  const declaredExample = single === undefined ? param : makeInputExample(single, `/${param}`)
  if (rule.accepts === undefined || rule.accepts(String(declaredExample))) return declaredExample
  // A numeric schema needs a number; the example of the route is a string.
  const scalar = single?.core.scalar
  return scalar === 'integer' || scalar === 'number' ? undefined : rule.example
}

// Keywords of the schema take precedence over those of the rule.
const narrowSchema = (schema: JsonSchema, rule: JsonSchema): JsonSchema =>
  'enum' in schema || (schema['format'] ?? PASSWORD_FORMAT) !== PASSWORD_FORMAT ? schema : { ...rule, ...schema }

// The format `password` is for display and does not constrain the value.
const PASSWORD_FORMAT = 'password'

const isShowable = (example: unknown): boolean => example !== undefined && example !== null && example !== ''

// Moves the description to the parameter, so that it is not repeated in the schema.
function splitDescription(
  schema: JsonSchema,
  own?: string,
): { readonly schema: JsonSchema; readonly description?: string } {
  const { description = own, ...rest } = schema as { readonly description?: string }
  return description === undefined ? { schema } : { description, schema: '$ref' in rest ? schema : rest }
}

// --- in the query ----------------------------------------------------------------------

/** The parent of a nested param. */
interface ParentParam {
  readonly required: boolean
  /** The name of the root param, if this is a part of one. */
  readonly rootName: string | undefined
  readonly path: string
  readonly ancestors: readonly Attribute[]
  readonly description: string | undefined
}

const makeRootParam = (attribute: Attribute): ParentParam => ({
  required: isRequiredInput(attribute),
  rootName: undefined,
  path: '',
  ancestors: [],
  description: undefined,
})

function buildQueryParameters(
  name: string,
  attribute: Attribute,
  owner: ParentParam,
  registry: SchemaRegistry,
): Parameter[] {
  const json = isJsonText(attribute)
  const resolved = json ? attribute : (attribute.core.target ?? attribute)
  const { core } = resolved
  const path = `${owner.path}/${name}`
  const plain = owner.rootName === undefined && isFlat(core.children)
  if (core.shape === 'object' && !plain && !owner.ancestors.includes(resolved)) {
    const ancestors = [...owner.ancestors, resolved]
    const description = joinDescriptions(owner.description, attribute.options.description)
    return Object.entries(core.children).flatMap(([inner, one]) => {
      const required = owner.required && isRequiredInput(one)
      return buildQueryParameters(
        `${name}[${inner}]`,
        one,
        { required, rootName: name, path, ancestors, description },
        registry,
      )
    })
  }
  const { schema, description } = splitDescription(
    attributeRules.buildSchema(attribute, registry.input),
    attribute.options.description,
  )
  const needed = owner.rootName !== undefined && !owner.required && isRequiredInput(attribute)
  const text = joinDescriptions(
    owner.description,
    description,
    needed ? `Required where \`${owner.rootName}\` is sent.` : undefined,
  )
  const example = makeInputExample(attribute, path.split('[').join('/').replaceAll(']', ''))
  const shownExample = json || canEncodeInForm(attribute, example) ? example : undefined
  return [
    {
      name,
      in: 'query',
      ...(owner.required && { required: true }),
      ...(text !== undefined && { description: text }),
      ...(json
        ? buildJsonContent(schema, shownExample)
        : { ...getStyle(resolved, schema), schema, ...(isShowable(shownExample) && { example: shownExample }) }),
    },
  ]
}

// JSON text is described by the schema of its content.
const buildJsonContent = (schema: JsonSchema, example: unknown): Pick<Parameter, 'content'> => ({
  content: { 'application/json': { schema, ...(example !== undefined && { example }) } },
})

function getStyle(attribute: Attribute, schema: JsonSchema): Pick<Parameter, 'style' | 'explode'> {
  const { shape, element } = attribute.core
  // A single value may have a structure as its other form.
  const forms = (schema['anyOf'] ?? []) as readonly JsonSchema[]
  if (OBJECT_SHAPES.has(shape) || forms.some(({ type }) => type === 'object')) return DEEP_OBJECT_STYLE
  if (shape !== 'list') return {}
  const delimited = getSplitRule(attribute)
  if (delimited !== undefined) return getDelimitedStyle(delimited)
  // Elements with names are written `items[0][name]=…`, to which this style is closest.
  return element !== undefined && isNested(element) ? DEEP_OBJECT_STYLE : EXPLODED_LIST_STYLE
}

const DELIMITER_STYLES = { ',': 'form', ' ': 'spaceDelimited', '|': 'pipeDelimited' } as const

/** Returns the OpenAPI style of a delimited list. */
export const getDelimitedStyle = ({ delimiter }: SplitRule): { readonly style: string; readonly explode: boolean } => ({
  style: DELIMITER_STYLES[delimiter],
  explode: false,
})

const DEEP_OBJECT_STYLE = { style: 'deepObject', explode: true }
const EXPLODED_LIST_STYLE = { style: 'form', explode: true }

/** Shapes whose values have named members. */
export const OBJECT_SHAPES: ReadonlySet<Shape> = new Set(['object', 'record', 'union'])

const isNested = ({ core }: Attribute): boolean =>
  OBJECT_SHAPES.has(core.shape) || core.shape === 'list' || core.target !== undefined

// OpenAPI defines the style deepObject for one level only.
const isFlat = (attributes: Attributes): boolean => !Object.values(attributes).some(isNested)

// --- in headers ------------------------------------------------------------------------

// OpenAPI ignores these as parameters; bodies and security describe them.
const DESCRIBED_ELSEWHERE: ReadonlySet<string> = new Set(['accept', 'content-type', 'authorization'])

function buildHeaderParameters(headers: Attributes, registry: SchemaRegistry): Parameter[] {
  return Object.entries(headers)
    .filter(([name]) => !DESCRIBED_ELSEWHERE.has(name.toLowerCase()))
    .map(([name, attribute]) => {
      const example = makeInputExample(attribute, `/${name}`)
      const { schema, description } = splitDescription(
        attributeRules.buildSchema(attribute, registry.input),
        attribute.options.description,
      )
      return {
        name,
        in: 'header',
        ...(isRequiredInput(attribute) && { required: true }),
        ...(description !== undefined && { description }),
        ...(isJsonText(attribute)
          ? buildJsonContent(schema, example)
          : { schema, ...(isShowable(example) && { example }) }),
      }
    })
}

/** Returns the declared `Authorization` header, which OpenAPI describes as security. */
export function findAuthorization({ headers }: ResolvedAction): { readonly required: boolean } | undefined {
  const name = Object.keys(headers).find((one) => one.toLowerCase() === 'authorization')
  return name === undefined ? undefined : { required: isRequiredInput(headers[name] as Attribute) }
}
