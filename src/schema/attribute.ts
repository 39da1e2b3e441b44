// Makes attributes: a frozen declaration of a kind with its options, and the answers its kind gives for it.
import { isStructure } from '../util/form.ts'
import type { Late } from '../util/late.ts'
import { isPassing } from './dumping.ts'
import type { Attribute, AttributeCore, Attributes, Fail, Kind, KindOutline, Listing, Presence, Shape } from './kind.ts'
import type { AnyOptions } from './options.ts'

export type {
  AnswerHeader,
  Attribute,
  AttributeCore,
  Attributes,
  AttributeUnsaid,
  FieldsUse,
  FieldUse,
  Kind,
  KindOutline,
  KindRules,
  Listing,
  Presence,
  See,
  Shape,
} from './kind.ts'
export type { AnyOptions, Options } from './options.ts'

const NO_CHILDREN: Attributes = Object.freeze({})

/** A declared attribute as its kind's rules see it. */
export interface Declared extends AttributeCore {
  readonly kind: KindOutline<unknown>
  readonly options: AnyOptions
  /** The options as they were given, in any form. */
  readonly given: unknown
}

/** The members of attributes that need the rules of their kinds. */
export type RuledMember =
  | 'loader'
  | 'dumper'
  | 'jsonSchema'
  | 'example'
  | 'mistakes'
  | 'narrow'
  | 'defers'
  | 'unsaid'
  | 'selectable'
  | 'passes'
  | 'needs'
  | 'usesFields'
  | 'answerHeaders'

/** Makes the attribute that stands for a value that should be attributes by their names: it reports the mistake at boot. */
export const strays: Late<(given: unknown) => Attribute> = {}

// Servers give it the other members, which browsers, whose clients only read and write values, do without.
class Core<C> implements Omit<AttributeCore, RuledMember> {
  readonly kind: KindOutline<C>
  readonly config: C
  readonly options: AnyOptions
  readonly given: unknown
  constructor(kind: KindOutline<C>, config: C, given: unknown) {
    this.kind = kind
    this.config = config
    this.options = optionsIn(given)
    this.given = given
  }

  get kindName(): string {
    return this.kind.name
  }

  get shape(): Shape {
    return this.kind.shape ?? 'value'
  }

  get scalar(): string | undefined {
    return this.kind.scalar
  }

  get element(): Attribute | undefined {
    return this.shape === 'list' || this.shape === 'record' ? this.children['*'] : undefined
  }

  get children(): Attributes {
    return this.kind.children?.(this.config) ?? NO_CHILDREN
  }

  get shown(): Attributes {
    return this.kind.shown?.(this.config) ?? this.children
  }

  get target(): Attribute | undefined {
    return this.kind.target?.(this.config)
  }

  get related(): boolean {
    const related = this.kind.related ?? false
    return typeof related === 'function' ? related(this.config) : related
  }

  get projects(): Attribute | undefined {
    return this.kind.projects?.(this.config)
  }

  get listing(): Listing | undefined {
    return this.kind.listing?.(this.config)
  }

  read(value: unknown, fail: Fail): unknown {
    return this.#converted('read', value, fail)
  }

  write(value: unknown, fail: Fail): unknown {
    return this.#converted('write', value, fail)
  }

  #converted(way: 'read' | 'write', value: unknown, fail: Fail): unknown {
    const { [way]: convert, passes, expected } = this.kind
    const failed: Fail = (text, pointer) => fail(text || `must be ${expected}`, pointer)
    if (convert !== undefined) return convert(value, this as never, failed)
    return passes === undefined || isPassing(value, passes) ? value : failed('')
  }

  variant(value: object): Attribute | undefined {
    return this.kind.variant?.(this.config, value)
  }

  derive(options: AnyOptions): Attribute {
    return attribute(this.kind, this.config, isStructure(options) ? { ...this.options, ...options } : options)
  }

  rebuild(children: Attributes, options: AnyOptions = this.given as AnyOptions): Attribute | undefined {
    return this.kind.rebuild && attribute(this.kind, this.kind.rebuild(this.config, children), options)
  }
}

/** Gives attributes the members that need the rules of their kinds. */
export function extendAttributes(members: Partial<Pick<AttributeCore, RuledMember>>): void {
  Object.defineProperties(Core.prototype, Object.getOwnPropertyDescriptors(members))
}

// Boot reports a value in the place of options that is no object.
const optionsIn = (given: unknown): AnyOptions => (isStructure(given) ? given : {})

/** Makes an attribute of a kind; the type arguments state the values that the kind loads. */
export function attribute<C, T = unknown, P extends Presence = Presence>(
  kind: KindOutline<C> | Kind<C>,
  config: C,
  options: AnyOptions = {},
): Attribute<T, P> {
  const made: Omit<Attribute<T, P>, '~type' | '~present'> = {
    options: Object.freeze({ ...optionsIn(options) }),
    core: new Core(kind, config, options) as Partial<AttributeCore> as AttributeCore,
  }
  // The two phantom properties exist for the compiler only.
  return Object.freeze(made) as Attribute<T, P>
}

/** Returns whether a value is an attribute, also one made by another copy of this package. */
export function isAttribute(value: unknown): value is Attribute {
  return typeof value === 'object' && value !== null && 'core' in value && 'options' in value
}

/** Returns the declaration of an attribute of this kind, also of one made by another copy of the package; undefined for other kinds. */
export const configOf = <C>({ core }: Attribute, kind: KindOutline<C>): C | undefined =>
  core.kindName === kind.name ? (core.config as C) : undefined
