// Makes attributes: a frozen declaration of a kind with its options, and the answers its kind gives for it.
import { isSettings } from '../util/setting-form.ts'
import type { Late } from '../util/late.ts'
import { isJsonPrimitive } from './dumping.ts'
import type { Attribute, AttributeCore, Attributes, FailConversion, Kind, KindOutline, Listing, Presence, Shape } from './kind.ts'
import type { AnyOptions } from './attribute-options.ts'

export type {
  ResponseHeader,
  Attribute,
  AttributeCore,
  Attributes,
  AttributeConstraints,
  FieldsUse,
  FieldUse,
  Kind,
  KindOutline,
  KindRules,
  Listing,
  Presence,
  VisibilityFilter,
  Shape,
} from './kind.ts'
export type { AnyOptions, Options } from './attribute-options.ts'

/** A declared attribute as its kind's rules see it. */
export interface DeclaredAttribute extends AttributeCore {
  readonly kind: KindOutline<unknown>
  readonly options: AnyOptions
  /** The options as they were given, in any form. */
  readonly given: unknown
}

/** The members of attributes that need the rules of their kinds. */
export type KindRuleMember =
  | 'loader'
  | 'dumper'
  | 'jsonSchema'
  | 'example'
  | 'mistakes'
  | 'narrow'
  | 'defers'
  | 'extraConstraints'
  | 'selectable'
  | 'passes'
  | 'needs'
  | 'usesFields'
  | 'responseHeaders'

/** Makes the attribute that stands for a value that should be attributes by their names: it reports the mistake at boot. */
export const invalidAttributesFactory: Late<(given: unknown) => Attribute> = {}

// Servers give it the other members, which browsers, whose clients only read and write values, do without.
class BaseCore<C> implements Omit<AttributeCore, KindRuleMember> {
  declare readonly kind: KindOutline<C>
  declare readonly config: C
  declare readonly given: unknown
  declare readonly options: AnyOptions
  declare readonly kindName: string
  declare readonly shape: Shape
  declare readonly scalar: string | undefined

  constructor(kind: KindOutline<C>, config: C, given: unknown) {
    const { name: kindName, shape = 'value', scalar } = kind
    // Boot reports a value in the place of options that is no object.
    const options = Object.freeze({ ...(isSettings(given) && given) })
    Object.assign(this, { kind, config, given, options, kindName, shape, scalar })
  }

  get element(): Attribute | undefined {
    return this.shape === 'list' || this.shape === 'record' ? this.children['*'] : undefined
  }

  get children(): Attributes {
    return this.kind.children?.(this.config) ?? {}
  }

  get shown(): Attributes {
    return this.kind.shown?.(this.config) ?? this.children
  }

  get target(): Attribute | undefined {
    return this.kind.target?.(this.config)
  }

  get related(): boolean {
    const { related = false } = this.kind
    return typeof related === 'function' ? related(this.config) : related
  }

  get projects(): Attribute | undefined {
    return this.kind.projects?.(this.config)
  }

  get listing(): Listing | undefined {
    return this.kind.listing?.(this.config)
  }

  convert(way: 'read' | 'write', value: unknown, fail: FailConversion): unknown {
    const { [way]: convert, passes, expected } = this.kind
    const failed: FailConversion = (text, pointer) => fail(text || `must be ${expected}`, pointer)
    if (convert) return convert(value, this as never, failed)
    return passes === undefined || isJsonPrimitive(value, passes) ? value : failed('')
  }

  variant(value: object): Attribute | undefined {
    return this.kind.variant?.(this.config, value)
  }

  derive(options: AnyOptions): Attribute {
    return makeAttribute(this.kind, this.config, isSettings(options) ? mergeOptions(this.options, options) : options)
  }

  rebuild(children: Attributes, options: AnyOptions = this.given as AnyOptions): Attribute | undefined {
    return this.kind.rebuild && makeAttribute(this.kind, this.kind.rebuild(this.config, children), options)
  }
}

// An attribute is required or has a default: either replaces the other.
function mergeOptions(own: AnyOptions, options: AnyOptions): AnyOptions {
  const { required, default: initial } = options
  const given = { ...own, ...options } as { -readonly [K in keyof AnyOptions]: AnyOptions[K] }
  if (required === true && initial === undefined) delete given.default
  if (required === undefined && initial !== undefined) delete given.required
  return given
}

/** Gives attributes the members that need the rules of their kinds. */
export function extendAttributes(members: Partial<Pick<AttributeCore, KindRuleMember>>): void {
  Object.defineProperties(BaseCore.prototype, Object.getOwnPropertyDescriptors(members))
}

/** Makes an attribute of a kind; the type arguments state the values that the kind loads. */
export function makeAttribute<C, T = unknown, P extends Presence = Presence>(
  kind: KindOutline<C> | Kind<C>,
  config: C,
  options: AnyOptions = {},
): Attribute<T, P> {
  const core = new BaseCore(kind, config, options)
  // The two phantom properties exist for the compiler only.
  return Object.freeze({ options: core.options, core }) as unknown as Attribute<T, P>
}

/** Returns whether a value is an attribute, also one made by another copy of this package. */
export function isAttribute(value: unknown): value is Attribute {
  return typeof value === 'object' && value !== null && 'core' in value && 'options' in value
}

/** Returns the declaration of an attribute of this kind, also of one made by another copy of the package; undefined for other kinds. */
export const configOf = <C>({ core }: Attribute, kind: KindOutline<C>): C | undefined =>
  core.kindName === kind.name ? (core.config as C) : undefined

/** Returns whether an attribute is of an ordered kind itself, not of a kind that is only like one. */
export const isBuiltinScalar = ({ core }: Attribute): boolean => core.kindName === core.scalar
