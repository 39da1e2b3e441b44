// Draws near misses of any attribute: values that break exactly one rule, each with the rule and the location.

import { attributeRules } from '../../design/attribute-rules.ts'
import { toJsonValue } from '../../mock/example-values.ts'
import type { Attribute, Attributes } from '../../schema/attribute.ts'
import { hasAttributeWhere } from '../../schema/children.ts'
import { escapePointer, INVALID } from '../../schema/issue.ts'
import { Loading } from '../../schema/loading.ts'
import { findMandatoryNames, isRequirementMet, type Requirement } from '../../schema/requirements.ts'
import { Draw } from './draw.ts'
import { ExampleFile } from './example-file.ts'
import { drawExample, type ExampleOptions } from './examples.ts'
import { breakScalar } from './scalar-near-misses.ts'

/** A value that breaks one rule of an attribute. */
export interface NearMiss {
  /** The code of the broken rule, as in error responses: `'missing'`, `'max-length'`. */
  readonly rule: string
  /** The JSON Pointer to the invalid part of the value. */
  readonly pointer: string
  /** The value as JSON. */
  readonly value: unknown
}

/** Returns values that each break one rule of an attribute and satisfy all others. */
export function nearMisses(attribute: Attribute, options: Pick<ExampleOptions, 'seed'> = {}): NearMiss[] {
  return drawNearMisses(attribute, Draw.forPurpose(options.seed ?? 1, 'near misses'))
}

/** Draws near misses of an attribute, as JSON. */
export function drawNearMisses(attribute: Attribute, draw: Draw): NearMiss[] {
  const base = drawJsonExample(attribute, draw)
  if (base === undefined) return []
  const { options } = attribute
  const own = isRefused(attribute, base) ? [] : [...breakValue(attribute, base, draw, 0)]
  const none = options.nullable === true ? [] : [{ rule: 'null', pointer: '', value: null }]
  // A user-defined kind may accept more than the built-in ones: drop the values that it does not refuse.
  return [...none, ...own.filter(({ value }) => isRefused(attribute, value))]
}

function isRefused(attribute: Attribute, value: unknown): boolean {
  if (value === null) return true
  const loading = new Loading('json')
  return attributeRules.getLoader(attribute)(value, loading) === INVALID || loading.issues !== null
}

// All optional parts are present, so that every nested rule can be broken.
function drawJsonExample(attribute: Attribute, draw: Draw): unknown {
  const value = drawExample(attribute, draw, { full: true })
  if (value === undefined || value === null) return undefined
  return hasFiles(attribute) ? value : toJsonValue(attribute, value)
}

const hasFiles = (attribute: Attribute): boolean => hasAttributeWhere(attribute, ({ core }) => core.shape === 'file')

/** The depth at which near misses of recursive types end. */
const MAX_DEPTH = 3

function* breakValue(attribute: Attribute, base: unknown, draw: Draw, depth: number): Generator<NearMiss> {
  if (depth > MAX_DEPTH) return
  const { core, options } = attribute
  switch (core.shape) {
    case 'object':
      yield* breakStructure(attribute, base as JsonObject, draw, depth)
      break
    case 'list':
      yield* breakList(attribute, base as readonly unknown[], draw, depth)
      break
    case 'record':
      yield* breakRecord(attribute, base as JsonObject, draw, depth)
      break
    case 'union':
      yield* breakUnion(attribute, base as JsonObject, draw, depth)
      break
    case 'file':
      yield* breakFile(options as { max?: number; types?: readonly string[] })
      break
    case 'open':
      // The rules of a foreign schema are unknown here.
      if (!attributeRules.isAsync({ core }))
        yield createNearMiss('/constructor', 'key', JSON.parse('{"constructor":1}'))
      break
    default:
      if (core.target !== undefined) yield* breakValue(core.target, base, draw, depth)
      else yield* breakScalar(attribute, base).map(([rule, value]) => ({ rule, pointer: '', value }))
  }
}

type JsonObject = Readonly<Record<string, unknown>>

const createNearMiss = (pointer: string, rule: string, value: unknown): NearMiss => ({ rule, pointer, value })

/** One part of a value, and a function that rebuilds the value with another part. */
interface ValuePart {
  readonly attribute: Attribute
  readonly step: string | number
  readonly base: unknown
  rebuild(value: unknown): unknown
}

/** Yields near misses of one part, within the complete value. */
function* breakPart({ attribute, step, base, rebuild }: ValuePart, draw: Draw, depth: number): Generator<NearMiss> {
  if (base === undefined || base === null) return
  const pointer = `/${escapePointer(step)}`
  if (attribute.options.nullable !== true) yield createNearMiss(pointer, 'null', rebuild(null))
  for (const found of breakValue(attribute, base, draw, depth + 1))
    yield { ...found, pointer: pointer + found.pointer, value: rebuild(found.value) }
}

function* breakStructure(attribute: Attribute, base: JsonObject, draw: Draw, depth: number): Generator<NearMiss> {
  const { children } = attribute.core
  const { requires = [] } = attribute.options as { readonly requires?: readonly Requirement[] }
  for (const value of ['text', 42, []]) yield createNearMiss('', 'type', value)
  for (const name of findMandatoryNames(children))
    yield createNearMiss(`/${escapePointer(name)}`, 'missing', omitNames(base, name))
  const stray = chooseUndeclaredName(children)
  yield createNearMiss(`/${stray}`, 'unknown', { ...base, [stray]: 1 })
  for (const rule of requires) yield* breakRule(rule, base, attribute, draw)
  for (const [name, one] of Object.entries(children))
    yield* breakPart(
      { attribute: one, step: name, base: base[name], rebuild: (value) => ({ ...base, [name]: value }) },
      draw,
      depth,
    )
}

const omitNames = (base: JsonObject, ...names: readonly string[]): JsonObject =>
  Object.fromEntries(Object.entries(base).filter(([name]) => !names.includes(name)))

function chooseUndeclaredName(children: Attributes): string {
  let name = 'undeclared'
  while (Object.hasOwn(children, name)) name += '_'
  return name
}

// Sends all attributes of a rule, none, or all but the first, whichever breaks the rule.
function* breakRule(rule: Requirement, base: JsonObject, { core }: Attribute, draw: Draw): Generator<NearMiss> {
  const others = omitNames(base, ...rule.names)
  const values = Object.fromEntries(
    rule.names.map((name) => {
      const one = core.children[name] as Attribute
      return [name, base[name] ?? drawJsonExample(one, draw)]
    }),
  )
  for (const names of [rule.names, [], rule.names.slice(1)]) {
    if (isRequirementMet(rule, (name) => names.includes(name))) continue
    const sent = Object.fromEntries(names.map((name) => [name, values[name]]))
    yield createNearMiss('', 'constraint', { ...others, ...sent })
    return
  }
}

interface SizeLimits {
  readonly min?: number
  readonly max?: number
}

/** Longer lists are not generated. */
const MAX_ITEMS = 1000

function* breakList(attribute: Attribute, base: readonly unknown[], draw: Draw, depth: number): Generator<NearMiss> {
  const { min = 0, max } = attribute.options as SizeLimits
  for (const value of ['text', 42, {}]) yield createNearMiss('', 'type', value)
  const [first] = base
  if (min > 0) yield createNearMiss('', 'min-items', base.slice(0, min - 1))
  if (max !== undefined && max < MAX_ITEMS && first !== undefined)
    yield createNearMiss(
      '',
      'max-items',
      Array.from({ length: max + 1 }, () => first),
    )
  const one = attribute.core.element as Attribute
  yield* breakPart({ attribute: one, step: 0, base: first, rebuild: (value) => [value, ...base.slice(1)] }, draw, depth)
}

function* breakRecord(attribute: Attribute, base: JsonObject, draw: Draw, depth: number): Generator<NearMiss> {
  const { min = 0, max } = attribute.options as SizeLimits
  for (const value of ['text', 42, []]) yield createNearMiss('', 'type', value)
  const [first] = Object.entries(base)
  if (first === undefined) return
  const [name, value] = first
  const createRecord = (size: number): JsonObject =>
    Object.fromEntries(Array.from({ length: size }, (_, i) => [`key${i}`, value]))
  if (min > 0) yield createNearMiss('', 'min-items', createRecord(min - 1))
  if (max !== undefined && max < MAX_ITEMS) yield createNearMiss('', 'max-items', createRecord(max + 1))
  if (max === undefined || max > Object.keys(base).length)
    yield createNearMiss('/constructor', 'key', { ...base, constructor: value })
  const one = attribute.core.element as Attribute
  yield* breakPart(
    { attribute: one, step: name, base: value, rebuild: (other) => ({ ...base, [name]: other }) },
    draw,
    depth,
  )
}

function* breakUnion({ core }: Attribute, base: JsonObject, draw: Draw, depth: number): Generator<NearMiss> {
  for (const value of ['text', 42, []]) yield createNearMiss('', 'type', value)
  const chosen = Object.entries(core.children).find(([, one]) => isVariant(one, base))
  if (chosen === undefined) return
  const [name, variant] = chosen
  const tag = Object.keys(variant.core.children).find((key) => base[key] === name) as string
  const pointer = `/${escapePointer(tag)}`
  yield createNearMiss(pointer, 'discriminator', { ...base, [tag]: `${name}-other` })
  yield createNearMiss(pointer, 'discriminator', omitNames(base, tag))
  for (const found of breakStructure(variant, base, draw, depth))
    if (found.pointer !== pointer && !(found.pointer === '' && found.rule === 'type')) yield found
}

const isVariant = ({ core }: Attribute, base: JsonObject): boolean => {
  const loading = new Loading('json')
  return attributeRules.getLoader({ core })(base, loading) !== INVALID && loading.issues === null
}

function* breakFile({ max, types }: { max?: number; types?: readonly string[] }): Generator<NearMiss> {
  yield createNearMiss('', 'type', 'text')
  const [type = 'application/octet-stream'] = types ?? []
  if (types !== undefined && !types.includes('*/*'))
    yield createNearMiss('', 'file-type', new ExampleFile('example/other'))
  if (max !== undefined && max < 1 << 20)
    yield createNearMiss('', 'max', new ExampleFile(type.replace('*/*', 'a/b').replace('/*', '/example'), max + 1))
}
