// Another attribute with replaced options; a function is called at first use, which allows recursion.
import { isClass } from '../../util/describe-value.ts'
import { name } from '../../util/setting-form.ts'
import { memoizeByKey } from '../../util/memoize.ts'
import {
  type AnyOptions,
  type Attribute,
  makeAttribute,
  isAttribute,
  type KindOutline,
  type KindRules,
  type Options,
} from '../attribute.ts'
import { type ExampleSeed, MAX_EXAMPLE_DEPTH } from '../example.ts'
import { describe, type JsonSchema, type NamedSchemas } from '../json-schema.ts'
import { type Loader, MAX_LOAD_DEPTH } from '../loading.ts'
import type { DefaultValue, AllowedDefault, KindOptionForms, OptionalFlag, SharedOptions } from '../attribute-options.ts'
import { asAttribute } from '../invalid-attribute.ts'
import type { Nullable, Present, OverrideNull, OverridePresence } from '../types.ts'
import { mapMembers } from '../children.ts'

/** Copies another attribute, also a media type or a view, with some options replaced. */
export function ref<
  E extends Attribute,
  R extends OptionalFlag = undefined,
  N extends OptionalFlag = undefined,
  D extends AllowedDefault<unknown, R> = undefined,
>(target: E, options?: RefOptions<E, R, N, D>): RefTo<E, R, N, D>
/** Refers to an attribute that is declared later or around this one; the options are those given here, and no others. */
export function ref<T, R extends OptionalFlag = undefined, N extends OptionalFlag = undefined, D extends AllowedDefault<T, R> = undefined>(
  target: () => Attribute<T>,
  options?: LazyOptions<T, R, N, D>,
): Attribute<Nullable<T, N>, Present<R, D>>
export function ref(target: Attribute | (() => Attribute), options: AnyOptions = {}): never {
  if (isAttribute(target)) return target.core.derive(options) as never
  return makeAttribute(refKind, isLazyTarget(target) ? memoizeTarget(target) : () => asAttribute(target), options) as never
}

/** Options of a reference that is looked up later. */
export interface LazyOptions<T, R extends OptionalFlag = OptionalFlag, N extends OptionalFlag = OptionalFlag, D = DefaultValue<T> | undefined>
  extends Options<T, R, N, D> {
  /**
   * The name of the recursive type in documents.
   * @default `'Recursive'`
   */
  readonly name?: string
}

/** The attribute E with options replaced. Its type is resolved lazily, so that types may contain themselves. */
export interface RefTo<out E extends Attribute, out R extends OptionalFlag, out N extends OptionalFlag, out D> extends Attribute {
  readonly '~type': OverrideNull<E['~type'], N>
  readonly '~present': OverridePresence<E['~present'], R, D>
}

/** Options of an attribute that takes over another one. */
interface RefOptions<E extends Attribute, R extends OptionalFlag, N extends OptionalFlag, D> extends SharedOptions<R, N> {
  /** The value of an absent attribute of a request, or a function that returns it for each request. */
  readonly default?: D & DefaultValue<E['~type']>
  /** A value for documents and for generated examples. */
  readonly example?: E['~type'] | null
}

/**
 * An attribute that may contain what is being declared: media types in it are looked up at first use, as those are that
 * `t.ref(() => …)` refers to.
 */
export function deferReferences(one: Attribute): Attribute {
  const { core, options } = one
  if (core.shape === 'reference') return one
  // Its children are not asked for: they may be what is being declared.
  if (core.shape === 'object' && core.related) {
    // Null is said once, by the reference.
    const target = options.nullable === true ? core.derive({ nullable: false }) : one
    return makeAttribute(refKind, () => target, options)
  }
  return core.rebuild(mapMembers(core.children, deferReferences)) ?? one
}

type LazyTarget = () => Attribute

const isLazyTarget = (target: unknown): boolean => typeof target === 'function' && !isClass(target)

const refKind: KindOutline<LazyTarget> = {
  name: 'ref',
  shape: 'reference',
  children: (target) => target().core.children,
  target: (target) => target(),
  shown: (target) => target().core.shown,
  related: (target) => target().core.related,
}

/** The rules of references. */
export const refRules: KindRules<LazyTarget> = {
  options: { name } satisfies KindOptionForms<LazyOptions<unknown>>,
  loader: makeRefLoader,
  dumper: (target) => (value, dumping) => target().core.dumper(value, dumping),
  // Asking the target could come back here without end; true only costs a look at an empty list.
  defers: () => true,
  selectable: (target) => target().core.selectable,
  narrow: (target, see) => memoizeTarget(() => see(target()) as Attribute),
  jsonSchema: (target, options, schemas) =>
    describe(buildRefSchema(target(), options as LazyOptions<unknown>, schemas), options),
  example: (target, _, seed) => makeRefExample(target, seed),
  mistakes: (target) => (target().core.kindName === 'refused' ? target().core.mistakes() : []),
}

function makeRefLoader(target: LazyTarget): Loader {
  return function loadRef(value, loading) {
    if (loading.depth === MAX_LOAD_DEPTH) return loading.fail('depth', { limit: MAX_LOAD_DEPTH })
    loading.depth++
    const result = target().core.loader(value, loading)
    loading.depth--
    return result
  }
}

const memoizeTarget = (find: LazyTarget): LazyTarget => memoizeByKey(() => asAttribute(find())) as LazyTarget

// Media types name themselves; whatever else is recursive needs a name to be referred to by.
function buildRefSchema(target: Attribute, { name = 'Recursive' }: LazyOptions<unknown>, schemas: NamedSchemas): JsonSchema {
  if (target.core.related) return target.core.jsonSchema(schemas)
  return schemas.refer(name, target, () => target.core.jsonSchema(schemas))
}

// A type that requires itself has no finite value; its example ends all the same.
function makeRefExample(target: LazyTarget, seed: ExampleSeed): unknown {
  return seed.depth > MAX_EXAMPLE_DEPTH * 4 ? undefined : target().core.example(seed)
}
