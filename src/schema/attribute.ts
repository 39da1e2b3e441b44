// Creates attributes: a frozen declaration of a kind with its options, and the values derived from the kind.

import { isSettings } from '../util/setting-form.ts'
import type { AnyOptions } from './attribute-options.ts'
import { isJsonPrimitive, type JsonPrimitive } from './dumping.ts'
import type {
  Attribute,
  AttributeCore,
  Attributes,
  FailConversion,
  Kind,
  KindOutline,
  Listing,
  Presence,
  Shape,
} from './kind.ts'

export type { AnyOptions, Options } from './attribute-options.ts'
export type {
  Attribute,
  AttributeConstraints,
  AttributeCore,
  AttributeRules,
  Attributes,
  FieldsUse,
  FieldUse,
  HasCore,
  Kind,
  KindOutline,
  KindRules,
  Listing,
  PortablePart,
  Presence,
  ResponseHeader,
  Shape,
  ValueRules,
  VisibilityFilter,
} from './kind.ts'

class BaseCore<C> implements Omit<AttributeCore, 'kind'> {
  declare readonly kind: KindOutline<C>
  declare readonly config: C
  declare readonly rawOptions: unknown
  declare readonly options: AnyOptions
  declare readonly kindName: string
  declare readonly shape: Shape
  declare readonly scalar: string | undefined

  constructor(kind: KindOutline<C>, config: C, given: unknown) {
    const { name: kindName, shape = 'value', scalar } = kind
    // Boot reports options that are not an object.
    const options = Object.freeze({ ...(isSettings(given) && given) })
    this.kind = kind
    this.config = config
    this.rawOptions = given
    this.options = options
    this.kindName = kindName
    this.shape = shape
    this.scalar = scalar
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

  get unchangedType(): JsonPrimitive | undefined {
    return this.kind.unchangedType
  }

  get needs(): string | undefined {
    return this.kind.needs
  }

  get selectsFrom(): Attribute | undefined {
    return this.kind.selectsFrom?.(this.config)
  }

  get listing(): Listing | undefined {
    return this.kind.listing?.(this.config)
  }

  convert(way: 'read' | 'write', value: unknown, fail: FailConversion): unknown {
    return convertSingle(this.kind, this as never, { way, value, fail })
  }

  variant(value: object): Attribute | undefined {
    return this.kind.variant?.(this.config, value)
  }

  derive(options: AnyOptions): Attribute {
    return makeAttribute(this.kind, this.config, isSettings(options) ? mergeOptions(this.options, options) : options)
  }

  rebuild(children: Attributes, options: AnyOptions = this.rawOptions as AnyOptions): Attribute | undefined {
    return this.kind.rebuild && makeAttribute(this.kind, this.kind.rebuild(this.config, children), options)
  }
}

/** Converts a single value from or to JSON data by the outline of its kind. */
export function convertSingle(
  kind: Pick<KindOutline<never>, 'read' | 'write' | 'unchangedType' | 'expected'>,
  core: AttributeCore,
  { way, value, fail }: { readonly way: 'read' | 'write'; readonly value: unknown; readonly fail: FailConversion },
): unknown {
  const { [way]: convert, unchangedType: passes, expected } = kind
  const failed: FailConversion = (text, pointer) => fail(text || `must be ${expected}`, pointer)
  if (convert) return convert(value, core, failed)
  return passes === undefined || isJsonPrimitive(value, passes) ? value : failed('')
}

// An attribute is required or has a default: setting one removes the other.
function mergeOptions(base: AnyOptions, options: AnyOptions): AnyOptions {
  const { required, default: initial } = options
  const merged = { ...base, ...options } as { -readonly [K in keyof AnyOptions]: AnyOptions[K] }
  if (required === true && initial === undefined) delete merged.default
  if (required === undefined && initial !== undefined) delete merged.required
  return merged
}

/** Creates an attribute of a kind; the type arguments state the values that the kind loads. */
export function makeAttribute<C, T = unknown, P extends Presence = Presence>(
  kind: KindOutline<C> | Kind<C>,
  config: C,
  options: AnyOptions = {},
): Attribute<T, P> {
  const core = new BaseCore(kind, config, options)
  // The two phantom properties exist only in the type.
  return Object.freeze({ options: core.options, core }) as unknown as Attribute<T, P>
}

/** Returns whether a value is an attribute, including one created by another copy of this package. */
export function isAttribute(value: unknown): value is Attribute {
  return typeof value === 'object' && value !== null && 'core' in value && 'options' in value
}

/**
 * Returns the declaration of an attribute of this kind, including one created by another copy of the package; undefined
 * for other kinds.
 */
export const getConfig = <C>({ core }: Attribute, kind: KindOutline<C>): C | undefined =>
  core.kindName === kind.name ? (core.config as C) : undefined
