// Writes the bodies of requests: JSON, text, files and forms.
import type { PayloadOutline } from '../design/resolve/payload.ts'
import type { Attribute, Attributes } from '../schema/attribute.ts'
import { getChildAttribute } from '../schema/children.ts'
import { addToForm, addToQuery, isObjectLike, writePairs } from '../schema/structures/pairs.ts'
import { getOwnValue } from '../util/describe-value.ts'
import { FORM_TYPE, isJsonType } from '../util/media-type.ts'
import { CallError } from './call-errors.ts'
import { encodeValue } from './encode-value.ts'

const JSON_TYPE = 'application/json'

/** Writes any payload. */
export function writeBody(
  { attribute, form, files, consumes }: PayloadOutline,
  payload: unknown,
  headers: Headers,
  action: string,
): BodyInit | undefined {
  if (payload === undefined) return undefined
  const json = files ? undefined : findJsonType(consumes)
  const raw = findRawType(form, consumes)
  // Empty text and null have no bytes and would be no body at all, so they are sent as JSON.
  const isEmptyText = form === 'text' && json !== undefined && !payload
  // A `Blob` carries its type.
  if (raw !== undefined && !isEmptyText)
    return withType(headers, (payload instanceof Blob && payload.type) || raw, payload as BodyInit)
  if (json !== undefined) return writeJsonBody(attribute, json, payload, headers)
  if (!isObjectLike(payload)) throw new CallError(`${action}: a form needs names`)
  const getChild = (name: string): Attribute | undefined => getChildAttribute(attribute, name)
  if (!files && consumes.includes(FORM_TYPE))
    return withType(headers, FORM_TYPE, encodePairs(encodeValue(attribute, payload, 'payload') as object, getChild))
  const parts = new FormData()
  for (const [name, value] of Object.entries(files ? payload : (encodeValue(attribute, payload, 'payload') as object)))
    if (files && value instanceof Blob) parts.append(name, value)
    else writePairs(addToForm(parts), name, files ? encodeValue(getChild(name), value, name) : value, getChild(name))
  return parts
}

/** Writes a payload as JSON. */
export function writeJsonBody(
  attribute: Attribute,
  type: string,
  payload: unknown,
  headers: Headers,
): BodyInit | undefined {
  if (payload === undefined) return undefined
  return withType(headers, type, JSON.stringify(encodeValue(attribute, payload, 'payload')))
}

function withType<T>(headers: Headers, type: string, body: T): T {
  if (!headers.has('Content-Type')) headers.set('Content-Type', type)
  return body
}

/** Writes the params that a route takes in the body. */
export function writeParams(types: readonly string[], declared: Attributes, params: object, headers: Headers): string {
  const json = findJsonType(types)
  headers.set('Content-Type', json ?? FORM_TYPE)
  return json === undefined ? encodePairs(params, (name) => getOwnValue(declared, name)) : JSON.stringify(params)
}

function encodePairs(values: object, getAttribute: (name: string) => Attribute | undefined): string {
  const pairs: string[] = []
  for (const [name, value] of Object.entries(values)) writePairs(addToQuery(pairs), name, value, getAttribute(name))
  return pairs.join('&')
}

/** Returns the type of a payload that is always sent as JSON; undefined for others. */
export const findPlainJsonType = ({ form, files, consumes }: PayloadOutline): string | undefined =>
  files || findRawType(form, consumes) !== undefined ? undefined : findJsonType(consumes)

// Text must not have a JSON type, because it is not JSON. A file may have any type.
function findRawType(form: PayloadOutline['form'], consumes: readonly string[]): string | undefined {
  if (form !== 'text' && form !== 'file') return undefined
  const type = form === 'file' ? consumes[0] : consumes.find((one) => !isJsonType(one))
  return type?.replace('*/*', form === 'file' ? 'application/octet-stream' : 'text/*').replace('text/*', 'text/plain')
}

// Prefers plain JSON. A range such as `application/*+json` allows any subtype.
const findJsonType = (consumes: readonly string[]): string | undefined =>
  consumes.includes(JSON_TYPE) ? JSON_TYPE : consumes.find(isJsonType)?.replace('*', 'vnd.edict')
