// From the errors of a request to the attributes that they are about.
import type { ResolvedAction } from '../../design/resolve/resolved.ts'
import type { Attribute, Attributes } from '../../schema/attribute.ts'
import { childAt } from '../../schema/structures/children.ts'
import type { InputError } from './problem.ts'

/** What of an action its requests are checked by. */
type Inputs = Pick<ResolvedAction, 'params' | 'headers' | 'payload'>

/** Makes the function that finds the attribute of an error; without an action it finds none. */
export const attributeFinder =
  (action: Inputs | undefined): ((error: InputError) => Attribute | undefined) =>
  (error) => {
    if (action === undefined) return undefined
    const [, ...steps] = error.pointer.split('/').map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
    const [first, ...rest] = steps
    if (error.in !== 'payload') return stepsFrom(memberOf(action[error.in], first), rest)
    // Params may come in the body.
    const body = action.payload?.attribute
    return body === undefined ? stepsFrom(memberOf(action.params, first), rest) : stepsFrom(body, steps)
  }

function memberOf(attributes: Attributes, name: string | undefined): Attribute | undefined {
  if (name === undefined) return undefined
  const lower = name.toLowerCase()
  const found = Object.hasOwn(attributes, name)
    ? name
    : Object.keys(attributes).find((one) => one.toLowerCase() === lower)
  return found === undefined ? undefined : attributes[found]
}

const stepsFrom = (from: Attribute | undefined, steps: readonly string[]): Attribute | undefined =>
  steps.reduce((at, step) => childAt(at, step), from)
