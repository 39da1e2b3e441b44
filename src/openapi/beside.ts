// Operations that are one to OpenAPI: routes that differ only in what their captures take, put together so that the
// document is true of each of them.
import type { JsonSchema } from '../schema/json-schema.ts'
import { sentences } from '../util/words.ts'
import { either, merged } from './responses.ts'
import type { MediaTypeObject, Operation, Parameter, RequestBody, ResponseObject } from './types.ts'

/** The first operation with all that another one at the same path and verb may take and answer; `told` says so. */
export function beside(first: Operation, other: Operation, told: string): Operation {
  const { parameters: _, requestBody: __, ...rest } = first
  const parameters = parametersOf(first.parameters ?? [], other.parameters ?? [])
  const requestBody = requestBodyOf(first.requestBody, other.requestBody)
  return {
    ...rest,
    description: [first.description, told, other.description].filter(Boolean).join('\n\n'),
    ...(parameters.length > 0 && { parameters }),
    ...(requestBody !== undefined && { requestBody }),
    responses: responsesOf(first.responses, other.responses),
    security: securityOf(first.security, other.security),
  }
}

const keyOf = ({ in: place, name }: Parameter): string => `${place} ${name.toLowerCase()}`

function parametersOf(ones: readonly Parameter[], others: readonly Parameter[]): Parameter[] {
  const [first, second] = [ones, others].map((all) => new Map(all.map((one) => [keyOf(one), one])))
  return [...new Map([...(second ?? []), ...(first ?? [])]).entries()].map(([key, parameter]) => {
    const [one, other] = [first?.get(key), second?.get(key)]
    if (one === undefined || other === undefined) return optional(parameter)
    const texts = [...new Set([one.description, other.description])].filter((text) => text !== undefined)
    const description = sentences(...texts)
    const both = { ...eitherOf(one, other), ...(description !== '' && { description }) }
    return one.required === other.required ? both : optional(both)
  })
}

// A text of JSON beside one of another form is described as a text.
function eitherOf(one: Parameter, other: Parameter): Parameter {
  const [first, second] = [one, other].map((parameter) => parameter.content?.[JSON_TYPE]?.schema)
  if (first !== undefined && second !== undefined)
    return { ...one, content: { [JSON_TYPE]: { ...one.content?.[JSON_TYPE], schema: either(first, second) } } }
  const { content: _, ...rest } = one
  return { ...rest, schema: either(one.schema ?? textOf(first), other.schema ?? textOf(second)) }
}

const JSON_TYPE = 'application/json'

const textOf = (contentSchema: JsonSchema | undefined): JsonSchema => ({
  type: 'string',
  contentMediaType: JSON_TYPE,
  ...(contentSchema !== undefined && { contentSchema }),
})

function optional({ required: _, ...rest }: Parameter): Parameter {
  return rest
}

function requestBodyOf(one: RequestBody | undefined, other: RequestBody | undefined): RequestBody | undefined {
  if (one === undefined || other === undefined) {
    const only = one ?? other
    return only && { ...only, required: false }
  }
  const content: Record<string, MediaTypeObject> = { ...other.content, ...one.content }
  for (const [type, { schema: first, ...rest }] of Object.entries(one.content)) {
    const second = other.content[type]?.schema
    if (first !== undefined && second !== undefined) content[type] = { ...rest, schema: either(first, second) }
  }
  return { ...one, required: one.required && other.required, content }
}

function responsesOf(ones: Operation['responses'], others: Operation['responses']): Operation['responses'] {
  const made: Record<string, ResponseObject> = { ...others, ...ones }
  for (const [status, response] of Object.entries(ones)) {
    const other = others[status]
    if (other !== undefined && !isSame(response, other)) made[status] = merged(response, other)
  }
  return made
}

function securityOf(ones: Operation['security'], others: Operation['security']): Operation['security'] {
  if (isSame(ones, others)) return ones
  const needs = [ones, others].flatMap((security) => (security.length === 0 ? [{}] : security))
  return needs.filter((need, i) => needs.findIndex((one) => isSame(one, need)) === i)
}

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)
