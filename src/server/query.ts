// Query strings and form bodies, read in one pass and driven by the declared names: most are never decoded or copied.
import type { Loading } from '../schema/loading.ts'
import { decodeText } from './query-decode.ts'
import { type QueryNames, type RawTree, TreeWriter } from './query-tree.ts'

/** How much a query or a form may hold. */
export interface QueryLimits {
  /** The most pairs of name and value. */
  readonly pairs: number
  /** The most steps of a name: `a[b][c]` has three. */
  readonly depth: number
}

/** The limits of queries and forms unless an application sets others. */
export const QUERY_LIMITS: QueryLimits = Object.freeze({ pairs: 200, depth: 8 })

const PERCENT = 37
const AMPERSAND = 38
const PLUS = 43
const EQUALS = 61
const OPEN = 91
const CLOSE = 93

/**
 * Reads `name=value` pairs from `from` on into a tree; returns false as soon as there are too many. Names without a
 * place are reported to `loading`; undeclared ones go into the tree, where the loader of the structure refuses them.
 */
export function parseQuery(
  text: string,
  from: number,
  into: RawTree,
  names: QueryNames,
  loading: Loading,
  limits: QueryLimits = QUERY_LIMITS,
): boolean {
  const writer = new TreeWriter(into, names, loading, limits.depth)
  const length = text.length
  let pairs = 0
  for (let at = from; at < length; at++) {
    const start = at
    let bracket = -1
    let escaped = false
    let code = 0
    for (; at < length; at++) {
      code = text.charCodeAt(at)
      if (code === EQUALS || code === AMPERSAND) break
      if (code === PERCENT || code === PLUS) escaped = true
      else if ((code === OPEN || code === CLOSE) && bracket < 0) bracket = at
    }
    const end = at
    if (end === start && code === AMPERSAND) continue
    if (++pairs > limits.pairs) return false
    let value = ''
    if (code === EQUALS) {
      let encoded = false
      for (at++; at < length; at++) {
        code = text.charCodeAt(at)
        if (code === AMPERSAND) break
        if (code === PERCENT || code === PLUS) encoded = true
      }
      value = text.slice(end + 1, at)
      if (encoded) value = decodeValue(value, text.slice(start, end), writer)
    }
    if (escaped) addEncoded(text.slice(start, end), value, writer)
    else writer.add(text, start, bracket, end, value)
  }
  return true
}

// A value that cannot be decoded stays as it is, so that its attribute is not reported as missing too.
function decodeValue(value: string, name: string, writer: TreeWriter): string {
  const decoded = decodeText(value)
  if (decoded === undefined) writer.refuse(decodeText(name) ?? name, 'encoding')
  return decoded ?? value
}

function addEncoded(name: string, value: string, writer: TreeWriter): void {
  const decoded = decodeText(name)
  if (decoded === undefined) writer.refuse(name, 'encoding')
  else writer.set(decoded, value)
}
