// Replaces `odata-filter.ts` in front ends, which send filters as texts.
export const oDataFilterSyntax: undefined = undefined
