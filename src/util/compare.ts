// The order of scalar values, independent of platform and locale.

/** Compares two values of one type: strings by code units, numbers by size. */
export function compareAscending<T extends string | number | bigint>(a: T, b: T): number {
  if (a < b) return -1
  return a > b ? 1 : 0
}
