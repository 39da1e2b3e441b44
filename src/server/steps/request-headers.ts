// Compiles the declared headers of requests: which have a single value, and which are lists.
import { attributeRules } from '../../design/attribute-rules.ts'
import type { ResolvedAction } from '../../design/resolve/resolved.ts'
import { loadFasterWhenBusy } from '../../schema/loader-code.ts'
import { makeObjectLoader } from '../../schema/structures/object.ts'
import type { CompiledHeaders } from '../request/exchange.ts'

/**
 * Headers with a single value: if one is sent twice, Node returns only the first, while a proxy may have used the
 * second.
 */
const SINGLE_HEADERS = new Set([
  ...['age', 'authorization', 'content-length', 'content-type', 'etag', 'expires', 'from', 'host', 'if-modified-since'],
  ...['if-unmodified-since', 'last-modified', 'location', 'max-forwards', 'proxy-authorization', 'referer'],
  ...['retry-after', 'server', 'user-agent'],
])

/**
 * Headers that are lists by definition: several lines of one mean the same as one line with commas (RFC 9110, section
 * 5.3).
 */
const LIST_HEADERS = new Set([
  ...['accept', 'accept-charset', 'accept-encoding', 'accept-language', 'baggage', 'cache-control', 'connection'],
  ...['content-encoding', 'content-language', 'cookie', 'expect', 'forwarded', 'if-match', 'if-none-match', 'link'],
  ...['pragma', 'prefer', 'priority', 'te', 'tracestate', 'trailer', 'transfer-encoding', 'upgrade', 'vary', 'via'],
  ...['warning', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto'],
])

/** Compiles the headers that an action declares. */
export function compileHeaders({ headers }: ResolvedAction): CompiledHeaders | null {
  const entries = Object.entries(headers)
  if (entries.length === 0) return null
  return {
    part: 'headers',
    names: entries.map(([name, { core }]) => {
      const lower = name.toLowerCase()
      const list = core.shape === 'list'
      return { name, lower, list, once: !list && !LIST_HEADERS.has(lower), first: SINGLE_HEADERS.has(lower) }
    }),
    load: loadFasterWhenBusy(makeObjectLoader(entries, attributeRules)),
    defers: entries.some(([, one]) => attributeRules.isAsync(one)),
  }
}
