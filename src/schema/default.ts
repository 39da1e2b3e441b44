// Defaults: what fills an absent attribute, fresh for each request so that no controller can change another's.
import type { AnyOptions } from './options.ts'
import { mapped } from './structures/children.ts'

/** Makes the function that gives the default of an attribute, or undefined when it has none. */
export function initialOf({ default: initial }: AnyOptions): (() => unknown) | undefined {
  if (initial === undefined) return undefined
  return typeof initial === 'function' ? (initial as () => unknown) : () => copy(initial)
}

function copy(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(copy)
  if (value instanceof Date) return new Date(value)
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === null || prototype === Object.prototype ? mapped(value as Record<string, unknown>, copy) : value
}
