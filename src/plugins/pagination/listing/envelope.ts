// The body of a list according to its template: declared as a structure, written from facts, and read by clients.
import type { Attribute, Attributes, MediaType, View } from '../../../index.ts'
import { collectionOf, mediaType, t } from '../../../index.ts'
import { getFieldValue } from '../../mapper/extend.ts'
import { type BodyMembers, type BodyRoles, type BodyTemplate, isConstant } from './templates.ts'

/** The form of elements, if it differs from their media type. */
export interface ElementForm {
  /** Returns the attribute that describes an element. */
  readonly declare: (of: MediaType | View, list: ElementNames) => Attribute
  /** Creates the function that writes an element. */
  readonly write: (of: MediaType | View, list: ElementNames) => (element: unknown) => unknown
}

/** The name of a type of elements, and the key that identifies one. */
export interface ElementNames {
  readonly type: string
  readonly key: readonly string[]
}

/** Formats a field of an element as text, as its attribute writes it in JSON. */
export function formatField(mediaType: MediaType, field: string, element: unknown): string {
  const value = getFieldValue(element, field)
  let attribute = field.split('.').reduce<Attribute>((above, step) => above.core.children[step] as Attribute, mediaType)
  while (attribute.core.target) attribute = attribute.core.target
  // Response validation reports a value that does not fit.
  return String(attribute.core.convert('write', value, () => value))
}

/** A member of a body: its path, and its role. */
export interface BodyMember {
  readonly path: readonly string[]
  readonly role: 'elements' | keyof BodyRoles
}

/** Lists the members of a body that have a role. */
export function listBodyMembers(template: BodyTemplate, above: readonly string[] = []): BodyMember[] {
  if (template === 'elements') return [{ path: above, role: template }]
  return Object.entries(template).flatMap(([name, one]): BodyMember[] => {
    const path = [...above, name]
    if (typeof one === 'string') return [{ path, role: one }]
    return isConstant(one) ? [] : listBodyMembers(one, path)
  })
}

const REQUIRED = { required: true } as const
const NULLABLE_URL = { required: true, nullable: true } as const
const AMOUNT = { required: true, min: 0 } as const

const FACT_ATTRIBUTES: { readonly [R in keyof BodyRoles]: () => Attribute } = {
  total: () => t.integer({ ...AMOUNT, description: 'The number of elements in the whole list.' }),
  more: () =>
    t.boolean({ ...REQUIRED, description: 'Whether there are more elements, in the direction of the request.' }),
  next: () => t.string({ ...NULLABLE_URL, description: 'The URL of the next page; null at the end.' }),
  prev: () => t.string({ ...NULLABLE_URL, description: 'The URL of the previous page; null at the beginning.' }),
  first: () => t.string({ ...NULLABLE_URL, description: 'The URL of the first page.' }),
  last: () => t.string({ ...NULLABLE_URL, description: 'The URL of the last page, if it is known.' }),
  self: () => t.string({ ...REQUIRED, description: 'The URL of this page.' }),
  path: () => t.string({ ...REQUIRED, description: 'The path of the list.' }),
  nextToken: () => t.string({ ...NULLABLE_URL, description: 'The token of the next page; null at the end.' }),
  prevToken: () => t.string({ ...NULLABLE_URL, description: 'The token of the previous page; null at the beginning.' }),
  items: () => t.integer({ ...AMOUNT, description: 'The most elements of this page.' }),
  offset: () => t.integer({ ...AMOUNT, description: 'The number of elements before this page.' }),
  page: () => t.integer({ ...AMOUNT, description: 'The number of this page.' }),
  pages: () => t.integer({ ...AMOUNT, description: 'The number of pages.' }),
}

/** Returns whether a role in a template exists. */
export const isFact = (role: string): role is keyof BodyRoles => Object.hasOwn(FACT_ATTRIBUTES, role)

/** Declares the body of an action; with a content type if one is given. */
export function declareBody(
  template: BodyTemplate,
  of: MediaType | View,
  element: Attribute,
  identifier: string | undefined,
): Attribute {
  if (template === 'elements') return collectionOf(of) as never
  const attributes = buildAttributes(template, element)
  const { name } = 'of' in of ? of.of : of
  if (identifier !== undefined) return mediaType(`${name}List`, { identifier, attributes }) as Attribute
  return t.object(attributes) as Attribute
}

function buildAttributes(template: BodyMembers, element: Attribute): Attributes {
  const entries = Object.entries(template).map(([name, one]): [string, Attribute] => {
    if (one === 'elements') return [name, t.array(element, REQUIRED) as Attribute]
    if (typeof one === 'string') return [name, FACT_ATTRIBUTES[one]()]
    if (isConstant(one)) return [name, createConstantAttribute(one['~constant'])]
    return [name, t.object(buildAttributes(one, element), REQUIRED) as Attribute]
  })
  return Object.fromEntries(entries)
}

function createConstantAttribute(value: string | number | boolean): Attribute {
  if (typeof value === 'string') return t.string({ ...REQUIRED, values: [value] })
  return typeof value === 'number'
    ? t.number({ ...REQUIRED, values: [value] })
    : t.boolean({ ...REQUIRED, example: value })
}

/** Writes a body; `getFact` returns the value of each role. */
export function writeBody(template: BodyTemplate, getFact: (role: BodyMember['role']) => unknown): unknown {
  if (template === 'elements') return getFact(template)
  const body: Record<string, unknown> = {}
  for (const name of Object.keys(template)) {
    const one = template[name] as BodyMembers[string]
    if (typeof one === 'string') body[name] = getFact(one)
    else body[name] = isConstant(one) ? one['~constant'] : writeBody(one, getFact)
  }
  return body
}
