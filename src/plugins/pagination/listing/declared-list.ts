// A list as an action declares it, with or without a convention.
import type { MediaType, View } from '../../../index.ts'
import type { FilterFieldSettings } from '../../mapper/extend.ts'
import type { OrderingConfig } from '../ordering-params.ts'
import type { PaginationConfig } from '../pagination-params.ts'
import type { ElementForm } from './envelope.ts'
import type { ParamLayout } from './param-layout.ts'
import type { BodyTemplate } from './templates.ts'

/** The params of a list, and their declarations. */
export interface DeclaredList {
  readonly layout: ParamLayout
  readonly config: PaginationConfig
  readonly order: OrderingConfig | undefined
  /** The convention; undefined for separate params, with an array and links as response. */
  readonly convention: ListConvention | undefined
}

/** The headers of responses with a list. */
export interface ListHeaders {
  /**
   * Whether the header `Link` has links to other pages.
   * @default `false`
   */
  readonly link?: boolean
  /** The name of the header with the total number of elements, which are then counted. */
  readonly total?: string
}

/** The settings of a convention, and of the declaration of a list in it, apart from the params. */
export interface ListConvention {
  /** The name of the convention. */
  readonly name: string
  /** The media type of the elements, or the view that is shown. */
  readonly of: MediaType | View
  readonly body: BodyTemplate
  readonly headers: ListHeaders
  /** Whether cursors are the keys of elements. */
  readonly byKey: boolean
  /** Whether the elements are counted for every request. */
  readonly alwaysCounts: boolean
  readonly onExceed: 'refuse' | 'clamp' | undefined
  readonly onZero: 'refuse' | 'default'
  /** The name of the elements' type, if the convention has one. */
  readonly type: string
  /** The form of elements, if it differs from their media type. */
  readonly element: ElementForm | undefined
  readonly filterBy: Readonly<Record<string, FilterFieldSettings | undefined>>
}

/** The headers of lists that are declared by edict's own params. */
export const DEFAULT_HEADERS: Required<ListHeaders> = { link: true, total: 'Total-Count' }
