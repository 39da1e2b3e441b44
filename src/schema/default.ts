// Defaults: what fills an absent attribute, fresh for each request so that no controller can change another's.
import type { AnyOptions } from './options.ts'

/** Makes the function that gives the default of an attribute, or undefined when it has none. */
export function initialOf({ default: initial }: AnyOptions): (() => unknown) | undefined {
  if (initial === undefined) return undefined
  if (typeof initial === 'function') return initial as () => unknown
  return typeof initial === 'object' && initial !== null ? () => copy(initial) : () => initial
}

function copy(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(copy)
  if (value instanceof Date) return new Date(value)
  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype !== Object.prototype && prototype !== null) return value
  const copied = Object.create(prototype) as Record<string, unknown>
  for (const [name, one] of Object.entries(value)) copied[name] = copy(one)
  return copied
}
