// The parameter `fields`: selects the attributes of a media type that the response includes, nested ones included.
import { type MistakenType, makeMisdeclaredAttribute, parseSelection, type Selection } from '../../../extend.ts'
import type { Attribute, MediaType, Options, View } from '../../../index.ts'
import {
  createListParam,
  type EndpointMark,
  isMediaTypeOrView,
  type ListKind,
  type NotMediaType,
} from './list-param.ts'
import { writeSelection } from './selection-text.ts'
import { type SelectorConfig, selectorRules } from './selector-rules.ts'

/** Declares a `fields` parameter. */
export const FieldSelector: {
  /** Returns the param that selects fields of a view, or of a media type within its default view; responses include exactly these. */
  for<D extends MediaType | View | EndpointMark>(
    from: D,
    options?: Pick<Options<Selection>, 'description'>,
  ): D extends EndpointMark ? MistakenType<NotMediaType> : Attribute<Selection, false>
} = Object.freeze({
  for(from: MediaType | View, options?: object) {
    return isMediaTypeOrView(from)
      ? createListParam(selectorKind, { from }, undefined, options)
      : makeMisdeclaredAttribute(from, 'a media type, or a view of one')
  },
}) as never

/** The kind of a `fields` param. */
export const selectorKind: ListKind<SelectorConfig> = {
  name: 'fields',
  needs: 'mapper',
  selectsFrom: ({ from }) => from,
  // Callers may pass fields as a list of paths.
  write: (value) => writeSelection(Array.isArray(value) ? parseSelection(value) : (value as Selection)),
  ...selectorRules,
}
