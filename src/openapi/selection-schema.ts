// Schemas of selections: with a param `fields`, an answer may show any of the attributes and has to show none.
import { isMediaType, isView } from '../design/declare/media-type.ts'
import { mediaTypeOf } from '../design/fields/selection.ts'
import type { Attribute } from '../schema/attribute.ts'
import { describe, type JsonSchema } from '../schema/json-schema.ts'
import type { Bounds } from '../schema/scalars/checks.ts'
import type { Book } from './book.ts'

/** The schema of whatever can be selected of an attribute. */
export function selectionSchema(attribute: Attribute, book: Book): JsonSchema {
  const { core, options } = attribute
  if (core.target !== undefined) return describe(targetSchema(core.target, book), options)
  if (!isOpen(attribute)) return core.jsonSchema(book.output)
  const name = isMediaType(attribute) || isView(attribute) ? mediaTypeOf(attribute).name : undefined
  if (name === undefined) return describe(ownSchema(attribute, book), options)
  const made = book.selected.refer(name, attribute, () => ownSchema(attribute, book))
  return describe(made, options)
}

const OPEN: ReadonlySet<string> = new Set(['struct', 'media', 'collection', 'hash'])

// What nothing can be selected below is shown as it always is.
const isOpen = ({ kind }: Attribute): boolean => OPEN.has(kind)

// Only references allow recursion, so that what they stand for needs a name.
function targetSchema(target: Attribute, book: Book): JsonSchema {
  if (isMediaType(target) || isView(target) || !isOpen(target)) return selectionSchema(target, book)
  return book.selected.refer('Selected', target, () => ownSchema(target, book))
}

function ownSchema(attribute: Attribute, book: Book): JsonSchema {
  const { kind, core, options } = attribute
  const element = core.children['*']
  if ((kind === 'collection' || kind === 'hash') && element !== undefined)
    return listSchema(kind, selectionSchema(element, book), options as Bounds)
  const properties = Object.entries(core.selectable).map(([name, one]) => [name, selectionSchema(one, book)] as const)
  return { type: 'object', properties: Object.fromEntries(properties) }
}

function listSchema(kind: 'collection' | 'hash', element: JsonSchema, { min, max }: Bounds): JsonSchema {
  const [least, most] = kind === 'hash' ? ['minProperties', 'maxProperties'] : ['minItems', 'maxItems']
  return {
    ...(kind === 'hash' ? { type: 'object', additionalProperties: element } : { type: 'array', items: element }),
    ...(min !== undefined && { [least as string]: min }),
    ...(max !== undefined && { [most as string]: max }),
  }
}
