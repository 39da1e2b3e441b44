// One way to write data: names in order, lists that are sets in order, nothing that JSON would leave out.
import { compareAscending } from '../util/compare.ts'

const SETS: ReadonlySet<string> = new Set(['required', 'enum'])
const VALUES: ReadonlySet<string> = new Set(['default', 'examples', 'const'])

/** The order of texts by their code units, the same everywhere. */
export const byText = (a: string, b: string): number => compareAscending(a, b)

/** A copy of some data in its one form; equal declarations in another order have equal copies. */
export const canonical = <T>(data: T): T => copy(data, true) as T

function copy(data: unknown, schema: boolean): unknown {
  if (Array.isArray(data)) return data.map((one) => copy(one, schema))
  if (typeof data !== 'object' || data === null) return data
  const entries = Object.entries(data).filter(([, value]) => value !== undefined)
  return Object.fromEntries(
    entries.sort(([a], [b]) => byText(a, b)).map(([name, value]) => [name, member(name, value, schema)]),
  )
}

// Within a value, such as a default, the order of a list is part of it.
function member(name: string, value: unknown, schema: boolean): unknown {
  const copied = copy(value, schema && !VALUES.has(name))
  if (!schema || !SETS.has(name) || !Array.isArray(copied)) return copied
  return copied.sort((a, b) => byText(JSON.stringify(a), JSON.stringify(b)))
}

/** Returns whether two pieces of data are the same, whatever the order of their names. */
export const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(canonical(a)) === JSON.stringify(canonical(b))
