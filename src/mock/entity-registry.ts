// Derives the entities of a mock, and the links between their rows, from declarations.

import { type AnyEndpoint, getParentEndpoint } from '../design/declare/endpoint.ts'
import { isMediaType, isView, type MediaType, mediaType, type View } from '../design/declare/media-type.ts'
import type { AnyDefinition } from '../design/definition.ts'
import { findResource } from '../design/fields/selection.ts'
import { findEndpointType } from '../design/resolve/endpoint-type.ts'
import { resolveInheritance } from '../design/resolve/parent.ts'
import type { ResolvedEndpoint } from '../design/resolve/resolved.ts'
import { describeElement, describeList } from '../plugins/pagination/extend.ts'
import type { Attribute } from '../schema/attribute.ts'
import { integer } from '../schema/scalars/integer.ts'
import { getOwnValue } from '../util/describe-value.ts'
import { toSnakeCase } from '../util/naming.ts'
import {
  addColumns,
  type ColumnPair,
  Entity,
  type EntityLink,
  getScalarKind,
  isAlwaysPresent,
  isAssignable,
  POSITION_ATTRIBUTE,
  ROW_COLUMN,
  VALUE_ATTRIBUTE,
} from './entity.ts'

/** The parent of an endpoint's rows: the params that identify it, and their columns. */
export interface ParentLink {
  readonly parent: Entity
  readonly on: readonly { readonly param: string; readonly ours: string; readonly theirs: string }[]
}

const resolveEndpoint = (endpoint: AnyEndpoint): ResolvedEndpoint => (endpoint as AnyDefinition).resolve()

/** The entities of some endpoints. */
export class EntityRegistry {
  readonly entities: Entity[] = []
  readonly #endpoints: readonly ResolvedEndpoint[]
  readonly #byMediaType = new Map<MediaType, Entity | undefined>()
  readonly #parentLinks = new Map<ResolvedEndpoint, ParentLink | undefined>()
  readonly #relations: { readonly entity: Entity; readonly name: string; readonly attribute: Attribute }[] = []

  constructor(endpoints: readonly ResolvedEndpoint[]) {
    this.#endpoints = [...new Set(endpoints.flatMap(listLineage))]
    for (const endpoint of this.#endpoints) for (const shown of listMediaTypes(endpoint)) this.getEntity(shown)
    for (const endpoint of this.#endpoints) this.#addCaptures(endpoint)
    for (const endpoint of this.#endpoints) this.getParentLink(endpoint)
    for (const { entity, name, attribute } of this.#relations) this.#addRelation(entity, name, attribute)
    for (const entity of this.entities) this.#linkByName(entity)
  }

  /** Returns the entity of a media type or view; undefined for one without a key. */
  getEntity(body: MediaType | View): Entity | undefined {
    const mediaType = isView(body) ? body.of : body
    if (!this.#byMediaType.has(mediaType)) this.#addEntity(mediaType)
    return this.#byMediaType.get(mediaType)
  }

  /** Returns the entity of an endpoint's media type. */
  getOwnEntity(endpoint: ResolvedEndpoint): Entity | undefined {
    const own = findEndpointType(endpoint)
    return own && this.getEntity(own)
  }

  /** Returns the link of an endpoint's rows to their parent. */
  getParentLink(endpoint: ResolvedEndpoint): ParentLink | undefined {
    if (!this.#parentLinks.has(endpoint)) this.#parentLinks.set(endpoint, this.#resolveParent(endpoint))
    return this.#parentLinks.get(endpoint)
  }

  #addEntity(of: MediaType): void {
    const key = this.#chooseKey(of)
    if (key.length === 0) return void this.#byMediaType.set(of, undefined)
    const entity = new Entity(of, `${this.entities.length}.${of.name}`, key)
    this.#byMediaType.set(of, entity)
    this.entities.push(entity)
    for (const [name, attribute] of Object.entries(of.attributes)) {
      const isList = attribute.core.shape === 'list'
      const element = isList ? (attribute.core.element as Attribute) : attribute
      if (this.#findRelated(element) !== undefined) this.#relations.push({ entity, name, attribute })
      else if (isList && getScalarKind(element) !== undefined && attribute.options.nullable !== true)
        this.#addValueList(entity, name, attribute, element)
      else entity.parts.set(name, addColumns(entity, attribute, name))
    }
    for (const name of this.#listCaptures(of)) if (entity.findScalarPart(name) !== undefined) entity.unique.add(name)
    if (/int/.test(entity.findScalarPart('id')?.kind ?? '')) entity.unique.add('id')
  }

  // Lists of plain values get a table, so that filters can search them.
  #addValueList(entity: Entity, name: string, attribute: Attribute, element: Attribute): void {
    const of = mediaType(`${entity.mediaType.name}.${name}`, {
      attributes: { [POSITION_ATTRIBUTE]: integer({ required: true }), [VALUE_ATTRIBUTE]: element },
    })
    const target = new Entity(of, `${entity.table}.${name}`, [POSITION_ATTRIBUTE], attribute)
    for (const [column, one] of Object.entries(of.attributes)) target.parts.set(column, addColumns(target, one, column))
    const on: readonly ColumnPair[] = [[ROW_COLUMN, target.addHiddenColumn('~owner', 'integer')]]
    this.entities.push(target)
    const back = on.map(([ours, theirs]): ColumnPair => [theirs, ours])
    target.links.push({ target: entity, on: back, optional: false, isOwned: true })
    entity.parts.set(name, { type: 'many', attribute, target, on, isValueList: true })
  }

  // --- keys ------------------------------------------------------------------------------

  #chooseKey(of: MediaType): readonly string[] {
    const isScalar = (name: string): boolean =>
      Object.hasOwn(of.attributes, name) && getScalarKind(of.attributes[name] as Attribute) !== undefined
    const candidates = [this.#findPaginationKey(of), this.#findCaptures(of), ['id']]
    const found = candidates.find((names) => names.length > 0 && names.every(isScalar))
    if (found !== undefined) return found
    const identifying = Object.entries(of.attributes).find(
      ([name, one]) => isScalar(name) && isAlwaysPresent(one) && !hasFewValues(one),
    )
    return identifying === undefined ? [] : [identifying[0]]
  }

  #findPaginationKey(of: MediaType): readonly string[] {
    for (const { actions } of this.#endpoints)
      for (const action of actions.values()) {
        const { mediaType, pages } = describeList(action) ?? {}
        if (mediaType === of && pages?.isKeyDeclared === true) return pages.key
      }
    return []
  }

  // Returns the captures of the first canonical path that has some, without those of its parents.
  #findCaptures(of: MediaType): readonly string[] {
    const found = this.#endpoints.filter((one) => findEndpointType(one) === of).map(getOwnCaptures)
    return found.find((names) => names.length > 0) ?? []
  }

  // A path may name elements by another attribute than the key.
  #listCaptures(of: MediaType): readonly string[] {
    const endpoints = this.#endpoints.filter((one) => findEndpointType(one) === of).map(getOwnCaptures)
    return endpoints.flatMap((names) => (names.length === 1 ? names : []))
  }

  // A path may identify elements by values that are not attributes.
  #addCaptures(endpoint: ResolvedEndpoint): void {
    const entity = this.getOwnEntity(endpoint)
    if (entity === undefined) return
    for (const name of getOwnCaptures(endpoint)) {
      const param = getOwnValue(endpoint.canonical?.params ?? {}, name)
      const kind = param === undefined ? undefined : getScalarKind(param)
      if (entity.findScalarPart(name) !== undefined || param === undefined || kind === undefined) continue
      if (name === `${endpoint.singular}_id` && entity.findScalarPart('id') !== undefined)
        entity.aliases.set(name, 'id')
      else {
        entity.unique.add(entity.addHiddenColumn(`:${name}`, kind))
        entity.hiddenAttributes.set(`:${name}`, param)
      }
    }
  }

  // --- parents ---------------------------------------------------------------------------

  #resolveParent(endpoint: ResolvedEndpoint): ParentLink | undefined {
    const { parent: declared } = endpoint.definition.spec
    const entity = this.getOwnEntity(endpoint)
    if (declared === undefined || entity === undefined) return undefined
    const parentEndpoint = resolveEndpoint(getParentEndpoint(declared))
    const parent = this.getOwnEntity(parentEndpoint)
    if (parent === undefined || parent === entity) return undefined
    this.getParentLink(parentEndpoint)
    const theirNames = parentEndpoint.canonical?.route.pattern.names ?? []
    const on = getInheritedNames(endpoint).flatMap((param, i) => {
      const theirs = parent.findColumn(theirNames[i] ?? '')
      const kind = theirs === undefined ? undefined : parent.columns.get(theirs)
      if (theirs === undefined || kind === undefined) return []
      const fits = canHold(entity, param, parent, theirs)
      return [{ param, ours: fits ? param : entity.addHiddenColumn(`:${param}`, kind), theirs }]
    })
    if (on.length === 0) return undefined
    const pairs = on.map(({ ours, theirs }): ColumnPair => [ours, theirs])
    this.#link(entity, { target: parent, on: pairs, optional: false, isOwned: true })
    return { parent, on }
  }

  #link(entity: Entity, link: EntityLink): void {
    const taken = new Set(entity.links.flatMap(({ on }) => on.map(([ours]) => ours)))
    if (link.on.some(([ours]) => taken.has(ours))) return
    for (const [ours] of link.on) entity.unique.delete(ours)
    entity.links.push(link)
  }

  // --- relations -------------------------------------------------------------------------

  #findRelated(attribute: Attribute): MediaType | undefined {
    let one = attribute
    while (one.core.target !== undefined) one = one.core.target
    if (isMediaType(one)) return one
    if (isView(one)) return one.of
    return one.core.shape === 'object' && one.core.related ? this.#findSameShape(one) : undefined
  }

  // A reference with its own options is no longer the media type itself, but has the same attributes.
  #findSameShape({ core }: Attribute): MediaType {
    const children = Object.entries(core.children)
    const found = [...this.#byMediaType.keys()].find((of) =>
      children.every(([name, one]) => getOwnValue(of.attributes, name) === one),
    )
    return found ?? mediaType('Related', { attributes: core.children })
  }

  #addRelation(entity: Entity, name: string, attribute: Attribute): void {
    const isList = attribute.core.shape === 'list'
    const element = isList ? (attribute.core.element as Attribute) : attribute
    const of = this.#findRelated(element) as MediaType
    const target = this.getEntity(of)
    const isRecursive = canReach(element, (one) => this.#findRelated(one) === entity.mediaType)
    // Resources that contain themselves, and elements without a key, are stored as their example.
    if (
      target === undefined ||
      isRecursive ||
      (isList && target === entity) ||
      (isList && element.options.nullable === true)
    ) {
      entity.parts.set(name, addColumns(entity, attribute, name))
    } else if (isList) {
      const on = this.#pairToMany(entity, target, name)
      const isFree = on.every(
        ([, theirs]) =>
          target.findScalarPart(theirs) === undefined || !isAlwaysPresent(target.findScalarPart(theirs)!.attribute),
      )
      const back = on.map(([ours, theirs]): ColumnPair => [theirs, ours])
      this.#link(target, { target: entity, on: back, optional: isFree, isOwned: true })
      entity.parts.set(name, { type: 'many', attribute, target, on, isValueList: false })
    } else {
      const on = this.#pairToOne(entity, target, name)
      this.#link(entity, { target, on, optional: !isAlwaysPresent(attribute), isOwned: false })
      entity.parts.set(name, { type: 'one', attribute, target, on })
    }
  }

  // `author_id` identifies `author` if there is such an attribute.
  #pairToOne(entity: Entity, target: Entity, name: string): readonly ColumnPair[] {
    const isKey = target.key.join() === 'id' && canHold(entity, `${name}_id`, target, 'id')
    return isKey ? [[`${name}_id`, 'id']] : [[entity.addHiddenColumn(`~${name}`, 'integer'), ROW_COLUMN]]
  }

  // The elements of a list refer to their owner: as children, or by `book_id`.
  #pairToMany(entity: Entity, target: Entity, name: string): readonly ColumnPair[] {
    const link = target.links.find((one) => one.target === entity && one.optional === false)
    if (link !== undefined) return link.on.map(([ours, theirs]) => [theirs, ours])
    const back = `${toSnakeCase(entity.mediaType.name)}_id`
    const isKey = entity.key.join() === 'id' && canHold(target, back, entity, 'id')
    return isKey ? [['id', back]] : [[ROW_COLUMN, target.addHiddenColumn(`~${entity.table}.${name}`, 'integer')]]
  }

  // `book_id` without a relation still refers to a book.
  #linkByName(entity: Entity): void {
    for (const other of this.entities) {
      const name = `${toSnakeCase(other.mediaType.name)}_id`
      const isKey = other !== entity && other.listAttribute === undefined && other.key.join() === 'id'
      const part = entity.findScalarPart(name)
      if (part !== undefined && isKey && canHold(entity, name, other, 'id'))
        this.#link(entity, {
          target: other,
          on: [[part.column, 'id']],
          optional: !isAlwaysPresent(part.attribute),
          isOwned: false,
        })
    }
  }
}

/** Returns whether an attribute can hold the values of another entity's column. */
function canHold(entity: Entity, name: string, other: Entity, column: string): boolean {
  const [ours, theirs] = [
    entity.findScalarPart(name)?.attribute,
    other.findScalarPart(column)?.attribute ?? other.hiddenAttributes.get(column),
  ]
  return ours !== undefined && theirs !== undefined && isAssignable(ours, theirs)
}

function listLineage(endpoint: ResolvedEndpoint): readonly ResolvedEndpoint[] {
  const { parent } = endpoint.definition.spec
  if (parent === undefined) return [endpoint]
  return [...listLineage(resolveEndpoint(getParentEndpoint(parent))), endpoint]
}

function listMediaTypes({ mediaType: own, actions }: ResolvedEndpoint): readonly (MediaType | View)[] {
  const bodies = [...actions.values()].flatMap(({ responses }) =>
    [...responses.values()].filter(({ status }) => status < 400).flatMap((response) => response.bodies),
  )
  const shown = bodies.flatMap(({ attribute }) => (attribute === undefined ? [] : (findResource(attribute) ?? [])))
  // The elements of a list may have another form, or stand in structures.
  const listed = [...actions.values()].flatMap((action) => {
    const list = describeList(action)
    return list?.convention === undefined ? [] : [list.mediaType]
  })
  const formed = [...actions.values()].flatMap((action) => describeElement(action)?.mediaType ?? [])
  return [...(isMediaType(own) ? [own] : []), ...shown, ...listed, ...formed]
}

/** Returns the params that an endpoint inherits from its parents, in the order of the parent's path. */
export const getInheritedNames = ({ definition }: ResolvedEndpoint): readonly string[] =>
  Object.keys(resolveInheritance(definition, definition.spec.parent, resolveEndpoint, () => undefined).params)

/** Returns the params of an endpoint's canonical path that it does not inherit. */
export function getOwnCaptures(endpoint: ResolvedEndpoint): readonly string[] {
  const inherited = new Set(getInheritedNames(endpoint))
  return (endpoint.canonical?.route.pattern.names ?? []).filter((name) => !inherited.has(name))
}

// A few enumerated values do not identify elements.
const hasFewValues = ({ core, options }: Attribute): boolean =>
  core.scalar === 'boolean' || (options as { values?: unknown }).values !== undefined

function canReach(from: Attribute, isGoal: (attribute: Attribute) => boolean): boolean {
  const seen = new Set<Attribute>()
  const visit = (attribute: Attribute): boolean =>
    Object.values(attribute.core.shown).some((one) => {
      if (isGoal(one)) return true
      if (seen.has(one)) return false
      seen.add(one)
      return visit(one)
    })
  return visit(from)
}
