// Values in the place of an attribute that are none: an attribute that reports the mistake when the application boots.
import { describeValue } from '../util/describe-value.ts'
import { type Flaw, isSettings } from '../util/setting-form.ts'
import {
  type Attribute,
  type Attributes,
  makeAttribute,
  isAttribute,
  type KindOutline,
  type KindRules,
} from './attribute.ts'
import { isInherit } from './inherit.ts'
import { INVALID } from './issue.ts'
import { mapMembers } from './children.ts'

/** Stands in the place of an attribute: flaws, or a value that is no attribute, in place of one or of several. */
type InvalidDeclaration = { readonly flaws: readonly Flaw[] } | { readonly value: unknown; readonly several?: true }

const invalidKind: KindOutline<InvalidDeclaration> = { name: 'refused', shape: 'open' }

/** The rules of values that are no attributes. */
export const invalidRules: KindRules<InvalidDeclaration> = {
  loader: () => () => INVALID,
  dumper: () => () => INVALID,
  jsonSchema: () => ({}),
  example: () => undefined,
  mistakes(stray) {
    if ('flaws' in stray) return stray.flaws
    return [stray.several ? (findAttributesFlaw(stray.value) as Flaw) : makeAttributeFlaw(stray.value)]
  },
}

/** Makes an attribute that only reports its flaws. */
export const makeInvalidAttribute = (...flaws: readonly Flaw[]): Attribute => makeAttribute(invalidKind, { flaws })

/**
 * Returns the value itself if it is an attribute, else an attribute that reports the mistake at boot. A value that inherits
 * keeps its options: a payload or a param puts an attribute in its place.
 */
export function asAttribute(value: unknown): Attribute {
  if (isAttribute(value)) return value
  const none = makeAttribute(invalidKind, { value } as InvalidDeclaration)
  return isInherit(value) ? Object.freeze({ ...none, '~inherit': value['~inherit'] }) : none
}

/** The attribute that stands for a value that should be attributes by their names. */
export const makeInvalidAttributes = (given: unknown): Attribute =>
  makeAttribute(invalidKind, { value: given, several: true } as InvalidDeclaration)

/** The same for attributes by their names. */
export const asAttributes = (given: Attributes): Attributes => mapMembers(given, asAttribute)

/** The flaw of a value that should be attributes by name; undefined if it is. */
export function findAttributesFlaw(given: unknown): Flaw | undefined {
  if (isSettings(given)) return undefined
  return { at: '', problem: `it is ${describeValue(given)}`, remedy: 'give attributes by their names: { id: t.integer() }' }
}

/** The flaw of a value that should be an attribute. */
export function makeAttributeFlaw(value: unknown): Flaw {
  if (isInherit(value))
    return {
      at: '',
      problem: 'there is nothing here that it could inherit from',
      remedy: 'declare it with t, for example t.string(); payloads and params inherit from media types',
    }
  const remedy = 'declare it with t, for example t.string()'
  return { at: '', problem: `it is ${describeValue(value)}, not an attribute`, remedy }
}
