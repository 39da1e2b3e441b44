// Schemas that only list values.
import { isObject, type LocatedValue, listMembers } from '../read/located.ts'

const NEUTRAL_KEYWORDS: ReadonlySet<string> = new Set(['title', 'description', 'deprecated', 'nullable', 'format', 'type'])

/** Returns whether nothing but null fits a schema. */
export function isNullSchema({ value }: LocatedValue): boolean {
  if (!isObject(value)) return false
  const { type, enum: values, const: only } = value
  if (type === 'null' || (Array.isArray(type) && type.length === 1 && type[0] === 'null')) return true
  return (
    (Object.hasOwn(value, 'const') && only === null) || (Array.isArray(values) && values.every((one) => one === null))
  )
}

/** The values of a schema that lists them and says nothing else; undefined for others. */
export function getListedValues(one: LocatedValue): readonly unknown[] | undefined {
  const own = listMembers(one)
  const [said] = own.filter(([name]) => name === 'enum' || name === 'const')
  if (said === undefined || own.some(([name]) => name !== said[0] && !NEUTRAL_KEYWORDS.has(name) && !name.startsWith('x-')))
    return undefined
  const [name, { value }] = said
  if (name === 'const') return [value]
  return Array.isArray(value) ? value : undefined
}
