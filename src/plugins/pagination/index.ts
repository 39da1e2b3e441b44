// The public entry `edict/pagination`: pages, cursors and orders of lists.

export type { ListInfo, OrderTerm, Page, Position } from '../lists/extend.ts'
export { OrderingParams, type OrderingSettings } from './ordering-params.ts'
export {
  type PageInfo,
  type PaginatedRequest,
  pageOf,
  paginate,
} from './page.ts'
export {
  type CursorRequest,
  type LinkContext,
  type PageRequest,
  type Pagination,
  PaginationParams,
  type PaginationParamsSettings,
  type PaginationText,
} from './pagination-params.ts'
export { pagination } from './plugin.ts'
export type { PaginationOptions } from './settings.ts'
