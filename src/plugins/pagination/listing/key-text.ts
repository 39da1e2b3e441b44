// Keys of elements as requests and bodies carry them, whatever their values are in a program.
import type { Attribute, MediaType } from '../../../index.ts'
import { fieldAt, fieldValue } from '../../lists/extend.ts'

/** Writes a field of an element as a text, in the form that its attribute has in JSON. */
export function fieldText(mediaType: MediaType, field: string, element: unknown): string {
  const value = fieldValue(element, field)
  let attribute = fieldAt(mediaType, field) as Attribute
  while (attribute.core.target !== undefined) attribute = attribute.core.target
  const { core } = attribute
  // The response's own check judges a value that does not fit.
  return String(core.write(value, () => value as never))
}
