// What every attribute is: a frozen declaration of a kind with its options, and the answers its kind gives for it.
import { type Fields, isStructure } from '../util/form.ts'
import { type Dumper, Dumping, type Passing } from './dumping.ts'
import type { ExampleSeed } from './example.ts'
import { INVALID } from './issue.ts'
import type { JsonSchema, Schemas } from './json-schema.ts'
import type { Loader } from './loading.ts'
import type { AnyOptions } from './options.ts'
import { formMistakes, type Mistake, valueMistakes } from './scalars/checks.ts'

export type { AnyOptions, Options } from './options.ts'

/** Whether an attribute is always there once loaded: because it must be sent, by a default, or not. */
export type Presence = boolean | 'default'

/** A declared attribute: T is its value in a controller, P tells whether it is always present there. */
export interface Attribute<out T = unknown, out P extends Presence = Presence> {
  readonly '~type': T
  readonly '~present': P
  readonly kind: string
  readonly options: AnyOptions
  readonly core: AttributeCore
}

/** Named attributes of a structure. */
export interface Attributes {
  readonly [name: string]: Attribute
}

/** What an attribute can do at run time; everything is prepared at first use and kept. */
export interface AttributeCore {
  readonly loader: Loader
  readonly dumper: Dumper
  /** True when a value below may be checked asynchronously. */
  readonly defers: boolean
  /** Attributes below this one: a structure's by name, a collection's or hash's element under `*`, a union's variants. */
  readonly children: Attributes
  /** Those of them that a response shows by itself: a media type's default view, everything of other kinds. */
  readonly shown: Attributes
  /** Those of them that a selection of fields may name: what a media type's own default view shows, else all. */
  readonly selectable: Attributes
  /** The attribute that a reference stands for; undefined for everything else. */
  readonly target: Attribute | undefined
  /** What passes as it is where limits are not checked; undefined where each value has to be turned into another. */
  readonly passes: Passing | undefined
  /** True for media types and views: they are left out of a default view. */
  readonly related: boolean
  /** The plugin without which values of this kind have no meaning. */
  readonly needs: string | undefined
  /** Headers that answers get because of such a param, for documents. */
  readonly answerHeaders: Readonly<Record<string, AnswerHeader>>
  jsonSchema(schemas: Schemas): JsonSchema
  example(seed: ExampleSeed): unknown
  /** Contradictions within the declaration itself. */
  mistakes(): readonly Mistake[]
  /** The same attribute with some options replaced. */
  derive(options: AnyOptions): Attribute
  /** The same attribute made of other children; undefined for kinds that are not made of given ones. */
  over(children: Attributes): Attribute | undefined
}

/** A header of an answer, described. */
interface AnswerHeader {
  readonly description: string
  readonly schema: JsonSchema
}

/** One kind of attribute: how values of it are loaded, dumped, described and exemplified. C is what else a declaration holds. */
export interface Kind<C> {
  readonly name: string
  /** The forms of this kind's options beside those that every attribute takes; others are then reported as mistakes. */
  readonly options?: Fields<object>
  loader(config: C, options: AnyOptions): Loader
  dumper(config: C, options: AnyOptions): Dumper
  jsonSchema(config: C, options: AnyOptions, schemas: Schemas): JsonSchema
  example(config: C, options: AnyOptions, seed: ExampleSeed): unknown
  /** Contradictions within a declaration; asked only when its options are of the right forms. */
  mistakes?(config: C, options: AnyOptions): readonly Mistake[]
  children?(config: C): Attributes
  /** The declaration with other children, where it consists of them. */
  over?(config: C, children: Attributes): C
  /** Set for references: what they stand for. */
  target?(config: C): Attribute
  /** The children that a response shows, where those are not all of them. */
  shown?(config: C): Attributes
  /** The children that a selection of fields may name, where those are not all of them. */
  selectable?(config: C): Attributes
  /** Set when values of the kind may be checked asynchronously. */
  defers?(config: C): boolean
  /** The name of a plugin that the kind needs; an application without it does not boot. */
  readonly needs?: string
  /** Set where the dumper leaves such values as they are, but for limits. */
  readonly passes?: Passing
  /** Headers that answers get because of a param of the kind. */
  readonly answerHeaders?: Readonly<Record<string, AnswerHeader>>
  /** Set for kinds that stand for another resource. */
  readonly related?: boolean | ((config: C) => boolean)
}

const NO_CHILDREN: Attributes = Object.freeze({})
const NO_HEADERS: Readonly<Record<string, AnswerHeader>> = Object.freeze({})

// Plain fields instead of private ones: a core may be the prototype of another that answers one question differently.
class Core<C> implements AttributeCore {
  private readonly own: {
    readonly kind: Kind<C>
    readonly config: C
    readonly options: AnyOptions
    readonly given: unknown
  }
  private made: { loader?: Loader; dumper?: Dumper }

  constructor(kind: Kind<C>, config: C, given: unknown) {
    this.own = { kind, config, options: optionsIn(given), given }
    this.made = {}
  }

  get loader(): Loader {
    this.made.loader ??= this.own.kind.loader(this.own.config, this.own.options)
    return this.made.loader
  }

  get dumper(): Dumper {
    this.made.dumper ??= this.own.kind.dumper(this.own.config, this.own.options)
    return this.made.dumper
  }

  get defers(): boolean {
    return this.own.kind.defers?.(this.own.config) ?? false
  }

  get children(): Attributes {
    return this.own.kind.children?.(this.own.config) ?? NO_CHILDREN
  }

  get shown(): Attributes {
    return this.own.kind.shown?.(this.own.config) ?? this.children
  }

  get selectable(): Attributes {
    return this.own.kind.selectable?.(this.own.config) ?? this.children
  }

  get target(): Attribute | undefined {
    return this.own.kind.target?.(this.own.config)
  }

  get passes(): Passing | undefined {
    return this.own.kind.passes
  }

  get related(): boolean {
    const related = this.own.kind.related ?? false
    return typeof related === 'function' ? related(this.own.config) : related
  }

  get needs(): string | undefined {
    return this.own.kind.needs
  }

  get answerHeaders(): Readonly<Record<string, AnswerHeader>> {
    return this.own.kind.answerHeaders ?? NO_HEADERS
  }

  jsonSchema(schemas: Schemas): JsonSchema {
    const { kind, config, options } = this.own
    const schema = kind.jsonSchema(config, options, schemas)
    const { default: initial, example } = options
    if (initial === undefined && example === undefined) return schema
    return {
      ...schema,
      ...(initial !== undefined && typeof initial !== 'function' && { default: this.dump(initial) }),
      ...(example !== undefined && { examples: [this.dump(example)] }),
    }
  }

  example(seed: ExampleSeed): unknown {
    const { kind, config, options } = this.own
    const { example, default: initial } = options
    if (example !== undefined) return example
    if (initial !== undefined && initial !== null && typeof initial !== 'function') return initial
    return kind.example(config, options, seed)
  }

  mistakes(): readonly Mistake[] {
    const { kind, config, options, given } = this.own
    const misformed = formMistakes(given, kind.options)
    if (misformed.length > 0) return misformed
    const own = kind.mistakes?.(config, options) ?? []
    // Where the declaration itself is malformed, no value can be held to it.
    return own.some((one) => typeof one !== 'string') ? own : [...own, ...valueMistakes(options, () => this.dumper)]
  }

  derive(options: AnyOptions): Attribute {
    return attribute(
      this.own.kind,
      this.own.config,
      isStructure(options) ? { ...this.own.options, ...options } : options,
    )
  }

  over(children: Attributes): Attribute | undefined {
    const { kind, config, given } = this.own
    return kind.over && attribute(kind, kind.over(config, children), given as AnyOptions)
  }

  private dump(value: unknown): unknown {
    const dumped = value === null ? null : this.dumper(value, new Dumping(false))
    return dumped === INVALID ? undefined : dumped
  }
}

// What stands in the place of options and is none is reported when the application boots.
const optionsIn = (given: unknown): AnyOptions => (isStructure(given) ? given : {})

/** Makes an attribute of a kind; the type arguments are the caller's promise about what the kind loads. */
export function attribute<C, T = unknown, P extends Presence = Presence>(
  kind: Kind<C>,
  config: C,
  options: AnyOptions = {},
): Attribute<T, P> {
  const made: Omit<Attribute<T, P>, '~type' | '~present'> = {
    kind: kind.name,
    options: Object.freeze({ ...optionsIn(options) }),
    core: new Core(kind, config, options),
  }
  // The two phantom properties exist for the compiler only.
  return Object.freeze(made) as Attribute<T, P>
}

/** Tells whether a value is an attribute, also one made by another copy of this package. */
export function isAttribute(value: unknown): value is Attribute {
  return typeof value === 'object' && value !== null && 'core' in value && 'kind' in value && 'options' in value
}
