// Texts, numbers and lists of values: keywords of JSON Schema as options of attributes.
import { Schemas } from '../../../schema/json-schema.ts'
import { formats } from '../../../schema/scalars/text-format.ts'
import { t } from '../../../schema/t.ts'
import type { Located } from '../read/located.ts'
import type { UnsaidList } from '../unsaid.ts'
import type { Flat } from './flat.ts'
import type { Node, Options, PlainKind } from './node.ts'
import { wholePattern } from './patterns.ts'

/** Takes a keyword out of a schema, because an attribute says it. */
export function take(flat: Flat, name: string): Located | undefined {
  const found = flat.keywords.get(name)
  flat.keywords.delete(name)
  return found
}

/** Takes a keyword whose value is a number. */
export function takeNumber(flat: Flat, name: string): number | undefined {
  const value = take(flat, name)?.value
  return typeof value === 'number' ? value : undefined
}

/** An attribute without anything below it. */
export const plain = (kind: PlainKind, { at }: Pick<Flat, 'at'>, options: Options = {}): Node =>
  ({ kind, at, options }) as Node

// --- values ----------------------------------------------------------------------------

const KEPT: readonly (readonly [type: string, kind: PlainKind])[] = [
  ['string', 'string'],
  ['number', 'number'],
]

/** An attribute of the values that a schema lists; undefined if no kind takes them. */
export function valuesNode(flat: Flat, unsaid: UnsaidList): Node | undefined {
  const said = take(flat, 'enum')
  if (said === undefined || !Array.isArray(said.value)) return undefined
  const values = [...new Set(said.value as readonly unknown[])].filter((value) => value !== null)
  const [kind] = KEPT.filter(([type]) => values.length > 0 && values.every((value) => typeof value === type))
  const isTyped = kind !== undefined && (flat.types === undefined || flat.types.some((type) => fits(type, kind[0])))
  if (!isTyped) {
    unsaid.add(said, '`enum` of values that are neither all texts nor all numbers', 'the values are not listed')
    return undefined
  }
  // Limits say nothing more about values that are listed.
  for (const name of ['format', 'pattern', 'minLength', 'maxLength', 'minimum', 'maximum']) flat.keywords.delete(name)
  const whole = kind[1] === 'number' && values.every((value) => Number.isSafeInteger(value))
  const isInteger = whole && (flat.types === undefined || flat.types.includes('integer'))
  const allowNul = values.some((value) => typeof value === 'string' && value.includes('\0'))
  return plain(isInteger ? 'integer' : kind[1], flat, { values, ...(allowNul && { allowNul }) })
}

const fits = (type: string, own: string): boolean => type === own || (own === 'number' && type === 'integer')

// --- texts -----------------------------------------------------------------------------

// Texts that kinds of their own have: they are recognised by the pattern that documents show for them.
const KINDS: ReadonlyMap<unknown, PlainKind> = new Map(
  Object.entries({ bigint: t.bigint(), decimal: t.decimal(), time: t.time(), dateTime: t.dateTime() }).map(
    ([kind, one]) => [one.core.jsonSchema(new Schemas('input'))['pattern'], kind as PlainKind],
  ),
)

/** An attribute of a text. */
export function textNode(flat: Flat, unsaid: UnsaidList): Node {
  const known = KINDS.get(flat.keywords.get('pattern')?.value)
  if (known !== undefined) {
    for (const name of ['pattern', 'format']) flat.keywords.delete(name)
    return plain(known, flat)
  }
  if (isBinary(flat)) return fileNode(flat)
  const format = flat.keywords.get('format')?.value
  if (format === 'date' || format === 'date-time') {
    flat.keywords.delete('format')
    return plain(format === 'date' ? 'date' : 'dateTime', flat)
  }
  const [min, max] = [takeNumber(flat, 'minLength'), takeNumber(flat, 'maxLength')]
  return plain('string', flat, {
    ...(min !== undefined && min > 0 && { min }),
    ...(max !== undefined && { max }),
    ...formatOption(flat),
    ...patternOption(flat, max, unsaid),
  })
}

function formatOption(flat: Flat): Options {
  const format = flat.keywords.get('format')?.value
  if (format === 'password') take(flat, 'format')
  if (format === 'password') return { secret: true }
  if (typeof format !== 'string' || !Object.hasOwn(formats, format)) return {}
  take(flat, 'format')
  return { format }
}

function patternOption(flat: Flat, max: number | undefined, unsaid: UnsaidList): Options {
  const said = take(flat, 'pattern')
  if (said === undefined || typeof said.value !== 'string') return {}
  const made = wholePattern(said.value)
  if (typeof made === 'string') {
    unsaid.add(said, `a pattern that edict does not match in linear time (${made})`, 'any text is accepted')
    return {}
  }
  if (made.long && max === undefined)
    unsaid.add(said, 'a pattern without `maxLength`', 'texts have at most 1,000 characters; `max` sets another limit')
  return { pattern: made.pattern }
}

function isBinary({ keywords }: Flat): boolean {
  const [format, encoding, type] = ['format', 'contentEncoding', 'contentMediaType'].map(
    (name) => keywords.get(name)?.value,
  )
  if (format === 'binary' || encoding === 'binary') return true
  return typeof type === 'string' && encoding === undefined && !/[/+]json$/.test(type)
}

function fileNode(flat: Flat): Node {
  const type = take(flat, 'contentMediaType')?.value
  for (const name of ['format', 'contentEncoding']) flat.keywords.delete(name)
  const named = typeof type === 'string' && type !== 'application/octet-stream'
  return plain('file', flat, named ? { types: [type] } : {})
}

// --- numbers ---------------------------------------------------------------------------

const INT32 = { min: -(2 ** 31), max: 2 ** 31 - 1 }
const SAFE = Number.MAX_SAFE_INTEGER

/** An attribute of a number. */
export function numberNode(flat: Flat, isInteger: boolean, unsaid: UnsaidList): Node {
  if (isInteger || flat.keywords.get('multipleOf')?.value === 1) return integerNode(flat, unsaid)
  const format = flat.keywords.get('format')?.value
  // A number is a double.
  if (format === 'double') take(flat, 'format')
  const min = takeNumber(flat, 'minimum')
  const max = takeNumber(flat, 'maximum')
  return plain('number', flat, {
    ...(min !== undefined && { min }),
    ...(max !== undefined && { max }),
    ...excluded(flat, min, max, unsaid),
  })
}

// A double has no next number that a reader would recognise.
function excluded(flat: Flat, min: number | undefined, max: number | undefined, unsaid: UnsaidList): Options {
  const [above, below] = [take(flat, 'exclusiveMinimum'), take(flat, 'exclusiveMaximum')]
  for (const one of [above, below])
    if (one !== undefined) unsaid.add(one, 'a limit that is itself excluded', 'the limit is accepted too')
  const least = above?.value as number | undefined
  const most = below?.value as number | undefined
  return {
    ...(least !== undefined && { min: Math.max(least, min ?? least) }),
    ...(most !== undefined && { max: Math.min(most, max ?? most) }),
  }
}

function integerNode(flat: Flat, unsaid: UnsaidList): Node {
  if (flat.keywords.get('multipleOf')?.value === 1) take(flat, 'multipleOf')
  const format = flat.keywords.get('format')
  const own = format?.value === 'int32' ? INT32 : { min: -SAFE, max: SAFE }
  if (format?.value === 'int64')
    unsaid.add(format, '`int64` beyond 2⁵³ − 1', 'integers are exact between ±(2⁵³ − 1); larger ones are rejected')
  if (format?.value === 'int32' || format?.value === 'int64') take(flat, 'format')
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
  return plain('integer', flat, { ...(min > -SAFE && { min }), ...(max < SAFE && { max }) })
}

/** The default and the example that a schema gives, as they stand in the document. */
export function valueOptions(flat: Flat): Options {
  const initial = take(flat, 'default')
  const examples = take(flat, 'examples')?.value
  const example = take(flat, 'example')?.value
  const [first] = Array.isArray(examples) ? (examples as readonly unknown[]) : []
  const shown = example === undefined ? first : example
  return {
    ...(initial !== undefined && { default: initial.value }),
    ...(shown !== undefined && { example: shown }),
  }
}
