// Answers: what controllers return for a shape, with more than is declared, and the JSON that must leave.

import { anything, clockOf, dayOf, goodText, momentOf, numberWithin, wholeWithin } from './declarations/scalars.ts'
import type { Fields, ListShape, MediaShape, NumberShape, Shape } from './declarations/shape.ts'
import type { Draw } from './draw.ts'
import { mediaFields } from './requests/inputs.ts'

/** A text that must never leave. */
export const SECRET = 'never-declared'

/** The value that a controller returns, and the body that a client must receive. */
export interface Output {
  readonly given: unknown
  readonly json: unknown
}

const same = (value: unknown): Output => ({ given: value, json: value })

/** Draws an answer of a shape. */
export function outputOf(shape: Shape, draw: Draw): Output {
  if (shape.nullable === true && draw.chance(0.15)) return same(null)
  switch (shape.kind) {
    case 'string':
      return same(goodText(shape, 'json', draw))
    case 'integer':
    case 'number':
    case 'bigint':
      return numberOutput(shape, draw)
    case 'boolean':
      return same(draw.chance(0.5))
    case 'date':
      return same(dayOf(draw))
    case 'time':
      return same(clockOf(draw))
    case 'dateTime': {
      const { text, moment } = momentOf(draw)
      return { given: draw.chance(0.3) ? text : moment, json: moment.toISOString() }
    }
    case 'collection':
    case 'hash':
      return listOutput(shape, draw)
    case 'struct':
      return fieldsOutput(shape.fields, draw)
    case 'media':
      return mediaOutput(shape, draw)
    case 'union': {
      const [name, fields] = draw.pick(Object.entries(shape.variants))
      const { given, json } = fieldsOutput(fields, draw)
      return { given: { [shape.tag]: name, ...(given as object) }, json: { [shape.tag]: name, ...(json as object) } }
    }
    case 'ref':
    case 'json':
      return outputOf({ ...shape.of, nullable: false } as Shape, draw)
    case 'tree':
      return treeOutput(draw, 2)
    default:
      return same(anything(draw, 2))
  }
}

function numberOutput(shape: NumberShape, draw: Draw): Output {
  if (shape.kind === 'number') {
    const value = numberWithin(shape, draw)
    return { given: value, json: value + 0 }
  }
  const whole = wholeWithin(shape, draw)
  const given = draw.chance(0.4) ? BigInt(whole) : whole
  return { given, json: shape.kind === 'bigint' ? String(whole) : whole }
}

function listOutput({ kind, of, min = 0, max }: ListShape, draw: Draw): Output {
  const length = draw.int(min, Math.min(max ?? min + 2, min + 2))
  const items = Array.from({ length }, () => outputOf(of, draw))
  if (kind === 'collection') return { given: items.map(({ given }) => given), json: items.map(({ json }) => json) }
  const named = (part: 'given' | 'json'): object => Object.fromEntries(items.map((one, i) => [`k ${i}`, one[part]]))
  return { given: named('given'), json: named('json') }
}

function fieldsOutput(fields: Fields, draw: Draw): Output {
  const given: Record<string, unknown> = { undeclared: SECRET, password: { hash: SECRET } }
  const json: Record<string, unknown> = {}
  for (const [name, shape] of Object.entries(fields)) {
    if (shape.required !== true && draw.chance(0.3)) {
      if (draw.chance(0.5)) given[name] = undefined
      continue
    }
    const one = outputOf(shape, draw)
    given[name] = one.given
    json[name] = one.json
  }
  return { given, json }
}

// A media type is given whole, and shown in part.
function mediaOutput(shape: MediaShape, draw: Draw): Output {
  const whole = fieldsOutput(shape.media.fields, draw)
  const names = shownNames(shape)
  const given = whole.given as Record<string, unknown>
  const json = Object.fromEntries(Object.entries(whole.json as object).filter(([name]) => names.includes(name)))
  return { given, json }
}

/** The names that a media type shows: those of a view, or all that are no media types themselves. */
function shownNames(shape: MediaShape): readonly string[] {
  const { media, view } = shape
  if (view !== undefined) return Object.keys(mediaFields(shape))
  return media.views['default'] ?? Object.keys(media.fields).filter((name) => !isRelated(media.fields[name] as Shape))
}

function isRelated(shape: Shape): boolean {
  if (shape.kind === 'media') return true
  return (
    (shape.kind === 'collection' || shape.kind === 'hash' || shape.kind === 'ref' || shape.kind === 'json') &&
    isRelated(shape.of)
  )
}

function treeOutput(draw: Draw, depth: number): Output {
  const label = draw.text(draw.int(0, 5), 'json')
  if (depth === 0 || draw.chance(0.5)) return { given: { label, undeclared: SECRET }, json: { label } }
  const children = [treeOutput(draw, depth - 1), treeOutput(draw, depth - 1)]
  return {
    given: { label, undeclared: SECRET, children: children.map(({ given }) => given) },
    json: { label, children: children.map(({ json }) => json) },
  }
}
