// Attributes made of other attributes below them: what clients send, receive or select differs from what is declared.
import {
  type AnyOptions,
  type Attribute,
  type Attributes,
  makeAttribute,
  type KindOutline,
  type KindRules,
} from '../attribute.ts'

/** Returns the attributes that replace those below an attribute. */
export type ChildrenChange = (children: Attributes, of: Attribute) => Attributes

/** The same attribute made of other attributes below it; what a reference stands for has the options of the reference. */
export function rebuildAttribute(of: Attribute, change: ChildrenChange, options: AnyOptions = of.options): Attribute {
  const { target, children } = of.core
  if (target !== undefined) return rebuildAttribute(target, change, { ...target.options, ...UNSET_OPTIONS, ...options })
  return of.core.rebuild(change(children, of), options) ?? of
}

// A reference says itself whether its value must be there.
const UNSET_OPTIONS: AnyOptions = { required: false, nullable: false, default: undefined } as AnyOptions

/** An attribute that is made when a value is there: types may contain themselves. */
export function makeLazyAttribute(make: () => Attribute, options: AnyOptions): Attribute {
  let made: Attribute | undefined
  const once = (): Attribute => {
    made ??= make()
    return made
  }
  return makeAttribute(lazyKind, once, options)
}

const lazyKind: KindOutline<() => Attribute> = { name: 'lazy', shape: 'reference', target: (target) => target() }

/** The rules of attributes that are made when a value is there. */
export const lazyRules: KindRules<() => Attribute> = {
  loader: (target) => (value, loading) => target().core.loader(value, loading),
  dumper: (target) => (value, dumping) => target().core.dumper(value, dumping),
  // Asking the target could come back here without end; true only costs a look at an empty list.
  defers: () => true,
  jsonSchema: (target, _, schemas) => target().core.jsonSchema(schemas),
  example: (target, _, seed) => target().core.example(seed),
}
