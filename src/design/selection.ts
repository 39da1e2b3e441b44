// A selection of fields: which attributes of a media type a client wants, down to those of structures and related ones.
import type { Attribute, Attributes } from '../schema/attribute.ts'
import { isMediaType, isView, type MediaType, type View } from './media-type.ts'

/** Wanted fields by their names; undefined below a name stands for everything that the attribute shows by itself. */
export interface Selection {
  readonly fields: ReadonlyMap<string, Selection | undefined>
}

/** The kind of attribute that a param with a selection is of. */
export const SELECTION_KIND = 'fields'

/** What a param with a selection was declared with. */
export interface SelectionConfig {
  readonly mediaType: MediaType
}

/** A param whose value is a selection, and what it selects from. */
export interface SelectionParam extends SelectionConfig {
  readonly name: string
}

/** The param of an action whose value is a selection. */
export function selectionParam(params: Attributes): SelectionParam | undefined {
  for (const [name, one] of Object.entries(params)) {
    const { declared } = one as Attribute & { readonly declared?: SelectionConfig }
    if (one.kind === SELECTION_KIND && declared !== undefined) return { name, mediaType: declared.mediaType }
  }
  return undefined
}

/** Tells a selection from other values. */
export const isSelection = (value: unknown): value is Selection =>
  typeof value === 'object' && value !== null && 'fields' in value && value.fields instanceof Map

/** The media type or view that a body is of, or that the elements of its list are of. */
export function resourceOf(body: Attribute): MediaType | View | undefined {
  if (isMediaType(body) || isView(body)) return body
  const element = body.kind === 'collection' ? body.core.children['*'] : undefined
  return element === undefined ? undefined : resourceOf(element)
}
