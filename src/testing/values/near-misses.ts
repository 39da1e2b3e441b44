// Near misses of any attribute: values that break exactly one of its rules, each with the rule and the place.

import { plainForm } from '../../mock/values.ts'
import type { Attribute, Attributes } from '../../schema/attribute.ts'
import { escapePointer, INVALID } from '../../schema/issue.ts'
import { Loading } from '../../schema/loading.ts'
import { holds, mustBeSent, type Requirement } from '../../schema/requires.ts'
import { someBelow } from '../../schema/structures/children.ts'
import { Draw } from './draw.ts'
import { ExampleFile } from './example-file.ts'
import { type ExampleOptions, exampleOf } from './examples.ts'
import { type Miss, scalarMisses } from './scalar-misses.ts'

/** A value that breaks one rule of an attribute. */
export interface NearMiss {
  /** The code of the rule that it breaks, as refusals name it: `'missing'`, `'max-length'`. */
  readonly rule: string
  /** Where in the value it breaks the rule, as a JSON Pointer. */
  readonly pointer: string
  /** The value as JSON carries it. */
  readonly value: unknown
}

/** Makes values of which each breaks one rule of an attribute; everything else about them is right. */
export function nearMisses(attribute: Attribute, options: Pick<ExampleOptions, 'seed'> = {}): NearMiss[] {
  return missesOf(attribute, Draw.of(options.seed ?? 1, 'near misses'), false)
}

/** Near misses of an attribute whose source is JSON, or knows only text. */
export function missesOf(attribute: Attribute, draw: Draw, text: boolean): NearMiss[] {
  const base = plainBase(attribute, draw)
  if (base === undefined) return []
  const { core, options } = attribute
  const own = isMissed(core.loader, base, text) ? [] : [...below(attribute, base, draw, 0)]
  const none = options.nullable === true || text ? [] : [{ rule: 'null', pointer: '', value: null }]
  // Where a user-defined kind allows more than others of its form do, there is no rule to break.
  return [...none, ...own.filter(({ value }) => isMissed(core.loader, value, text))]
}

function isMissed(load: Attribute['core']['loader'], value: unknown, text: boolean): boolean {
  if (value === null) return true
  const loading = new Loading(text)
  return load(value, loading) === INVALID || loading.issues !== null
}

// Everything that can be there is there, so that all rules below have a place.
function plainBase(attribute: Attribute, draw: Draw): unknown {
  const value = exampleOf(attribute, draw, { wide: true })
  if (value === undefined || value === null) return undefined
  return holdsFiles(attribute) ? value : plainForm(attribute, value)
}

const holdsFiles = (attribute: Attribute): boolean => someBelow(attribute, ({ core }) => core.shape === 'file')

/** How deep near misses of recursive types go. */
const MAX_DEPTH = 3

function* below(attribute: Attribute, base: unknown, draw: Draw, depth: number): Generator<NearMiss> {
  if (depth > MAX_DEPTH) return
  const { core, options } = attribute
  switch (core.shape) {
    case 'object':
      yield* structureMisses(attribute, base as Plain, draw, depth)
      break
    case 'list':
      yield* listMisses(attribute, base as readonly unknown[], draw, depth)
      break
    case 'record':
      yield* recordMisses(attribute, base as Plain, draw, depth)
      break
    case 'union':
      yield* unionMisses(attribute, base as Plain, draw, depth)
      break
    case 'file':
      yield* fileMisses(options as { max?: number; types?: readonly string[] })
      break
    case 'open':
      // A foreign schema has rules of its own, which nothing here can know.
      if (!core.defers) yield at('/constructor', 'key', JSON.parse('{"constructor":1}'))
      break
    default:
      if (core.target !== undefined) yield* below(core.target, base, draw, depth)
      else yield* scalarMisses(attribute, base).map(miss)
  }
}

type Plain = Readonly<Record<string, unknown>>

const miss = ([rule, value]: Miss): NearMiss => ({ rule, pointer: '', value })

const at = (pointer: string, rule: string, value: unknown): NearMiss => ({ rule, pointer, value })

/** One part of a value, and how the whole is made with another one in its place. */
interface Part {
  readonly one: Attribute
  readonly step: string | number
  readonly base: unknown
  put(value: unknown): unknown
}

/** Near misses of one part of a value, put in its place. */
function* within({ one, step, base, put }: Part, draw: Draw, depth: number): Generator<NearMiss> {
  if (base === undefined || base === null) return
  const pointer = `/${escapePointer(step)}`
  if (one.options.nullable !== true) yield at(pointer, 'null', put(null))
  for (const found of below(one, base, draw, depth + 1))
    yield { ...found, pointer: pointer + found.pointer, value: put(found.value) }
}

function* structureMisses(attribute: Attribute, base: Plain, draw: Draw, depth: number): Generator<NearMiss> {
  const { children } = attribute.core
  const { requires = [] } = attribute.options as { readonly requires?: readonly Requirement[] }
  for (const value of ['text', 42, []]) yield at('', 'type', value)
  for (const name of mustBeSent(children)) yield at(`/${escapePointer(name)}`, 'missing', without(base, name))
  const stray = strayName(children)
  yield at(`/${stray}`, 'unknown', { ...base, [stray]: 1 })
  for (const rule of requires) yield* brokenRule(rule, base, attribute, draw)
  for (const [name, one] of Object.entries(children))
    yield* within({ one, step: name, base: base[name], put: (value) => ({ ...base, [name]: value }) }, draw, depth)
}

const without = (base: Plain, ...names: readonly string[]): Plain =>
  Object.fromEntries(Object.entries(base).filter(([name]) => !names.includes(name)))

function strayName(children: Attributes): string {
  let name = 'undeclared'
  while (Object.hasOwn(children, name)) name += '_'
  return name
}

// The attributes of a rule are given all at once, not at all, or all but one: one of these ways is against it.
function* brokenRule(rule: Requirement, base: Plain, { core }: Attribute, draw: Draw): Generator<NearMiss> {
  const others = without(base, ...rule.names)
  const made = Object.fromEntries(
    rule.names.map((name) => {
      const one = core.children[name] as Attribute
      return [name, base[name] ?? plainBase(one, draw)]
    }),
  )
  for (const names of [rule.names, [], rule.names.slice(1)]) {
    if (holds(rule, (name) => names.includes(name))) continue
    const given = Object.fromEntries(names.map((name) => [name, made[name]]))
    yield at('', 'constraint', { ...others, ...given })
    return
  }
}

interface Sizes {
  readonly min?: number
  readonly max?: number
}

/** Lists that are longer than this say nothing more. */
const MAX_ITEMS = 1000

function* listMisses(attribute: Attribute, base: readonly unknown[], draw: Draw, depth: number): Generator<NearMiss> {
  const { min = 0, max } = attribute.options as Sizes
  for (const value of ['text', 42, {}]) yield at('', 'type', value)
  const [first] = base
  if (min > 0) yield at('', 'min-items', base.slice(0, min - 1))
  if (max !== undefined && max < MAX_ITEMS && first !== undefined)
    yield at(
      '',
      'max-items',
      Array.from({ length: max + 1 }, () => first),
    )
  const one = attribute.core.element as Attribute
  yield* within({ one, step: 0, base: first, put: (value) => [value, ...base.slice(1)] }, draw, depth)
}

function* recordMisses(attribute: Attribute, base: Plain, draw: Draw, depth: number): Generator<NearMiss> {
  const { min = 0, max } = attribute.options as Sizes
  for (const value of ['text', 42, []]) yield at('', 'type', value)
  const [first] = Object.entries(base)
  if (first === undefined) return
  const [name, value] = first
  const sized = (size: number): Plain => Object.fromEntries(Array.from({ length: size }, (_, i) => [`key${i}`, value]))
  if (min > 0) yield at('', 'min-items', sized(min - 1))
  if (max !== undefined && max < MAX_ITEMS) yield at('', 'max-items', sized(max + 1))
  if (max === undefined || max > Object.keys(base).length)
    yield at('/constructor', 'key', { ...base, constructor: value })
  const one = attribute.core.element as Attribute
  yield* within({ one, step: name, base: value, put: (other) => ({ ...base, [name]: other }) }, draw, depth)
}

function* unionMisses({ core }: Attribute, base: Plain, draw: Draw, depth: number): Generator<NearMiss> {
  for (const value of ['text', 42, []]) yield at('', 'type', value)
  const chosen = Object.entries(core.children).find(([, one]) => isVariant(one, base))
  if (chosen === undefined) return
  const [name, variant] = chosen
  const tag = Object.keys(variant.core.children).find((key) => base[key] === name) as string
  const pointer = `/${escapePointer(tag)}`
  yield at(pointer, 'discriminator', { ...base, [tag]: `${name}-other` })
  yield at(pointer, 'discriminator', without(base, tag))
  for (const found of structureMisses(variant, base, draw, depth))
    if (found.pointer !== pointer && !(found.pointer === '' && found.rule === 'type')) yield found
}

const isVariant = ({ core }: Attribute, base: Plain): boolean => {
  const loading = new Loading(false)
  return core.loader(base, loading) !== INVALID && loading.issues === null
}

function* fileMisses({ max, types }: { max?: number; types?: readonly string[] }): Generator<NearMiss> {
  yield at('', 'type', 'text')
  const [type = 'application/octet-stream'] = types ?? []
  if (types !== undefined && !types.includes('*/*')) yield at('', 'file-type', new ExampleFile('example/other'))
  if (max !== undefined && max < 1 << 20)
    yield at('', 'max', new ExampleFile(type.replace('*/*', 'a/b').replace('/*', '/example'), max + 1))
}
