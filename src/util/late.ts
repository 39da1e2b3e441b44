// Late values: what lower code uses and higher code provides. A bundle has them only if it has the code that provides them.

/** A value that another module provides when it is loaded; undefined in a program without that module. */
export interface Late<T> {
  value?: T
}

/** The value; throws where the module that provides it was not loaded. */
export function requireLate<T>({ value }: Late<T>): T {
  if (value === undefined) throw new Error('this is for servers, and the program has the client only')
  return value
}

/** A late value, and what is provided for it. */
type Provision<V> = readonly [late: Late<V>, value: V]

/**
 * Provides values, and returns the part of a program that needs them, such as a plugin. Its module does so when it is loaded; a
 * bundle that does not use that part has none of them.
 */
export function provideLate<T, V extends readonly unknown[]>(
  part: T,
  ...provisions: { readonly [K in keyof V]: Provision<V[K]> }
): T {
  for (const [late, value] of provisions as readonly Provision<unknown>[]) late.value = value
  return part
}

/** Returns whether an object holds settings, which servers look at closely: a declaration may have mistakes there. */
export const holdsSettings: Late<(value: object) => boolean> = {}
