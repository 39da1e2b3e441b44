// Attributes for values that are not attributes: they report the mistake when the application boots.
import { describeValue } from '../util/describe-value.ts'
import { type Flaw, isSettings } from '../util/setting-form.ts'
import {
  type Attribute,
  type Attributes,
  isAttribute,
  type KindOutline,
  type KindRules,
  makeAttribute,
} from './attribute.ts'
import { mapMembers } from './children.ts'
import { isInherit } from './inherit.ts'
import { INVALID } from './issue.ts'

/**
 * The declaration of an invalid attribute: its flaws and those of a valid form of it, or the value that was passed
 * instead of an attribute, of several, or of the subject of a declaration.
 */
type InvalidDeclaration =
  | { readonly flaws: readonly Flaw[]; readonly of?: Attribute }
  | { readonly value: unknown; readonly several?: true; readonly subject?: string }

const invalidKind: KindOutline<InvalidDeclaration> = { name: 'refused', shape: 'open' }

/** The rules of invalid attributes. */
export const invalidRules: KindRules<InvalidDeclaration> = {
  loader: () => () => INVALID,
  dumper: () => () => INVALID,
  jsonSchema: () => ({}),
  example: () => undefined,
  mistakes(declaration, _, rules) {
    if ('flaws' in declaration)
      return [...(declaration.of ? rules.findMistakes(declaration.of) : []), ...declaration.flaws]
    const { value, several, subject } = declaration
    if (subject !== undefined) return [makeSubjectFlaw(value, subject)]
    return [several ? (findAttributesFlaw(value) as Flaw) : makeAttributeFlaw(value)]
  },
}

/** Creates an attribute that only reports its flaws. */
export const makeInvalidAttribute = (...flaws: readonly Flaw[]): Attribute => makeAttribute(invalidKind, { flaws })

/** Creates an attribute that reports the mistakes of another attribute, and one more flaw. */
export const makeInvalidVariant = (of: Attribute, flaw: Flaw): Attribute =>
  makeAttribute(invalidKind, { flaws: [flaw], of })

/** Creates the attribute that replaces one declared for another value than its subject, such as `a media type`. */
export const makeMisdeclaredAttribute = (value: unknown, subject: string): Attribute =>
  makeAttribute(invalidKind, { value, subject })

const makeSubjectFlaw = (value: unknown, subject: string): Flaw => ({
  at: '',
  problem: `it is declared for ${describeValue(value)}`,
  remedy: `declare it for ${subject}`,
})

/**
 * Returns the value itself if it is an attribute, else an attribute that reports the mistake at boot. An inheriting
 * value keeps its options: a payload or a param replaces it by an attribute.
 */
export function asAttribute(value: unknown): Attribute {
  if (isAttribute(value)) return value
  const invalid = makeAttribute(invalidKind, { value } as InvalidDeclaration)
  return isInherit(value) ? Object.freeze({ ...invalid, '~inherit': value['~inherit'] }) : invalid
}

/** Creates an attribute for a value that should be a set of named attributes. */
export const makeInvalidAttributes = (value: unknown): Attribute =>
  makeAttribute(invalidKind, { value, several: true } as InvalidDeclaration)

/** Applies `asAttribute` to attributes by name. */
export const asAttributes = (attributes: Attributes): Attributes => mapMembers(attributes, asAttribute)

/** Returns the flaw of a value that should be a set of named attributes; undefined if it is one. */
export function findAttributesFlaw(value: unknown): Flaw | undefined {
  if (isSettings(value)) return undefined
  return {
    at: '',
    problem: `it is ${describeValue(value)}`,
    remedy: 'give attributes by their names: { id: t.integer() }',
  }
}

/** Returns the flaw of a value that should be an attribute. */
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
