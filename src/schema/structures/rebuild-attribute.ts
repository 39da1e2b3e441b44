// Rebuilds attributes with other children, where the attributes that clients send, receive or select differ from the
// declared ones.
import {
  type AnyOptions,
  type Attribute,
  type Attributes,
  type KindOutline,
  type KindRules,
  makeAttribute,
} from '../attribute.ts'

/** Returns the attributes that replace the children of an attribute. */
export type ChildrenChange = (children: Attributes, parent: Attribute) => Attributes

/** Rebuilds an attribute with other children; the target of a reference gets the options of the reference. */
export function rebuildAttribute(
  attribute: Attribute,
  change: ChildrenChange,
  options: AnyOptions = attribute.options,
): Attribute {
  const { target, children } = attribute.core
  if (target !== undefined) return rebuildAttribute(target, change, { ...target.options, ...UNSET_OPTIONS, ...options })
  return attribute.core.rebuild(change(children, attribute), options) ?? attribute
}

// The reference itself determines the presence of its value.
const UNSET_OPTIONS: AnyOptions = { required: false, nullable: false, default: undefined } as AnyOptions

/** Creates an attribute that is built when the first value arrives: types may contain themselves. */
export function makeLazyAttribute(make: () => Attribute, options: AnyOptions): Attribute {
  let attribute: Attribute | undefined
  const getTarget = (): Attribute => {
    attribute ??= make()
    return attribute
  }
  return makeAttribute(lazyKind, getTarget, options)
}

const lazyKind: KindOutline<() => Attribute> = { name: 'lazy', shape: 'reference', target: (target) => target() }

/** The rules of lazy attributes. */
export const lazyRules: KindRules<() => Attribute> = {
  loader: (target, _, rules) => (value, loading) => rules.getLoader(target())(value, loading),
  dumper: (target, _, rules) => (value, dumping) => rules.getDumper(target())(value, dumping),
  // Calling the target could recurse without end; true only costs the check of an empty list.
  isAsync: () => true,
  jsonSchema: (target, _, schemas, rules) => rules.buildSchema(target(), schemas),
  example: (target, _, seed, rules) => rules.makeExample(target(), seed),
}
