// The parameter `order`: fields with a direction each; later fields break ties.
import { isMediaType, makeMisdeclaredAttribute } from '../../extend.ts'
import type { Attribute, Attributes, MediaType, Options } from '../../index.ts'
import {
  createListParam,
  type EndpointMark,
  type FieldName,
  type ListKind,
  type OrderTerm,
  type ParamFor,
} from '../mapper/extend.ts'
import { formatTerm, type OrderingConfig, type OrderingSettings } from './ordering-config.ts'
import { orderingRules } from './ordering-rules.ts'

/** Declares an `order` parameter. */
export const OrderingParams: {
  /** Returns the param for the order of a list of a media type. */
  for<A extends Attributes = never>(
    mediaType: MediaType<A> | EndpointMark,
    settings?: OrderingSettings<FieldName<A>>,
    options?: Pick<Options<readonly OrderTerm[]>, 'description'>,
  ): ParamFor<A, Attribute<readonly OrderTerm[], false>>
} = Object.freeze({
  for(mediaType: MediaType, settings?: OrderingSettings, options?: object) {
    if (!isMediaType(mediaType)) return makeMisdeclaredAttribute(mediaType, 'a media type')
    return createListParam<OrderingConfig>(orderingKind, { mediaType }, settings, options)
  },
}) as never

/** The kind of an `order` param. */
export const orderingKind: ListKind<OrderingConfig> = {
  name: 'ordering',
  needs: 'pagination',
  write: (value, { config }) => {
    const { syntax } = config as OrderingConfig
    return (value as readonly OrderTerm[]).map(syntax?.write ?? formatTerm).join(',')
  },
  ...orderingRules,
}

/** Creates an order param under any name. */
export const createOrderParam = (config: OrderingConfig): Attribute =>
  createListParam<OrderingConfig>(orderingKind, config, undefined, undefined)
