// Replaces `query-string-filter.ts` in front ends, which send filters as texts.
export const queryStringSyntax: undefined = undefined
