// Values as JSON carries them, written and read as declared. Types, and what has to be there, are checked; limits are the
// server's to judge, which promises them in its answers and tells of them in its refusals.
import type { Attribute } from '../schema/attribute.ts'
import { makeDefaultFactory } from '../schema/default.ts'

/** How values are taken through their declarations. */
export interface ConversionOptions {
  readonly direction: 'read' | 'write'
  /** Whether nothing of what is read has to be there: clients select. */
  readonly isPartial?: boolean
  /** Throws for a value that does not fit, with its place as a JSON Pointer. */
  fail(text: string, pointer: string): never
}

/** Reads what came as JSON, or writes a value as JSON carries it. Names that are not declared are left out. */
export function convertValue(attribute: Attribute, value: unknown, passage: ConversionOptions, at = ''): unknown {
  const { core } = attribute
  if (core.target !== undefined) return convertValue(core.target, value, passage, at)
  const { direction: way, isPartial: partial, fail } = passage
  const { shape } = core
  const failed = (text: string, pointer = ''): never => fail(text, at + pointer)
  const below = (one: Attribute, part: unknown, step: string | number): unknown => {
    const place = `${at}/${step}`
    if (part !== undefined && part !== null) return convertValue(one, part, passage, place)
    return way === 'write' || one.options.nullable === true ? null : fail('must not be null', place)
  }
  if (shape === 'list')
    return Array.isArray(value)
      ? value.map((one, i) => below(core.element as Attribute, one, i))
      : failed('must be a list')
  if (shape !== 'object' && shape !== 'record' && shape !== 'union') return core.convert(way, value, failed)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return failed('must be an object')
  if (shape === 'record')
    return Object.fromEntries(
      Object.entries(value).map(([name, one]) => [name, below(core.element as Attribute, one, name)]),
    )
  if (shape === 'union') {
    const variant = core.variant(value)
    if (variant !== undefined) return convertValue(variant, value, passage, at)
    return failed(`must be of one of the variants ${Object.keys(core.children).join(', ')}`)
  }
  const entries = Object.entries(core.children).flatMap(([name, one]) => {
    const part: unknown = Object.hasOwn(value, name) ? value[name as never] : undefined
    if (part !== undefined) return [[name, below(one, part, name)]]
    // Attributes that a view or a selection leaves out are neither missing nor filled in.
    if (way === 'write' || partial === true || !Object.hasOwn(core.shown, name)) return []
    const initial = makeDefaultFactory(one)
    if (initial !== undefined) return [[name, initial()]]
    return one.options.required === true ? failed('is required', `/${name}`) : []
  })
  return Object.fromEntries(entries)
}

/**
 * Reads what JSON carries as an attribute declares it: texts become dates, defaults are filled in, unknown names are left out.
 * Throws a TypeError with the place of a value that does not fit; limits are not checked.
 */
export const readValue = <A extends Attribute>(attribute: A, json: unknown): A['~type'] => convertOrThrow(attribute, json, 'read')

/** Writes a value as JSON carries it, for JSON.stringify; throws a TypeError with the place of one that does not fit. */
export const writeValue = <A extends Attribute>(attribute: A, value: A['~type']): unknown =>
  convertOrThrow(attribute, value, 'write')

function convertOrThrow(attribute: Attribute, value: unknown, way: ConversionOptions['direction']): unknown {
  const fail: ConversionOptions['fail'] = (text, pointer) => {
    throw new TypeError(`${pointer === '' ? 'The value' : pointer} ${text}`)
  }
  if (value !== null && value !== undefined) return convertValue(attribute, value, { direction: way, fail })
  return value === null && attribute.options.nullable === true ? null : fail('must not be null', '')
}
