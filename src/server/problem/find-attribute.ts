// Maps the errors of a request to the attributes that they refer to.
import type { ResolvedAction } from '../../design/resolve/resolved.ts'
import type { Attribute, Attributes } from '../../schema/attribute.ts'
import { getChildAttribute } from '../../schema/children.ts'
import type { InputError } from './problem.ts'

/** The declarations that validate an action's requests. */
type ActionInputs = Pick<ResolvedAction, 'params' | 'headers' | 'payload'>

/** Creates the function that finds the attribute of an error; without an action it finds none. */
export const createAttributeFinder =
  (action: ActionInputs | undefined): ((error: InputError) => Attribute | undefined) =>
  (error) =>
    action && listAttributesTo(action, error, parsePointer(error)).at(-1)

/** Returns the path segments from a part of a request to the value of an error. */
export const parsePointer = ({ pointer }: InputError): string[] =>
  pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))

/** Returns the attributes on the path to the value of an error: one for each segment, preceded by that of the body. */
export function listAttributesTo(
  action: ActionInputs,
  { in: part }: InputError,
  steps: readonly string[],
): readonly (Attribute | undefined)[] {
  const body = part === 'payload' ? action.payload?.attribute : undefined
  if (body !== undefined) return listBelow(body, steps)
  const [first, ...rest] = steps
  // Params may be sent in the body.
  return listBelow(findMember(action[part === 'headers' ? 'headers' : 'params'], first), rest)
}

function findMember(attributes: Attributes, name: string | undefined): Attribute | undefined {
  if (name === undefined) return undefined
  const lower = name.toLowerCase()
  const found = Object.hasOwn(attributes, name)
    ? name
    : Object.keys(attributes).find((one) => one.toLowerCase() === lower)
  return found === undefined ? undefined : attributes[found]
}

function listBelow(from: Attribute | undefined, steps: readonly string[]): (Attribute | undefined)[] {
  const path = [from]
  for (const step of steps) path.push(getChildAttribute(path.at(-1), step))
  return path
}
