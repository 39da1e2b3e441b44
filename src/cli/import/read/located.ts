// Values of a document with their locations, so that reports can point to them.

/** A value of a document, its file, and the path to it. */
export interface LocatedValue {
  readonly value: unknown
  readonly file: string
  readonly steps: readonly string[]
}

/** Returns whether a value is an object with members. */
export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Returns an own member of a value. */
export function getMember(parent: LocatedValue, name: string): LocatedValue | undefined {
  const { value, file, steps } = parent
  if (!isObject(value) || !Object.hasOwn(value, name) || value[name] === undefined) return undefined
  return { value: value[name], file, steps: [...steps, name] }
}

/** Returns all members of a value with their names; empty for other values. */
export function listMembers(parent: LocatedValue | undefined): [name: string, member: LocatedValue][] {
  if (parent === undefined || !isObject(parent.value)) return []
  return Object.keys(parent.value).flatMap((name) => {
    const one = getMember(parent, name)
    return one === undefined ? [] : [[name, one] as [string, LocatedValue]]
  })
}

/** Returns the elements of a list; empty for other values. */
export function listElements(list: LocatedValue | undefined): LocatedValue[] {
  if (list === undefined || !Array.isArray(list.value)) return []
  const { file, steps } = list
  return list.value.map((value: unknown, i) => ({ value, file, steps: [...steps, String(i)] }))
}

/** Returns a member that is a string. */
export function getText(parent: LocatedValue | undefined, name: string): string | undefined {
  const value = parent && getMember(parent, name)?.value
  return typeof value === 'string' ? value : undefined
}

/** Returns whether a member is true. */
export const isTrueMember = (parent: LocatedValue, name: string): boolean => getMember(parent, name)?.value === true

/** Formats a path as a JSON Pointer (RFC 6901). */
export const formatPointer = (steps: readonly string[]): string =>
  steps.map((step) => `/${step.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')

/** Returns a unique key of a location. */
export const getLocationKey = ({ file, steps }: LocatedValue): string => `${file}#${formatPointer(steps)}`
