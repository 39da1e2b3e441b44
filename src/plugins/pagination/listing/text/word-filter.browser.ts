// Replaces `word-filter.ts` in front ends, which send filters as texts.
export const wordFilterSyntax: undefined = undefined
