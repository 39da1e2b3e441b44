// The body of a list according to its template: declared as a structure, written from facts, and read by clients.
import type { Selection } from '../../../extend.ts'
import type { Attribute, Attributes, MediaType, View } from '../../../index.ts'
import { collectionOf, mediaType, t } from '../../../index.ts'
import { findField, getFieldValue } from '../../mapper/extend.ts'
import type { RelationTree, RequestedRelations } from './related/relations.ts'
import {
  type BodyMembers,
  type BodyRoles,
  type BodyTemplate,
  type Constant,
  type Each,
  type ElementMembers,
  type ElementRoles,
  type ElementTemplate,
  isConstant,
  type MissableFact,
} from './templates.ts'

/** The form of elements, if it differs from their media type. */
export interface ElementForm {
  /** Returns the attribute that describes an element. */
  readonly declare: (of: MediaType | View, list: ElementNames) => Attribute
  /** Creates the function that writes the elements of a response. */
  readonly write: (of: MediaType | View, list: ElementNames) => WriteElements
  /** Returns the attribute that describes a related element of a response that includes some. */
  readonly declareIncluded?: (of: MediaType | View, list: ElementNames) => Attribute
  /** Returns the types of a response with the attributes that requests may select, by the names of types. */
  readonly listFieldTypes?: (of: MediaType | View, list: ElementNames) => readonly (readonly [string, MediaType])[]
  /** Returns the fields that a response needs; undefined for the default ones. The same request has the same value. */
  readonly select?: (of: MediaType | View, list: ElementNames, requested: RequestedRelations) => Selection | undefined
  /** Returns the mistakes in the names of a list, each a sentence. */
  readonly findMistakes?: (of: MediaType | View, list: ElementNames) => readonly string[]
}

/** Writes the elements of a response, as far as a request asks for related elements and fields. */
export type WriteElements = (elements: readonly unknown[], requested: RequestedRelations | undefined) => WrittenElements

/** Elements in the form of a convention. */
export interface WrittenElements {
  readonly elements: unknown[]
  /** The included related elements; undefined if the request names none. */
  readonly included?: readonly unknown[] | undefined
}

/** The name of a type of elements, the key that identifies one, and the related elements that it may include. */
export interface ElementNames {
  readonly type: string
  readonly key: readonly string[]
  /** The names of other types by the names of their media types. */
  readonly types: Readonly<Record<string, string>>
  readonly include: RelationTree
}

/** Formats a field of an element as text, as its attribute writes it in JSON. */
export function formatField(mediaType: MediaType, field: string, element: unknown): string {
  const value = getFieldValue(element, field)
  let attribute = findField(mediaType, field) as Attribute
  while (attribute.core.target) attribute = attribute.core.target
  // Response validation reports a value that does not fit.
  return String(attribute.core.convert('write', value, () => value))
}

/** A member of a body: its path, and its role. */
export interface BodyMember {
  readonly path: readonly string[]
  readonly role: 'elements' | 'element' | keyof BodyRoles
  /** The value of a fact that a page does not have. */
  readonly missing: Missing
}

/** The member of a page without a fact: null, none, or an empty text. */
type Missing = 'null' | 'none' | 'empty'

/** Lists the members of a body that have a role. */
export function listBodyMembers(template: BodyTemplate | ElementTemplate, above: readonly string[] = []): BodyMember[] {
  if (template === 'elements') return [{ path: above, role: template, missing: 'null' }]
  return Object.entries(template).flatMap(([name, one]): BodyMember[] => {
    const path = [...above, name]
    if (one === 'element') return [{ path, role: one, missing: 'null' }]
    if (findEach(one) !== undefined) return [{ path, role: 'elements', missing: 'null' }]
    const fact = readFact(one)
    if (fact !== undefined) return [{ path, ...fact }]
    return isConstant(one as object) ? [] : listBodyMembers(one as BodyMembers, path)
  })
}

/** Returns the members of the structure around each element; undefined for other parts of a template. */
const findEach = (one: BodyMembers[string] | ElementTemplate[string] | undefined): ElementMembers | undefined =>
  typeof one === 'object' && '~each' in one ? (one as Each)['~each'] : undefined

/** Returns the structure around each element of a body; undefined if its elements have none. */
function findElementMembers(template: BodyTemplate): ElementMembers | undefined {
  if (template === 'elements') return undefined
  for (const one of Object.values(template)) {
    const isStructure = typeof one === 'object' && !isConstant(one) && readFact(one) === undefined
    const found = findEach(one) ?? (isStructure ? findElementMembers(one as BodyMembers) : undefined)
    if (found !== undefined) return found
  }
  return undefined
}

/** Returns the name of a role's member in the structure around each element. */
export const findElementMember = (template: BodyTemplate, role: keyof ElementRoles): string | undefined =>
  Object.entries(findElementMembers(template) ?? {}).find(([, one]) => one === role)?.[0]

type Fact = Pick<BodyMember, 'role' | 'missing'>

/** Returns the fact that a member of a template has; undefined for constants and structures. */
function readFact(one: BodyMembers[string] | ElementTemplate[string]): Fact | undefined {
  if (typeof one === 'string') return { role: one as BodyMember['role'], missing: 'null' }
  if ('~optional' in one) return { role: one['~optional'] as MissableFact, missing: 'none' }
  return '~orEmpty' in one ? { role: one['~orEmpty'] as MissableFact, missing: 'empty' } : undefined
}

const REQUIRED = { required: true } as const

const MISSING_TEXTS: Readonly<Record<Missing, string>> = { null: 'null', none: 'absent', empty: 'empty' }

/** The facts: the type of each, a description, and where a page has none. */
const FACTS: {
  readonly [R in keyof BodyRoles]: readonly ['url' | 'amount' | 'flag' | 'list', text: string, without?: string]
} = {
  total: ['amount', 'The number of elements in the whole list'],
  hasNext: ['flag', 'Whether there are elements after this page'],
  hasPrev: ['flag', 'Whether there are elements before this page'],
  startCursor: ['url', 'The cursor of the first element', 'without elements'],
  endCursor: ['url', 'The cursor of the last element', 'without elements'],
  more: ['flag', 'Whether there are more elements, in the direction of the request'],
  next: ['url', 'The URL of the next page', 'at the end'],
  prev: ['url', 'The URL of the previous page', 'at the beginning'],
  first: ['url', 'The URL of the first page'],
  last: ['url', 'The URL of the last page, if it is known'],
  self: ['url', 'The URL of this page'],
  path: ['url', 'The path of the list'],
  nextToken: ['url', 'The token of the next page', 'at the end'],
  prevToken: ['url', 'The token of the previous page', 'at the beginning'],
  items: ['amount', 'The most elements of this page'],
  offset: ['amount', 'The number of elements before this page'],
  page: ['amount', 'The number of this page'],
  pages: ['amount', 'The number of pages'],
  included: ['list', 'The related elements, each once; absent unless the request includes some'],
}

/** The facts that some pages do not have. */
const MISSABLE: ReadonlySet<string> = new Set<MissableFact>([
  'total',
  'next',
  'prev',
  'first',
  'last',
  'nextToken',
  'prevToken',
  'pages',
  'startCursor',
  'endCursor',
  'included',
])

function declareFact({ role, missing }: Fact, { included }: DeclaredElement): Attribute {
  const [type, text, without] = FACTS[role as keyof BodyRoles] ?? ['url', 'Unknown']
  const isMissable = type === 'url' && MISSABLE.has(role)
  const description = `${text}${without === undefined ? '' : `; ${MISSING_TEXTS[missing]} ${without}`}.`
  const options = { description, required: missing !== 'none', ...(type === 'amount' && { min: 0 }) }
  if (type === 'list') return t.array(included ?? (t.any() as Attribute), options) as Attribute
  if (type === 'flag') return t.boolean(options)
  if (type === 'amount') return t.integer(options)
  return t.string(isMissable && missing === 'null' ? { ...options, nullable: true } : options)
}

/** Returns whether a page may lack the fact of a role. */
export const isMissable = (role: string): boolean => MISSABLE.has(role)

/** Returns whether a role in a template exists. */
export const isFact = (role: string): role is keyof BodyRoles => Object.hasOwn(FACTS, role)

/** The attributes of an element, and of a related one that it may include. */
interface DeclaredElement {
  readonly element: Attribute
  readonly included: Attribute | undefined
}

/** Declares the body of an action; with a content type if one is given. */
export function declareBody(
  template: BodyTemplate | ElementTemplate,
  of: MediaType | View,
  element: DeclaredElement,
  identifier: string | undefined,
): Attribute {
  if (template === 'elements') return collectionOf(of) as never
  const attributes = buildAttributes(template, element)
  const { name } = 'of' in of ? of.of : of
  const isList = listBodyMembers(template).some(({ role }) => role === 'elements')
  const suffix = isList ? 'List' : 'Document'
  if (identifier !== undefined) return mediaType(`${name}${suffix}`, { identifier, attributes }) as Attribute
  return t.object(attributes) as Attribute
}

/** Returns a template without the facts of a role. */
export function withoutFact<T extends BodyTemplate | ElementTemplate>(template: T, role: keyof BodyRoles): T {
  if (typeof template === 'string') return template
  const entries = Object.entries(template).flatMap(([name, one]): [string, unknown][] => {
    if (findEach(one) !== undefined || isElementRole(one) || (typeof one !== 'string' && isConstant(one as object)))
      return [[name, one]]
    const fact = readFact(one)
    if (fact !== undefined) return fact.role === role ? [] : [[name, one]]
    return [[name, withoutFact(one as BodyMembers, role)]]
  })
  return Object.fromEntries(entries) as T
}

const isElementRole = (one: unknown): boolean => one === 'element'

function buildAttributes(template: BodyMembers | ElementTemplate, declared: DeclaredElement): Attributes {
  const { element } = declared
  const entries = Object.entries(template).map(([name, one]): [string, Attribute] => {
    if (one === 'elements') return [name, t.array(element, REQUIRED) as Attribute]
    if (one === 'element') return [name, t.ref(element, REQUIRED) as Attribute]
    const members = findEach(one)
    if (members !== undefined) return [name, t.array(declareElement(members, element), REQUIRED) as Attribute]
    const fact = readFact(one)
    if (fact !== undefined) return [name, declareFact(fact, declared)]
    if (isConstant(one as object)) return [name, createConstantAttribute((one as Constant)['~constant'])]
    return [name, t.object(buildAttributes(one as BodyMembers, declared), REQUIRED) as Attribute]
  })
  return Object.fromEntries(entries)
}

function declareElement(members: ElementMembers, element: Attribute): Attribute {
  const entries = Object.entries(members).map(([name, one]): [string, Attribute] => {
    if (typeof one !== 'string') return [name, createConstantAttribute(one['~constant'])]
    if (one === 'element') return [name, t.ref(element, REQUIRED) as Attribute]
    const description = ELEMENT_FACTS[one]
    if (one === 'values') return [name, t.array(t.any({ nullable: true }), { ...REQUIRED, description }) as Attribute]
    return [name, t.string({ ...REQUIRED, description })]
  })
  return t.object(Object.fromEntries(entries), REQUIRED) as Attribute
}

const ELEMENT_FACTS: Readonly<Record<Exclude<keyof ElementRoles, 'element'>, string>> = {
  cursor: 'The cursor of the element.',
  key: 'The key of the element.',
  type: 'The type of the element.',
  values: 'The values of the element in the fields of the order.',
}

function createConstantAttribute(value: string | number | boolean | null): Attribute {
  if (value === null) return t.number({ ...REQUIRED, nullable: true, description: 'Always null.' })
  if (typeof value === 'string') return t.string({ ...REQUIRED, values: [value] })
  return typeof value === 'number'
    ? t.number({ ...REQUIRED, values: [value] })
    : t.boolean({ ...REQUIRED, example: value })
}

const UNCOUNTED: ReadonlySet<string> = new Set(['total', 'pages'])

/** The facts about a page, and about each of its elements. */
export interface BodyFacts {
  getFact(role: BodyMember['role']): unknown
  /** Returns the elements, each in a structure. */
  wrapElements(members: ElementMembers): unknown
}

/** Writes a body. */
export function writeBody(template: BodyTemplate | ElementTemplate, facts: BodyFacts): unknown {
  if (template === 'elements') return facts.getFact('elements')
  const getFact = (role: BodyMember['role']): unknown => facts.getFact(role)
  const body: Record<string, unknown> = {}
  for (const name of Object.keys(template)) {
    const one = (template as BodyMembers)[name] as BodyMembers[string]
    // The number of elements is 0 if they were not counted.
    if (typeof one === 'string') body[name] = getFact(one) ?? (UNCOUNTED.has(one) ? 0 : null)
    else if (isConstant(one)) body[name] = one['~constant']
    else if ('~optional' in one) {
      const value = getFact(one['~optional'] as MissableFact) ?? undefined
      if (value !== undefined) body[name] = value
    } else if ('~each' in one) body[name] = facts.wrapElements((one as Each)['~each'])
    else body[name] = '~orEmpty' in one ? (getFact(one['~orEmpty'] as MissableFact) ?? '') : writeBody(one, facts)
  }
  return body
}
