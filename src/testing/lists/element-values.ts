// Reads the values of an element at the path of a field.
import { attributeRules } from '../../design/attribute-rules.ts'
import type { Attribute } from '../../schema/attribute.ts'
import { INVALID } from '../../schema/issue.ts'
import { Loading } from '../../schema/loading.ts'
import type { JsonElement } from './list-reader.ts'

/**
 * Returns the value of an element at a path; null when it is missing, undefined when the path leads into a list or a scalar.
 */
export function getElementValue(element: unknown, path: string): unknown {
  let found: unknown = element
  for (const step of path.split('.')) {
    if (found === null || found === undefined) return null
    if (typeof found !== 'object' || Array.isArray(found)) return undefined
    found = (found as JsonElement)[step]
  }
  return found ?? null
}

/** Returns the value of an element as its attribute loads it; undefined for no value. */
export function loadElementValue(element: JsonElement, path: string, { core }: Attribute): unknown {
  const value = getElementValue(element, path)
  if (value === null || value === undefined || typeof value === 'object') return undefined
  const loading = new Loading('json')
  const loaded = attributeRules.getLoader({ core })(value, loading)
  return loaded === INVALID || loading.issues !== null ? undefined : loaded
}
