// Merges operations that OpenAPI cannot distinguish: routes that differ only in the constraints of their captures. The
// merged operation is valid for each of them.
import { joinSentences } from '../util/message-text.ts'
import { mergeResponseObjects } from './responses.ts'
import { JSON_TYPE, mergeSchemas, toTextSchema } from './schemas.ts'
import type { MediaTypeObject, Operation, Parameter, RequestBody, ResponseObject } from './types.ts'

/** Merges another operation of the same path and verb into the first; `note` is added to the description. */
export function mergeOperations(first: Operation, other: Operation, note: string): Operation {
  const { parameters: _, requestBody: __, ...rest } = first
  const parameters = mergeParameters(first.parameters ?? [], other.parameters ?? [])
  const requestBody = mergeRequestBodies(first.requestBody, other.requestBody)
  return {
    ...rest,
    description: [first.description, note, other.description].filter(Boolean).join('\n\n'),
    ...(parameters.length > 0 && { parameters }),
    ...(requestBody !== undefined && { requestBody }),
    responses: mergeResponses(first.responses, other.responses),
    security: mergeSecurity(first.security, other.security),
  }
}

const getParameterKey = ({ in: location, name }: Parameter): string => `${location} ${name.toLowerCase()}`

function mergeParameters(ones: readonly Parameter[], others: readonly Parameter[]): Parameter[] {
  const [first, second] = [ones, others].map((all) => new Map(all.map((one) => [getParameterKey(one), one])))
  return [...new Map([...(second ?? []), ...(first ?? [])]).entries()].map(([key, parameter]) => {
    const [one, other] = [first?.get(key), second?.get(key)]
    if (one === undefined || other === undefined) return toOptionalParameter(parameter)
    const texts = [...new Set([one.description, other.description])].filter((text) => text !== undefined)
    const description = joinSentences(...texts)
    const both = { ...mergeParameter(one, other), ...(description !== '' && { description }) }
    return one.required === other.required ? both : toOptionalParameter(both)
  })
}

// If one parameter is JSON text and the other is not, both are described as strings.
function mergeParameter(one: Parameter, other: Parameter): Parameter {
  const [first, second] = [one, other].map((parameter) => parameter.content?.[JSON_TYPE]?.schema)
  if (first !== undefined && second !== undefined)
    return { ...one, content: { [JSON_TYPE]: { ...one.content?.[JSON_TYPE], schema: mergeSchemas(first, second) } } }
  const { content: _, ...rest } = one
  return {
    ...rest,
    schema: mergeSchemas(one.schema ?? toTextSchema(JSON_TYPE, first), other.schema ?? toTextSchema(JSON_TYPE, second)),
  }
}

function toOptionalParameter({ required: _, ...rest }: Parameter): Parameter {
  return rest
}

function mergeRequestBodies(one: RequestBody | undefined, other: RequestBody | undefined): RequestBody | undefined {
  if (one === undefined || other === undefined) {
    const only = one ?? other
    return only && { ...only, required: false }
  }
  const content: Record<string, MediaTypeObject> = { ...other.content, ...one.content }
  for (const [type, { schema: first, ...rest }] of Object.entries(one.content)) {
    const second = other.content[type]?.schema
    if (first !== undefined && second !== undefined) content[type] = { ...rest, schema: mergeSchemas(first, second) }
  }
  return { ...one, required: one.required && other.required, content }
}

function mergeResponses(ones: Operation['responses'], others: Operation['responses']): Operation['responses'] {
  const merged: Record<string, ResponseObject> = { ...others, ...ones }
  for (const [status, response] of Object.entries(ones)) {
    const other = others[status]
    if (other !== undefined && !isEqualJson(response, other)) merged[status] = mergeResponseObjects(response, other)
  }
  return merged
}

function mergeSecurity(ones: Operation['security'], others: Operation['security']): Operation['security'] {
  if (isEqualJson(ones, others)) return ones
  const needs = [ones, others].flatMap((security) => (security.length === 0 ? [{}] : security))
  return needs.filter((need, i) => needs.findIndex((one) => isEqualJson(one, need)) === i)
}

const isEqualJson = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)
