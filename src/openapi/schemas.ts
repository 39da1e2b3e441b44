// Makes schemas of others.
import type { JsonSchema } from '../schema/json-schema.ts'

/** The media type of JSON. */
export const JSON_TYPE = 'application/json'

/** Returns the schema of a text that has a value of another schema in some format. */
export const toTextSchema = (contentMediaType: string, contentSchema: JsonSchema | undefined): JsonSchema => ({
  type: 'string',
  contentMediaType,
  ...(contentSchema !== undefined && { contentSchema }),
})

/** Returns a schema that accepts the values of either. */
export const toChoiceSchema = (one: JsonSchema, other: JsonSchema): JsonSchema => ({ anyOf: [one, other] })

/** Returns a schema that accepts the values of either; equal ones, and unrestricted ones, make the other redundant. */
export function mergeSchemas(one: JsonSchema, other: JsonSchema): JsonSchema {
  if (Object.keys(one).length === 0 || Object.keys(other).length === 0) return {}
  return JSON.stringify(one) === JSON.stringify(other) ? one : toChoiceSchema(one, other)
}
