// Encodes the values of a request as JSON.
import type { Attribute } from '../schema/attribute.ts'
import { isNullish } from '../schema/structures/pairs.ts'
import { CallError } from './call-errors.ts'
import { convertValue } from './convert-value.ts'

/** Encodes a value as JSON; strings are passed through. */
export function encodeValue(attribute: Attribute | undefined, value: unknown, name: string): unknown {
  if (attribute === undefined || typeof value === 'string' || isNullish(value)) return value
  const fail = (text: string, pointer: string): never => {
    throw new CallError(`'${name}${pointer}' ${text}`)
  }
  return convertValue(attribute, value, { direction: 'write', fail })
}
