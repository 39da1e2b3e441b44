// Choices of schemas: lists of values, rules between attributes, structures told apart by one attribute. The rest has no kind.
import { allOrNone, atLeastOne, atMostOne, exactlyOne, type Requirement } from '../../../schema/requires.ts'
import type { Document } from '../read/document.ts'
import { elements, isObject, keyOf, type Located, member, members, text } from '../read/located.ts'
import type { UnsaidList } from '../unsaid.ts'
import { type Flat, flatten } from './flat.ts'
import { listedValues } from './values.ts'

/** The meaning of the choices of a schema. */
export interface Choices {
  readonly requires: readonly Requirement[]
  /** Whether null is excluded from what could be anything. */
  readonly notNull: boolean
  /** The choice between structures or values that is left. */
  readonly open: Located | undefined
}

/** Reads the choices of a schema; values that are listed become its `enum`. */
export function choicesOf(flat: Flat, document: Document, unsaid: UnsaidList): Choices {
  const requires: Requirement[] = []
  let notNull = false
  let open: Located | undefined
  for (const one of flat.choices) {
    const rule = ruleOf(one)
    const values = valuesOf(one, document)
    if (rule !== undefined) requires.push(rule)
    else if (values !== undefined) narrow(flat, one, values)
    else if (isNot(one)) {
      if (isObject(one.value) && one.value['type'] === 'null') notNull = true
      else unsaid.add(one, '`not`', 'what it excludes is accepted')
    } else if (open === undefined) open = one
    else unsaid.add(one, 'a second choice between schemas', 'the first one is read')
  }
  const pairs = flat.keywords.get('dependentRequired')
  const together = pairs && togetherIn(pairs)
  if (together !== undefined) {
    flat.keywords.delete('dependentRequired')
    requires.push(together)
  }
  return { requires, notNull, open }
}

const isNot = ({ steps }: Located): boolean => steps.at(-1) === 'not'
const isOneOf = ({ steps }: Located): boolean => steps.at(-1) === 'oneOf'

// --- values ----------------------------------------------------------------------------

function valuesOf(one: Located, document: Document): readonly unknown[] | undefined {
  if (isNot(one)) return undefined
  const all = elements(one).map((each) => listedValues(document.resolve(each)))
  return all.every((values) => values !== undefined) ? all.flat() : undefined
}

function narrow(flat: Flat, at: Located, values: readonly unknown[]): void {
  const known = flat.keywords.get('enum')?.value as readonly unknown[] | undefined
  const value = known === undefined ? values : known.filter((each) => values.includes(each))
  flat.keywords.set('enum', { ...at, value })
}

// --- rules -----------------------------------------------------------------------------

// A schema that only requires names, which it may mention as properties.
function requiredIn({ value }: Located): readonly string[] | undefined {
  if (!isObject(value) || !Array.isArray(value['required'])) return undefined
  const { required, properties = {}, ...rest } = value
  const bare = isObject(properties) && Object.values(properties).every((one) => isObject(one) && isEmpty(one))
  return bare && isEmpty(rest) ? (required as readonly unknown[]).map(String) : undefined
}

const isEmpty = (value: object): boolean => Object.keys(value).length === 0

function ruleOf(one: Located): Requirement | undefined {
  if (isNot(one)) return excludedIn(one)
  const names = elements(one).map(requiredIn)
  if (names.length < 2 || !names.every((each) => each?.length === 1)) return undefined
  return (isOneOf(one) ? exactlyOne : atLeastOne)(...names.flatMap((each) => each ?? []))
}

function excludedIn(one: Located): Requirement | undefined {
  const inner = member(one, 'anyOf')
  const pairs = (inner === undefined ? [one] : elements(inner)).map(requiredIn)
  if (!pairs.every((pair) => pair?.length === 2)) return undefined
  const names = [...new Set(pairs.flatMap((pair) => pair ?? []))]
  const isEvery = pairs.length === (names.length * (names.length - 1)) / 2
  return isEvery && new Set(pairs.map((pair) => [...(pair ?? [])].sort().join('\0'))).size === pairs.length
    ? atMostOne(...names)
    : undefined
}

function togetherIn(pairs: Located): Requirement | undefined {
  const all = members(pairs).map(([name, needed]) => [name, ...elements(needed).map(({ value }) => String(value))])
  const [first = []] = all
  const isSame = all.every((names) => names.length === first.length && names.every((name) => first.includes(name)))
  return isSame && all.length === first.length && first.length > 1 ? allOrNone(...first) : undefined
}

// --- structures ------------------------------------------------------------------------

/** Structures told apart by the text of one attribute. */
export interface Discriminated {
  readonly discriminator: string
  readonly variants: ReadonlyMap<string, Flat>
}

/** The variants of a choice; undefined if nothing tells them apart. */
export function discriminated(
  open: Located,
  flat: Flat,
  document: Document,
  unsaid: UnsaidList,
): Discriminated | undefined {
  const all = elements(open).map((one) => flatten([one], document, unsaid))
  if (!all.every(isStructure)) return undefined
  const said = flat.keywords.get('discriminator')
  const name = text(said, 'propertyName') ?? sharedTag(all, document, unsaid)
  if (name === undefined || name === '__proto__') return undefined
  const mapping = mappingOf(said, document)
  const variants = new Map<string, Flat>()
  for (const [i, one] of elements(open).entries()) {
    const variant = all[i] as Flat
    const target = document.resolve(one)
    const own = tagsOf(variant, name, document, unsaid)
    const mapped = mapping.get(keyOf(target)) ?? (own.length > 0 ? own : [String(target.steps.at(-1))])
    for (const tag of mapped) {
      if (variants.has(tag)) return undefined
      variants.set(tag, variant)
    }
  }
  flat.keywords.delete('discriminator')
  return { discriminator: name, variants }
}

const isStructure = ({ types, properties, choices, nullable }: Flat): boolean =>
  !nullable && choices.length === 0 && properties.size > 0 && (types === undefined || types.join() === 'object')

// The texts that an attribute may have, if it lists them.
function tagsOf(flat: Flat, name: string, document: Document, unsaid: UnsaidList): readonly string[] {
  const property = flat.properties.get(name)
  const values = property && flatten(property, document, unsaid).keywords.get('enum')?.value
  return Array.isArray(values) && values.every((value) => typeof value === 'string') ? values : []
}

function sharedTag(all: readonly Flat[], document: Document, unsaid: UnsaidList): string | undefined {
  const [first] = all
  return [...(first?.properties.keys() ?? [])].find((name) => {
    const tags = all.map((one) => (one.required.has(name) ? tagsOf(one, name, document, unsaid) : []))
    return tags.every((own) => own.length > 0) && new Set(tags.flat()).size === tags.flat().length
  })
}

function mappingOf(said: Located | undefined, document: Document): Map<string, string[]> {
  const mapping = new Map<string, string[]>()
  for (const [tag, one] of members(said && member(said, 'mapping'))) {
    const named = String(one.value)
    // A mapping has names of schemas, or references.
    const ref = /^[\w.-]+$/.test(named) && !named.includes('.') ? `#/components/schemas/${named}` : named
    const key = keyOf(document.resolve(document.target(one, ref)))
    mapping.set(key, [...(mapping.get(key) ?? []), tag])
  }
  return mapping
}
