// Recognises schemas that only list values.
import { isObject, type LocatedValue, listMembers } from '../read/located.ts'

const NEUTRAL_KEYWORDS: ReadonlySet<string> = new Set([
  'title',
  'description',
  'deprecated',
  'nullable',
  'format',
  'type',
])

/** Returns whether a schema accepts only null. */
export function isNullSchema({ value }: LocatedValue): boolean {
  if (!isObject(value)) return false
  const { type, enum: values, const: only } = value
  if (type === 'null' || (Array.isArray(type) && type.length === 1 && type[0] === 'null')) return true
  return (
    (Object.hasOwn(value, 'const') && only === null) || (Array.isArray(values) && values.every((one) => one === null))
  )
}

/** Returns the values of a schema that only lists them; undefined for others. */
export function getListedValues(one: LocatedValue): readonly unknown[] | undefined {
  const own = listMembers(one)
  const [keyword] = own.filter(([name]) => name === 'enum' || name === 'const')
  if (
    keyword === undefined ||
    own.some(([name]) => name !== keyword[0] && !NEUTRAL_KEYWORDS.has(name) && !name.startsWith('x-'))
  )
    return undefined
  const [name, { value }] = keyword
  if (name === 'const') return [value]
  return Array.isArray(value) ? value : undefined
}
