// Normalizes a schema for comparisons: references resolved, null separated, variants by name.
import type { JsonSchema } from '../../schema/json-schema.ts'

/** A normalized schema. */
export interface SchemaShape {
  /** The name of the reference, if the schema was one. */
  readonly name: string | undefined
  readonly nullable: boolean
  readonly keywords: JsonSchema
  /** Rules between the attributes of an object. */
  readonly rules: readonly JsonSchema[]
  /** The property that distinguishes the variants. */
  readonly discriminator: string | undefined
  /** The schemas of a union, by variant name or by position. */
  readonly variants: Readonly<Record<string, JsonSchema>>
}

const SCHEMAS_ROOT = '#/schemas/'

/** Normalizes a schema. */
export function readSchemaShape(schema: JsonSchema, schemas: Readonly<Record<string, JsonSchema>>): SchemaShape {
  const { $ref, ...own } = schema
  if (typeof $ref === 'string') {
    const name = $ref.slice(SCHEMAS_ROOT.length)
    const shape = readSchemaShape(schemas[name] ?? {}, schemas)
    return { ...shape, name, keywords: { ...shape.keywords, ...own } }
  }
  const inner = unwrapNullable(own)
  if (inner !== undefined) {
    const shape = readSchemaShape(inner, schemas)
    const { anyOf: _, ...rest } = own
    return { ...shape, nullable: true, keywords: { ...shape.keywords, ...rest } }
  }
  return readInlineShape(own)
}

// Returns the other schema if one of two alternatives is null.
function unwrapNullable({ anyOf }: JsonSchema): JsonSchema | undefined {
  if (!Array.isArray(anyOf) || anyOf.length !== 2) return undefined
  const [first, second] = anyOf as JsonSchema[]
  if (isNullType(second)) return first
  return isNullType(first) ? second : undefined
}

const isNullType = (schema: unknown): boolean => JSON.stringify(schema) === '{"type":"null"}'

function readInlineShape(original: JsonSchema): SchemaShape {
  const { rules, schema } = splitRules(original)
  const { type, enum: values, const: only, not, discriminator, ...rest } = schema
  const typeNames = Array.isArray(type) ? (type as string[]).filter((one) => one !== 'null') : type
  const types =
    Array.isArray(typeNames) && NON_NULL_TYPES.every((one) => typeNames.includes(one)) ? undefined : typeNames
  const allowed = only === undefined ? values : [only]
  const isAny = type === undefined && Object.keys(schema).every((name) => ANNOTATION_KEYWORDS.has(name))
  const variants = collectVariants(schema)
  return {
    name: undefined,
    rules,
    nullable: isAny || (Array.isArray(type) && type.includes('null')),
    keywords: {
      ...omitImplied(rest),
      ...(types !== undefined && { type: Array.isArray(types) && types.length === 1 ? types[0] : types }),
      ...(Array.isArray(allowed) && { enum: allowed.filter((one) => one !== null) }),
      ...(not !== undefined && !isNullType(not) && { not }),
    },
    discriminator: (discriminator as { readonly propertyName?: string } | undefined)?.propertyName,
    variants,
  }
}

// A schema that lists all of these accepts anything but null.
const NON_NULL_TYPES: readonly string[] = ['object', 'array', 'string', 'number', 'boolean']

// `allOf` next to `properties` holds presence rules. In any other schema it is an intersection.
function splitRules(schema: JsonSchema): { readonly rules: readonly JsonSchema[]; readonly schema: JsonSchema } {
  const { allOf, ...rest } = schema
  if (!Array.isArray(allOf) || schema['properties'] === undefined) return { rules: [], schema }
  return { rules: allOf as JsonSchema[], schema: rest }
}

const ANNOTATION_KEYWORDS: ReadonlySet<string> = new Set([
  'description',
  'examples',
  'default',
  'title',
  'deprecated',
  'x-secret',
])

// The format `password` does not constrain the value.
const omitImplied = (schema: JsonSchema): JsonSchema =>
  Object.fromEntries(Object.entries(schema).filter(([name, value]) => IMPLIED[name] !== value))

const IMPLIED: Readonly<Record<string, unknown>> = { format: 'password' }

function collectVariants({ oneOf, anyOf, allOf, discriminator }: JsonSchema): Record<string, JsonSchema> {
  const { mapping } = (discriminator ?? {}) as { readonly mapping?: Readonly<Record<string, string>> }
  if (mapping !== undefined) return Object.fromEntries(Object.entries(mapping).map(([name, $ref]) => [name, { $ref }]))
  const choices = [oneOf, anyOf, allOf].flatMap((list) => (Array.isArray(list) ? (list as JsonSchema[]) : []))
  return Object.fromEntries(choices.map((one, i) => [String(i + 1), one]))
}
