// Audiences, and attributes that only their members see. Declarations refer to an audience by name; the application
// defines its members.
import { describeValue, isAttribute, makeInvalidAttribute } from '../../extend.ts'
import type { Attribute } from '../../index.ts'

/** A named group of principals; P is the type of a principal. */
export interface Audience<in P = never> {
  readonly '~audience': (principal: P) => void
  readonly name: string
}

/** Declares an audience; the type argument is the principal of its members. */
export const audience = <P>(name: string): Audience<P> =>
  Object.freeze({ '~audience': () => undefined, name }) as unknown as Audience<P>

/** Returns whether a value is an audience. */
export const isAudience = (value: unknown): value is Audience =>
  typeof value === 'object' && value !== null && '~audience' in value && typeof Reflect.get(value, 'name') === 'string'

/** The attribute E, restricted to an audience. It may always be missing, so its type is never required. */
export interface Visible<out E extends Attribute> extends Attribute {
  readonly '~type': E['~type']
  readonly '~present': false
}

/**
 * Makes an attribute visible only to the members of an audience, or of any of several. For other clients it does not
 * exist: in responses, payloads, filters, orders and field selections. `required` applies to members.
 */
export function visibleTo<E extends Attribute>(
  visibleAudiences: Audience | readonly Audience[],
  attribute: E,
): Visible<E> {
  const audiences: readonly unknown[] = Array.isArray(visibleAudiences) ? visibleAudiences : [visibleAudiences]
  const invalid = audiences.find((one) => !isAudience(one) || one.name.trim() === '')
  if (audiences.length === 0 || invalid !== undefined) {
    const problem =
      audiences.length === 0 ? 'it is visible to no audience' : `it is visible to ${describeValue(invalid)}`
    return makeInvalidAttribute({ at: '', problem, remedy: "name an audience, such as audience('staff')" }) as never
  }
  if (!isAttribute(attribute)) {
    const problem = `visibleTo is given ${describeValue(attribute)}`
    return makeInvalidAttribute({ at: '', problem, remedy: 'give an attribute, such as t.string()' }) as never
  }
  if (attribute.options.visibleTo !== undefined)
    return makeInvalidAttribute({
      at: '',
      problem: 'it is restricted twice',
      remedy: 'name all audiences in one visibleTo',
    }) as never
  const names = [...new Set((audiences as readonly Audience[]).map(({ name }) => name))].sort()
  const restriction = Object.freeze({ audiences: Object.freeze(names), required: attribute.options.required ?? false })
  return attribute.core.derive({ required: false, visibleTo: restriction }) as never
}
