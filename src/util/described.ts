// Descriptions of values in messages: they work for any value and never throw.

const MOST = 60

/** Describes a value, short enough for a message. */
export function described(value: unknown): string {
  try {
    return wordsOf(value)
  } catch {
    return 'something that cannot be read'
  }
}

function wordsOf(value: unknown): string {
  if (typeof value === 'string') return cut(`'${value}'`)
  if (typeof value === 'bigint') return cut(`${value}n`)
  if (typeof value === 'symbol') return 'a symbol'
  if (typeof value === 'function') return named(isClass(value) ? 'the class' : 'the function', value)
  if (typeof value !== 'object' || value === null) return String(value)
  if (Array.isArray(value)) return value.length === 0 ? 'an empty list' : 'a list'
  return objectWords(value)
}

const cut = (text: string): string => (text.length > MOST ? `${text.slice(0, MOST)}…` : text)

const named = (what: string, { name }: { readonly name: unknown }): string =>
  typeof name === 'string' && name !== '' ? `${what} ${cut(name)}` : what.replace('the', 'a')

function objectWords(value: object): string {
  if (value instanceof RegExp) return cut(String(value))
  const brand = brandOf(value)
  if (brand !== undefined) return brand
  const tag = Object.prototype.toString.call(value).slice(8, -1)
  return tag === 'Object' ? 'an object' : `a ${tag}`
}

// The results of the declaring functions, by the keys that identify them.
const BRANDS: readonly (readonly [key: string, words: string])[] = [
  ['~media', 'a media type'],
  ['~view', 'a view of a media type'],
  ['~collection', 'a list of a media type'],
  ['~child', 'a parent with new names'],
  ['~endpoint', 'an endpoint'],
  ['~controller', 'a controller'],
  ['~resource', 'a resource'],
]

/** Names the result of a declaring function in words; undefined for all other objects. */
const brandOf = (value: object): string | undefined =>
  BRANDS.find(([key]) => key in value)?.[1] ?? ('core' in value && 'options' in value ? 'an attribute' : undefined)

/** Returns whether an object holds settings: whether it is neither a date, a list, nor the result of a declaring function. */
export function isPlain(value: object): boolean {
  try {
    return STRUCTURES.has(Object.prototype.toString.call(value)) && brandOf(value) === undefined
  } catch {
    // A proxy may throw when it is inspected.
    return false
  }
}

const STRUCTURES: ReadonlySet<string> = new Set(['[object Object]', '[object Module]'])

/** Returns a property of a value; undefined if there is none, or if reading it throws. */
export function property(value: unknown, name: string): unknown {
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null) return undefined
  try {
    return Reflect.get(value, name)
  } catch {
    return undefined
  }
}

/** Returns whether a function is a class. */
export const isClass = (value: unknown): boolean =>
  typeof value === 'function' && /^class\b/.test(Function.prototype.toString.call(value))

/** The value of an object by a name; undefined if it only inherits one. */
export const ownValue = <T>(values: Readonly<Record<string, T>>, name: string): T | undefined =>
  Object.hasOwn(values, name) ? values[name] : undefined
