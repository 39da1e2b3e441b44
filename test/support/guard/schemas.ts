// Values held to the JSON schemas of a document by a validator of others: Ajv, for JSON Schema 2020-12.
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import type { OpenapiDocument } from '../../../src/openapi/types.ts'
import type { JsonSchema } from '../../../src/schema/json-schema.ts'

/** Says what is wrong with a value; undefined when nothing is. */
export type Check = (value: unknown) => string | undefined

// Names such as `constructor` are there only when they were sent. Whether a schema is one, other tests say.
const settings = { strict: false, allErrors: true, ownProperties: true, validateSchema: false, addUsedSchema: false }
const exact = formats.default(new Ajv2020(settings))
const textual = formats.default(new Ajv2020({ ...settings, coerceTypes: true }))
for (const one of [exact, textual]) one.addFormat('decimal', true)

// Many applications have the same schemas, that of problems above all: equal ones are compiled once.
const compiled = new Map<string, ValidateFunction>()

function compile(ajv: typeof exact, schema: JsonSchema): ValidateFunction {
  const key = `${ajv === exact ? 'exact' : 'text'} ${JSON.stringify(schema)}`
  let made = compiled.get(key)
  if (made === undefined) {
    made = ajv.compile(JSON.parse(JSON.stringify(schema)))
    compiled.set(key, made)
  }
  return made
}

/** The check of a schema that stands in a document. */
export function checkOf(document: OpenapiDocument, schema: JsonSchema): Check {
  const check = compile(exact, { ...schema, ...componentsOf(document, schema) })
  return (value) => (check(value) ? undefined : exact.errorsText(check.errors, { dataVar: 'body' }))
}

/** The check of a schema whose values are written as text, in a header or a path. */
export function textCheckOf(document: OpenapiDocument, schema: JsonSchema): (text: string) => string | undefined {
  const list = (schema as { readonly type?: unknown }).type === 'array'
  const check = compile(textual, { properties: { value: schema }, ...componentsOf(document, schema) })
  return (text) => {
    const value = list ? text.split(',').map((one) => one.trim()) : text
    return check({ value }) ? undefined : textual.errorsText(check.errors, { dataVar: '' })
  }
}

/** The components that a schema refers to, and those that they refer to. */
function componentsOf({ components }: OpenapiDocument, schema: JsonSchema): JsonSchema {
  const schemas: Record<string, JsonSchema> = {}
  const visit = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return
    for (const [name, value] of Object.entries(node)) {
      const [, component] = (name === '$ref' && /^#\/components\/schemas\/(.+)$/.exec(String(value))) || []
      if (component === undefined) visit(value)
      else if (!Object.hasOwn(schemas, component) && components.schemas[component] !== undefined) {
        schemas[component] = components.schemas[component]
        visit(schemas[component])
      }
    }
  }
  visit(schema)
  return Object.keys(schemas).length === 0 ? {} : { components: { schemas } }
}
