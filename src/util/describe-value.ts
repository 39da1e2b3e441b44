// Describes values for messages: works for any value and never throws.

const MAX_LENGTH = 60

/** Describes a value, short enough for a message. */
export function describeValue(value: unknown): string {
  try {
    return describeUnguarded(value)
  } catch {
    return 'something that cannot be read'
  }
}

function describeUnguarded(value: unknown): string {
  if (typeof value === 'string') return truncateText(`'${value}'`)
  if (typeof value === 'bigint') return truncateText(`${value}n`)
  if (typeof value === 'symbol') return 'a symbol'
  if (typeof value === 'function') return describeNamed(isClass(value) ? 'the class' : 'the function', value)
  if (typeof value !== 'object' || value === null) return String(value)
  if (Array.isArray(value)) return value.length === 0 ? 'an empty list' : 'a list'
  return describeObject(value)
}

const truncateText = (text: string): string => (text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)}…` : text)

const describeNamed = (what: string, { name }: { readonly name: unknown }): string =>
  typeof name === 'string' && name !== '' ? `${what} ${truncateText(name)}` : what.replace('the', 'a')

function describeObject(value: object): string {
  if (value instanceof RegExp) return truncateText(String(value))
  const brand = findBrand(value)
  if (brand !== undefined) return brand
  const tag = Object.prototype.toString.call(value).slice(8, -1)
  return tag === 'Object' ? 'an object' : `a ${tag}`
}

// The results of declaration functions, by their brands.
const BRANDS: Readonly<Record<string, string>> = {
  '~media': 'a media type',
  '~view': 'a view of a media type',
  '~collection': 'a list of a media type',
  '~child': 'a parent with new names',
  '~endpoint': 'an endpoint',
  '~controller': 'a controller',
  '~resource': 'a resource',
}

/** Names the result of a declaration function; undefined for all other objects. */
export function findBrand(value: object): string | undefined {
  for (const key in BRANDS) if (key in value) return BRANDS[key]
  return 'core' in value && 'options' in value ? 'an attribute' : undefined
}

/** Returns a property of a value; undefined if there is none, or if reading it throws. */
export function readProperty(value: unknown, name: string): unknown {
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null) return undefined
  try {
    return Reflect.get(value, name)
  } catch {
    return undefined
  }
}

/** Returns whether a value is a class. */
export const isClass = (value: unknown): boolean =>
  typeof value === 'function' && /^class\b/.test(Function.prototype.toString.call(value))

/** Returns an own property of an object; undefined if it is inherited. */
export const getOwnValue = <T>(values: Readonly<Record<string, T>>, name: string): T | undefined =>
  Object.hasOwn(values, name) ? values[name] : undefined
