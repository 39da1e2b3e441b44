// References: another attribute with replaced options. A function is called at first use, which allows recursion.
import { isClass } from '../../util/describe-value.ts'
import { memoizeByKey } from '../../util/memoize.ts'
import { name } from '../../util/setting-form.ts'
import {
  type AnyOptions,
  type Attribute,
  isAttribute,
  type KindOutline,
  type KindRules,
  makeAttribute,
  type Options,
  type ValueRules,
} from '../attribute.ts'
import type {
  AllowedDefault,
  BooleanOption,
  DefaultValue,
  KindOptionForms,
  SharedOptions,
} from '../attribute-options.ts'
import { mapMembers } from '../children.ts'
import { MAX_EXAMPLE_DEPTH } from '../example.ts'
import { asAttribute } from '../invalid-attribute.ts'
import { applyOptions, type JsonSchema } from '../json-schema.ts'
import { type Loader, MAX_LOAD_DEPTH } from '../loading.ts'
import type { Nullable, OverrideNull, OverridePresence, PresenceOf } from '../types.ts'

/** Copies another attribute, a media type or a view, with some options replaced. */
export function ref<
  E extends Attribute,
  R extends BooleanOption = undefined,
  N extends BooleanOption = undefined,
  D extends AllowedDefault<unknown, R> = undefined,
>(target: E, options?: RefOptions<E, R, N, D>): RefTo<E, R, N, D>
/** Refers to an attribute that is declared later, or that contains this one; only the options given here apply. */
export function ref<
  T,
  R extends BooleanOption = undefined,
  N extends BooleanOption = undefined,
  D extends AllowedDefault<T, R> = undefined,
>(target: () => Attribute<T>, options?: LazyOptions<T, R, N, D>): Attribute<Nullable<T, N>, PresenceOf<R, D>>
export function ref(target: Attribute | (() => Attribute), options: AnyOptions = {}): never {
  if (isAttribute(target)) return target.core.derive(options) as never
  return makeAttribute(
    refKind,
    typeof target === 'function' && !isClass(target) ? memoizeTarget(target) : () => asAttribute(target),
    options,
  ) as never
}

/** The options of a lazy reference. */
export interface LazyOptions<
  T,
  R extends BooleanOption = BooleanOption,
  N extends BooleanOption = BooleanOption,
  D = DefaultValue<T> | undefined,
> extends Options<T, R, N, D> {
  /**
   * The name of the recursive type in documents.
   * @default `'Recursive'`
   */
  readonly name?: string
}

/** The attribute E with options replaced. Its type is resolved lazily, so that types may contain themselves. */
export interface RefTo<out E extends Attribute, out R extends BooleanOption, out N extends BooleanOption, out D>
  extends Attribute {
  readonly '~type': OverrideNull<E['~type'], N>
  readonly '~present': OverridePresence<E['~present'], R, D>
}

/** The options of a reference to an attribute. */
interface RefOptions<E extends Attribute, R extends BooleanOption, N extends BooleanOption, D>
  extends SharedOptions<R, N> {
  /** The value of an absent attribute of a request, or a function that returns it for each request. */
  readonly default?: D & DefaultValue<E['~type']>
  /** A value for documents and for generated examples. */
  readonly example?: E['~type'] | null
}

/**
 * Returns an attribute that may contain the type being declared: media types in it are resolved at first use, as with
 * `t.ref(() => …)`.
 */
export function deferReferences(attribute: Attribute): Attribute {
  const { core, options } = attribute
  if (core.shape === 'reference') return attribute
  // Its children are not read: they may contain the type being declared.
  if (core.shape === 'object' && core.related) {
    // The reference alone carries the nullability.
    const target = options.nullable === true ? core.derive({ nullable: false }) : attribute
    return makeAttribute(refKind, () => target, options)
  }
  return core.rebuild(mapMembers(core.children, deferReferences)) ?? attribute
}

type LazyTarget = () => Attribute

const refKind: KindOutline<LazyTarget> = {
  name: 'ref',
  shape: 'reference',
  children: (target) => target().core.children,
  target: (target) => target(),
  shown: (target) => target().core.shown,
  related: (target) => target().core.related,
}

/** The rules of `t.ref`. */
export const refRules: KindRules<LazyTarget> = {
  options: { name } satisfies KindOptionForms<LazyOptions<unknown>>,
  loader: makeRefLoader,
  dumper: (target, _, rules) => (value, dumping) => rules.getDumper(target())(value, dumping),
  // Calling the target could recurse without end; true only costs the check of an empty list.
  isAsync: () => true,
  selectable: (target, rules) => rules.getSelectable(target()),
  narrow: (target, see) => memoizeTarget(() => see(target()) as Attribute),
  jsonSchema(target, options, schemas, rules) {
    const { name = 'Recursive' } = options as LazyOptions<unknown>
    const buildTarget = (): JsonSchema => rules.buildSchema(target(), schemas)
    // Media types have names; other recursive types need one for the reference.
    return applyOptions(target().core.related ? buildTarget() : schemas.refer(name, target(), buildTarget), options)
  },
  // A type that requires itself has no finite value; the depth limit ends its example.
  example: (target, _, seed, rules) =>
    seed.depth > MAX_EXAMPLE_DEPTH * 4 ? undefined : rules.makeExample(target(), seed),
  mistakes: (target, _, rules) => (target().core.kindName === 'refused' ? rules.findMistakes(target()) : []),
}

function makeRefLoader(target: LazyTarget, _: AnyOptions, rules: ValueRules): Loader {
  return function loadRef(value, loading) {
    if (loading.depth === MAX_LOAD_DEPTH) return loading.fail('depth', { limit: MAX_LOAD_DEPTH })
    loading.depth++
    const result = rules.getLoader(target())(value, loading)
    loading.depth--
    return result
  }
}

const memoizeTarget = (getTarget: LazyTarget): LazyTarget => memoizeByKey(() => asAttribute(getTarget())) as LazyTarget
