// Parses query strings and form bodies in one pass, guided by the declared names: most are never decoded or copied.
import { decodeText } from '../../path/decode-text.ts'
import { splitDelimited, type TreeWriter } from './value-tree.ts'

/** The limits of a query or a form. */
export interface QueryLimits {
  /** The most pairs of name and value. */
  readonly pairs: number
  /** The most segments of a name: `a[b][c]` has three. */
  readonly depth: number
}

/** The default limits of queries and forms. */
export const QUERY_LIMITS: QueryLimits = Object.freeze({ pairs: 200, depth: 8 })

const PERCENT = 37
const AMPERSAND = 38
const PLUS = 43
const EQUALS = 61
const OPEN = 91
const CLOSE = 93

/**
 * Parses `name=value` pairs from `from` on into a tree; returns false as soon as there are more than `most`. Malformed and
 * conflicting names are reported; undeclared ones go into the tree, where the loader of the structure rejects them.
 */
export function parseQuery(text: string, from: number, writer: TreeWriter, most: number = QUERY_LIMITS.pairs): boolean {
  const splits = writer.form.lists !== undefined
  const length = text.length
  let pairs = 0
  for (let at = from; at < length; at++) {
    const start = at
    let nested = false
    let escaped = false
    let code = 0
    for (; at < length; at++) {
      code = text.charCodeAt(at)
      if (code === EQUALS || code === AMPERSAND) break
      if (code === PERCENT || code === PLUS) escaped = true
      else if (code === OPEN || code === CLOSE) nested = true
    }
    const end = at
    if (end === start && code === AMPERSAND) continue
    if (++pairs > most) return false
    let value = ''
    let encoded = false
    if (code === EQUALS) {
      for (at++; at < length; at++) {
        code = text.charCodeAt(at)
        if (code === AMPERSAND) break
        if (code === PERCENT || code === PLUS) encoded = true
      }
      value = text.slice(end + 1, at)
    }
    if (splits && addDelimited(text.slice(start, end), value, writer)) continue
    if (encoded) value = decodeValue(value, text.slice(start, end), writer)
    if (escaped) addEncoded(text.slice(start, end), value, writer)
    else if (nested) writer.addNested(text, start, end, value)
    else writer.addFlat(text, start, end, value)
  }
  return true
}

// A value that cannot be decoded remains as sent, so that its attribute is not reported as missing too.
function decodeValue(value: string, name: string, writer: TreeWriter): string {
  const decoded = decodeText(value)
  if (decoded === undefined) writer.refuse(decodeText(name) ?? name, 'encoding')
  return decoded ?? value
}

// A percent-encoded comma belongs to an element. A space and a bar must be encoded in a URL, so they separate elements
// in either form.
function addDelimited(name: string, value: string, writer: TreeWriter): boolean {
  const decoded = decodeText(name)
  const list = decoded === undefined ? undefined : writer.findList(decoded)
  if (decoded === undefined || list === undefined) return false
  const decode = (text: string): string => decodeValue(text, name, writer)
  const elements = list.isDecoded ? splitDelimited(decode(value), list) : splitDelimited(value, list).map(decode)
  writer.setElements(decoded, elements, list)
  return true
}

function addEncoded(name: string, value: string, writer: TreeWriter): void {
  const decoded = decodeText(name)
  if (decoded === undefined) writer.refuse(name, 'encoding')
  else writer.set(decoded, value)
}
