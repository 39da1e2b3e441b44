// The interfaces of attributes and their kinds.

import type { Fields } from '../util/setting-form.ts'
import type { AnyOptions } from './attribute-options.ts'
import type { Dumper, JsonPrimitive } from './dumping.ts'
import type { ExampleSeed } from './example.ts'
import type { JsonSchema, NamedSchemas } from './json-schema.ts'
import type { Loader } from './loading.ts'
import type { AttributeMistake } from './value-checks.ts'

/** Whether an attribute is always present once loaded: it is required (true), it has a default, or neither (false). */
export type Presence = boolean | 'default'

/** A declared attribute: T is its value in a controller, P its presence there. */
export interface Attribute<out T = unknown, out P extends Presence = Presence> {
  readonly '~type': T
  readonly '~present': P
  readonly options: AnyOptions
  readonly core: AttributeCore
}

/** The attributes of a structure by name. */
export interface Attributes {
  readonly [name: string]: Attribute
}

/** The structure of values. Code that walks declarations checks this, never the kind: plugins may add kinds. */
export type Shape = 'value' | 'object' | 'list' | 'record' | 'union' | 'reference' | 'file' | 'open'

/** The run-time part of an attribute. `AttributeRules` returns everything that needs the rules of its kind. */
export interface AttributeCore {
  /** Converts a single value from or to JSON data; limits are not checked. */
  convert(way: 'read' | 'write', value: unknown, fail: FailConversion): unknown
  /** Returns the variant of a union that a value matches. */
  variant(value: object): Attribute | undefined
  readonly kind: KindOutline<unknown>
  readonly options: AnyOptions
  /** The options as passed, unchecked. */
  readonly rawOptions: unknown
  /** The name of its kind, for messages and contracts; code checks the shape instead. */
  readonly kindName: string
  /** The declaration passed to its kind; `getConfig` reads it. */
  readonly config: unknown
  readonly shape: Shape
  /** The type of an ordered single value, such as `integer`; undefined for everything else. */
  readonly scalar: string | undefined
  /** The element of a list or a record; undefined for other shapes. */
  readonly element: Attribute | undefined
  /**
   * The attributes below this one: an object's by name, the element of a list or a record under `*`, a union's
   * variants.
   */
  readonly children: Attributes
  /** The children in a response without a selection: a media type's default view, all children of other kinds. */
  readonly shown: Attributes
  /** The target of a reference; undefined for everything else. */
  readonly target: Attribute | undefined
  /**
   * The type of values that are written unchanged where limits are not checked; undefined if each value must be
   * converted.
   */
  readonly unchangedType: JsonPrimitive | undefined
  /** True for media types and views: a default view leaves them out. */
  readonly related: boolean
  /** The plugin that the kind requires. */
  readonly needs: string | undefined
  /** For a param that selects fields: the structure that it selects from; undefined for everything else. */
  readonly selectsFrom: Attribute | undefined
  /**
   * The list that a pagination param pages through; undefined for everything else, and for pages that are plain arrays
   * with links.
   */
  readonly listing: Listing | undefined
  /** Returns the same attribute with some options replaced. */
  derive(options: AnyOptions): Attribute
  /**
   * Returns the same attribute with other children and, if passed, other options; undefined for kinds without children.
   */
  rebuild(children: Attributes, options?: AnyOptions): Attribute | undefined
}

/** The list fields that requests may name in a param. */
export interface FieldsUse {
  /** The name that the param must have. */
  readonly param: string
  /** The structure of the list's elements. */
  readonly of: Attribute
  readonly fields: readonly FieldUse[]
  /** Set if the list is also ordered by its key. */
  readonly key?: true
  /** The orders of the list for a request that names one field or none: field names, with `-` for descending. */
  readonly orders?: readonly (readonly string[])[]
  /** The fields that every order ends with. */
  readonly ends?: readonly string[]
}

/**
 * A field and its use: ordering, comparing its values, testing its presence, searching its words, or conditions on the
 * elements of its list.
 */
export interface FieldUse {
  readonly name: string
  readonly by: 'order' | 'value' | 'presence' | 'words' | 'elements'
  /** The allowed comparison operators, as written in filters. */
  readonly operators?: readonly string[]
}

/** Returns an attribute as certain clients see it; undefined if they do not see it. */
export type VisibilityFilter = <A extends Attribute>(one: A) => A | undefined

/** Constraints of an attribute that JSON Schema cannot express. */
export interface AttributeConstraints {
  /** The name of a kind whose values are checked elsewhere. */
  readonly kind?: string
  /** The limits of big numbers and of files. */
  readonly min?: string
  readonly max?: string
  /** The allowed content types of a file. */
  readonly types?: readonly string[]
  /** U+0000 is accepted. */
  readonly allowNul?: true
  /** The separator of a list's elements in one text. */
  readonly delimiter?: string
}

/** A paginated list: the location of its elements in the body, and the request for the next page. */
export interface Listing {
  /** The type of the elements. */
  readonly of: Attribute
  /** Returns the elements of a body; undefined for a body without any. */
  elements(body: unknown): readonly unknown[] | undefined
  /**
   * Returns the URL of the page after the one that came from `url`; `sent` are the params sent in the body, `linked` is
   * the target of the Link header. Undefined at the end.
   */
  next(body: unknown, url: string, linked: string | undefined, sent: object): string | undefined
  /** The paths of the params that choose a page. */
  readonly parts: readonly (readonly string[])[]
  /** Returns the body of a page in the form that the request selects. */
  body(request: object, part: readonly unknown[]): unknown
}

/** A described response header. */
export interface ResponseHeader {
  readonly description: string
  readonly schema: JsonSchema
}

/** Reports why a value cannot be read or written, optionally at a pointer below it, and returns INVALID. */
export type FailConversion = (text: string, pointer?: string) => unknown

/**
 * The part of a kind that declarations and clients need: the structure of its values and their JSON form. Everything
 * else is in its rules, which browsers do without. C is the declaration's further content.
 */
export interface KindOutline<C> {
  readonly name: string
  /**
   * The structure of the kind's values.
   * @default `'value'`
   */
  readonly shape?: Shape
  /** The ordered single value that the kind behaves like: `'string'`, `'integer'`, `'dateTime'` and so on. */
  readonly scalar?: string
  /** Set if the dumper only checks limits and writes values of this type unchanged. */
  readonly unchangedType?: JsonPrimitive
  /** The expected values in words: `'a string'`. */
  readonly expected?: string
  /** Converts JSON data to a value, if they differ; limits are not checked. */
  read?(value: unknown, core: AttributeCore, fail: FailConversion): unknown
  /** Converts a value to JSON data, if they differ; limits are not checked. */
  write?(value: unknown, core: AttributeCore, fail: FailConversion): unknown
  children?(config: C): Attributes
  /** Returns the variant of a union that a value matches. */
  variant?(config: C, value: object): Attribute | undefined
  /** Returns the declaration with other children, if the kind has children. */
  rebuild?(config: C, children: Attributes): C
  /** For references: returns the target. */
  target?(config: C): Attribute
  /** Returns the children in a response, if those are not all of them. */
  shown?(config: C): Attributes
  /** The name of a plugin that the kind requires; an application without it does not boot. */
  readonly needs?: string
  /** For params that select fields: returns the structure that they select from. */
  selectsFrom?(config: C): Attribute | undefined
  /** For pagination params whose pages are more than an array with links: returns the list. */
  listing?(config: C): Listing | undefined
  /** Set for kinds that represent another resource. */
  readonly related?: boolean | ((config: C) => boolean)
}

/** The part of a kind that servers and tools need: checks, schemas and examples. `rules` are those of its children. */
export interface KindRules<C> {
  /** The forms of this kind's own options; with them, unknown options are reported as mistakes. */
  readonly options?: Fields<object>
  loader(config: C, options: AnyOptions, rules: ValueRules): Loader
  dumper(config: C, options: AnyOptions, rules: ValueRules): Dumper
  jsonSchema(config: C, options: AnyOptions, schemas: NamedSchemas, rules: AttributeRules): JsonSchema
  example(config: C, options: AnyOptions, seed: ExampleSeed, rules: AttributeRules): unknown
  /** Returns contradictions within a declaration; called only when its options have the right forms. */
  mistakes?(config: C, options: AnyOptions, rules: AttributeRules): readonly AttributeMistake[]
  /** Returns the declaration for clients that do not see everything, if it is more than its children. */
  narrow?(config: C, see: VisibilityFilter): C
  /** Returns the children that a selection of fields may name, if those are not all of them. */
  selectable?(config: C, rules: AttributeRules): Attributes
  /** Returns whether values of the kind may be checked asynchronously. */
  isAsync?(config: C, rules: AttributeRules): boolean
  /** Returns the constraints that JSON Schema cannot express. */
  extraConstraints?(options: AnyOptions): AttributeConstraints
  /** For params in which requests name fields of a list: returns those fields. */
  usesFields?(config: C): FieldsUse | undefined
  /**
   * Returns where a front end finds the outline of the kind, if its `read` and `write` work without the declaration's
   * content; undefined if they do not. Kinds with neither need none.
   */
  portable?(config: C): PortablePart | undefined
  /** Returns the response headers that a param of the kind causes. */
  responseHeaders?(config: C): Readonly<Record<string, ResponseHeader>>
}

/** An export that stands in a front end for a part of a declaration. */
export interface PortablePart {
  /** The module, as front ends import it: `edict/idempotency`. */
  readonly from: string
  readonly name: string
}

/** The part of an attribute that its rules depend on. */
export type HasCore = Pick<Attribute, 'core'>

/** Functions over attributes that read and write their values. */
export interface ValueRules {
  getLoader(attribute: HasCore): Loader
  getDumper(attribute: HasCore): Dumper
  /** Returns whether a value at or below an attribute may be checked asynchronously. */
  isAsync(attribute: HasCore): boolean
}

/** Functions over attributes that apply the rules of their kinds: servers and tools use them, browsers do not. */
export interface AttributeRules extends ValueRules {
  buildSchema(attribute: HasCore, schemas: NamedSchemas): JsonSchema
  makeExample(attribute: HasCore, seed: ExampleSeed): unknown
  /** Returns the contradictions within a declaration. */
  findMistakes(attribute: HasCore): readonly AttributeMistake[]
  /** Returns an attribute without the parts that `see` hides. */
  narrow(attribute: HasCore, see: VisibilityFilter): Attribute
  /** Returns the children that a selection of fields may name: a media type's declared default view, else all. */
  getSelectable(attribute: HasCore): Attributes
  /** Returns constraints for contracts that JSON Schema cannot express. */
  getExtraConstraints(attribute: HasCore): AttributeConstraints
  /** Returns the list fields that requests may name in a param; undefined for everything else. */
  getFieldsUse(attribute: HasCore): FieldsUse | undefined
  /** Returns the response headers that a param causes, for documents. */
  getResponseHeaders(attribute: HasCore): Readonly<Record<string, ResponseHeader>>
}

/**
 * One kind of attribute: how its values are loaded, dumped, described and exemplified. C is the declaration's further
 * content.
 */
export interface Kind<C> extends KindOutline<C>, KindRules<C> {}
