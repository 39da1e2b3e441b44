// Describes streams: OpenAPI 3.2 by the schema of their elements, OpenAPI 3.1 as one list or one text.
import { attributeRules } from '../design/attribute-rules.ts'
import type { StreamForm } from '../design/resolve/resolved.ts'
import type { Attribute } from '../schema/attribute.ts'
import type { JsonSchema } from '../schema/json-schema.ts'
import { formatEvent } from '../util/event-stream/parse-events.ts'
import { makeOutputExample } from './examples.ts'
import type { OperationContext } from './parameters.ts'
import type { ProblemForm } from './problem.ts'
import { JSON_TYPE, toTextSchema } from './schemas.ts'
import type { MediaTypeObject } from './types.ts'

/** Describes a list that is written element by element, in OpenAPI 3.2. */
export function buildElementsObject(itemSchema: JsonSchema, example: unknown, form: StreamForm): MediaTypeObject {
  return { itemSchema, ...(example !== undefined && describeExample([example], formatElement(example, form))) }
}

function formatElement(element: unknown, { as }: StreamForm): string {
  return `${as === 'json-seq' ? '\u001e' : ''}${JSON.stringify(element)}\n`
}

const describeExample = (dataValue: unknown, serializedValue: string): Pick<MediaTypeObject, 'examples'> => ({
  examples: { stream: { dataValue, serializedValue } },
})

/** Describes a stream of events. */
export function buildEventsObject(
  attribute: Attribute,
  path: string,
  form: StreamForm,
  context: Pick<OperationContext, 'registry' | 'action'> & { readonly problem: ProblemForm },
): MediaTypeObject {
  const { children } = attribute.core
  const examples = Object.entries(children).flatMap(([name, one]) => {
    const example = makeOutputExample(one, `${path}/${name}`)
    return example === undefined ? [] : [example as ExampleEvent]
  })
  const schemas = Object.values(children).map((one) => attributeRules.buildSchema(one, context.registry.output))
  const text = examples.map(({ event, data }) => formatEvent(event, JSON.stringify(data))).join('')
  const description = describeEvents(Object.keys(children), form)
  if (context.registry.openapi === '3.1') {
    return { schema: buildEventTextSchema(schemas, description), ...(text !== '' && { example: text }) }
  }
  const oneOf = [...schemas.map(toReceivedEventSchema), buildErrorEventSchema(context)]
  const received = examples.map(({ event, data }) => ({ event, data: JSON.stringify(data) }))
  return { itemSchema: { description, oneOf }, ...(text !== '' && describeExample(received, text)) }
}

interface ExampleEvent {
  readonly event: string
  readonly data: unknown
}

function describeEvents(names: readonly string[], { heartbeat = 0 }: StreamForm): string {
  return [
    `A stream of events that does not end by itself, as the HTML standard has it. Its events are ${names.map((name) => `\`${name}\``).join(', ')}; the \`data\` of each is JSON.`,
    'An event `error` has a problem document: the server ends the stream with it.',
    ...(heartbeat > 0 ? [`Without an event, a comment follows after ${heartbeat / 1000} s.`] : []),
  ].join(' ')
}

// OpenAPI 3.1 knows no streams: the schema is that of the text, and `contentSchema` that of the events in it.
const buildEventTextSchema = (schemas: readonly JsonSchema[], description: string): JsonSchema => ({
  type: 'string',
  contentMediaType: 'text/event-stream',
  contentSchema: { type: 'array', items: { oneOf: schemas } },
  description,
})

// An element of OpenAPI 3.2 is an event as it is received: its data is a text.
function toReceivedEventSchema(schema: JsonSchema): JsonSchema {
  const { data, ...properties } = schema['properties'] as Readonly<Record<string, JsonSchema>>
  return { ...schema, properties: { ...properties, data: toTextSchema(JSON_TYPE, data as JsonSchema) } }
}

function buildErrorEventSchema({
  action,
  problem,
}: Pick<OperationContext, 'action'> & { readonly problem: ProblemForm }): JsonSchema {
  const [[mediaType, { schema }] = [JSON_TYPE, {}]] = Object.entries(problem.describe(undefined, action).content)
  return {
    type: 'object',
    description: 'A failure, with which the server ends the stream.',
    properties: {
      event: { type: 'string', enum: ['error'] },
      id: { type: 'string', description: 'The position of the event that could not be sent.' },
      data: toTextSchema(mediaType, schema),
    },
    required: ['event', 'data'],
  }
}
