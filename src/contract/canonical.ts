// Puts data into a canonical form: sorted names, sorted sets, no undefined members.
import { compareAscending } from '../util/compare.ts'

const SET_KEYWORDS: ReadonlySet<string> = new Set(['required', 'enum'])
const VALUE_KEYWORDS: ReadonlySet<string> = new Set(['default', 'examples', 'const'])

/** Returns a canonical copy. Declarations that differ only in order have equal copies. */
export const toCanonicalData = <T>(data: T): T => copyCanonical(data, 'schema') as T

function copyCanonical(data: unknown, part: 'schema' | 'value'): unknown {
  if (Array.isArray(data)) return data.map((one) => copyCanonical(one, part))
  if (typeof data !== 'object' || data === null) return data
  const entries = Object.entries(data).filter(([, value]) => value !== undefined)
  return Object.fromEntries(
    entries.sort(([a], [b]) => compareAscending(a, b)).map(([name, value]) => [name, copyMember(name, value, part)]),
  )
}

// Inside a value, such as a default, the order of a list is significant.
function copyMember(name: string, value: unknown, part: 'schema' | 'value'): unknown {
  const copied = copyCanonical(value, VALUE_KEYWORDS.has(name) ? 'value' : part)
  if (part === 'value' || !SET_KEYWORDS.has(name) || !Array.isArray(copied)) return copied
  return copied.sort((a, b) => compareAscending(JSON.stringify(a), JSON.stringify(b)))
}

/** Returns whether two values are equal, regardless of the order of their names. */
export const isSameData = (a: unknown, b: unknown): boolean =>
  JSON.stringify(toCanonicalData(a)) === JSON.stringify(toCanonicalData(b))
