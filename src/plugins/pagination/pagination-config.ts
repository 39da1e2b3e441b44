// The declaration of a `pagination` parameter, and the page that it loads.
import type { MediaType } from '../../index.ts'
import type { CursorPortion, ListParamConfig, OffsetPortion } from '../mapper/extend.ts'
import type { CountMode } from './pagination-settings.ts'
import type { PaginationText } from './pagination-text.ts'

/** The facts about a request that its links are built from. */
export interface LinkContext {
  /** The pagination that the request specifies. */
  readonly text: PaginationText
  readonly mediaType: MediaType
  /** A param that links must contain although the request did not, with its value: the implied order. */
  readonly extraParam: readonly [name: string, value: string] | undefined
  /** The URL before the path of every link; empty if links are paths. */
  readonly baseUrl: string
}

/** A numbered page of a list. */
export interface PageRequest extends OffsetPortion {
  /** The number of the page, from 1. */
  readonly page: number
  /** Whether the list is sorted; false if it keeps its own order. */
  readonly ordered: boolean
  /** The context of the links to other pages. */
  readonly link: LinkContext
}

/** A page by cursor. */
export interface CursorRequest extends CursorPortion {
  readonly by: string
  /** The context of the links to other pages. */
  readonly link: LinkContext
}

/** The requested page. */
export type Pagination = PageRequest | CursorRequest

/** The settings of one `pagination` parameter; they override those of the plugin. */
export interface PaginationParamsSettings<F extends string = string> {
  /**
   * The fields that `by` may name. Links contain the values of these fields.
   * @default all orderable fields of the default view
   */
  readonly byFields?: readonly F[]
  /**
   * The fields that identify an element: they break the last ties of every order. Orders of a resource always end with its key.
   * @default the key of the media type's resource, or `['id']`
   */
  readonly key?: readonly F[]
  /**
   * The maximum number of elements of one page.
   * @default the setting of the plugin
   */
  readonly maxItems?: number
  /**
   * The size of a page if the request names none.
   * @default the setting of the plugin
   */
  readonly pageSize?: number
  /**
   * The mode that is refused, `'paging'` or `'cursor'`; `'none'` allows both, overriding the plugin.
   * @default the setting of the plugin
   */
  readonly disallow?: 'paging' | 'cursor' | 'none'
  /**
   * The mode of a request that names none: `{ page: 1 }` or `{ by: 'year' }`.
   * @default the setting of the plugin
   */
  readonly default?: { readonly page: number } | { readonly by: F }
  /**
   * The count of the list: `'exact'`, `'estimated'` or `'none'`.
   * @default the setting of the plugin
   */
  readonly count?: CountMode
}

/** The declaration of a `pagination` parameter. */
export interface PaginationConfig extends PaginationParamsSettings, ListParamConfig {
  readonly mediaType: MediaType
  /** The key of the media type's resource. */
  readonly resourceKey?: readonly string[] | undefined
}

/** Returns the fields that identify an element: the declared key, that of the resource, or `id`. */
export const getKeyFields = ({ key, resourceKey }: PaginationConfig): readonly string[] => key ?? resourceKey ?? ['id']
