// Whole requests: a media type in a request has all of its attributes, not only those of its default view.
import type { Attribute } from '../schema/attribute.ts'
import { lazy, mapped, rebuilt } from '../schema/structures/rebuilt.ts'

/** An attribute as a request brings it. */
export const sent = (attribute: Attribute): Attribute =>
  rebuilt(attribute, (children) => mapped(children, (one) => lazy(() => sent(one), one.options)))
