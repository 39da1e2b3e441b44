// Texts, numbers and lists of values: keywords of JSON Schema as options of attributes.
import { NamedSchemas } from '../../../schema/json-schema.ts'
import { textFormats } from '../../../schema/scalars/text-format.ts'
import { t } from '../../../schema/t.ts'
import type { LocatedValue } from '../read/located.ts'
import type { UnsupportedList } from '../unsupported.ts'
import type { FlatSchema } from './flat-schema.ts'
import type { AttributeNode, NodeOptions, LeafKind } from './attribute-node.ts'
import { toAnchoredPattern } from './patterns.ts'

/** Takes a keyword out of a schema, because an attribute says it. */
export function takeKeyword(flat: FlatSchema, name: string): LocatedValue | undefined {
  const found = flat.keywords.get(name)
  flat.keywords.delete(name)
  return found
}

/** Takes a keyword whose value is a number. */
export function takeNumber(flat: FlatSchema, name: string): number | undefined {
  const value = takeKeyword(flat, name)?.value
  return typeof value === 'number' ? value : undefined
}

/** An attribute without anything below it. */
export const createLeafNode = (kind: LeafKind, { at }: Pick<FlatSchema, 'at'>, options: NodeOptions = {}): AttributeNode =>
  ({ kind, at, options }) as AttributeNode

// --- values ----------------------------------------------------------------------------

const VALUE_KINDS: readonly (readonly [type: string, kind: LeafKind])[] = [
  ['string', 'string'],
  ['number', 'number'],
]

/** An attribute of the values that a schema lists; undefined if no kind takes them. */
export function readValuesNode(flat: FlatSchema, unsaid: UnsupportedList): AttributeNode | undefined {
  const said = takeKeyword(flat, 'enum')
  if (said === undefined || !Array.isArray(said.value)) return undefined
  const values = [...new Set(said.value as readonly unknown[])].filter((value) => value !== null)
  const [kind] = VALUE_KINDS.filter(([type]) => values.length > 0 && values.every((value) => typeof value === type))
  const isTyped = kind !== undefined && (flat.types === undefined || flat.types.some((type) => isCompatibleType(type, kind[0])))
  if (!isTyped) {
    unsaid.add(said, '`enum` of values that are neither all texts nor all numbers', 'the values are not listed')
    return undefined
  }
  // Limits say nothing more about values that are listed.
  for (const name of ['format', 'pattern', 'minLength', 'maxLength', 'minimum', 'maximum']) flat.keywords.delete(name)
  const whole = kind[1] === 'number' && values.every((value) => Number.isSafeInteger(value))
  const isInteger = whole && (flat.types === undefined || flat.types.includes('integer'))
  const allowNul = values.some((value) => typeof value === 'string' && value.includes('\0'))
  return createLeafNode(isInteger ? 'integer' : kind[1], flat, { values, ...(allowNul && { allowNul }) })
}

const isCompatibleType = (type: string, own: string): boolean => type === own || (own === 'number' && type === 'integer')

// --- texts -----------------------------------------------------------------------------

// Texts that kinds of their own have: they are recognised by the pattern that documents show for them.
const KINDS_BY_PATTERN: ReadonlyMap<unknown, LeafKind> = new Map(
  Object.entries({ bigint: t.bigint(), decimal: t.decimal(), time: t.time(), dateTime: t.dateTime() }).map(
    ([kind, one]) => [one.core.jsonSchema(new NamedSchemas('input'))['pattern'], kind as LeafKind],
  ),
)

/** An attribute of a text. */
export function readTextNode(flat: FlatSchema, unsaid: UnsupportedList): AttributeNode {
  const known = KINDS_BY_PATTERN.get(flat.keywords.get('pattern')?.value)
  if (known !== undefined) {
    for (const name of ['pattern', 'format']) flat.keywords.delete(name)
    return createLeafNode(known, flat)
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
    ...readPatternOption(flat, max, unsaid),
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

function readPatternOption(flat: FlatSchema, max: number | undefined, unsaid: UnsupportedList): NodeOptions {
  const said = takeKeyword(flat, 'pattern')
  if (said === undefined || typeof said.value !== 'string') return {}
  const made = toAnchoredPattern(said.value)
  if (typeof made === 'string') {
    unsaid.add(said, `a pattern that edict does not match in linear time (${made})`, 'any text is accepted')
    return {}
  }
  if (made.isLong && max === undefined)
    unsaid.add(said, 'a pattern without `maxLength`', 'texts have at most 1,000 characters; `max` sets another limit')
  return { pattern: made.pattern }
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
  const named = typeof type === 'string' && type !== 'application/octet-stream'
  return createLeafNode('file', flat, named ? { types: [type] } : {})
}

// --- numbers ---------------------------------------------------------------------------

const INT32 = { min: -(2 ** 31), max: 2 ** 31 - 1 }
const MAX_SAFE = Number.MAX_SAFE_INTEGER

/** An attribute of a number. */
export function readNumberNode(flat: FlatSchema, isInteger: boolean, unsaid: UnsupportedList): AttributeNode {
  if (isInteger || flat.keywords.get('multipleOf')?.value === 1) return readIntegerNode(flat, unsaid)
  const format = flat.keywords.get('format')?.value
  // A number is a double.
  if (format === 'double') takeKeyword(flat, 'format')
  const min = takeNumber(flat, 'minimum')
  const max = takeNumber(flat, 'maximum')
  return createLeafNode('number', flat, {
    ...(min !== undefined && { min }),
    ...(max !== undefined && { max }),
    ...readExclusiveLimits(flat, min, max, unsaid),
  })
}

// A double has no next number that a reader would recognise.
function readExclusiveLimits(flat: FlatSchema, min: number | undefined, max: number | undefined, unsaid: UnsupportedList): NodeOptions {
  const [above, below] = [takeKeyword(flat, 'exclusiveMinimum'), takeKeyword(flat, 'exclusiveMaximum')]
  for (const one of [above, below])
    if (one !== undefined) unsaid.add(one, 'a limit that is itself excluded', 'the limit is accepted too')
  const least = above?.value as number | undefined
  const most = below?.value as number | undefined
  return {
    ...(least !== undefined && { min: Math.max(least, min ?? least) }),
    ...(most !== undefined && { max: Math.min(most, max ?? most) }),
  }
}

function readIntegerNode(flat: FlatSchema, unsaid: UnsupportedList): AttributeNode {
  if (flat.keywords.get('multipleOf')?.value === 1) takeKeyword(flat, 'multipleOf')
  const format = flat.keywords.get('format')
  const own = format?.value === 'int32' ? INT32 : { min: -MAX_SAFE, max: MAX_SAFE }
  if (format?.value === 'int64')
    unsaid.add(format, '`int64` beyond 2⁵³ − 1', 'integers are exact between ±(2⁵³ − 1); larger ones are rejected')
  if (format?.value === 'int32' || format?.value === 'int64') takeKeyword(flat, 'format')
  const above = takeNumber(flat, 'exclusiveMinimum')
  const below = takeNumber(flat, 'exclusiveMaximum')
  const min = Math.max(
    own.min,
    Math.ceil(takeNumber(flat, 'minimum') ?? own.min),
    above === undefined ? own.min : Math.floor(above) + 1,
  )
  const max = Math.min(
    own.max,
    Math.floor(takeNumber(flat, 'maximum') ?? own.max),
    below === undefined ? own.max : Math.ceil(below) - 1,
  )
  return createLeafNode('integer', flat, { ...(min > -MAX_SAFE && { min }), ...(max < MAX_SAFE && { max }) })
}

/** The default and the example that a schema gives, as they stand in the document. */
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
