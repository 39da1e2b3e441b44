// The order of plain values, the same on every platform.

/** Compares two values of one kind: texts by their code units, numbers by their size. */
export function compareAscending<T extends string | number | bigint>(a: T, b: T): number {
  if (a < b) return -1
  return a > b ? 1 : 0
}
