// What an object has itself: names of declarations and of clients may be names that every object inherits.

/** The value of an object by a name; undefined if it only inherits one. */
export const ownValue = <T>(values: Readonly<Record<string, T>>, name: string): T | undefined =>
  Object.hasOwn(values, name) ? values[name] : undefined
