// The declaration of an `order` parameter, and the text of an order.
import type { MediaType } from '../../index.ts'
import type { ListParamConfig, OrderTerm } from '../mapper/extend.ts'

/** The settings of an `order` parameter. */
export interface OrderingSettings<F extends string = string> {
  /**
   * The fields that may come first in an order; with `enforceFor: 'all'`, all of its fields. Links contain the values of these fields.
   * @default all orderable fields of the default view
   */
  readonly byFields?: readonly F[]
  /**
   * Whether only the `'first'` field or `'all'` of them must be in `byFields`.
   * @default the setting of the plugin
   */
  readonly enforceFor?: 'first' | 'all'
  /**
   * The order if the request names none, neither here nor with `by`; `-` before a field is descending.
   * @default that of the key
   */
  readonly default?: readonly (F | `-${F}`)[]
}

/** The declaration of an `order` parameter. */
export interface OrderingConfig extends OrderingSettings, ListParamConfig {
  readonly mediaType: MediaType
  /** The syntax of orders, if it is not edict's own. */
  readonly syntax?: OrderSyntax | undefined
}

/** A syntax of orders: reads and writes one of the comma-separated fields. */
export interface OrderSyntax {
  /** Reads one field of an order; undefined for invalid text. */
  readonly read: (part: string) => OrderTerm | undefined
  readonly write: (term: OrderTerm) => string
  /** Converts an order in another form than a text. */
  readonly toText?: (value: unknown) => string
  /** A regular expression that matches orders. */
  readonly pattern: string
  /** The description in documents, and the form that the message of a refused order names. */
  readonly text: string
  readonly form: string
}

/** Writes one field of an order. */
export const formatTerm = ({ field, descending }: OrderTerm): string => (descending ? `-${field}` : field)

/** Writes an order as request text. */
export const writeOrder = (terms: readonly OrderTerm[]): string => terms.map(formatTerm).join(',')
