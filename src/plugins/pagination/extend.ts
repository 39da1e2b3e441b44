// The entry point `edict/pagination/extend`: the lists of actions as data, for tools that request them and read their responses.

export {
  describeElement,
  describeList,
  type ElementDescription,
  type ListDescription,
  type ListMemberRole,
  type ListPages,
  type ListParam,
  type ListParamRole,
} from './describe-list.ts'
export { toFieldConditions } from './listing/field-bounds.ts'
export { toSameServer } from './listing/next-page.ts'
export { orderingKind } from './ordering-params.ts'
export { paginationKind } from './pagination-params.ts'
