// Media types: the representation of a resource, with named views; each is also an attribute, so that types nest.
import { type Attribute, type Attributes, type KindOutline, makeAttribute } from '../../schema/attribute.ts'
import { asAttribute } from '../../schema/invalid-attribute.ts'
import { deferReferences } from '../../schema/structures/ref.ts'
import type { ObjectOf, ObjectWithPresent, PresentKeys } from '../../schema/types.ts'
import { memoizeByKey } from '../../util/memoize.ts'
import { toSnakeCase } from '../../util/naming.ts'
import { failOnView, readMediaType } from './declaration-checks.ts'
import { listViewNames, type ViewNames, type Views, type ViewsOf } from './views.ts'

/** A resource's representation: attributes, and views of them. */
export interface MediaType<A extends object = Attributes, V extends Views = Views> extends Attribute<unknown, false> {
  // A member and not a type argument of Attribute: the compiler resolves it only for a value, so that types may contain
  // themselves.
  readonly '~type': ElementOf<A, V>
  readonly '~media': true
  readonly name: string
  /** The media type identifier for `Content-Type`. */
  readonly identifier: string
  readonly description: string | undefined
  readonly attributes: A
  readonly views: V
  /** Returns a view of the media type. */
  view<N extends (keyof V & string) | 'default'>(name: N): ViewNamed<A, V, N>
}

/** A view of a media type with the attributes A. */
export interface View<A extends object = Attributes> extends Attribute<unknown, false> {
  readonly '~type': ObjectOf<A>
  readonly '~view': true
  readonly name: string
  readonly of: MediaType
  /** The attributes that the view shows. */
  readonly attributes: Attributes
}

/**
 * An element of a media type: attributes that a declared default view does not show may be absent. With unknown views any
 * may be, so that a media type with views is one with unknown views.
 */
type ElementOf<A, V> = ObjectWithPresent<A, PresentInDefault<PresentKeys<A>, V>>

type PresentInDefault<P, V> = V extends DeclaredDefault ? P & V['default'][number] : string extends keyof V ? never : P

interface DeclaredDefault {
  readonly default: readonly string[]
}

// For media types with unknown views, any view.
/** A view of a media type, by its name. */
export type ViewNamed<A, V extends Views, N> = string extends keyof V
  ? View
  : View<ViewAttributes<A, N extends keyof V ? V[N][number] & keyof A : keyof A>>

// The attributes themselves instead of an alias: emitted declarations then contain only those that the view shows.
/** The attributes A with the names K. */
type ViewAttributes<A, K extends keyof A> = { readonly [N in K]: A[N] } & {}

/** The declaration of a media type. */
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
   * The names of views, and the attributes that each shows, or `{ except: […] }` for all but some. A view called `default`
   * replaces the implied one.
   * @default only `default`
   */
  readonly views?: V
}

/** Declares a media type; unless declared, the `default` view shows every attribute that is not itself a media type. */
// The attributes are not constrained here, because that would resolve the type of each, including getters that refer to
// the type being declared. Endpoints refuse a media type with anything else among its attributes.
export function mediaType<const A extends object, const V extends ViewsOf<keyof A & string> = {}>(
  name: string,
  spec: MediaTypeSpec<A, V | ViewsOf<keyof A & string>>,
): MediaType<A, ViewNames<keyof A & string, V>> {
  return makeMediaType(name, spec, {}) as never
}

/** Creates a media type with additional members. */
export function makeMediaType(name: string, spec: MediaTypeSpec<object, ViewsOf<string>>, extra: object): MediaType {
  const declaration = readMediaType(name, spec)
  const { name: validName, identifier, description } = declaration
  const attributes = prepareAttributes(declaration.attributes)
  const config: MediaTypeConfig = {
    name: validName,
    inputAttributes: () => attributes,
    outputAttributes: () => created.view('default').attributes,
    owner: attributes,
    origin: () => created,
    declared: { name, given: spec },
  }
  const created: MediaType = Object.freeze({
    ...extra,
    ...makeAttribute<MediaTypeConfig, never, false>(
      mediaTypeKind,
      config,
      description === undefined ? {} : { description },
    ),
    '~media': true as const,
    name: validName,
    identifier: identifier ?? `application/vnd.${toSnakeCase(validName).replaceAll('_', '-')}+json`,
    description,
    attributes,
    views: Object.freeze(listViewNames(declaration.views ?? {}, Object.keys(attributes))),
    view: memoizeByKey((view: string) => makeView(created, view)) as MediaType['view'],
  })
  return created
}

// A getter is called when its attribute is first needed: it may refer to a later declaration, or to this media type.
function prepareAttributes(declared: object): Attributes {
  const attributes = {}
  for (const [name, { get, value }] of Object.entries(Object.getOwnPropertyDescriptors(declared)))
    Object.defineProperty(attributes, name, {
      enumerable: true,
      ...(get
        ? { get: memoizeByKey(() => deferReferences(asAttribute(get.call(declared)))) as () => Attribute }
        : { value: asAttribute(value) }),
    })
  return Object.freeze(attributes)
}

function makeView(mediaType: MediaType, name: string): View {
  const isDefault = name === 'default'
  const implied = isDefault ? listDefaultNames(mediaType.attributes) : undefined
  const names = Object.hasOwn(mediaType.views, name) ? mediaType.views[name] : implied
  const entries = (names ?? failOnView(mediaType, name)).flatMap((one) =>
    Object.hasOwn(mediaType.attributes, one) ? [[one, mediaType.attributes[one]]] : [],
  )
  const attributes: Attributes = Object.freeze(Object.fromEntries(entries))
  const getAttributes = (): Attributes => attributes
  // In documents, the default view and the media type itself are one schema.
  const owner = isDefault ? mediaType.attributes : attributes
  const config: MediaTypeConfig = {
    name: mediaType.name,
    view: name,
    inputAttributes: getAttributes,
    outputAttributes: getAttributes,
    owner,
    origin: () => created,
  }
  const created: View = Object.freeze({
    ...makeAttribute<MediaTypeConfig, never, false>(mediaTypeKind, config, mediaType.options),
    '~view': true as const,
    name,
    of: mediaType,
    attributes,
  })
  return created
}

const listDefaultNames = (attributes: Attributes): readonly string[] =>
  Object.keys(attributes).filter((name) => !attributes[name]?.core.related)

/** The settings of a declared media type, or of a view. */
export interface MediaTypeConfig {
  /** The name of the media type. */
  readonly name: string
  /** The name of the view. */
  readonly view?: string
  /** The attributes that a payload of this type may contain. */
  readonly inputAttributes: () => Attributes
  /** The attributes that a response of this type shows. */
  readonly outputAttributes: () => Attributes
  /** The identity of its schema among the named ones. */
  readonly owner: object
  /** Returns the media type or the view, which an attribute with options of its own no longer is. */
  readonly origin?: () => MediaType | View
  /** The declaration as passed, unchecked; undefined for views. */
  readonly declared?: { readonly name: unknown; readonly given: unknown }
}

const mediaTypeKind: KindOutline<MediaTypeConfig> = {
  name: 'media type',
  shape: 'object',
  related: true,
  children: ({ inputAttributes }) => inputAttributes(),
  shown: ({ outputAttributes }) => outputAttributes(),
  rebuild: (config, children) => ({ ...config, inputAttributes: () => children, outputAttributes: () => children }),
}

/** Returns whether a value is a media type. */
export const isMediaType = (value: unknown): value is MediaType =>
  typeof value === 'object' && value !== null && '~media' in value

/** Returns whether a value is a view of a media type. */
export const isView = (value: unknown): value is View => typeof value === 'object' && value !== null && '~view' in value
