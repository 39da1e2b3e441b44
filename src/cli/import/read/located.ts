// Values of a document together with their places, so that whatever cannot be carried over can be pointed to.

/** A value of a document, the file that it stands in, and the steps that lead to it there. */
export interface Located {
  readonly value: unknown
  readonly file: string
  readonly steps: readonly string[]
}

/** Returns whether a value has members. */
export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** A member of a value, if it has one of this name itself. */
export function member(of: Located, name: string): Located | undefined {
  const { value, file, steps } = of
  if (!isObject(value) || !Object.hasOwn(value, name) || value[name] === undefined) return undefined
  return { value: value[name], file, steps: [...steps, name] }
}

/** All members of a value by their names; none for what has no members. */
export function members(of: Located | undefined): [name: string, member: Located][] {
  if (of === undefined || !isObject(of.value)) return []
  return Object.keys(of.value).flatMap((name) => {
    const one = member(of, name)
    return one === undefined ? [] : [[name, one] as [string, Located]]
  })
}

/** The elements of a list; none for what is no list. */
export function elements(of: Located | undefined): Located[] {
  if (of === undefined || !Array.isArray(of.value)) return []
  const { file, steps } = of
  return of.value.map((value: unknown, i) => ({ value, file, steps: [...steps, String(i)] }))
}

/** A member that is a text. */
export function text(of: Located | undefined, name: string): string | undefined {
  const value = of && member(of, name)?.value
  return typeof value === 'string' ? value : undefined
}

/** Whether a member is true. */
export const isTrue = (of: Located, name: string): boolean => member(of, name)?.value === true

/** The steps to a value as a JSON pointer (RFC 6901). */
export const pointerOf = (steps: readonly string[]): string =>
  steps.map((step) => `/${step.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')

/** A text that names a value and no other. */
export const keyOf = ({ file, steps }: Located): string => `${file}#${pointerOf(steps)}`
