// Whole inputs: values of every shape, nested as declared, right ones and ones with a single flaw at a known place.

import { badScalar, type Flaw, goodScalar, isSentList, type SentList, type Valid } from '../declarations/scalars.ts'
import type { Fields, JsonShape, ListShape, MediaShape, Shape, StructShape, UnionShape } from '../declarations/shape.ts'
import { Draw, type Source } from '../draw.ts'
import { jsonText } from './encode.ts'

/** The attributes that a media type or one of its views takes. */
export function mediaFields({ media: { fields, views }, view }: MediaShape): Fields {
  if (view === undefined) return fields
  const names = views[view] ?? []
  return Object.fromEntries(names.map((name) => [name, fields[name] as Shape]))
}

/** Draws a value that a shape must accept, without null where the source has none. */
export function validInput(shape: Shape, source: Source, draw: Draw): Valid {
  if (shape.nullable === true && source === 'json' && draw.chance(0.15)) return { raw: null, loaded: null }
  switch (shape.kind) {
    case 'collection':
      return validList(shape, source, draw)
    case 'hash':
      return validHash(shape, source, draw)
    case 'struct':
      return validFields(shape.fields, source, draw)
    case 'media':
      return validFields(mediaFields(shape), source, draw)
    case 'union': {
      const [name, fields] = draw.pick(Object.entries(shape.variants))
      const { raw, loaded } = validFields(fields, source, draw, true)
      return { raw: { [shape.tag]: name, ...(raw as object) }, loaded: { [shape.tag]: name, ...(loaded as object) } }
    }
    case 'ref':
      return validInput({ ...shape.of, nullable: false } as Shape, source, draw)
    case 'json':
      return validJson(shape, source, draw)
    case 'tree':
      return validTree(source, draw, source === 'json' ? 2 : 1)
    default:
      return goodScalar(shape, source, draw)
  }
}

// The attribute itself says whether null is one of its values, or what it is a text of does.
const isNullable = ({ nullable, of }: JsonShape): boolean => nullable ?? of.nullable ?? false

function validJson(shape: JsonShape, source: Source, draw: Draw): Valid {
  if (source !== 'json' && isNullable(shape) && draw.chance(0.15)) return { raw: 'null', loaded: null }
  const { raw, loaded } = validInput({ ...shape.of, nullable: false } as Shape, 'json', draw)
  return { raw: source === 'json' ? raw : writtenJson(raw, source), loaded }
}

// Headers carry ASCII only.
function writtenJson(raw: unknown, source: Source): string {
  const text = jsonText(raw)
  const escaped = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
  return source === 'header' ? text.replace(/[\u007f-\uffff]/g, escaped) : text
}

function flawedJson(shape: JsonShape, source: Source, draw: Draw): Flaw | undefined {
  if (source !== 'json' && draw.chance(0.3)) {
    const { raw } = validJson({ ...shape, nullable: false }, source, draw)
    return { raw: `${raw}${draw.pick([']', ' x', ',', '}'])}`, pointer: '', codes: ['json'] }
  }
  const flaw = flawedInput({ ...shape.of, nullable: isNullable(shape) } as Shape, 'json', draw)
  return flaw === undefined || source === 'json' ? flaw : { ...flaw, raw: writtenJson(flaw.raw, source) }
}

/** Draws the values of some attributes; `tagged` when something else is sent beside them. */
export function validFields(fields: Fields, source: Source, draw: Draw, tagged = false): Valid {
  const raw: Record<string, unknown> = {}
  const loaded: Record<string, unknown> = {}
  const names = Object.keys(fields)
  // A structure that sends nothing is not there at all in a query.
  const forced = source === 'json' || tagged ? undefined : draw.pick(names)
  for (const name of names) {
    const shape = fields[name] as Shape
    const need = shape.required === true && shape.initial === undefined
    if (need || name === forced || draw.chance(0.6)) {
      const one = validInput(shape, source, draw)
      raw[name] = one.raw
      loaded[name] = one.loaded
    } else if (shape.initial !== undefined) loaded[name] = initialOf(shape)
  }
  return { raw, loaded }
}

function lengthOf({ min = 0, max }: ListShape, source: Source, draw: Draw): number {
  const least = source === 'json' ? min : Math.max(1, min)
  return draw.int(least, Math.max(least, Math.min(max ?? least + 2, least + 2)))
}

function validList(shape: ListShape, source: Source, draw: Draw): Valid {
  const items = Array.from({ length: lengthOf(shape, source, draw) }, () => validInput(shape.of, source, draw))
  const raw = items.map((one) => one.raw)
  return { raw: sentAs(shape, source, raw), loaded: items.map(({ loaded }) => loaded) }
}

const sentAs = ({ delimiter }: ListShape, source: Source, raw: readonly unknown[]): unknown =>
  delimiter === undefined || source !== 'query' ? raw : ({ '~list': raw, delimiter } satisfies SentList)

const KEYS = ['k', 'key two', 'ü', 'a.b', 'toString', 'x-1', '~/', 'length']

function validHash(shape: ListShape, source: Source, draw: Draw): Valid {
  const names = KEYS.slice(0, lengthOf(shape, source, draw)).map((name, i) => (draw.chance(0.5) ? name : `${name}${i}`))
  const entries = names.map((name) => [name, validInput(shape.of, source, draw)] as const)
  return {
    raw: Object.fromEntries(entries.map(([name, { raw }]) => [name, raw])),
    loaded: Object.fromEntries(entries.map(([name, { loaded }]) => [name, loaded])),
  }
}

function validTree(source: Source, draw: Draw, depth: number): Valid {
  const label = draw.text(draw.int(source === 'json' ? 0 : 1, 5), source)
  if (depth === 0 || draw.chance(0.4)) return { raw: { label }, loaded: { label } }
  const children = Array.from({ length: draw.int(source === 'json' ? 0 : 1, 2) }, () =>
    validTree(source, draw, depth - 1),
  )
  return {
    raw: { label, children: children.map(({ raw }) => raw) },
    loaded: { label, children: children.map(({ loaded }) => loaded) },
  }
}

/** Draws a value with one flaw; undefined when its shape takes everything that its source can carry. */
export function flawedInput(shape: Shape, source: Source, draw: Draw): Flaw | undefined {
  const json = source === 'json'
  if (json && shape.nullable !== true && draw.chance(0.15)) return { raw: null, pointer: '', codes: ['null'] }
  switch (shape.kind) {
    case 'collection':
      return flawedList(shape, source, draw)
    case 'hash':
      return flawedHash(shape, source, draw)
    case 'struct':
    case 'media':
      if (draw.chance(0.2)) return { raw: json ? draw.pick([7, 'x', [], true]) : 'x', pointer: '', codes: ['type'] }
      return flawedFields(shape.kind === 'struct' ? shape.fields : mediaFields(shape), source, draw)
    case 'union':
      return flawedUnion(shape, source, draw)
    case 'ref':
      return flawedInput({ ...shape.of, nullable: shape.nullable ?? false } as Shape, source, draw)
    case 'json':
      return flawedJson(shape, source, draw)
    case 'tree':
      return flawedTree(source, draw)
    default:
      if (source === 'query' && isSingle(shape) && draw.chance(0.15)) return repeated(shape, draw)
      return badScalar(shape, source, draw)
  }
}

const isSingle = ({ kind }: Shape): boolean => !['any', 'file', 'checked', 'checkedLater'].includes(kind)

function repeated(shape: Shape, draw: Draw): Flaw {
  const { raw } = validInput(shape, 'query', draw)
  return { raw: [raw, raw], pointer: '', codes: ['repeated', 'type'] }
}

const step = (name: string | number): string => `/${String(name).replaceAll('~', '~0').replaceAll('/', '~1')}`

/** Draws the values of some attributes with one flaw among them. */
export function flawedFields(fields: Fields, source: Source, draw: Draw): Flaw | undefined {
  const raw = validFields(fields, source, draw).raw as Record<string, unknown>
  const needed = Object.keys(fields).filter((name) => isNeeded(fields[name] as Shape))
  const others = Object.keys(raw)
  const choice = draw.unit()
  if (choice < 0.25 && needed.length > 0 && (source === 'json' || others.length > 1)) {
    const name = draw.pick(needed)
    const { [name]: _, ...rest } = raw
    return { raw: rest, pointer: step(name), codes: ['missing'] }
  }
  if (choice < 0.45) {
    const name = draw.pick(['undeclared', 'x~/y', 'valueOf', 'hasOwnProperty'])
    if (!Object.hasOwn(fields, name)) return { raw: { ...raw, [name]: 'x' }, pointer: step(name), codes: ['unknown'] }
  }
  const name = draw.pick(Object.keys(fields))
  const below = flawedInput(fields[name] as Shape, source, draw)
  return below && { ...below, raw: { ...raw, [name]: below.raw }, pointer: step(name) + below.pointer }
}

const isNeeded = ({ required, initial }: Shape): boolean => required === true && initial === undefined

function flawedList(shape: ListShape, source: Source, draw: Draw): Flaw | undefined {
  const { min = 0, max, of } = shape
  const many = (length: number): unknown =>
    sentAs(
      shape,
      source,
      Array.from({ length }, () => validInput(of, source, draw).raw),
    )
  const choice = draw.unit()
  if (choice < 0.2 && max !== undefined) return { raw: many(max + 1), pointer: '', codes: ['max-items'] }
  if (choice < 0.3 && min > (source === 'json' ? 0 : 1))
    return { raw: many(min - 1), pointer: '', codes: ['min-items'] }
  if (choice < 0.4) {
    if (source === 'json') return { raw: draw.pick([7, 'x', {}]), pointer: '', codes: ['type'] }
    if (source === 'query') return { raw: { odd: 'x' }, pointer: '', codes: ['type'] }
  }
  const { raw } = validList(shape, source, draw)
  const items = isSentList(raw) ? raw['~list'] : (raw as unknown[])
  const at = draw.int(0, items.length - 1)
  const below = items.length === 0 ? undefined : flawedInput(of, source, draw)
  return (
    below && {
      ...below,
      raw: sentAs(
        shape,
        source,
        items.map((one, i) => (i === at ? below.raw : one)),
      ),
      pointer: step(at) + below.pointer,
    }
  )
}

function flawedHash(shape: ListShape, source: Source, draw: Draw): Flaw | undefined {
  const { max, of } = shape
  const choice = draw.unit()
  if (choice < 0.15) return { raw: source === 'json' ? draw.pick([7, 'x', []]) : 'x', pointer: '', codes: ['type'] }
  const raw = validHash(shape, source, draw).raw as Record<string, unknown>
  if (choice < 0.3 && max !== undefined) {
    const more = Array.from({ length: max + 1 }, (_, i) => [`more${i}`, validInput(of, source, draw).raw])
    return { raw: Object.fromEntries(more), pointer: '', codes: ['max-items'] }
  }
  const name = draw.pick(['constructor', '__proto__', 'prototype'])
  if (choice < 0.5 && (max === undefined || Object.keys(raw).length < max)) {
    const bad = JSON.parse(`{"${name}":1}`)[name] === 1 ? name : 'constructor'
    const made = { ...raw }
    Object.defineProperty(made, bad, { value: validInput(of, source, draw).raw, enumerable: true })
    return { raw: made, pointer: step(bad), codes: ['key'] }
  }
  const names = Object.keys(raw)
  const below = names.length === 0 ? undefined : flawedInput(of, source, draw)
  const at = draw.pick(names)
  return below && { ...below, raw: { ...raw, [at]: below.raw }, pointer: step(at) + below.pointer }
}

function flawedUnion({ tag, variants }: UnionShape, source: Source, draw: Draw): Flaw | undefined {
  const [name, fields] = draw.pick(Object.entries(variants))
  if (draw.chance(0.3)) {
    const { raw } = validFields(fields, source, draw, true)
    const wrong = draw.chance(0.5) || Object.keys(raw as object).length === 0 ? { [tag]: 'toString' } : {}
    return { raw: { ...wrong, ...(raw as object) }, pointer: step(tag), codes: ['discriminator'] }
  }
  const below = flawedFields(fields, source, draw)
  return below && { ...below, raw: { [tag]: name, ...(below.raw as object) } }
}

function flawedTree(source: Source, draw: Draw): Flaw {
  if (draw.chance(0.3)) return { raw: { label: 'x', leaves: 'y' }, pointer: '/leaves', codes: ['unknown'] }
  if (draw.chance(0.4)) return { raw: { label: 'x'.repeat(21) }, pointer: '/label', codes: ['max-length'] }
  const children = [{ label: 'a' }, { label: 'b', children: [source === 'json' ? {} : { label: 'x'.repeat(30) }] }]
  return { raw: { label: 'x', children }, pointer: '/children/1/children/0/label', codes: ['missing', 'max-length'] }
}

/** A structure of these attributes. */
export const structOf = (fields: Fields): StructShape => ({ kind: 'struct', fields })

/** The value of a default, drawn from its seed. */
export const initialOf = (shape: Shape): unknown => {
  const { initial, ...rest } = shape
  return validInput({ ...rest, nullable: false } as Shape, 'json', new Draw(initial as number)).loaded
}
