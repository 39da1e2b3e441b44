// Makes attributes: a frozen declaration of a kind with its options, and the answers its kind gives for it.
import { isStructure } from '../util/form.ts'
import { Late } from '../util/late.ts'
import { type Dumper, isPassing, type Passing } from './dumping.ts'
import type { ExampleSeed } from './example.ts'
import type { JsonSchema, Schemas } from './json-schema.ts'
import type {
  AnswerHeader,
  Attribute,
  AttributeCore,
  Attributes,
  AttributeUnsaid,
  Fail,
  FieldsUse,
  Kind,
  KindOutline,
  Listing,
  Presence,
  See,
  Shape,
} from './kind.ts'
import type { Loader } from './loading.ts'
import type { AnyOptions } from './options.ts'
import type { Mistake } from './scalars/checks.ts'

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
const NO_HEADERS: Readonly<Record<string, AnswerHeader>> = Object.freeze({})

/** A declared attribute as its kind's rules see it. */
export interface Declared extends AttributeCore {
  readonly kind: KindOutline<unknown>
  readonly options: AnyOptions
  /** The options as they were given, in any form. */
  readonly given: unknown
}

/** The answers about attributes that need the rules of their kinds. */
export interface Rules {
  loader(of: Declared): Loader
  dumper(of: Declared): Dumper
  jsonSchema(of: Declared, schemas: Schemas): JsonSchema
  example(of: Declared, seed: ExampleSeed): unknown
  mistakes(of: Declared): readonly Mistake[]
  narrow(of: Declared, see: See): Attribute
  defers(of: Declared): boolean
  unsaid(of: Declared): AttributeUnsaid
}

/** The rules of all kinds: browsers, whose clients only read and write values, do without. */
export const rules: Late<Rules> = new Late('The rules of attributes')

class Core<C> implements AttributeCore {
  readonly kind: KindOutline<C>
  readonly config: C
  readonly options: AnyOptions
  readonly given: unknown
  #loader: Loader | undefined
  #dumper: Dumper | undefined

  constructor(kind: KindOutline<C>, config: C, given: unknown) {
    this.kind = kind
    this.config = config
    this.options = optionsIn(given)
    this.given = given
  }

  get loader(): Loader {
    this.#loader ??=
      (this.kind as Partial<Kind<C>>).loader?.(this.config, this.options) ?? rules.value.loader(this as never)
    return this.#loader
  }

  get dumper(): Dumper {
    this.#dumper ??=
      (this.kind as Partial<Kind<C>>).dumper?.(this.config, this.options) ?? rules.value.dumper(this as never)
    return this.#dumper
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

  get defers(): boolean {
    return rules.value.defers(this as never)
  }

  get children(): Attributes {
    return this.kind.children?.(this.config) ?? NO_CHILDREN
  }

  get shown(): Attributes {
    return this.kind.shown?.(this.config) ?? this.children
  }

  get selectable(): Attributes {
    return this.kind.selectable?.(this.config) ?? this.children
  }

  get target(): Attribute | undefined {
    return this.kind.target?.(this.config)
  }

  get passes(): Passing | undefined {
    return this.kind.passes
  }

  get related(): boolean {
    const related = this.kind.related ?? false
    return typeof related === 'function' ? related(this.config) : related
  }

  get needs(): string | undefined {
    return this.kind.needs
  }

  get projects(): Attribute | undefined {
    return this.kind.projects?.(this.config)
  }

  get usesFields(): FieldsUse | undefined {
    return this.kind.usesFields?.(this.config)
  }

  get answerHeaders(): Readonly<Record<string, AnswerHeader>> {
    const headers = this.kind.answerHeaders ?? NO_HEADERS
    return typeof headers === 'function' ? headers(this.config) : headers
  }

  get listing(): Listing | undefined {
    return this.kind.listing?.(this.config)
  }

  read(value: unknown, fail: Fail): unknown {
    const { read, expected } = this.kind
    if (read === undefined) return this.#passed(value, fail)
    return read(value, this, (text, pointer) => fail(text || `must be ${expected}`, pointer))
  }

  write(value: unknown, fail: Fail): unknown {
    const { write, expected } = this.kind
    if (write === undefined) return this.#passed(value, fail)
    return write(value, this, (text, pointer) => fail(text || `must be ${expected}`, pointer))
  }

  #passed(value: unknown, fail: Fail): unknown {
    const { passes, expected } = this.kind
    return passes === undefined || isPassing(value, passes) ? value : fail(`must be ${expected}`)
  }

  variant(value: object): Attribute | undefined {
    return this.kind.variant?.(this.config, value)
  }

  jsonSchema(schemas: Schemas): JsonSchema {
    return rules.value.jsonSchema(this as never, schemas)
  }

  example(seed: ExampleSeed): unknown {
    return rules.value.example(this as never, seed)
  }

  mistakes(): readonly Mistake[] {
    return rules.value.mistakes(this as never)
  }

  derive(options: AnyOptions): Attribute {
    return attribute(this.kind, this.config, isStructure(options) ? { ...this.options, ...options } : options)
  }

  rebuild(children: Attributes, options: AnyOptions = this.given as AnyOptions): Attribute | undefined {
    return this.kind.rebuild && attribute(this.kind, this.kind.rebuild(this.config, children), options)
  }

  narrow(see: See): Attribute {
    return rules.value.narrow(this as never, see)
  }

  unsaid(): AttributeUnsaid {
    return rules.value.unsaid(this as never)
  }
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
export const configOf = <C>({ core }: Attribute, kind: KindOutline<C>): C | undefined =>
  core.kindName === kind.name ? (core.config as C) : undefined
