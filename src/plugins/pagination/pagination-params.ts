// The parameter `pagination`: comma-separated `key=value` pairs, with percent-encoded values.
import { isMediaType, makeMisdeclaredAttribute } from '../../extend.ts'
import type { Attribute, Attributes, MediaType, Options } from '../../index.ts'
import { createListParam, type EndpointMark, type FieldName, type ListKind, type ParamFor } from '../mapper/extend.ts'
import type { Pagination, PaginationConfig, PaginationParamsSettings } from './pagination-config.ts'
import { paginationRules } from './pagination-rules.ts'
import { formatPagination, type PaginationText } from './pagination-text.ts'

/** Declares a `pagination` parameter. */
export const PaginationParams: {
  /** Returns the param for the pagination of a list of a media type. */
  for<A extends Attributes = never>(
    mediaType: MediaType<A> | EndpointMark,
    settings?: PaginationParamsSettings<FieldName<A>>,
    options?: Pick<Options<Pagination>, 'description'>,
  ): ParamFor<A, Attribute<Pagination, 'default'>>
} = Object.freeze({
  for(mediaType: MediaType, settings?: PaginationParamsSettings, options?: object) {
    if (!isMediaType(mediaType)) return makeMisdeclaredAttribute(mediaType, 'a media type')
    return createListParam<PaginationConfig>(paginationKind, { mediaType }, settings, options)
  },
}) as never

/** The kind of a `pagination` param. */
export const paginationKind: ListKind<PaginationConfig> = {
  name: 'pagination',
  needs: 'pagination',
  write: (value) => formatPagination(value as PaginationText),
  ...paginationRules,
}
