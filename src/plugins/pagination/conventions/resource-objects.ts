// Resource objects of JSON:API: elements with type and id, their relationships, and the related elements of compound documents.
import {
  type AnyOptions,
  getMediaType,
  makeInvalidAttribute,
  memoize,
  type Selection,
  toSnakeCase,
} from '../../../extend.ts'
import type { Attribute, Attributes, MediaType, View } from '../../../index.ts'
import { mediaType, t } from '../../../index.ts'
import { readAttribute } from '../../mapper/extend.ts'
import { listSelectable } from '../listing/convention-runtime.ts'
import { type ElementForm, type ElementNames, formatField, type WrittenElements } from '../listing/envelope.ts'
import {
  type FoundRelation,
  findRelation,
  followRelations,
  listRelationPaths,
  NO_REQUEST,
  type Relation,
  type RelationTree,
  type RequestedRelations,
} from '../listing/related/relations.ts'

/** A type of resource objects: the attributes and relationships that one may have. */
interface ResourceType {
  readonly of: MediaType
  readonly key: readonly string[]
  readonly attributes: Map<string, Attribute>
  readonly relations: Map<string, Relation>
  /** The attributes that requests may select. */
  readonly selectable: Map<string, Attribute>
}

const ID = ['id'] as const

/** Returns the name of a type of elements. */
const getTypeName = ({ name }: MediaType, { types }: ElementNames): string =>
  Object.hasOwn(types, name) ? (types[name] as string) : toSnakeCase(name)

/** Describes the types that documents of a list may contain, that of its elements first. */
function describeTypes(of: MediaType | View, names: ElementNames): ReadonlyMap<string, ResourceType> {
  const types = new Map<string, ResourceType>()
  const add = (
    shown: MediaType | View,
    type: string,
    key: readonly string[],
    below: readonly FoundRelation[],
  ): void => {
    const known = types.get(type)
    const one = known ?? {
      of: getMediaType(shown),
      key,
      attributes: new Map(),
      relations: new Map(),
      selectable: new Map(),
    }
    types.set(type, one)
    for (const [name, attribute] of Object.entries(listSelectable(shown))) {
      const relation = findRelation(attribute)
      one.selectable.set(name, attribute)
      if (relation !== undefined) one.relations.set(name, relation)
      else if (!one.key.includes(name)) one.attributes.set(name, attribute)
    }
    for (const relation of below) {
      one.relations.set(relation.name, relation)
      one.selectable.set(relation.name, relation.attribute)
      add(relation.shown, getTypeName(relation.of, names), ID, followRelations(relation.shown, relation.below))
    }
  }
  add(of, names.type, names.key, followRelations(getMediaType(of), names.include))
  return types
}

// --- declarations ------------------------------------------------------------------------

const refuseWithoutId = ({ name }: MediaType): Attribute =>
  makeInvalidAttribute({
    at: '',
    problem: `JSON:API names related elements by their id, and ${name} has none`,
    remedy: 'leave it out of the view, or give its media type an id',
  })

function declareIdentifier({ of }: Relation, names: ElementNames): Attribute {
  if (!Object.hasOwn(of.attributes, 'id')) return refuseWithoutId(of)
  const type = t.string({ required: true, values: [getTypeName(of, names)] })
  return t.object({ type, id: t.string({ required: true }) })
}

function declareLinkage(relation: Relation, names: ElementNames): Attribute {
  const identifier = declareIdentifier(relation, names)
  const data = relation.isMany
    ? t.array(identifier, { required: true })
    : t.ref(identifier, { required: true, nullable: true })
  return t.object({ data: data as Attribute })
}

const toOptional = (attribute: Attribute): Attribute =>
  attribute.core.derive({ required: false, default: undefined } as AnyOptions)

const mapEntries = (entries: Iterable<readonly [string, Attribute]>): Attributes => Object.fromEntries(entries)

/** Returns the members of a resource object, apart from its type. */
function declareMembers({ attributes, relations }: ResourceType, names: ElementNames): Attributes {
  const linked = [...relations].map(([name, relation]) => [name, declareLinkage(relation, names)] as const)
  return {
    id: t.string({ required: true }),
    attributes: t.object(mapEntries([...attributes].map(([name, attribute]) => [name, toOptional(attribute)]))),
    ...(linked.length > 0 && { relationships: t.object(mapEntries(linked)) }),
  }
}

function declareResource(of: MediaType | View, names: ElementNames): Attribute {
  const own = describeTypes(of, names).get(names.type) as ResourceType
  const type = t.string({ required: true, values: [names.type] })
  return t.object({ type, ...declareMembers(own, names) }) as Attribute
}

/** Declares a related element of a compound document, of any type that its relations may lead to. */
function declareIncluded(of: MediaType | View, names: ElementNames): Attribute {
  const types = describeTypes(of, names)
  const reached = new Set<string>()
  const visit = (shown: MediaType | View, tree: RelationTree): void => {
    for (const relation of followRelations(shown, tree)) {
      reached.add(getTypeName(relation.of, names))
      visit(relation.shown, relation.below)
    }
  }
  visit(getMediaType(of), names.include)
  const variants = [...reached].map((type) => [type, declareMembers(types.get(type) as ResourceType, names)])
  return t.union('type', Object.fromEntries(variants)) as Attribute
}

/** Returns the structures whose fields requests may select, by the name of their type: relations that may be included, too. */
const listFieldTypes = (of: MediaType | View, names: ElementNames): readonly (readonly [string, MediaType])[] =>
  [...describeTypes(of, names)].map(([type, { of: target, selectable }]) => [
    type,
    mediaType(target.name, { attributes: Object.fromEntries(selectable) }) as MediaType,
  ])

// --- selection ---------------------------------------------------------------------------

const ONLY_ID: Selection = { fields: new Map([['id', undefined]]) }

let numbered = 0
const numberSelection = memoize((_: Selection) => ({ number: ++numbered }))

/** The most selections that are kept for one media type: clients choose their number. */
const MAX_SELECTIONS = 100

// Plans are cached by selection, so equal requests share one.
const selectionsByType = memoize((_: MediaType | View) => new Map<string, Selection | undefined>())

/** Returns the fields that a request reads: of relations that are not included, the ids alone. */
function selectResources(of: MediaType | View, names: ElementNames, requested: RequestedRelations) {
  const { include, fields } = requested
  const text = JSON.stringify([
    names.type,
    include === undefined ? [] : listRelationPaths(include),
    [...fields].map(([type, selection]) => [type, numberSelection(selection).number]),
  ])
  const known = selectionsByType(of)
  if (known.has(text)) return known.get(text)
  if (known.size >= MAX_SELECTIONS) known.delete(known.keys().next().value as string)
  const selection = buildSelection(of, names, requested)
  known.set(text, selection)
  return selection
}

function buildSelection(
  of: MediaType | View,
  names: ElementNames,
  { include, fields }: RequestedRelations,
): Selection | undefined {
  const types = describeTypes(of, names)
  const select = (shown: MediaType | View, type: string, included: readonly FoundRelation[]): Selection => {
    const all = listSelectable(shown)
    const relations = types.get(type)?.relations ?? new Map()
    const wanted = fields.get(type)?.fields ?? new Map(Object.keys(shown.core.shown).map((name) => [name, undefined]))
    const key = type === names.type ? names.key : ID
    const selected = new Map<string, Selection | undefined>(key.map((name) => [name, undefined]))
    for (const [name, below] of wanted)
      if (Object.hasOwn(all, name))
        selected.set(name, findRelation(all[name] as Attribute) === undefined ? below : ONLY_ID)
      else if (relations.has(name)) selected.set(name, ONLY_ID)
    for (const { name, shown: related, of: target, below } of included)
      selected.set(name, select(related, getTypeName(target, names), followRelations(related, below)))
    return { fields: selected }
  }
  const isPlain = Object.values(of.core.shown).every((one) => findRelation(one) === undefined)
  return include === undefined && fields.size === 0 && isPlain
    ? undefined
    : select(of, names.type, followRelations(getMediaType(of), include ?? new Map()))
}

// --- documents ---------------------------------------------------------------------------

interface WrittenResource {
  readonly type: string
  readonly id: string
  attributes: Record<string, unknown>
  relationships?: Record<string, unknown>
}

/** Writes the resource objects of one document, each related element once. */
class CompoundDocument {
  readonly included: WrittenResource[] = []
  readonly #types: ReadonlyMap<string, ResourceType>
  readonly #names: ElementNames
  readonly #fields: RequestedRelations['fields']
  readonly #written = new Map<string, WrittenResource>()

  constructor(types: ReadonlyMap<string, ResourceType>, names: ElementNames, { fields }: RequestedRelations) {
    this.#types = types
    this.#names = names
    this.#fields = fields
  }

  /** Writes an element of the list. */
  addElement(element: unknown): WrittenResource {
    const resource = this.#writeResource(element, this.#names.type)
    this.#written.set(formatIdentifier(resource), resource)
    return resource
  }

  /** Adds the related elements of one, and those that follow from them. */
  addRelated(element: unknown, type: string, include: RelationTree): void {
    const { relations } = this.#types.get(type) as ResourceType
    for (const [name, below] of include) {
      const relation = relations.get(name)
      const value = relation && readAttribute(element as object, name)
      if (relation === undefined || value === undefined || value === null) continue
      for (const one of relation.isMany ? (value as readonly unknown[]) : [value]) {
        const target = getTypeName(relation.of, this.#names)
        this.#include(this.#writeResource(one, target))
        this.addRelated(one, target, below)
      }
    }
  }

  // The same element may be reached by several paths: its one resource object has the members that any of them read.
  #include(resource: WrittenResource): void {
    const key = formatIdentifier(resource)
    const known = this.#written.get(key)
    if (known === undefined) {
      this.#written.set(key, resource)
      this.included.push(resource)
      return
    }
    known.attributes = { ...resource.attributes, ...known.attributes }
    if (resource.relationships !== undefined)
      known.relationships = { ...resource.relationships, ...known.relationships }
  }

  #writeResource(element: unknown, type: string): WrittenResource {
    const { of, key, attributes, relations } = this.#types.get(type) as ResourceType
    const selected = this.#fields.get(type)?.fields
    const read = (name: string): unknown =>
      selected === undefined || selected.has(name) ? readAttribute(element as object, name) : undefined
    const visible: Record<string, unknown> = {}
    for (const name of attributes.keys()) {
      const value = read(name)
      if (value !== undefined) visible[name] = value
    }
    const id = key.map((name) => formatField(of, name, element)).join(',')
    const resource: WrittenResource = { type, id, attributes: visible }
    const linked: Record<string, unknown> = {}
    for (const [name, relation] of relations) {
      const value = read(name)
      if (value !== undefined) linked[name] = { data: this.#formatLinkage(value, relation) }
    }
    if (Object.keys(linked).length > 0) resource.relationships = linked
    return resource
  }

  #formatLinkage(value: unknown, relation: Relation): unknown {
    if (Array.isArray(value)) return value.map((one) => this.#formatLinkage(one, relation))
    if (value === null) return null
    const type = getTypeName(relation.of, this.#names)
    const { key = ID } = this.#types.get(type) ?? {}
    return { type, id: key.map((name) => formatField(relation.of, name, value)).join(',') }
  }
}

const formatIdentifier = ({ type, id }: WrittenResource): string => JSON.stringify([type, id])

function createWriter(of: MediaType | View, names: ElementNames) {
  const types = describeTypes(of, names)
  return (elements: readonly unknown[], requested: RequestedRelations = NO_REQUEST): WrittenElements => {
    const document = new CompoundDocument(types, names, requested)
    const written = elements.map((element) => document.addElement(element))
    const { include } = requested
    if (include === undefined) return { elements: written, included: undefined }
    for (const element of elements) document.addRelated(element, names.type, include)
    return { elements: written, included: document.included }
  }
}

/** Returns the names that two media types share, so that their identifiers would be ambiguous. */
function findMistakes(of: MediaType | View, names: ElementNames): readonly string[] {
  const owners = new Map([[names.type, getMediaType(of).name]])
  const mistakes = new Set<string>()
  const visit = (shown: MediaType | View, tree: RelationTree): void => {
    for (const relation of followRelations(shown, tree)) {
      const type = getTypeName(relation.of, names)
      const owner = owners.get(type) ?? relation.of.name
      owners.set(type, owner)
      if (owner !== relation.of.name)
        mistakes.add(`${owner} and ${relation.of.name} have the type '${type}': name them apart with types`)
      visit(relation.shown, relation.below)
    }
  }
  visit(getMediaType(of), names.include)
  return [...mistakes]
}

/** The form of elements as resource objects. */
export const resourceForm: ElementForm = {
  declare: declareResource,
  declareIncluded,
  listFieldTypes,
  select: selectResources,
  write: createWriter,
  findMistakes,
}
