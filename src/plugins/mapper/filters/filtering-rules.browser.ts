// Replaces `filtering-rules.ts` in front ends, which send filters as texts.
import type * as server from './filtering-rules.ts'

export const filteringRules: Pick<typeof server.filteringRules, 'write'> = {
  write: (value, _, fail) =>
    typeof value === 'string' ? value : fail('must be a text, as programs without the server write no expressions'),
}
