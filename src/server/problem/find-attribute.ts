// From the errors of a request to the attributes that they are about.
import type { ResolvedAction } from '../../design/resolve/resolved.ts'
import type { Attribute, Attributes } from '../../schema/attribute.ts'
import { getChildAttribute } from '../../schema/children.ts'
import type { InputError } from './problem.ts'

/** What of an action its requests are checked by. */
type ActionInputs = Pick<ResolvedAction, 'params' | 'headers' | 'payload'>

/** Makes the function that finds the attribute of an error; without an action it finds none. */
export const createAttributeFinder =
  (action: ActionInputs | undefined): ((error: InputError) => Attribute | undefined) =>
  (error) =>
    action && attributesAt(action, error, stepsTo(error)).at(-1)

/** The steps from a part of a request to the value that an error is about. */
export const stepsTo = ({ pointer }: InputError): string[] =>
  pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))

/** The attributes on the way to the value that an error is about: one for each step, before them that of the whole body. */
export function attributesAt(
  action: ActionInputs,
  { in: part }: InputError,
  steps: readonly string[],
): readonly (Attribute | undefined)[] {
  const body = part === 'payload' ? action.payload?.attribute : undefined
  if (body !== undefined) return below(body, steps)
  const [first, ...rest] = steps
  // Params may come in the body.
  return below(findMember(action[part === 'headers' ? 'headers' : 'params'], first), rest)
}

function findMember(attributes: Attributes, name: string | undefined): Attribute | undefined {
  if (name === undefined) return undefined
  const lower = name.toLowerCase()
  const found = Object.hasOwn(attributes, name)
    ? name
    : Object.keys(attributes).find((one) => one.toLowerCase() === lower)
  return found === undefined ? undefined : attributes[found]
}

function below(from: Attribute | undefined, steps: readonly string[]): (Attribute | undefined)[] {
  const found = [from]
  for (const step of steps) found.push(getChildAttribute(found.at(-1), step))
  return found
}
