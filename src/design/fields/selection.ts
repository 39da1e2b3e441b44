// A selection of fields: the attributes of a media type that a client requests, including those of structures and
// related resources.

import type { AnyOptions, Attribute, Attributes } from '../../schema/attribute.ts'
import type { UploadedFile } from '../../schema/structures/file.ts'
import { rebuildAttribute } from '../../schema/structures/rebuild-attribute.ts'
import type { ObjectOf } from '../../schema/types.ts'
import { attributeRules } from '../attribute-rules.ts'
import type { MediaType, View } from '../declare/media-type.ts'
import { findShownPart, getMediaType, getResource } from './shown-part.ts'

/** Selected fields by name; undefined selects everything that the attribute shows by default. */
export interface Selection {
  readonly fields: ReadonlyMap<string, Selection | undefined>
}

/** Values without attributes. */
export type Leaf = string | number | bigint | boolean | Date | null | undefined | UploadedFile

/**
 * The names of a structure's attributes, and the paths to those below, such as `author.name`; after three names, any
 * text.
 */
// Leaves are checked first: most attributes are leaves, and cost no more than that.
export type FieldPath<T> =
  | (keyof T & string)
  | { [K in keyof T & string]-?: T[K] extends Leaf ? never : `${K}.${PathsBelow<T[K]>}` }[keyof T & string]

type PathsBelow<V> = V extends Leaf
  ? never
  : V extends readonly (infer E)[]
    ? PathsBelow<E>
    : string extends keyof V
      ? never
      : (keyof V & string) | PathsTwoBelow<V>

type PathsTwoBelow<T> = {
  [K in keyof T & string]-?: T[K] extends Leaf ? never : `${K}.${PathsThreeBelow<T[K]>}`
}[keyof T & string]

type PathsThreeBelow<V> = V extends Leaf
  ? never
  : V extends readonly (infer E)[]
    ? PathsThreeBelow<E>
    : string extends keyof V
      ? never
      : (keyof V & string) | `${keyof V & string}.${string}`

/** A structure with only the attributes that the paths P select. */
export type Selected<T, P> = {
  [K in keyof T as K extends FirstSegment<P> ? K : never]: K extends P
    ? T[K]
    : SelectedBelow<T[K], RemainingPath<P, K & string>>
} & {}

type FirstSegment<P> = P extends `${infer H}.${string}` ? H : P

type RemainingPath<P, K extends string> = P extends `${K}.${infer R}` ? R : never

type SelectedBelow<T, P> = T extends Leaf ? T : T extends readonly (infer E)[] ? SelectedBelow<E, P>[] : Selected<T, P>

/**
 * An envelope around elements with the attributes A, in which these have only the selected ones. As types do not tell media types
 * from other structures, a structure beside it with some of the same attributes is taken for one, too.
 */
export type SelectedInside<X, A, P> = { [K in keyof X]: SelectedMember<X[K], A, P> }

type SelectedMember<V, A, P> = V extends Leaf
  ? V
  : V extends readonly (infer E)[]
    ? IsPartOf<E, A> extends true
      ? Selected<ObjectOf<A>, P>[]
      : V
    : IsPartOf<V, A> extends true
      ? Selected<ObjectOf<A>, P>
      : string extends keyof V
        ? V
        : SelectedInside<V, A, P>

/** Whether V may be an element with the attributes A, or a part of one. */
export type IsPartOf<V, A> = V extends Leaf
  ? false
  : [keyof V] extends [never]
    ? false
    : keyof V extends keyof A
      ? V extends Partial<ObjectOf<A>>
        ? true
        : false
      : false

/** Creates a selection from paths such as `id` or `author.name`; a completely selected name stays so. */
export function parseSelection(paths: readonly string[]): Selection {
  const fields = new Map<string, Selection | undefined>()
  const restsByName = new Map<string, string[]>()
  for (const path of paths) {
    const [name = '', ...rest] = path.split('.')
    fields.set(name, undefined)
    const known = restsByName.get(name) ?? []
    restsByName.set(name, [...known, rest.join('.')])
  }
  for (const [name, rests] of restsByName) if (!rests.includes('')) fields.set(name, parseSelection(rests))
  return { fields }
}

/** A param whose value is a selection, and the structure that it selects from. */
export interface SelectionParam {
  readonly name: string
  readonly from: Attribute
}

/** Returns the param of an action whose value is a selection. */
export function findSelectionParam(params: Attributes): SelectionParam | undefined {
  for (const [name, { core }] of Object.entries(params)) {
    const from = core.selectsFrom
    if (from !== undefined) return { name, from }
  }
  return undefined
}

export const isSelection = (value: unknown): value is Selection =>
  typeof value === 'object' && value !== null && 'fields' in value && value.fields instanceof Map

/** Returns the media type or view of a body, or of the elements of its list, including those in an envelope. */
export function findResource(body: Attribute): MediaType | View | undefined {
  const { element } = body.core
  return element === undefined ? findShownPart(body)?.resource : findResource(element)
}

/**
 * Returns a body with everything that can be selected from it, independent of its view, or with `shown` in its place;
 * undefined if it does not show the structure, or several of them.
 */
export function toSelectableBody(body: Attribute, from: Attribute, shown: Attribute = from): Attribute | undefined {
  const resource = getResource(from)
  if (resource === undefined) return undefined
  const { element } = body.core
  if (element !== undefined) {
    const selectable = toSelectableBody(element, from, shown)
    return selectable && body.core.rebuild({ '*': selectable })
  }
  const part = findShownPart(body, getMediaType(resource))
  if (part === undefined) return undefined
  if (!part.isList) return replacePart(body, part.path, shown)
  const list = rebuildAttribute(part.attribute, ({ '*': one, ...others }) => ({
    ...others,
    '*': toSelectableBody(one as Attribute, from, shown) as Attribute,
  }))
  return replacePart(body, part.path, list)
}

// The replacement of a part is as required and as nullable as the part.
function replacePart(
  attribute: Attribute,
  [name, ...rest]: readonly string[],
  part: Attribute | undefined,
): Attribute | undefined {
  if (part === undefined) return undefined
  if (name === undefined) {
    const { required, nullable } = attribute.options
    const isSame = required === part.options.required && nullable === part.options.nullable
    return isSame ? part : part.core.derive({ required, nullable } as AnyOptions)
  }
  return rebuildAttribute(attribute, (children) => {
    const replaced = replacePart(children[name] as Attribute, rest, part)
    return replaced === undefined ? children : { ...children, [name]: replaced }
  })
}

/**
 * Returns the attributes that can be selected below another: those of its structure, or of the elements of its list. A
 * declared default view of a media type hides the others.
 */
export function getSelectableBelow(attribute: Attribute): Attributes | undefined {
  const { target, element, shape } = attribute.core
  if (target !== undefined) return getSelectableBelow(target)
  if (element !== undefined) return getSelectableBelow(element)
  return shape === 'object' ? attributeRules.getSelectable(attribute) : undefined
}

/** Returns the same attribute with only the selected parts below it; its checks stay. */
export function selectFields(attribute: Attribute, selection: Selection): Attribute {
  return rebuildAttribute(attribute, (_, { core }) => {
    if (core.element !== undefined) return { '*': selectFields(core.element, selection) }
    return core.shape === 'object' ? pickSelected(attributeRules.getSelectable({ core }), selection) : core.children
  })
}

function pickSelected(attributes: Attributes, { fields }: Selection): Attributes {
  const entries = [...fields].flatMap(([name, below]): [string, Attribute][] => {
    const one = Object.hasOwn(attributes, name) ? attributes[name] : undefined
    if (one === undefined) return []
    return [[name, below === undefined ? one : selectFields(one, below)]]
  })
  return Object.fromEntries(entries)
}
