// Values in the place of an attribute that are none: an attribute that reports the mistake when the application boots.
import { described } from '../util/described.ts'
import { type Flaw, isStructure } from '../util/form.ts'
import { type Attribute, type Attributes, attribute, isAttribute, type Kind } from './attribute.ts'
import { isInherit } from './inherit.ts'
import { INVALID } from './issue.ts'

const refusedKind: Kind<readonly Flaw[]> = {
  name: 'refused',
  shape: 'open',
  loader: () => () => INVALID,
  dumper: () => () => INVALID,
  jsonSchema: () => ({}),
  example: () => undefined,
  mistakes: (flaws) => flaws,
}

/** Makes an attribute that only reports its flaws. */
export const refused = (...flaws: readonly Flaw[]): Attribute => attribute(refusedKind, flaws)

/**
 * Returns the value itself if it is an attribute, else an attribute that reports the mistake at boot. A value that inherits
 * keeps its options: a payload or a param puts an attribute in its place.
 */
export function asAttribute(value: unknown): Attribute {
  if (isAttribute(value)) return value
  const none = refused(attributeFlaw(value))
  return isInherit(value) ? Object.freeze({ ...none, '~inherit': value['~inherit'] }) : none
}

/** The same for attributes by their names. */
export function asAttributes(given: Attributes): Attributes {
  for (const name of Object.keys(given)) {
    if (isAttribute(given[name])) continue
    return Object.fromEntries(Object.entries(given).map(([key, one]) => [key, asAttribute(one)]))
  }
  return given
}

/** The flaw of a value that should be attributes by name; undefined if it is. */
export function attributesFlaw(given: unknown): Flaw | undefined {
  if (isStructure(given)) return undefined
  return { at: '', problem: `it is ${described(given)}`, remedy: 'give attributes by their names: { id: t.integer() }' }
}

/** The flaw of a value that should be an attribute. */
export function attributeFlaw(value: unknown): Flaw {
  if (isInherit(value))
    return {
      at: '',
      problem: 'there is nothing here that it could inherit from',
      remedy: 'declare it with t, for example t.string(); payloads and params inherit from media types',
    }
  const remedy = 'declare it with t, for example t.string()'
  return { at: '', problem: `it is ${described(value)}, not an attribute`, remedy }
}
