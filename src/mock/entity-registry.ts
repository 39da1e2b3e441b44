// Derives the entities of a mock, and the links between their rows, from declarations.

import { isMediaType, isView, type MediaType, mediaType, type View } from '../design/declare/media-type.ts'
import { findResource } from '../design/fields/selection.ts'
import { getMediaType, getResource } from '../design/fields/shown-part.ts'
import type { ResolvedAction, ResolvedEndpoint } from '../design/resolve/resolved.ts'
import { describeElement, describeList } from '../plugins/pagination/extend.ts'
import type { Attribute } from '../schema/attribute.ts'
import { integer } from '../schema/scalars/integer.ts'
import { getOwnValue } from '../util/describe-value.ts'
import { toSnakeCase } from '../util/naming.ts'
import { type ElementAddress, ElementAddresses } from './element-addresses.ts'
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

/** The parent of the rows of an address: the params that identify it, and their columns. */
export interface ParentLink {
  readonly parent: Entity
  readonly on: readonly { readonly param: string; readonly ours: string; readonly theirs: string }[]
}

/** The entities of some endpoints. */
export class EntityRegistry {
  readonly entities: Entity[] = []
  readonly addresses: ElementAddresses
  readonly #byMediaType = new Map<MediaType, Entity | undefined>()
  readonly #parentLinks = new Map<ElementAddress, ParentLink | undefined>()
  readonly #relations: { readonly entity: Entity; readonly name: string; readonly attribute: Attribute }[] = []

  constructor(endpoints: readonly ResolvedEndpoint[]) {
    this.addresses = new ElementAddresses(endpoints)
    for (const endpoint of this.addresses.endpoints) for (const shown of listMediaTypes(endpoint)) this.getEntity(shown)
    for (const address of this.addresses.all) this.#addCaptures(address)
    for (const address of this.addresses.all) this.getParentLink(address)
    for (const { entity, name, attribute } of this.#relations) this.#addRelation(entity, name, attribute)
    for (const entity of this.entities) this.#linkByName(entity)
  }

  /** Returns the entity of a media type or view; undefined for one without a key. */
  getEntity(body: MediaType | View): Entity | undefined {
    const mediaType = isView(body) ? body.of : body
    if (!this.#byMediaType.has(mediaType)) this.#addEntity(mediaType)
    return this.#byMediaType.get(mediaType)
  }

  /** Returns the entity that an action is about. */
  getOwnEntity(action: ResolvedAction): Entity | undefined {
    const address = this.addresses.get(action)
    return address && this.getEntity(address.mediaType)
  }

  /** Returns the link of the rows of an address to their parent. */
  getParentLink(address: ElementAddress): ParentLink | undefined {
    if (!this.#parentLinks.has(address)) this.#parentLinks.set(address, this.#resolveParent(address))
    return this.#parentLinks.get(address)
  }

  #addEntity(of: MediaType): void {
    const certain = this.#findKey(of)
    const key = certain ?? findLikelyKey(of)
    const hasColumns = Object.values(of.attributes).some((one) => getScalarKind(one) !== undefined)
    const isKept =
      key.length > 0 || (hasColumns && this.addresses.all.some((one) => one.mediaType === of && one.isPath))
    if (!isKept) return void this.#byMediaType.set(of, undefined)
    const entity = new Entity(of, `${this.entities.length}.${of.name}`, key)
    entity.hasLikelyKey = certain === undefined
    for (const name of certain ?? []) entity.unique.add(name)
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

  #findKey(of: MediaType): readonly string[] | undefined {
    const candidates = [this.#findPaginationKey(of), ...this.#listKeys(of), ['id']]
    return candidates.find((names) => names.length > 0 && names.every((name) => hasScalar(of, name)))
  }

  #findPaginationKey(of: MediaType): readonly string[] {
    for (const { actions } of this.addresses.endpoints)
      for (const action of actions.values()) {
        const { mediaType, pages } = describeList(action) ?? {}
        if (mediaType === of && pages?.isKeyDeclared === true) return pages.key
      }
    return []
  }

  // A path may name elements by another attribute than the key.
  #listCaptures(of: MediaType): readonly string[] {
    return this.#listKeys(of).flatMap((names) => (names.length === 1 ? names : []))
  }

  #listKeys(of: MediaType): readonly (readonly string[])[] {
    const own = this.addresses.all.filter(({ mediaType }) => mediaType === of)
    return own.map(({ key, keyAttributes }) => key.map((name) => keyAttributes[name] ?? name))
  }

  // A path may identify elements by values that are not attributes.
  #addCaptures({ mediaType: of, key, params, keyAttributes }: ElementAddress): void {
    const entity = this.getEntity(of)
    if (entity === undefined) return
    for (const name of key) {
      const param = getOwnValue(params, name)
      const kind = param === undefined ? undefined : getScalarKind(param)
      if (entity.findScalarPart(name) !== undefined || param === undefined || kind === undefined) continue
      const attribute = keyAttributes[name]
      if (attribute !== undefined && entity.findScalarPart(attribute) !== undefined) {
        entity.aliases.set(name, attribute)
      } else {
        entity.unique.add(entity.addHiddenColumn(`:${name}`, kind))
        entity.hiddenAttributes.set(`:${name}`, param)
      }
    }
  }

  // --- parents ---------------------------------------------------------------------------

  #resolveParent({
    mediaType: of,
    parent: above,
    inherited,
    key,
    keyAttributes,
  }: ElementAddress): ParentLink | undefined {
    const entity = this.getEntity(of)
    const parent = above && this.getEntity(above.mediaType)
    if (above === undefined || entity === undefined || parent === undefined || parent === entity) return undefined
    this.getParentLink(above)
    // Elements that are below each other are parts of both, and of neither.
    if (isOwnedBy(parent, entity)) return undefined
    const theirNames = [...above.inherited, ...above.key]
    const ownNames = key.map((name) => keyAttributes[name] ?? name)
    const known = entity.links.find((one) => one.target === parent && one.isOwned)
    const on = inherited.flatMap((param, i) => {
      const theirs = parent.findColumn(theirNames[i] ?? '')
      const kind = theirs === undefined ? undefined : parent.columns.get(theirs)
      if (theirs === undefined || kind === undefined || !isFilled(parent, theirs)) return []
      const ours =
        known?.on.find(([, other]) => other === theirs)?.[0] ??
        (!ownNames.includes(param) && canHold(entity, param, parent, theirs) ? param : undefined)
      // Two addresses may name different parents by the same param.
      const free = entity.columns.has(`:${param}`) ? `:${parent.table}.${param}` : `:${param}`
      return [{ param, ours: ours ?? entity.addHiddenColumn(free, kind), theirs }]
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
    const resource = getResource(one)
    return resource && getMediaType(resource)
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
      const position = target.addHiddenColumn(`~place.${entity.table}.${name}`, 'integer')
      entity.parts.set(name, { type: 'many', attribute, target, on, isValueList: false, position })
    } else {
      const on = this.#pairToOne(entity, target, name)
      // An optional element whose required key is a member of the same structure always exists.
      const isKeyRequired = on.some(([ours]) => {
        const part = entity.findScalarPart(ours)
        return part !== undefined && isAlwaysPresent(part.attribute)
      })
      this.#link(entity, { target, on, optional: !isAlwaysPresent(attribute) && !isKeyRequired, isOwned: false })
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

const hasScalar = ({ attributes }: MediaType, name: string): boolean =>
  Object.hasOwn(attributes, name) && getScalarKind(attributes[name] as Attribute) !== undefined

/** Returns the first value that is always there, which may tell elements apart. */
function findLikelyKey(of: MediaType): readonly string[] {
  const found = Object.entries(of.attributes).find(
    ([name, one]) => hasScalar(of, name) && isAlwaysPresent(one) && !hasFewValues(one),
  )
  return found === undefined ? [] : [found[0]]
}

/** Returns whether an attribute can hold the values of another entity's column. */
function canHold(entity: Entity, name: string, other: Entity, column: string): boolean {
  const [ours, theirs] = [
    entity.findScalarPart(name)?.attribute,
    other.findScalarPart(column)?.attribute ?? other.hiddenAttributes.get(column),
  ]
  return ours !== undefined && theirs !== undefined && isAssignable(ours, theirs)
}

/** Returns whether every row has a value in a column. */
const isFilled = (entity: Entity, column: string): boolean => {
  const part = entity.findScalarPart(column)
  return part === undefined || entity.unique.has(column) || isAlwaysPresent(part.attribute)
}

/** Returns whether the rows of an entity belong to those of another, at any distance. */
const isOwnedBy = ({ links }: Entity, owner: Entity): boolean =>
  links.some(({ target, optional }) => !optional && (target === owner || isOwnedBy(target, owner)))

function listMediaTypes({ mediaType: own, actions }: ResolvedEndpoint): readonly (MediaType | View)[] {
  const bodies = [...actions.values()].flatMap(({ responses }) =>
    [...responses.values()].filter(({ status }) => status < 400).flatMap((response) => response.bodies),
  )
  const shown = bodies.flatMap(({ attribute }) => (attribute === undefined ? [] : (findResource(attribute) ?? [])))
  // The elements of a list may have another form, or be members of structures.
  const listed = [...actions.values()].flatMap((action) => {
    const list = describeList(action)
    return list?.convention === undefined ? [] : [list.mediaType]
  })
  const formed = [...actions.values()].flatMap((action) => describeElement(action)?.mediaType ?? [])
  return [...(isMediaType(own) ? [own] : []), ...shown, ...listed, ...formed]
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
