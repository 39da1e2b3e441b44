// Choices of schemas: lists of values, rules between attributes, structures told apart by one attribute. The rest has no kind.
import { allOrNone, atLeastOne, atMostOne, exactlyOne, type Requirement } from '../../../schema/requirements.ts'
import type { SourceDocument } from '../read/document.ts'
import { listElements, isObject, getLocationKey, type LocatedValue, getMember, listMembers, getText } from '../read/located.ts'
import type { UnsupportedList } from '../unsupported.ts'
import { type FlatSchema, flattenSchemas } from './flat-schema.ts'
import { getListedValues } from './listed-values.ts'

/** The meaning of the choices of a schema. */
export interface SchemaChoices {
  readonly requires: readonly Requirement[]
  /** Whether null is excluded from what could be anything. */
  readonly notNull: boolean
  /** The choice between structures or values that is left. */
  readonly open: LocatedValue | undefined
}

/** Reads the choices of a schema; values that are listed become its `enum`. */
export function readChoices(flat: FlatSchema, document: SourceDocument, unsaid: UnsupportedList): SchemaChoices {
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
      else unsaid.add(one, '`not`', 'what it excludes is accepted')
    } else if (open === undefined) open = one
    else unsaid.add(one, 'a second choice between schemas', 'the first one is read')
  }
  const pairs = flat.keywords.get('dependentRequired')
  const together = pairs && readAllOrNone(pairs)
  if (together !== undefined) {
    flat.keywords.delete('dependentRequired')
    requires.push(together)
  }
  return { requires, notNull, open }
}

const isNotKeyword = ({ steps }: LocatedValue): boolean => steps.at(-1) === 'not'
const isOneOfKeyword = ({ steps }: LocatedValue): boolean => steps.at(-1) === 'oneOf'

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

// A schema that only requires names, which it may mention as properties.
function readRequiredNames({ value }: LocatedValue): readonly string[] | undefined {
  if (!isObject(value) || !Array.isArray(value['required'])) return undefined
  const { required, properties = {}, ...rest } = value
  const bare = isObject(properties) && Object.values(properties).every((one) => isObject(one) && isEmptyObject(one))
  return bare && isEmptyObject(rest) ? (required as readonly unknown[]).map(String) : undefined
}

const isEmptyObject = (value: object): boolean => Object.keys(value).length === 0

function readRule(one: LocatedValue): Requirement | undefined {
  if (isNotKeyword(one)) return readExclusion(one)
  const names = listElements(one).map(readRequiredNames)
  if (names.length < 2 || !names.every((each) => each?.length === 1)) return undefined
  return (isOneOfKeyword(one) ? exactlyOne : atLeastOne)(...names.flatMap((each) => each ?? []))
}

function readExclusion(one: LocatedValue): Requirement | undefined {
  const inner = getMember(one, 'anyOf')
  const pairs = (inner === undefined ? [one] : listElements(inner)).map(readRequiredNames)
  if (!pairs.every((pair) => pair?.length === 2)) return undefined
  const names = [...new Set(pairs.flatMap((pair) => pair ?? []))]
  const isEvery = pairs.length === (names.length * (names.length - 1)) / 2
  return isEvery && new Set(pairs.map((pair) => [...(pair ?? [])].sort().join('\0'))).size === pairs.length
    ? atMostOne(...names)
    : undefined
}

function readAllOrNone(pairs: LocatedValue): Requirement | undefined {
  const all = listMembers(pairs).map(([name, needed]) => [name, ...listElements(needed).map(({ value }) => String(value))])
  const [first = []] = all
  const isSame = all.every((names) => names.length === first.length && names.every((name) => first.includes(name)))
  return isSame && all.length === first.length && first.length > 1 ? allOrNone(...first) : undefined
}

// --- structures ------------------------------------------------------------------------

/** Structures told apart by the text of one attribute. */
export interface DiscriminatedUnion {
  readonly discriminator: string
  readonly variants: ReadonlyMap<string, FlatSchema>
}

/** The variants of a choice; undefined if nothing tells them apart. */
export function readUnion(
  open: LocatedValue,
  flat: FlatSchema,
  document: SourceDocument,
  unsaid: UnsupportedList,
): DiscriminatedUnion | undefined {
  const all = listElements(open).map((one) => flattenSchemas([one], document, unsaid))
  if (!all.every(isStructure)) return undefined
  const said = flat.keywords.get('discriminator')
  const name = getText(said, 'propertyName') ?? findSharedTag(all, document, unsaid)
  if (name === undefined || name === '__proto__') return undefined
  const mapping = readMapping(said, document)
  const variants = new Map<string, FlatSchema>()
  for (const [i, one] of listElements(open).entries()) {
    const variant = all[i] as FlatSchema
    const target = document.resolve(one)
    const own = readTags(variant, name, document, unsaid)
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

// The texts that an attribute may have, if it lists them.
function readTags(flat: FlatSchema, name: string, document: SourceDocument, unsaid: UnsupportedList): readonly string[] {
  const property = flat.properties.get(name)
  const values = property && flattenSchemas(property, document, unsaid).keywords.get('enum')?.value
  return Array.isArray(values) && values.every((value) => typeof value === 'string') ? values : []
}

function findSharedTag(all: readonly FlatSchema[], document: SourceDocument, unsaid: UnsupportedList): string | undefined {
  const [first] = all
  return [...(first?.properties.keys() ?? [])].find((name) => {
    const tags = all.map((one) => (one.required.has(name) ? readTags(one, name, document, unsaid) : []))
    return tags.every((own) => own.length > 0) && new Set(tags.flat()).size === tags.flat().length
  })
}

function readMapping(said: LocatedValue | undefined, document: SourceDocument): Map<string, string[]> {
  const mapping = new Map<string, string[]>()
  for (const [tag, one] of listMembers(said && getMember(said, 'mapping'))) {
    const named = String(one.value)
    // A mapping has names of schemas, or references.
    const ref = /^[\w.-]+$/.test(named) && !named.includes('.') ? `#/components/schemas/${named}` : named
    const key = getLocationKey(document.resolve(document.findTarget(one, ref)))
    mapping.set(key, [...(mapping.get(key) ?? []), tag])
  }
  return mapping
}
