// Another attribute with options of its own; given as a function it is looked up at first use, which allows recursion.
import { isClass } from '../../util/described.ts'
import { name } from '../../util/form.ts'
import {
  type AnyOptions,
  type Attribute,
  attribute,
  isAttribute,
  type Kind,
  type Options,
  type Presence,
} from '../attribute.ts'
import { type ExampleSeed, MAX_EXAMPLE_DEPTH } from '../example.ts'
import { describe, type JsonSchema, type Schemas } from '../json-schema.ts'
import { type Loader, MAX_LOAD_DEPTH } from '../loading.ts'
import type { OwnOptions } from '../options.ts'
import { asAttribute } from '../refused.ts'
import type { Nullable, Present } from '../types.ts'

/** Takes over another attribute, also a media type or a view, with some options replaced. */
export function ref<T, P extends Presence, O extends Options<T> = {}>(
  target: Attribute<T, P>,
  options?: O,
): Attribute<RefValue<T, O>, RefPresent<P, O>>
/** Refers to an attribute that is declared later or around this one; the options are those given here, and no others. */
export function ref<T, O extends LazyOptions<T> = {}>(
  target: () => Attribute<T>,
  options?: O,
): Attribute<Nullable<T, O>, Present<O>>
export function ref(target: Attribute | (() => Attribute), options: AnyOptions = {}): Attribute {
  if (isAttribute(target)) return target.core.derive(options)
  return attribute(refKind, isLazy(target) ? lazily(target) : () => asAttribute(target), options)
}

/** Options of a reference that is looked up later. */
export interface LazyOptions<T> extends Options<T> {
  /**
   * The name of the recursive type in documents.
   * @default `'Recursive'`
   */
  readonly name?: string
}

type RefValue<T, O> = O extends { readonly nullable: false } ? Exclude<T, null> : Nullable<T, O>

type RefPresent<P extends Presence, O> = O extends { readonly required: boolean } | { readonly default: {} | null }
  ? Present<O>
  : P

type Lazy = () => Attribute

const isLazy = (target: unknown): boolean => typeof target === 'function' && !isClass(target)

const refKind: Kind<Lazy> = {
  name: 'ref',
  shape: 'reference',
  options: { name } satisfies OwnOptions<LazyOptions<unknown>>,
  loader: lazyLoader,
  dumper: (target) => (value, dumping) => target().core.dumper(value, dumping),
  // Asking the target could come back here without end; true only costs a look at an empty list.
  defers: () => true,
  children: (target) => target().core.children,
  target: (target) => target(),
  shown: (target) => target().core.shown,
  selectable: (target) => target().core.selectable,
  related: (target) => target().core.related,
  jsonSchema: (target, options, schemas) =>
    describe(schemaOf(target(), options as LazyOptions<unknown>, schemas), options),
  example: (target, _, seed) => exampleOf(target, seed),
  mistakes: (target) => (target().core.kindName === 'refused' ? target().core.mistakes() : []),
}

function lazyLoader(target: Lazy): Loader {
  return function loadRef(value, loading) {
    if (loading.depth === MAX_LOAD_DEPTH) return loading.fail('depth', { limit: MAX_LOAD_DEPTH })
    loading.depth++
    const result = target().core.loader(value, loading)
    loading.depth--
    return result
  }
}

function lazily(find: Lazy): Lazy {
  let found: Attribute | undefined
  return () => {
    found ??= asAttribute(find())
    return found
  }
}

// Media types name themselves; whatever else is recursive needs a name to be referred to by.
function schemaOf(target: Attribute, { name = 'Recursive' }: LazyOptions<unknown>, schemas: Schemas): JsonSchema {
  if (target.core.related) return target.core.jsonSchema(schemas)
  return schemas.refer(name, target, () => target.core.jsonSchema(schemas))
}

// A type that requires itself has no finite value; its example ends all the same.
function exampleOf(target: Lazy, seed: ExampleSeed): unknown {
  return seed.depth > MAX_EXAMPLE_DEPTH * 4 ? undefined : target().core.example(seed)
}
