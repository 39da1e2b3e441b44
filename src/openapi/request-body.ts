// Builds the request bodies: each content type with its schema, and the encoding of nested values in forms.
import { attributeRules } from '../design/attribute-rules.ts'
import { isBodyRequired, makeParamsPayload } from '../design/resolve/payload.ts'
import type { ResolvedAction, ResolvedPayload } from '../design/resolve/resolved.ts'
import type { Attribute } from '../schema/attribute.ts'
import type { JsonSchema } from '../schema/json-schema.ts'
import { getSplitRule } from '../schema/structures/array.ts'
import type { FileOptions } from '../schema/structures/file.ts'
import { isJsonText } from '../schema/structures/json.ts'
import { FORM_TYPE, isJsonType, MULTIPART_TYPE } from '../util/media-type.ts'
import { joinSentences } from '../util/message-text.ts'
import { toPascalCase } from '../util/naming.ts'
import { canEncodeInForm, makeInputExample } from './examples.ts'
import { getDelimitedStyle, OBJECT_SHAPES, type OperationContext, type ParamNote } from './parameters.ts'
import type { SchemaRegistry } from './schema-registry.ts'
import type { EncodingObject, MediaTypeObject, RequestBody } from './types.ts'

/** Builds the request body of an action. */
export function buildRequestBody(action: ResolvedAction, registry: SchemaRegistry): RequestBody | undefined {
  const { payload } = action
  if (payload === undefined) return undefined
  const description = describeBody(action, payload)
  const content = payload.form === 'file' ? buildFileContent(payload) : buildValueContent(action, payload, registry)
  return {
    ...(description !== '' && { description }),
    required: isBodyRequired(payload),
    content: Object.fromEntries(content),
  }
}

/** Builds the request body that carries the params of an action. */
export function buildParamsBody({ action, route, notes, registry }: OperationContext): RequestBody {
  const payload = makeParamsPayload(action, route)
  const { properties, ...rest } = attributeRules.buildSchema(payload.attribute, registry.input) as {
    properties: JsonSchema
  }
  const described = Object.entries(properties).map(([name, one]) => [
    name,
    withSchemaNote(one as JsonSchema, notes[name]),
  ])
  const schema = { ...rest, properties: Object.fromEntries(described) as JsonSchema }
  const encoding = buildEncoding(payload.attribute)
  const forms = Object.keys(encoding).length > 0 && { encoding }
  const content = listPublishedTypes(payload.consumes).map((type) => [
    type,
    { schema, ...(FORM_TYPES.has(type) && forms) },
  ])
  const description = describeBody(action, payload)
  return {
    ...(description !== '' && { description }),
    required: route.verb === 'QUERY' || isBodyRequired(payload),
    content: Object.fromEntries(content),
  }
}

function withSchemaNote(schema: JsonSchema, note: ParamNote | undefined): JsonSchema {
  if (note === undefined) return schema
  const description = joinSentences(schema['description'] as string | undefined, note.text)
  return { ...schema, description, ...(note.example !== undefined && { examples: [note.example] }) }
}

function describeBody({ bodyLimit }: ResolvedAction, { attribute, form }: ResolvedPayload): string {
  const { description, max } = attribute.options as FileOptions
  const largest = form === 'file' ? (max ?? bodyLimit) : bodyLimit
  return joinSentences(description, largest === undefined ? undefined : `At most ${largest} bytes.`)
}

type MediaTypeEntries = [type: string, object: MediaTypeObject][]

// The body is the file itself: it has a content type and no schema.
function buildFileContent({ attribute, consumes }: ResolvedPayload): MediaTypeEntries {
  const { types } = attribute.options as FileOptions
  const accepted = types !== undefined && consumes.includes('*/*') ? types : consumes
  return accepted.map((type) => [type, {}])
}

function buildValueContent(
  action: ResolvedAction,
  payload: ResolvedPayload,
  registry: SchemaRegistry,
): MediaTypeEntries {
  const { endpoint, name } = action
  const { attribute, consumes, files } = payload
  const schema = buildPayloadSchema(action, payload, registry)
  const example = files ? undefined : makeInputExample(attribute, `/${endpoint.name}/${name}`)
  const encoding = buildEncoding(attribute)
  return listPublishedTypes(consumes).map((type) => {
    const isForm = FORM_TYPES.has(type)
    const shown = isForm && (hasNull(example) || !canEncodeInForm(attribute, example)) ? undefined : example
    const encodingMember = isForm && Object.keys(encoding).length > 0 && { encoding }
    return [type, { schema, ...(shown !== undefined && { example: shown }), ...encodingMember }]
  })
}

// A payload that is a media type uses its component; any other payload becomes a component.
function buildPayloadSchema(
  { endpoint, name }: ResolvedAction,
  payload: ResolvedPayload,
  registry: SchemaRegistry,
): JsonSchema {
  const schema = attributeRules.buildSchema(payload.attribute, registry.input)
  return '$ref' in schema
    ? schema
    : registry.payloads.refer(toPascalCase(name) + toPascalCase(endpoint.name), payload, () => schema)
}

// Clients send the content type that they read here, so ranges such as `application/*+json` are omitted next to plain
// JSON.
function listPublishedTypes(consumes: readonly string[]): readonly string[] {
  if (!consumes.includes('application/json')) return consumes
  return consumes.filter((type) => !isJsonType(type) || !type.includes('*'))
}

const FORM_TYPES: ReadonlySet<string> = new Set([FORM_TYPE, MULTIPART_TYPE])

// Forms cannot carry null.
const hasNull = (value: unknown): boolean =>
  value === null || (typeof value === 'object' && Object.values(value as object).some(hasNull))

// --- forms ---------------------------------------------------------------------------

function buildEncoding(attribute: Attribute): Record<string, EncodingObject> {
  const encoding: Record<string, EncodingObject> = {}
  const { core } = attribute.core.target ?? attribute
  // Only objects have names that are known in advance.
  if (core.shape !== 'object') return encoding
  for (const [name, one] of Object.entries(core.children)) {
    if (isJsonText(one)) {
      encoding[name] = { contentType: 'application/json' }
      continue
    }
    const resolved = one.core.target ?? one
    const part = resolved.core.shape === 'list' ? (resolved.core.element ?? resolved) : resolved
    const { types } = part.options as FileOptions
    const delimited = getSplitRule(resolved)
    if (part.core.shape === 'file') encoding[name] = { contentType: (types ?? ['application/octet-stream']).join(', ') }
    else if (delimited !== undefined) encoding[name] = getDelimitedStyle(delimited)
    else if (OBJECT_SHAPES.has(part.core.shape)) encoding[name] = { style: 'deepObject', explode: true }
  }
  return encoding
}
