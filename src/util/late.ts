// Late values: used by lower layers and provided by higher ones. A bundle contains them only if it contains the code
// that provides them.

/** A value that another module provides when it is loaded; undefined in a program without that module. */
export interface Late<T> {
  value?: T
}

/** Returns the value; throws if the module that provides it was not loaded. */
export function requireLate<T>({ value }: Late<T>): T {
  if (value === undefined) throw new Error('only servers can do this')
  return value
}

/** A late value and the value provided for it. */
type Provision<V> = readonly [late: Late<V>, value: V]

/**
 * Provides values and returns the part of a program that needs them, such as a plugin. The part's module calls this
 * when it is loaded; a bundle without the part contains none of the values.
 */
export function provideLate<T, V extends readonly unknown[]>(
  part: T,
  ...provisions: { readonly [K in keyof V]: Provision<V[K]> }
): T {
  for (const [late, value] of provisions as readonly Provision<unknown>[]) late.value = value
  return part
}

/** Returns whether an object contains settings, which servers check closely: a declaration may have mistakes there. */
export const holdsSettings: Late<(value: object) => boolean> = {}
