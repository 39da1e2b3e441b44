// Requests whole: a media type that is sent has all of its attributes, whatever its default view shows.
import type { Attribute } from '../schema/attribute.ts'
import { lazy, mapped, rebuilt } from '../schema/structures/rebuilt.ts'

/** An attribute as a request brings it. */
export const sent = (attribute: Attribute): Attribute =>
  rebuilt(attribute, (children) => mapped(children, (one) => lazy(() => sent(one), one.options)))
