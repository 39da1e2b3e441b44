// Values of a document together with their places, so that whatever cannot be carried over can be pointed to.

/** A value of a document, the file that it stands in, and the steps that lead to it there. */
export interface LocatedValue {
  readonly value: unknown
  readonly file: string
  readonly steps: readonly string[]
}

/** Returns whether a value has members. */
export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** A member of a value, if it has one of this name itself. */
export function getMember(of: LocatedValue, name: string): LocatedValue | undefined {
  const { value, file, steps } = of
  if (!isObject(value) || !Object.hasOwn(value, name) || value[name] === undefined) return undefined
  return { value: value[name], file, steps: [...steps, name] }
}

/** All members of a value by their names; none for what has no members. */
export function listMembers(of: LocatedValue | undefined): [name: string, member: LocatedValue][] {
  if (of === undefined || !isObject(of.value)) return []
  return Object.keys(of.value).flatMap((name) => {
    const one = getMember(of, name)
    return one === undefined ? [] : [[name, one] as [string, LocatedValue]]
  })
}

/** The elements of a list; none for what is no list. */
export function listElements(of: LocatedValue | undefined): LocatedValue[] {
  if (of === undefined || !Array.isArray(of.value)) return []
  const { file, steps } = of
  return of.value.map((value: unknown, i) => ({ value, file, steps: [...steps, String(i)] }))
}

/** A member that is a text. */
export function getText(of: LocatedValue | undefined, name: string): string | undefined {
  const value = of && getMember(of, name)?.value
  return typeof value === 'string' ? value : undefined
}

/** Whether a member is true. */
export const isTrueMember = (of: LocatedValue, name: string): boolean => getMember(of, name)?.value === true

/** The steps to a value as a JSON pointer (RFC 6901). */
export const formatPointer = (steps: readonly string[]): string =>
  steps.map((step) => `/${step.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')

/** A text that names a value and no other. */
export const getLocationKey = ({ file, steps }: LocatedValue): string => `${file}#${formatPointer(steps)}`
