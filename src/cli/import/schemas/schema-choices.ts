// Reads choices of schemas: enums, rules between attributes, and discriminated unions. Other choices have no equivalent.
import {
  allOrNone,
  atLeastOne,
  atMostOne,
  exactlyOne,
  type Requirement,
  type RuleNames,
} from '../../../schema/requirements.ts'
import type { SourceDocument } from '../read/document.ts'
import {
  getLocationKey,
  getMember,
  getText,
  isObject,
  type LocatedValue,
  listElements,
  listMembers,
} from '../read/located.ts'
import type { UnsupportedList } from '../unsupported.ts'
import { type FlatSchema, flattenSchemas } from './flat-schema.ts'
import { getListedValues } from './listed-values.ts'

/** The meaning of a schema's choices. */
export interface SchemaChoices {
  readonly requires: readonly Requirement[]
  /** Whether null is excluded from a schema without types. */
  readonly notNull: boolean
  /** The remaining choice between structures or values. */
  readonly open: LocatedValue | undefined
}

/** Reads the choices of a schema; listed values become its `enum`. */
export function readChoices(flat: FlatSchema, document: SourceDocument, unsupported: UnsupportedList): SchemaChoices {
  const requires: Requirement[] = []
  let notNull = false
  let open: LocatedValue | undefined
  for (const one of flat.choices) {
    const rule = readRule(one)
    const values = collectValues(one, document)
    if (rule !== undefined) requires.push(rule)
    else if (values !== undefined) narrowValues(flat, one, values)
    else if (isNotKeyword(one)) {
      if (isObject(one.value) && one.value['type'] === 'null') notNull = true
      else unsupported.add(one, '`not`', 'what it excludes is accepted')
    } else if (open === undefined) open = one
    else unsupported.add(one, 'a second choice between schemas', 'the first one is read')
  }
  const pairs = flat.keywords.get('dependentRequired')
  const rule = pairs && readAllOrNone(pairs)
  if (rule !== undefined) {
    flat.keywords.delete('dependentRequired')
    requires.push(rule)
  }
  return { requires, notNull, open }
}

const isNotKeyword = ({ steps }: LocatedValue): boolean => steps.at(-1) === 'not'

// --- values ----------------------------------------------------------------------------

function collectValues(one: LocatedValue, document: SourceDocument): readonly unknown[] | undefined {
  if (isNotKeyword(one)) return undefined
  const all = listElements(one).map((each) => getListedValues(document.resolve(each)))
  return all.every((values) => values !== undefined) ? all.flat() : undefined
}

function narrowValues(flat: FlatSchema, at: LocatedValue, values: readonly unknown[]): void {
  const known = flat.keywords.get('enum')?.value as readonly unknown[] | undefined
  const value = known === undefined ? values : known.filter((each) => values.includes(each))
  flat.keywords.set('enum', { ...at, value })
}

// --- rules -----------------------------------------------------------------------------

// A schema that only requires names, and may list them as empty properties.
function readRequiredNames({ value }: LocatedValue): readonly string[] | undefined {
  if (!isObject(value) || !Array.isArray(value['required'])) return undefined
  const { required, properties = {}, ...rest } = value
  const isBare = isObject(properties) && Object.values(properties).every((one) => isObject(one) && isEmptyObject(one))
  return isBare && isEmptyObject(rest) ? (required as readonly unknown[]).map(String) : undefined
}

const isEmptyObject = (value: object): boolean => Object.keys(value).length === 0

function readRule(one: LocatedValue): Requirement | undefined {
  if (isNotKeyword(one)) return readExclusion(one)
  const names = listElements(one).map(readRequiredNames)
  if (!names.every((each) => each?.length === 1)) return undefined
  return makeRule(
    one.steps.at(-1) === 'oneOf' ? exactlyOne : atLeastOne,
    names.flatMap((each) => each ?? []),
  )
}

/** Makes a rule of names that it can be between. */
function makeRule(make: typeof exactlyOne, names: readonly string[]): Requirement | undefined {
  return names.length > 1 && new Set(names).size === names.length ? make(...(names as RuleNames)) : undefined
}

function readExclusion(one: LocatedValue): Requirement | undefined {
  const inner = getMember(one, 'anyOf')
  const pairs = (inner === undefined ? [one] : listElements(inner)).map(readRequiredNames)
  if (!pairs.every((pair) => pair?.length === 2)) return undefined
  const names = [...new Set(pairs.flatMap((pair) => pair ?? []))]
  const isEvery = pairs.length === (names.length * (names.length - 1)) / 2
  return isEvery && new Set(pairs.map((pair) => [...(pair ?? [])].sort().join('\0'))).size === pairs.length
    ? makeRule(atMostOne, names)
    : undefined
}

function readAllOrNone(pairs: LocatedValue): Requirement | undefined {
  const all = listMembers(pairs).map(([name, needed]) => [
    name,
    ...listElements(needed).map(({ value }) => String(value)),
  ])
  const [first = []] = all
  const isSame = all.every((names) => names.length === first.length && names.every((name) => first.includes(name)))
  return isSame && all.length === first.length ? makeRule(allOrNone, first) : undefined
}

// --- structures ------------------------------------------------------------------------

/** Objects distinguished by the value of one attribute. */
export interface DiscriminatedUnion {
  readonly discriminator: string
  readonly variants: ReadonlyMap<string, FlatSchema>
}

/** Returns the variants of a choice; undefined if no attribute distinguishes them. */
export function readUnion(
  open: LocatedValue,
  flat: FlatSchema,
  document: SourceDocument,
  unsupported: UnsupportedList,
): DiscriminatedUnion | undefined {
  const schemas = listElements(open).map((one) => flattenSchemas([one], document, unsupported))
  if (!schemas.every(isStructure)) return undefined
  const discriminator = flat.keywords.get('discriminator')
  const name = getText(discriminator, 'propertyName') ?? findSharedTag(schemas, document, unsupported)
  if (name === undefined || name === '__proto__') return undefined
  const mapping = readMapping(discriminator, document)
  const variants = new Map<string, FlatSchema>()
  for (const [i, one] of listElements(open).entries()) {
    const variant = schemas[i] as FlatSchema
    const target = document.resolve(one)
    const own = readTags(variant, name, document, unsupported)
    const mapped = mapping.get(getLocationKey(target)) ?? (own.length > 0 ? own : [String(target.steps.at(-1))])
    for (const tag of mapped) {
      if (variants.has(tag)) return undefined
      variants.set(tag, variant)
    }
  }
  flat.keywords.delete('discriminator')
  return { discriminator: name, variants }
}

const isStructure = ({ types, properties, choices, nullable }: FlatSchema): boolean =>
  !nullable && choices.length === 0 && properties.size > 0 && (types === undefined || types.join() === 'object')

// Returns the string values that an attribute lists.
function readTags(
  flat: FlatSchema,
  name: string,
  document: SourceDocument,
  unsupported: UnsupportedList,
): readonly string[] {
  const property = flat.properties.get(name)
  const values = property && flattenSchemas(property, document, unsupported).keywords.get('enum')?.value
  return Array.isArray(values) && values.every((value) => typeof value === 'string') ? values : []
}

function findSharedTag(
  schemas: readonly FlatSchema[],
  document: SourceDocument,
  unsupported: UnsupportedList,
): string | undefined {
  const [first] = schemas
  return [...(first?.properties.keys() ?? [])].find((name) => {
    const tags = schemas.map((one) => (one.required.has(name) ? readTags(one, name, document, unsupported) : []))
    return tags.every((own) => own.length > 0) && new Set(tags.flat()).size === tags.flat().length
  })
}

function readMapping(discriminator: LocatedValue | undefined, document: SourceDocument): Map<string, string[]> {
  const mapping = new Map<string, string[]>()
  for (const [tag, one] of listMembers(discriminator && getMember(discriminator, 'mapping'))) {
    const target = String(one.value)
    // A mapping contains schema names or references.
    const ref = /^[\w.-]+$/.test(target) && !target.includes('.') ? `#/components/schemas/${target}` : target
    const key = getLocationKey(document.resolve(document.findTarget(one, ref)))
    mapping.set(key, [...(mapping.get(key) ?? []), tag])
  }
  return mapping
}
