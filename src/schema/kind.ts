// The attribute as the compiler and other code see it, and the answers of its kind.
import type { Fields } from '../util/setting-form.ts'
import type { Late } from '../util/late.ts'
import type { Dumper, JsonPrimitive } from './dumping.ts'
import type { ExampleSeed } from './example.ts'
import type { JsonSchema, NamedSchemas } from './json-schema.ts'
import type { Loader } from './loading.ts'
import type { AnyOptions } from './attribute-options.ts'
import type { AttributeMistake } from './value-checks.ts'

/** Whether an attribute is always there once loaded: because it must be sent, by a default, or not. */
export type Presence = boolean | 'default'

/** A declared attribute: T is its value in a controller, P is whether it is always present there. */
export interface Attribute<out T = unknown, out P extends Presence = Presence> {
  readonly '~type': T
  readonly '~present': P
  readonly options: AnyOptions
  readonly core: AttributeCore
}

/** Named attributes of a structure. */
export interface Attributes {
  readonly [name: string]: Attribute
}

/** The structure of values. Code that walks declarations asks for this, never for the kind: others may add kinds. */
export type Shape = 'value' | 'object' | 'list' | 'record' | 'union' | 'reference' | 'file' | 'open'

/** The run-time side of an attribute; each member is computed at first use and cached. */
export interface AttributeCore {
  readonly loader: Loader
  readonly dumper: Dumper
  /** Makes a single value of what JSON carries, or what JSON carries of one; limits are not checked. */
  convert(way: 'read' | 'write', value: unknown, fail: FailConversion): unknown
  /** The one of its children that a value is of, where they are variants. */
  variant(value: object): Attribute | undefined
  /** The name of its kind, for messages and contracts; code asks for the shape instead. */
  readonly kindName: string
  /** The declaration that its kind was given; `configOf` reads it. */
  readonly config: unknown
  readonly shape: Shape
  /** The type of a single value that has an order, such as `integer`; undefined for everything else. */
  readonly scalar: string | undefined
  /** The attribute of a list's elements or a record's values; undefined for other shapes. */
  readonly element: Attribute | undefined
  /** True when a value below may be checked asynchronously. */
  readonly defers: boolean
  /** Attributes below this one: an object's by name, the element of a list or a record under `*`, a union's variants. */
  readonly children: Attributes
  /** Those of them that a response shows by itself: a media type's default view, everything of other kinds. */
  readonly shown: Attributes
  /** Those of them that a selection of fields may name: what a media type's own default view shows, else all. */
  readonly selectable: Attributes
  /** The attribute that a reference stands for; undefined for everything else. */
  readonly target: Attribute | undefined
  /** Values that are written unchanged where limits are not checked; undefined where each value has to be converted. */
  readonly passes: JsonPrimitive | undefined
  /** True for media types and views: they are left out of a default view. */
  readonly related: boolean
  /** The plugin without which values of this kind have no meaning. */
  readonly needs: string | undefined
  /** The structure of which values of such a param select what an answer shows; undefined for everything else. */
  readonly projects: Attribute | undefined
  /** Headers that answers get because of such a param, for documents. */
  readonly responseHeaders: Readonly<Record<string, ResponseHeader>>
  /** The list that comes in parts by such a param; undefined for everything else, and where parts are arrays with links. */
  readonly listing: Listing | undefined
  jsonSchema(schemas: NamedSchemas): JsonSchema
  example(seed: ExampleSeed): unknown
  /** Contradictions within the declaration itself. */
  mistakes(): readonly AttributeMistake[]
  /** The same attribute with some options replaced. */
  derive(options: AnyOptions): Attribute
  /** The same attribute made of other children, with other options if there are some; undefined for kinds without children. */
  rebuild(children: Attributes, options?: AnyOptions): Attribute | undefined
  /** The same attribute as clients see it who do not see all that is in it. */
  narrow(see: VisibilityFilter): Attribute
  /** Which fields of a list requests may name in such a param; undefined for everything else. */
  readonly usesFields: FieldsUse | undefined
  /** Facts for contracts that JSON Schema cannot express. */
  extraConstraints(): AttributeConstraints
}

/** The fields of a list that requests may name in a param. */
export interface FieldsUse {
  /** The name that such a param must have. */
  readonly param: string
  /** The structure of the list's elements. */
  readonly of: Attribute
  readonly fields: readonly FieldUse[]
  /** Set where the list is also ordered by its key. */
  readonly key?: true
  /** The orders that lists have for a request that names one field, or none: names of fields, `-` before one for descending. */
  readonly orders?: readonly (readonly string[])[]
  /** The fields that every order ends in. */
  readonly ends?: readonly string[]
}

/**
 * A field and its use: lists are ordered by it, its values are compared, or only its presence is tested; it is searched for
 * words, or conditions are on the elements of its list.
 */
export interface FieldUse {
  readonly name: string
  readonly by: 'order' | 'value' | 'presence' | 'words' | 'elements'
  /** How its values may be compared, by the signs of filters. */
  readonly operators?: readonly string[]
}

/** Returns an attribute as some clients see it; undefined if they do not see it. */
export type VisibilityFilter = <A extends Attribute>(one: A) => A | undefined

/** Facts about an attribute that JSON Schema cannot express. */
export interface AttributeConstraints {
  /** The name of a kind whose values something else checks. */
  readonly kind?: string
  /** Limits of numbers of any size and of files. */
  readonly min?: string
  readonly max?: string
  /** Content types of files. */
  readonly types?: readonly string[]
  /** U+0000 is let through. */
  readonly nul?: true
  /** The separator of a list's elements in one text. */
  readonly delimiter?: string
}

/** A paginated list: the place of its elements in the body, and the request for the next page. */
export interface Listing {
  /** The type of the elements. */
  readonly of: Attribute
  /** The elements of a body; undefined for a body that has none. */
  elements(body: unknown): readonly unknown[] | undefined
  /**
   * The URL of the part behind one that came from a URL, with the params that were sent in a body; `linked` is what a Link
   * header names. Undefined at the end.
   */
  next(body: unknown, url: string, linked: string | undefined, sent: object): string | undefined
  /** The paths of the params that choose a part. */
  readonly parts: readonly (readonly string[])[]
  /** The body of a part of the list, as the request asks for it. */
  body(request: object, part: readonly unknown[]): unknown
}

/** A described response header. */
export interface ResponseHeader {
  readonly description: string
  readonly schema: JsonSchema
}

/** Reports why a value cannot be read or written, at a place below it if there is one, and returns INVALID. */
export type FailConversion = (text: string, pointer?: string) => unknown

/**
 * The part of a kind that declarations and clients need: how its values are made up, and how JSON carries them. Whatever
 * else there is to know stands in its rules, which browsers do without. C is what else a declaration holds.
 */
export interface KindOutline<C> {
  readonly name: string
  /**
   * How values of the kind are made up.
   * @default `'value'`
   */
  readonly shape?: Shape
  /** Which of the ordered single values they are like: `'string'`, `'integer'`, `'dateTime'` and so on. */
  readonly scalar?: string
  /** Set where the dumper leaves such values as they are, but for limits. */
  readonly passes?: JsonPrimitive
  /** The values in words: `'a string'`. */
  readonly expected?: string
  /** Makes a value of what JSON carries, where that is another one; limits are not checked. */
  read?(value: unknown, core: AttributeCore, fail: FailConversion): unknown
  /** Makes what JSON carries of a value, where that is another one; limits are not checked. */
  write?(value: unknown, core: AttributeCore, fail: FailConversion): unknown
  children?(config: C): Attributes
  /** The one of its children that a value is of, where they are variants. */
  variant?(config: C, value: object): Attribute | undefined
  /** The declaration with other children, where it consists of them. */
  rebuild?(config: C, children: Attributes): C
  /** Set for references: what they stand for. */
  target?(config: C): Attribute
  /** The children that a response shows, where those are not all of them. */
  shown?(config: C): Attributes
  /** The name of a plugin that the kind needs; an application without it does not boot. */
  readonly needs?: string
  /** Set for params whose values select what an answer shows: the structure that they select from. */
  projects?(config: C): Attribute | undefined
  /** Set for params by which a list comes in parts that are more than an array with links. */
  listing?(config: C): Listing | undefined
  /** Set for kinds that stand for another resource. */
  readonly related?: boolean | ((config: C) => boolean)
  /** The rules of a kind of a plugin, which the plugin provides on servers; whole kinds are their own. */
  readonly rules?: Late<KindRules<C>>
}

/** The part of a kind that servers and tools need: how values are checked, described and exemplified. */
export interface KindRules<C> {
  /** The forms of this kind's options beside those that every attribute takes; others are then reported as mistakes. */
  readonly options?: Fields<object>
  loader(config: C, options: AnyOptions): Loader
  dumper(config: C, options: AnyOptions): Dumper
  jsonSchema(config: C, options: AnyOptions, schemas: NamedSchemas): JsonSchema
  example(config: C, options: AnyOptions, seed: ExampleSeed): unknown
  /** Contradictions within a declaration; asked only when its options are of the right forms. */
  mistakes?(config: C, options: AnyOptions): readonly AttributeMistake[]
  /** The declaration for clients that do not see everything, where it is more than its children. */
  narrow?(config: C, see: VisibilityFilter): C
  /** The children that a selection of fields may name, where those are not all of them. */
  selectable?(config: C): Attributes
  /** Set when values of the kind may be checked asynchronously. */
  defers?(config: C): boolean
  /** Returns the facts that JSON Schema cannot express. */
  extraConstraints?(options: AnyOptions): AttributeConstraints
  /** Set for params in which requests name fields of a list. */
  usesFields?(config: C): FieldsUse | undefined
  /** Headers that answers get because of a param of the kind. */
  responseHeaders?(config: C): Readonly<Record<string, ResponseHeader>>
}

/** One kind of attribute: how values of it are loaded, dumped, described and exemplified. C is what else a declaration holds. */
export interface Kind<C> extends KindOutline<C>, KindRules<C> {}
