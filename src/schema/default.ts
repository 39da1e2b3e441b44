// Default values: computed for each request, so that no controller can change another request's value. The default of a
// structure is completed by the defaults below it.
import type { Attribute, HasCore } from './attribute.ts'

/** Creates the function that returns the default of an attribute; undefined when it has none. */
export function makeDefaultFactory(attribute: Attribute): (() => unknown) | undefined {
  const { default: initial } = attribute.options
  return initial === undefined ? undefined : () => computeDefault(attribute, initial)
}

const computeDefault = (attribute: Attribute, initial: unknown): unknown =>
  completeDefault(attribute, typeof initial === 'function' ? (initial as () => unknown)() : initial)

function completeDefault(attribute: Attribute | undefined, value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  const { target, shape, element, children } = attribute?.core ?? {}
  if (target !== undefined) return completeDefault(target, value)
  if (Array.isArray(value)) return value.map((one) => completeDefault(element, one))
  if (value instanceof Date) return new Date(value)
  if (!isPlainRecord(value)) return value
  if (shape === 'union') return completeDefault(attribute?.core.variant(value), value)
  const entries = Object.entries(value).map(([name, one]) => [name, completeDefault(findChild(name), one)])
  return Object.fromEntries(shape === 'object' ? [...entries, ...listMissing()] : entries)

  function findChild(name: string): Attribute | undefined {
    return element ?? (children && Object.hasOwn(children, name) ? children[name] : undefined)
  }

  function listMissing(): [string, unknown][] {
    return Object.entries(children ?? {}).flatMap(([name, one]) => {
      const { default: initial } = one.options
      const isGiven = Object.hasOwn(value as object, name) && (value as Record<string, unknown>)[name] !== undefined
      return initial === undefined || isGiven ? [] : [[name, computeDefault(one, initial)]]
    })
  }
}

/** Returns whether completing the default of an attribute would recurse without end. */
export const hasEndlessDefault = (attribute: HasCore): boolean =>
  isEndlessValue(attribute, attribute.core.options.default, new Set())

function isEndlessValue(attribute: HasCore, value: unknown, ancestors: ReadonlySet<object>): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || !isPlainRecord(value)) return false
  const resolved = attribute.core.target ?? attribute
  if (resolved.core.shape === 'union') {
    const variant = resolved.core.variant(value)
    return variant !== undefined && isEndlessValue(variant, value, ancestors)
  }
  if (resolved.core.shape !== 'object') return false
  return Object.entries(resolved.core.children).some(([name, one]) => {
    const own = Object.hasOwn(value, name) ? (value as Record<string, unknown>)[name] : undefined
    if (own !== undefined) return isEndlessValue(one, own, ancestors)
    const { options } = one
    return ancestors.has(options) || isEndlessValue(one, options.default, new Set([...ancestors, options]))
  })
}

function isPlainRecord(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === null || prototype === Object.prototype
}
