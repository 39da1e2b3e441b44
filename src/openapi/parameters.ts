// Parameters: params in the path and the query, and headers, as operations list them.
import type { ResolvedAction } from '../design/resolved.ts'
import type { Attribute, Attributes } from '../schema/attribute.ts'
import type { JsonSchema } from '../schema/json-schema.ts'
import type { Book } from './book.ts'
import type { PathTemplate } from './paths.ts'
import type { Parameter } from './types.ts'

/** The parameters of an action at one of its paths. */
export function parametersOf(action: ResolvedAction, { captures }: PathTemplate, book: Book): Parameter[] {
  const captured = new Set(captures.values())
  const inPath = [...captures].map(([name, param]) => pathParameter(name, action.params[param], book))
  const inQuery = Object.entries(action.params)
    .filter(([name]) => !captured.has(name))
    .flatMap(([name, attribute]) => queryParameters(name, attribute, isRequired(attribute), book))
  return [...inPath, ...inQuery, ...headerParameters(action.headers, book)]
}

const isRequired = ({ options }: Attribute): boolean => options.required === true && options.default === undefined

function pathParameter(name: string, attribute: Attribute | undefined, book: Book): Parameter {
  // A wildcard's value is a list of what its wildcards took; each of them is one text in the path.
  const single = attribute?.kind === 'collection' ? attribute.core.children['*'] : attribute
  const schema = single === undefined ? { type: 'string' } : single.core.jsonSchema(book.input)
  return { name, in: 'path', required: true, ...described(schema, attribute?.options.description) }
}

// A description belongs to the parameter; in its schema it would be said twice.
function described(schema: JsonSchema, own?: string): { readonly schema: JsonSchema; readonly description?: string } {
  const { description = own, ...rest } = schema as { readonly description?: string }
  return description === undefined ? { schema } : { description, schema: '$ref' in rest ? schema : rest }
}

function queryParameters(name: string, attribute: Attribute, required: boolean, book: Book): Parameter[] {
  const { kind, core } = attribute
  if (kind === 'struct' && !isFlat(core.children))
    return Object.entries(core.children).flatMap(([inner, one]) =>
      queryParameters(`${name}[${inner}]`, one, required && isRequired(one), book),
    )
  const form = kind === 'struct' || kind === 'hash' || kind === 'union' ? DEEP : kind === 'collection' ? LISTED : {}
  const parameter = described(core.jsonSchema(book.input), attribute.options.description)
  return [{ name, in: 'query', ...(required && { required }), ...form, ...parameter }]
}

const DEEP = { style: 'deepObject', explode: true }
const LISTED = { style: 'form', explode: true }

const NESTED: ReadonlySet<string> = new Set(['struct', 'collection', 'hash', 'union', 'media', 'ref'])

// What the style deepObject means is settled for one level only.
const isFlat = (attributes: Attributes): boolean => Object.values(attributes).every(({ kind }) => !NESTED.has(kind))

// OpenAPI ignores these as parameters: they are described by bodies and by security.
const ELSEWHERE: ReadonlySet<string> = new Set(['accept', 'content-type', 'authorization'])

function headerParameters(headers: Attributes, book: Book): Parameter[] {
  return Object.entries(headers)
    .filter(([name]) => !ELSEWHERE.has(name.toLowerCase()))
    .map(([name, attribute]) => ({
      name,
      in: 'header',
      ...(isRequired(attribute) && { required: true }),
      ...described(attribute.core.jsonSchema(book.input), attribute.options.description),
    }))
}

/** The declared header Authorization, which OpenAPI knows as security only. */
export function authorizationOf({ headers }: ResolvedAction): { readonly required: boolean } | undefined {
  const name = Object.keys(headers).find((one) => one.toLowerCase() === 'authorization')
  return name === undefined ? undefined : { required: isRequired(headers[name] as Attribute) }
}
