// Writes the data of declarations as JavaScript.

/** Thrown for a part of a declaration that no table can contain. */
export class UnwritableError extends Error {
  override readonly name = 'UnwritableError'
}

/** Writes a value; throws for functions and for instances of classes, except dates. */
export function writeLiteral(value: unknown): string {
  if (value === undefined) return 'undefined'
  if (typeof value === 'bigint') return `${value}n`
  if (typeof value === 'number') return Object.is(value, -0) ? '-0' : String(value)
  if (typeof value === 'string' || typeof value === 'boolean' || value === null) return JSON.stringify(value)
  if (value instanceof Date) return `new Date(${value.getTime()})`
  if (Array.isArray(value)) return `[${Array.from(value, writeLiteral).join(',')}]`
  if (typeof value === 'object' && isPlain(value))
    return writeMembers(Object.entries(value).map(([name, one]) => [name, writeLiteral(one)]))
  throw new UnwritableError(typeof value === 'function' ? 'a function' : 'a value that is neither JSON nor a date')
}

/** Writes an object of names and expressions. */
export const writeMembers = (members: readonly (readonly [name: string, expression: string])[]): string =>
  `{${members.map(([name, expression]) => `${writeName(name)}:${expression}`).join(',')}}`

// `__proto__` would set the prototype.
const writeName = (name: string): string => {
  if (name === '__proto__') return '["__proto__"]'
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name)
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === null || prototype === Object.prototype
}
