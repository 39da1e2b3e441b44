// Makes attributes: a frozen declaration of a kind with its options, and the answers its kind gives for it.
import { isStructure } from '../util/form.ts'
import { type Dumper, Dumping, type Passing } from './dumping.ts'
import type { ExampleSeed } from './example.ts'
import { INVALID } from './issue.ts'
import type { JsonSchema, Schemas } from './json-schema.ts'
import type {
  AnswerHeader,
  Attribute,
  AttributeCore,
  Attributes,
  AttributeUnsaid,
  FieldsUse,
  Kind,
  Listing,
  Presence,
  See,
  Shape,
} from './kind.ts'
import type { Loader } from './loading.ts'
import type { AnyOptions } from './options.ts'
import { formMistakes, type Mistake, valueMistakes } from './scalars/checks.ts'
import { seenOf, seenOptions } from './structures/seen.ts'

export type {
  AnswerHeader,
  Attribute,
  AttributeCore,
  Attributes,
  AttributeUnsaid,
  FieldsUse,
  FieldUse,
  Kind,
  Listing,
  Presence,
  See,
  Shape,
} from './kind.ts'
export type { AnyOptions, Options } from './options.ts'

const NO_CHILDREN: Attributes = Object.freeze({})
const NO_HEADERS: Readonly<Record<string, AnswerHeader>> = Object.freeze({})

const NOTHING_UNSAID: AttributeUnsaid = Object.freeze({})

class Core<C> implements AttributeCore {
  readonly #kind: Kind<C>
  readonly #config: C
  readonly #options: AnyOptions
  readonly #given: unknown
  #loader: Loader | undefined
  #dumper: Dumper | undefined

  constructor(kind: Kind<C>, config: C, given: unknown) {
    this.#kind = kind
    this.#config = config
    this.#options = optionsIn(given)
    this.#given = given
  }

  get loader(): Loader {
    this.#loader ??= this.#kind.loader(this.#config, this.#options)
    return this.#loader
  }

  get dumper(): Dumper {
    this.#dumper ??= this.#kind.dumper(this.#config, this.#options)
    return this.#dumper
  }

  get kindName(): string {
    return this.#kind.name
  }

  get config(): C {
    return this.#config
  }

  get shape(): Shape {
    return this.#kind.shape ?? 'value'
  }

  get scalar(): string | undefined {
    return this.#kind.scalar
  }

  get element(): Attribute | undefined {
    return this.shape === 'list' || this.shape === 'record' ? this.children['*'] : undefined
  }

  get defers(): boolean {
    return this.#kind.defers?.(this.#config) ?? false
  }

  get children(): Attributes {
    return this.#kind.children?.(this.#config) ?? NO_CHILDREN
  }

  get shown(): Attributes {
    return this.#kind.shown?.(this.#config) ?? this.children
  }

  get selectable(): Attributes {
    return this.#kind.selectable?.(this.#config) ?? this.children
  }

  get target(): Attribute | undefined {
    return this.#kind.target?.(this.#config)
  }

  get passes(): Passing | undefined {
    return this.#kind.passes
  }

  get related(): boolean {
    const related = this.#kind.related ?? false
    return typeof related === 'function' ? related(this.#config) : related
  }

  get needs(): string | undefined {
    return this.#kind.needs
  }

  get projects(): Attribute | undefined {
    return this.#kind.projects?.(this.#config)
  }

  get usesFields(): FieldsUse | undefined {
    return this.#kind.usesFields?.(this.#config)
  }

  get answerHeaders(): Readonly<Record<string, AnswerHeader>> {
    const headers = this.#kind.answerHeaders ?? NO_HEADERS
    return typeof headers === 'function' ? headers(this.#config) : headers
  }

  get listing(): Listing | undefined {
    return this.#kind.listing?.(this.#config)
  }

  jsonSchema(schemas: Schemas): JsonSchema {
    const schema = this.#kind.jsonSchema(this.#config, this.#options, schemas)
    const { default: initial, example } = this.#options
    if (initial === undefined && example === undefined) return schema
    return {
      ...schema,
      ...(initial !== undefined && typeof initial !== 'function' && { default: this.#dump(initial) }),
      ...(example !== undefined && { examples: [this.#dump(example)] }),
    }
  }

  example(seed: ExampleSeed): unknown {
    const { example, default: initial } = this.#options
    if (example !== undefined) return example
    if (initial !== undefined && initial !== null && typeof initial !== 'function') return initial
    return this.#kind.example(this.#config, this.#options, seed)
  }

  mistakes(): readonly Mistake[] {
    const misformed = formMistakes(this.#given, this.#kind.options)
    if (misformed.length > 0) return misformed
    if (this.#options.visibleTo !== undefined && this.#options.required === true) return [REQUIRED_OF_SOME]
    const own = this.#kind.mistakes?.(this.#config, this.#options) ?? []
    // Where the declaration itself is malformed, no value can be held to it.
    return own.some((one) => typeof one !== 'string')
      ? own
      : [...own, ...valueMistakes(this.#options, () => this.dumper)]
  }

  derive(options: AnyOptions): Attribute {
    return attribute(this.#kind, this.#config, isStructure(options) ? { ...this.#options, ...options } : options)
  }

  rebuild(children: Attributes, options: AnyOptions = this.#given as AnyOptions): Attribute | undefined {
    return this.#kind.rebuild && attribute(this.#kind, this.#kind.rebuild(this.#config, children), options)
  }

  narrow(see: See): Attribute {
    const { narrow } = this.#kind
    if (narrow !== undefined) return attribute(this.#kind, narrow(this.#config, see), this.#options)
    const children = seenOf(this.children, see)
    const options = seenOptions(this.#options, children)
    return this.rebuild(children, options) ?? attribute(this.#kind, this.#config, options)
  }

  unsaid(): AttributeUnsaid {
    return this.#kind.unsaid?.(this.#options) ?? NOTHING_UNSAID
  }

  #dump(value: unknown): unknown {
    const dumped = value === null ? null : this.dumper(value, new Dumping(false))
    return dumped === INVALID ? undefined : dumped
  }
}

const REQUIRED_OF_SOME: Mistake = {
  at: '',
  problem: 'it is required, and some clients do not see it',
  remedy: 'set required within visibleTo(…), where it applies to those who see it, or declare it separately',
}

// Boot reports a value in the place of options that is no object.
const optionsIn = (given: unknown): AnyOptions => (isStructure(given) ? given : {})

/** Makes an attribute of a kind; the type arguments state the values that the kind loads. */
export function attribute<C, T = unknown, P extends Presence = Presence>(
  kind: Kind<C>,
  config: C,
  options: AnyOptions = {},
): Attribute<T, P> {
  const made: Omit<Attribute<T, P>, '~type' | '~present'> = {
    options: Object.freeze({ ...optionsIn(options) }),
    core: new Core(kind, config, options),
  }
  // The two phantom properties exist for the compiler only.
  return Object.freeze(made) as Attribute<T, P>
}

/** Returns whether a value is an attribute, also one made by another copy of this package. */
export function isAttribute(value: unknown): value is Attribute {
  return typeof value === 'object' && value !== null && 'core' in value && 'options' in value
}

/** Returns the declaration of an attribute of this kind, also of one made by another copy of the package; undefined for other kinds. */
export const configOf = <C>({ core }: Attribute, kind: Kind<C>): C | undefined =>
  core.kindName === kind.name ? (core.config as C) : undefined
