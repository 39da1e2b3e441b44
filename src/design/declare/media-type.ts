// Media types: how a resource is represented, with named views; each is an attribute too, so that types nest.
import { type Attribute, type Attributes, makeAttribute, type KindOutline } from '../../schema/attribute.ts'
import { asAttribute } from '../../schema/invalid-attribute.ts'
import { deferReferences } from '../../schema/structures/ref.ts'
import type { ObjectOf } from '../../schema/types.ts'
import { requireLate } from '../../util/late.ts'
import { memoizeByKey } from '../../util/memoize.ts'
import { toSnakeCase } from '../../util/naming.ts'
import { deferredChecks, type MediaDeclaration } from './deferred-checks.ts'

/** The names of views and the attributes each of them shows. */
export interface Views {
  readonly [name: string]: readonly string[]
}

/** Views of a media type whose attributes have the names N. */
export interface ViewsOf<out N extends string> {
  readonly [name: string]: readonly N[]
}

/** A resource's representation: attributes, and views of them. */
export interface MediaType<A extends object = Attributes, V extends Views = Views> extends Attribute<unknown, false> {
  // A member and not an argument of Attribute: the compiler asks for it when a value is, so that types may contain themselves.
  readonly '~type': ObjectOf<A>
  readonly '~media': true
  readonly name: string
  /** The media type identifier for `Content-Type`. */
  readonly identifier: string
  readonly description: string | undefined
  readonly attributes: A
  readonly views: V
  /** The media type as one of its views shows it. */
  view<N extends (keyof V & string) | 'default'>(name: N): ViewNamed<A, V, N>
}

/** A media type as one of its views shows it: the attributes A. */
export interface View<A extends object = Attributes> extends Attribute<unknown, false> {
  readonly '~type': ObjectOf<A>
  readonly '~view': true
  readonly name: string
  readonly of: MediaType
  /** The attributes that the view shows. */
  readonly attributes: Attributes
}

// Of media types whose views are not known, any view.
/** A view of a media type, by its name. */
export type ViewNamed<A, V extends Views, N> = string extends keyof V
  ? View
  : View<ViewAttributes<A, N extends keyof V ? V[N][number] & keyof A : keyof A>>

// The attributes themselves and no name of this type: emitted declarations then have those that the view shows, and no others.
/** The attributes A of the names K. */
type ViewAttributes<A, K extends keyof A> = { readonly [N in K]: A[N] } & {}

/** Everything that a media type declares. */
export interface MediaTypeSpec<A, V> {
  /**
   * The media type identifier for `Content-Type`.
   * @default `application/vnd.` + the name in kebab case + `+json`
   */
  readonly identifier?: string
  /** Describes the resource in documents; markdown. */
  readonly description?: string
  /**
   * The attributes by name.
   * @see docs/guide/attributes.md
   */
  readonly attributes: A
  /**
   * Names of views, and the attributes that each shows. A view called `default` replaces the implied one.
   * @default none but `default`
   */
  readonly views?: V
}

/** Declares a media type; unless declared, the `default` view shows every attribute that is not itself a media type. */
// Attributes are not held to a type here, for that would ask each for its own, also those that are made by a getter because
// they refer to what is being declared. Endpoints refuse a media type that has other things among them.
export function mediaType<const A extends object, const V extends ViewsOf<keyof A & string> = {}>(
  name: string,
  given: MediaTypeSpec<A, V | ViewsOf<keyof A & string>>,
): MediaType<A, V> {
  return makeMediaType(name, given, {}) as never
}

/** Makes a media type with some further members. */
export function makeMediaType(name: string, given: MediaTypeSpec<object, Views>, own: object): MediaType {
  const spec: MediaDeclaration = deferredChecks.value?.readMediaType(name, given) ?? { name, ...given }
  const { name: called, identifier, description } = spec
  const attributes = prepareAttributes(spec.attributes)
  const config: MediaTypeConfig = {
    name: called,
    inputAttributes: () => attributes,
    outputAttributes: () => made.view('default').attributes,
    owner: attributes,
    declared: { name, given },
  }
  const made: MediaType = Object.freeze({
    ...own,
    ...makeAttribute<MediaTypeConfig, never, false>(mediaTypeKind, config, description === undefined ? {} : { description }),
    '~media': true as const,
    name: called,
    identifier: identifier ?? `application/vnd.${toSnakeCase(called).replaceAll('_', '-')}+json`,
    description,
    attributes,
    views: Object.freeze({ ...spec.views }),
    view: memoizeByKey((view: string) => makeView(made, view)) as MediaType['view'],
  })
  return made
}

// A getter is asked when its attribute is first needed: what it refers to may be declared later, or be this media type.
function prepareAttributes(given: object): Attributes {
  const made = {}
  for (const [name, { get, value }] of Object.entries(Object.getOwnPropertyDescriptors(given)))
    Object.defineProperty(made, name, {
      enumerable: true,
      ...(get
        ? { get: memoizeByKey(() => deferReferences(asAttribute(get.call(given)))) as () => Attribute }
        : { value: asAttribute(value) }),
    })
  return Object.freeze(made)
}

function makeView(of: MediaType, name: string): View {
  const isDefault = name === 'default'
  const implied = isDefault ? listDefaultNames(of.attributes) : undefined
  const names = Object.hasOwn(of.views, name) ? of.views[name] : implied
  const entries = (names ?? requireLate(deferredChecks).failOnView(of, name)).flatMap((one) =>
    Object.hasOwn(of.attributes, one) ? [[one, of.attributes[one]]] : [],
  )
  const attributes: Attributes = Object.freeze(Object.fromEntries(entries))
  const shown = (): Attributes => attributes
  // The default view and the media type itself are one schema in the documentation.
  const owner = isDefault ? of.attributes : attributes
  return Object.freeze({
    ...makeAttribute<MediaTypeConfig, never, false>(
      mediaTypeKind,
      { name: of.name, view: name, inputAttributes: shown, outputAttributes: shown, owner },
      of.options,
    ),
    '~view': true as const,
    name,
    of,
    attributes,
  })
}

const listDefaultNames = (attributes: Attributes): readonly string[] =>
  Object.keys(attributes).filter((name) => !attributes[name]?.core.related)

/** The settings with which a media type, or a view of one, was declared. */
export interface MediaTypeConfig {
  /** The name of the media type. */
  readonly name: string
  /** The name of a view. */
  readonly view?: string
  /** The attributes that a payload of this type may carry. */
  readonly inputAttributes: () => Attributes
  /** The attributes that a response of this type shows. */
  readonly outputAttributes: () => Attributes
  /** The identity of its schema among named ones. */
  readonly owner: object
  /** The declaration as it was given; undefined for views. */
  readonly declared?: { readonly name: unknown; readonly given: unknown }
}

const mediaTypeKind: KindOutline<MediaTypeConfig> = {
  name: 'media type',
  shape: 'object',
  related: true,
  children: ({ inputAttributes: loaded }) => loaded(),
  shown: ({ outputAttributes: shown }) => shown(),
  rebuild: (config, children) => ({ ...config, inputAttributes: () => children, outputAttributes: () => children }),
}

/** Returns whether a value is a media type. */
export const isMediaType = (value: unknown): value is MediaType =>
  typeof value === 'object' && value !== null && '~media' in value

/** Returns whether a value is a view of a media type. */
export const isView = (value: unknown): value is View => typeof value === 'object' && value !== null && '~view' in value
