// The registry: which entities there are, and how their rows hang together. All of it follows from declarations.

import { type AnyEndpoint, endpointOf } from '../design/declare/endpoint.ts'
import { isMediaType, isView, type MediaType, mediaType, type View } from '../design/declare/media-type.ts'
import type { AnyDefinition } from '../design/definition.ts'
import { resourceOf } from '../design/fields/selection.ts'
import { inheritance } from '../design/resolve/parent.ts'
import type { ResolvedEndpoint } from '../design/resolve/resolved.ts'
import { listOf } from '../plugins/pagination/declared.ts'
import type { Attribute } from '../schema/attribute.ts'
import { integer } from '../schema/scalars/integer.ts'
import { ownValue } from '../util/described.ts'
import { snake } from '../util/naming.ts'
import {
  addColumns,
  Entity,
  isCertain,
  type Link,
  type Pair,
  POSITION,
  ROW,
  singleKind,
  takesAll,
  VALUE,
} from './entity.ts'

/** The rows that an endpoint's own belong to: the params that name them, and where those are kept. */
export interface Parentage {
  readonly parent: Entity
  readonly on: readonly { readonly param: string; readonly ours: string; readonly theirs: string }[]
}

const resolved = (endpoint: AnyEndpoint): ResolvedEndpoint => (endpoint as AnyDefinition).resolve()

/** Every entity of some endpoints. */
export class Registry {
  readonly entities: Entity[] = []
  readonly #endpoints: readonly ResolvedEndpoint[]
  readonly #known = new Map<MediaType, Entity | undefined>()
  readonly #parents = new Map<ResolvedEndpoint, Parentage | undefined>()
  readonly #relations: { readonly entity: Entity; readonly name: string; readonly attribute: Attribute }[] = []

  constructor(endpoints: readonly ResolvedEndpoint[]) {
    this.#endpoints = [...new Set(endpoints.flatMap(lineage))]
    for (const endpoint of this.#endpoints) for (const shown of mediaTypesOf(endpoint)) this.entityOf(shown)
    for (const endpoint of this.#endpoints) this.#addCaptures(endpoint)
    for (const endpoint of this.#endpoints) this.parentage(endpoint)
    for (const { entity, name, attribute } of this.#relations) this.#relate(entity, name, attribute)
    for (const entity of this.entities) this.#linkByName(entity)
  }

  /** The entity of a media type or view; undefined for one that nothing tells apart. */
  entityOf(shown: MediaType | View): Entity | undefined {
    const of = isView(shown) ? shown.of : shown
    if (!this.#known.has(of)) this.#add(of)
    return this.#known.get(of)
  }

  /** The parents of an endpoint's rows. */
  parentage(endpoint: ResolvedEndpoint): Parentage | undefined {
    if (!this.#parents.has(endpoint)) this.#parents.set(endpoint, this.#adopt(endpoint))
    return this.#parents.get(endpoint)
  }

  #add(of: MediaType): void {
    const key = this.#keyOf(of)
    if (key.length === 0) return void this.#known.set(of, undefined)
    const entity = new Entity(of, `${this.entities.length}.${of.name}`, key)
    this.#known.set(of, entity)
    this.entities.push(entity)
    for (const [name, attribute] of Object.entries(of.attributes)) {
      const isList = attribute.core.shape === 'list'
      const element = isList ? (attribute.core.element as Attribute) : attribute
      if (this.#related(element) !== undefined) this.#relations.push({ entity, name, attribute })
      else if (isList && singleKind(element) !== undefined && attribute.options.nullable !== true)
        this.#addValues(entity, name, attribute, element)
      else entity.parts.set(name, addColumns(entity, attribute, name))
    }
    for (const name of this.#captured(of)) if (entity.single(name) !== undefined) entity.unique.add(name)
  }

  // Lists of single values get a table, so that filters can look into them.
  #addValues(entity: Entity, name: string, attribute: Attribute, element: Attribute): void {
    const of = mediaType(`${entity.mediaType.name}.${name}`, {
      attributes: { [POSITION]: integer({ required: true }), [VALUE]: element },
    })
    const target = new Entity(of, `${entity.table}.${name}`, [POSITION], attribute)
    for (const [column, one] of Object.entries(of.attributes)) target.parts.set(column, addColumns(target, one, column))
    const on: readonly Pair[] = [[ROW, target.hide('~owner', 'integer')]]
    this.entities.push(target)
    const back = on.map(([ours, theirs]): Pair => [theirs, ours])
    target.links.push({ target: entity, on: back, optional: false, parts: true })
    entity.parts.set(name, { type: 'many', attribute, target, on, plain: true })
  }

  // --- keys ------------------------------------------------------------------------------

  #keyOf(of: MediaType): readonly string[] {
    const isSingle = (name: string): boolean =>
      Object.hasOwn(of.attributes, name) && singleKind(of.attributes[name] as Attribute) !== undefined
    const candidates = [this.#paginatedKey(of), this.#captured(of), ['id']]
    const found = candidates.find((names) => names.length > 0 && names.every(isSingle))
    if (found !== undefined) return found
    const certain = Object.entries(of.attributes).find(
      ([name, one]) => isSingle(name) && isCertain(one) && !isListed(one),
    )
    return certain === undefined ? [] : [certain[0]]
  }

  #paginatedKey(of: MediaType): readonly string[] {
    for (const { actions } of this.#endpoints)
      for (const action of actions.values()) {
        const config = listOf(action)?.config
        if (config?.mediaType === of && config.key !== undefined) return config.key
      }
    return []
  }

  // The captures of its endpoint's canonical path, without those of parents.
  #captured(of: MediaType): readonly string[] {
    const endpoint = this.#endpoints.find(({ mediaType: one, canonical }) => one === of && canonical !== undefined)
    return endpoint === undefined ? [] : ownCaptures(endpoint)
  }

  // A path may name elements by what they do not show.
  #addCaptures(endpoint: ResolvedEndpoint): void {
    const entity = isMediaType(endpoint.mediaType) ? this.entityOf(endpoint.mediaType) : undefined
    if (entity === undefined) return
    for (const name of ownCaptures(endpoint)) {
      const param = ownValue(endpoint.canonical?.params ?? {}, name)
      const kind = param === undefined ? undefined : singleKind(param)
      if (entity.single(name) !== undefined || param === undefined || kind === undefined) continue
      if (name === `${endpoint.singular}_id` && entity.single('id') !== undefined) entity.aliases.set(name, 'id')
      else {
        entity.unique.add(entity.hide(`:${name}`, kind))
        entity.hidden.set(`:${name}`, param)
      }
    }
  }

  // --- parents ---------------------------------------------------------------------------

  #adopt(endpoint: ResolvedEndpoint): Parentage | undefined {
    const { parent: declared } = endpoint.definition.spec
    const entity = isMediaType(endpoint.mediaType) ? this.entityOf(endpoint.mediaType) : undefined
    if (declared === undefined || entity === undefined) return undefined
    const above = resolved(endpointOf(declared))
    const parent = isMediaType(above.mediaType) ? this.entityOf(above.mediaType) : undefined
    if (parent === undefined || parent === entity) return undefined
    this.parentage(above)
    const theirNames = above.canonical?.route.pattern.names ?? []
    const on = inheritedNames(endpoint).flatMap((param, i) => {
      const theirs = parent.columnOf(theirNames[i] ?? '')
      const kind = theirs === undefined ? undefined : parent.columns.get(theirs)
      if (theirs === undefined || kind === undefined) return []
      const fits = canHold(entity, param, parent, theirs)
      return [{ param, ours: fits ? param : entity.hide(`:${param}`, kind), theirs }]
    })
    if (on.length === 0) return undefined
    const pairs = on.map(({ ours, theirs }): Pair => [ours, theirs])
    this.#link(entity, { target: parent, on: pairs, optional: false, parts: true })
    return { parent, on }
  }

  #link(entity: Entity, link: Link): void {
    const taken = new Set(entity.links.flatMap(({ on }) => on.map(([ours]) => ours)))
    if (link.on.some(([ours]) => taken.has(ours))) return
    for (const [ours] of link.on) entity.unique.delete(ours)
    entity.links.push(link)
  }

  // --- relations -------------------------------------------------------------------------

  #related(attribute: Attribute): MediaType | undefined {
    let one = attribute
    while (one.core.target !== undefined) one = one.core.target
    if (isMediaType(one)) return one
    if (isView(one)) return one.of
    return one.core.shape === 'object' && one.core.related ? this.#same(one) : undefined
  }

  // A reference with its own options is no longer the media type, but has the same attributes.
  #same({ core }: Attribute): MediaType {
    const children = Object.entries(core.children)
    const found = [...this.#known.keys()].find((of) =>
      children.every(([name, one]) => ownValue(of.attributes, name) === one),
    )
    return found ?? mediaType('Related', { attributes: core.children })
  }

  #relate(entity: Entity, name: string, attribute: Attribute): void {
    const isList = attribute.core.shape === 'list'
    const element = isList ? (attribute.core.element as Attribute) : attribute
    const of = this.#related(element) as MediaType
    const target = this.entityOf(of)
    const endless = leadsTo(element, (one) => this.#related(one) === entity.mediaType)
    // Resources that contain themselves, and elements without a key, are stored as their example.
    if (
      target === undefined ||
      endless ||
      (isList && target === entity) ||
      (isList && element.options.nullable === true)
    ) {
      entity.parts.set(name, addColumns(entity, attribute, name))
    } else if (isList) {
      const on = this.#backward(entity, target, name)
      const isFree = on.every(
        ([, theirs]) => target.single(theirs) === undefined || !isCertain(target.single(theirs)!.attribute),
      )
      const back = on.map(([ours, theirs]): Pair => [theirs, ours])
      this.#link(target, { target: entity, on: back, optional: isFree, parts: true })
      entity.parts.set(name, { type: 'many', attribute, target, on, plain: false })
    } else {
      const on = this.#forward(entity, target, name)
      this.#link(entity, { target, on, optional: !isCertain(attribute), parts: false })
      entity.parts.set(name, { type: 'one', attribute, target, on })
    }
  }

  // `author_id` identifies `author`, if there is such an attribute.
  #forward(entity: Entity, target: Entity, name: string): readonly Pair[] {
    const isKey = target.key.join() === 'id' && canHold(entity, `${name}_id`, target, 'id')
    return isKey ? [[`${name}_id`, 'id']] : [[entity.hide(`~${name}`, 'integer'), ROW]]
  }

  // Elements of a list tell by themselves where they belong: as children, or by `book_id`.
  #backward(entity: Entity, target: Entity, name: string): readonly Pair[] {
    const link = target.links.find((one) => one.target === entity && one.optional === false)
    if (link !== undefined) return link.on.map(([ours, theirs]) => [theirs, ours])
    const back = `${snake(entity.mediaType.name)}_id`
    const isKey = entity.key.join() === 'id' && canHold(target, back, entity, 'id')
    return isKey ? [['id', back]] : [[ROW, target.hide(`~${entity.table}.${name}`, 'integer')]]
  }

  // `book_id` without a relation still names a book.
  #linkByName(entity: Entity): void {
    for (const other of this.entities) {
      const name = `${snake(other.mediaType.name)}_id`
      const isKey = other !== entity && other.listed === undefined && other.key.join() === 'id'
      const part = entity.single(name)
      if (part !== undefined && isKey && canHold(entity, name, other, 'id'))
        this.#link(entity, {
          target: other,
          on: [[part.column, 'id']],
          optional: !isCertain(part.attribute),
          parts: false,
        })
    }
  }
}

/** Returns whether an attribute can hold the values of another entity's column. */
function canHold(entity: Entity, name: string, other: Entity, column: string): boolean {
  const [ours, theirs] = [entity.single(name)?.attribute, other.single(column)?.attribute ?? other.hidden.get(column)]
  return ours !== undefined && theirs !== undefined && takesAll(ours, theirs)
}

function lineage(endpoint: ResolvedEndpoint): readonly ResolvedEndpoint[] {
  const { parent } = endpoint.definition.spec
  if (parent === undefined) return [endpoint]
  return [...lineage(resolved(endpointOf(parent))), endpoint]
}

function mediaTypesOf({ mediaType: own, actions }: ResolvedEndpoint): readonly (MediaType | View)[] {
  const bodies = [...actions.values()].flatMap(({ responses }) =>
    [...responses.values()].filter(({ status }) => status < 400).flatMap((response) => response.bodies),
  )
  const shown = bodies.flatMap(({ attribute }) => (attribute === undefined ? [] : (resourceOf(attribute) ?? [])))
  return isMediaType(own) ? [own, ...shown] : shown
}

/** The params that an endpoint has from its parents, in the order of the parent's path. */
export const inheritedNames = ({ definition }: ResolvedEndpoint): readonly string[] =>
  Object.keys(inheritance(definition, definition.spec.parent, resolved, () => undefined).params)

/** The params of an endpoint's canonical path that are its own. */
export function ownCaptures(endpoint: ResolvedEndpoint): readonly string[] {
  const inherited = new Set(inheritedNames(endpoint))
  return (endpoint.canonical?.route.pattern.names ?? []).filter((name) => !inherited.has(name))
}

// A few listed values do not tell elements apart.
const isListed = ({ core, options }: Attribute): boolean =>
  core.scalar === 'boolean' || (options as { values?: unknown }).values !== undefined

function leadsTo(from: Attribute, isGoal: (attribute: Attribute) => boolean): boolean {
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
