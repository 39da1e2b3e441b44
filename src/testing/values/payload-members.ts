// Reads and changes the members of payloads, whatever envelope is around an element's values.
import { resolveTarget } from '../../design/fields/shown-part.ts'
import type { Attribute } from '../../schema/attribute.ts'

/** The names of the members that lead into a payload; none for the payload itself. */
export type MemberPath = readonly string[]

/** Returns the attribute at a path of a payload. */
export const getMemberAttribute = (attribute: Attribute, path: MemberPath): Attribute =>
  path.reduce(
    (found, name) => resolveTarget(resolveTarget(found).core.children[name] as Attribute),
    resolveTarget(attribute),
  )

/** Returns a copy of a value with another member at a path. */
export function withMember(value: unknown, path: MemberPath, member: unknown): unknown {
  const [name, ...below] = path
  if (name === undefined) return member
  const whole = (value ?? {}) as Readonly<Record<string, unknown>>
  return { ...whole, [name]: withMember(whole[name], below, member) }
}
