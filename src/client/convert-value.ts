// Converts values to and from JSON by their declarations. Types and required members are checked; limits are left to the
// server, which guarantees them in responses and validates them in requests.
import { isView, type MediaTypeConfig } from '../design/declare/media-type.ts'
import type { Attribute } from '../schema/attribute.ts'
import { makeDefaultFactory } from '../schema/default.ts'

/** The options of a conversion. */
export interface ConversionOptions {
  readonly direction: 'read' | 'write'
  /** Whether required members may be missing because the client selects fields. */
  readonly isPartial?: boolean
  /** Returns the factory of an attribute's default, for values that are read. */
  readonly fill?: ((attribute: Attribute) => (() => unknown) | undefined) | undefined
  /** Throws for an invalid value, with its JSON Pointer. */
  fail(text: string, pointer: string): never
}

/** Parses a value from JSON, or encodes one as JSON. Undeclared names are omitted. */
export function convertValue(
  attribute: Attribute,
  value: unknown,
  options: ConversionOptions,
  basePointer = '',
): unknown {
  const { core } = attribute
  if (core.target !== undefined) return convertValue(core.target, value, options, basePointer)
  const { direction, isPartial, fill, fail } = options
  const { shape } = core
  const failed = (text: string, pointer = ''): never => fail(text, basePointer + pointer)
  const convertChild = (one: Attribute, part: unknown, step: string | number): unknown => {
    const childPointer = `${basePointer}/${step}`
    if (part !== undefined && part !== null) return convertValue(one, part, options, childPointer)
    return direction === 'write' || one.options.nullable === true ? null : fail('must not be null', childPointer)
  }
  if (shape === 'list')
    return Array.isArray(value)
      ? value.map((one, i) => convertChild(core.element as Attribute, one, i))
      : failed('must be a list')
  if (shape !== 'object' && shape !== 'record' && shape !== 'union') return core.convert(direction, value, failed)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return failed('must be an object')
  if (shape === 'record')
    return Object.fromEntries(
      Object.entries(value).map(([name, one]) => [name, convertChild(core.element as Attribute, one, name)]),
    )
  if (shape === 'union') {
    const variant = core.variant(value)
    if (variant !== undefined) return convertValue(variant, value, options, basePointer)
    return failed(`must be of one of the variants ${Object.keys(core.children).join(', ')}`)
  }
  // A view hides attributes that can be selected.
  const shown = isPartial && core.related ? (core.config as MediaTypeConfig).origin?.() : undefined
  const { children } = shown !== undefined && isView(shown) ? shown.of.core : core
  const entries = Object.entries(children).flatMap(([name, one]) => {
    const part: unknown = Object.hasOwn(value, name) ? value[name as never] : undefined
    if (part !== undefined) return [[name, convertChild(one, part, name)]]
    // Attributes that a view or a selection omits are not required and get no default.
    if (direction === 'write' || isPartial === true || !Object.hasOwn(core.shown, name)) return []
    const initial = fill?.(one)
    if (initial !== undefined) return [[name, initial()]]
    return one.options.required === true ? failed('is required', `/${name}`) : []
  })
  return Object.fromEntries(entries)
}

/**
 * Parses JSON as an attribute declares it: strings become dates, defaults are filled in, unknown names are omitted.
 * Throws a TypeError with the JSON Pointer of an invalid value. Limits are not checked.
 */
export const readValue = <A extends Attribute>(attribute: A, json: unknown): A['~type'] =>
  convertOrThrow(attribute, json, 'read')

/** Encodes a value for JSON.stringify. Throws a TypeError with the JSON Pointer of an invalid value. */
export const writeValue = <A extends Attribute>(attribute: A, value: A['~type']): unknown =>
  convertOrThrow(attribute, value, 'write')

function convertOrThrow(attribute: Attribute, value: unknown, direction: ConversionOptions['direction']): unknown {
  const fail: ConversionOptions['fail'] = (text, pointer) => {
    throw new TypeError(`${pointer === '' ? 'The value' : pointer} ${text}`)
  }
  if (value !== null && value !== undefined)
    return convertValue(attribute, value, { direction, fill: makeDefaultFactory, fail })
  return value === null && attribute.options.nullable === true ? null : fail('must not be null', '')
}
