// Converts JSON Schema keywords of texts, numbers and enums to options of attributes.
import { attributeRules } from '../../../design/attribute-rules.ts'
import { NamedSchemas } from '../../../schema/json-schema.ts'
import { textFormats } from '../../../schema/scalars/text-format.ts'
import { t } from '../../../schema/t.ts'
import type { LocatedValue } from '../read/located.ts'
import type { UnsupportedList } from '../unsupported.ts'
import type { AttributeNode, LeafKind, NodeOptions } from './attribute-node.ts'
import type { FlatSchema } from './flat-schema.ts'
import { toAnchoredPattern } from './patterns.ts'

/** Removes a keyword from a schema, because an attribute covers it, and returns it. */
export function takeKeyword(flat: FlatSchema, name: string): LocatedValue | undefined {
  const found = flat.keywords.get(name)
  flat.keywords.delete(name)
  return found
}

/** Removes a keyword and returns its value if that is a number. */
export function takeNumber(flat: FlatSchema, name: string): number | undefined {
  const value = takeKeyword(flat, name)?.value
  return typeof value === 'number' ? value : undefined
}

/** Creates an attribute without children. */
export const createLeafNode = (
  kind: LeafKind,
  { at }: Pick<FlatSchema, 'at'>,
  options: NodeOptions = {},
): AttributeNode => ({ kind, at, options }) as AttributeNode

// --- values ----------------------------------------------------------------------------

const VALUE_KINDS: readonly (readonly [type: string, kind: LeafKind])[] = [
  ['string', 'string'],
  ['number', 'number'],
]

/** Reads `enum` as an attribute; returns undefined if no kind accepts its values. */
export function readValuesNode(flat: FlatSchema, unsupported: UnsupportedList): AttributeNode | undefined {
  const enumeration = takeKeyword(flat, 'enum')
  if (enumeration === undefined || !Array.isArray(enumeration.value)) return undefined
  const values = [...new Set(enumeration.value as readonly unknown[])].filter((value) => value !== null)
  const [kind] = VALUE_KINDS.filter(([type]) => values.length > 0 && values.every((value) => typeof value === type))
  const isTyped =
    kind !== undefined && (flat.types === undefined || flat.types.some((type) => isCompatibleType(type, kind[0])))
  if (!isTyped) {
    unsupported.add(
      enumeration,
      '`enum` of values that are neither all texts nor all numbers',
      'the values are not listed',
    )
    return undefined
  }
  // Limits are redundant for listed values.
  for (const name of ['format', 'pattern', 'minLength', 'maxLength', 'minimum', 'maximum']) flat.keywords.delete(name)
  const isWhole = kind[1] === 'number' && values.every((value) => Number.isSafeInteger(value))
  const isInteger = isWhole && (flat.types === undefined || flat.types.includes('integer'))
  const allowNul = values.some((value) => typeof value === 'string' && value.includes('\0'))
  return createLeafNode(isInteger ? 'integer' : kind[1], flat, { values, ...(allowNul && { allowNul }) })
}

const isCompatibleType = (type: string, own: string): boolean =>
  type === own || (own === 'number' && type === 'integer')

// --- texts -----------------------------------------------------------------------------

// Kinds with a textual form, recognised by the pattern that edict writes for them.
const KINDS_BY_PATTERN: ReadonlyMap<unknown, LeafKind> = new Map(
  Object.entries({ bigint: t.bigint(), decimal: t.decimal(), time: t.time(), dateTime: t.dateTime() }).map(
    ([kind, one]) => [attributeRules.buildSchema(one, new NamedSchemas('input'))['pattern'], kind as LeafKind],
  ),
)

/** Reads an attribute of a string. */
export function readTextNode(flat: FlatSchema, unsupported: UnsupportedList): AttributeNode {
  const kind = KINDS_BY_PATTERN.get(flat.keywords.get('pattern')?.value)
  if (kind !== undefined) {
    for (const name of ['pattern', 'format']) flat.keywords.delete(name)
    return createLeafNode(kind, flat)
  }
  if (isBinarySchema(flat)) return readFileNode(flat)
  const format = flat.keywords.get('format')?.value
  if (format === 'date' || format === 'date-time') {
    flat.keywords.delete('format')
    return createLeafNode(format === 'date' ? 'date' : 'dateTime', flat)
  }
  const [min, max] = [takeNumber(flat, 'minLength'), takeNumber(flat, 'maxLength')]
  return createLeafNode('string', flat, {
    ...(min !== undefined && min > 0 && { min }),
    ...(max !== undefined && { max }),
    ...readFormatOption(flat),
    ...readPatternOption(flat, max, unsupported),
  })
}

function readFormatOption(flat: FlatSchema): NodeOptions {
  const format = flat.keywords.get('format')?.value
  if (format === 'password') takeKeyword(flat, 'format')
  if (format === 'password') return { secret: true }
  if (typeof format !== 'string' || !Object.hasOwn(textFormats, format)) return {}
  takeKeyword(flat, 'format')
  return { format }
}

function readPatternOption(flat: FlatSchema, max: number | undefined, unsupported: UnsupportedList): NodeOptions {
  const keyword = takeKeyword(flat, 'pattern')
  if (keyword === undefined || typeof keyword.value !== 'string') return {}
  const converted = toAnchoredPattern(keyword.value)
  if (typeof converted === 'string') {
    unsupported.add(
      keyword,
      `a pattern that edict does not match in linear time (${converted})`,
      'any text is accepted',
    )
    return {}
  }
  if (converted.isLong && max === undefined)
    unsupported.add(
      keyword,
      'a pattern without `maxLength`',
      'texts have at most 1,000 characters; `max` sets another limit',
    )
  return { pattern: converted.pattern }
}

function isBinarySchema({ keywords }: FlatSchema): boolean {
  const [format, encoding, type] = ['format', 'contentEncoding', 'contentMediaType'].map(
    (name) => keywords.get(name)?.value,
  )
  if (format === 'binary' || encoding === 'binary') return true
  return typeof type === 'string' && encoding === undefined && !/[/+]json$/.test(type)
}

function readFileNode(flat: FlatSchema): AttributeNode {
  const type = takeKeyword(flat, 'contentMediaType')?.value
  for (const name of ['format', 'contentEncoding']) flat.keywords.delete(name)
  const isSpecific = typeof type === 'string' && type !== 'application/octet-stream'
  return createLeafNode('file', flat, isSpecific ? { types: [type] } : {})
}

// --- numbers ---------------------------------------------------------------------------

const INT32 = { min: -(2 ** 31), max: 2 ** 31 - 1 }
const MAX_SAFE = Number.MAX_SAFE_INTEGER

/** Reads an attribute of a number. */
export function readNumberNode(flat: FlatSchema, isInteger: boolean, unsupported: UnsupportedList): AttributeNode {
  if (isInteger || flat.keywords.get('multipleOf')?.value === 1) return readIntegerNode(flat, unsupported)
  const format = flat.keywords.get('format')?.value
  // A number is a double.
  if (format === 'double') takeKeyword(flat, 'format')
  const min = takeNumber(flat, 'minimum')
  const max = takeNumber(flat, 'maximum')
  return createLeafNode('number', flat, {
    ...(min !== undefined && { min }),
    ...(max !== undefined && { max }),
    ...readExclusiveLimits(flat, min, max, unsupported),
  })
}

// A double has no useful next value that could replace an exclusive limit.
function readExclusiveLimits(
  flat: FlatSchema,
  min: number | undefined,
  max: number | undefined,
  unsupported: UnsupportedList,
): NodeOptions {
  const [above, below] = [takeKeyword(flat, 'exclusiveMinimum'), takeKeyword(flat, 'exclusiveMaximum')]
  for (const one of [above, below])
    if (one !== undefined) unsupported.add(one, 'a limit that is itself excluded', 'the limit is accepted too')
  const lower = above?.value as number | undefined
  const upper = below?.value as number | undefined
  return {
    ...(lower !== undefined && { min: Math.max(lower, min ?? lower) }),
    ...(upper !== undefined && { max: Math.min(upper, max ?? upper) }),
  }
}

function readIntegerNode(flat: FlatSchema, unsupported: UnsupportedList): AttributeNode {
  if (flat.keywords.get('multipleOf')?.value === 1) takeKeyword(flat, 'multipleOf')
  const format = flat.keywords.get('format')
  const range = format?.value === 'int32' ? INT32 : { min: -MAX_SAFE, max: MAX_SAFE }
  if (format?.value === 'int64')
    unsupported.add(format, '`int64` beyond 2⁵³ − 1', 'integers are exact between ±(2⁵³ − 1); larger ones are rejected')
  if (format?.value === 'int32' || format?.value === 'int64') takeKeyword(flat, 'format')
  const above = takeNumber(flat, 'exclusiveMinimum')
  const below = takeNumber(flat, 'exclusiveMaximum')
  const min = Math.max(
    range.min,
    Math.ceil(takeNumber(flat, 'minimum') ?? range.min),
    above === undefined ? range.min : Math.floor(above) + 1,
  )
  const max = Math.min(
    range.max,
    Math.floor(takeNumber(flat, 'maximum') ?? range.max),
    below === undefined ? range.max : Math.ceil(below) - 1,
  )
  return createLeafNode('integer', flat, { ...(min > -MAX_SAFE && { min }), ...(max < MAX_SAFE && { max }) })
}

/** Returns the default and the example of a schema, as in the document. */
export function readValueOptions(flat: FlatSchema): NodeOptions {
  const initial = takeKeyword(flat, 'default')
  const examples = takeKeyword(flat, 'examples')?.value
  const example = takeKeyword(flat, 'example')?.value
  const [first] = Array.isArray(examples) ? (examples as readonly unknown[]) : []
  const shown = example === undefined ? first : example
  return {
    ...(initial !== undefined && { default: initial.value }),
    ...(shown !== undefined && { example: shown }),
  }
}
