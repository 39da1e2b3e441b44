// Declarations as some clients see them: media types, params, payloads and responses without hidden attributes.
import type { Attribute, Attributes, VisibilityFilter } from '../schema/attribute.ts'
import { collectAudiences, restrictionOf, filterVisible, filterVisibleRules } from '../schema/structures/restrictions.ts'
import { readProperty } from '../util/describe-value.ts'
import { isMediaType, isView, type MediaType, makeMediaType, type Views } from './declare/media-type.ts'
import type { ResolvedAction, ResolvedResponse } from './resolve/resolved.ts'

/** Returns the declared media type of one that some clients see. */
export const originOf = (of: MediaType): MediaType => (readProperty(of, '~origin') as MediaType | undefined) ?? of

/** Declarations as the members of some audiences see them; each declaration is narrowed once. */
export class Visibility {
  readonly #audiences: ReadonlySet<string>
  readonly #narrowedAttributes = new WeakMap<Attribute, Attribute>()

  constructor(audiences: readonly string[]) {
    this.#audiences = new Set(audiences)
  }

  /** An attribute as it is seen; undefined for one that is not. */
  readonly filter: VisibilityFilter = <A extends Attribute>(one: A): A | undefined => {
    const restriction = restrictionOf(one)
    const isSeen = restriction === undefined || restriction.audiences.some((name) => this.#audiences.has(name))
    return isSeen ? this.narrow(one) : undefined
  }

  /** An attribute without what is not seen below it. */
  narrow<A extends Attribute>(one: A): A {
    let known = this.#narrowedAttributes.get(one)
    if (known === undefined) {
      known = this.#narrowUncached(one)
      this.#narrowedAttributes.set(one, known)
    }
    return known as A
  }

  #narrowUncached(one: Attribute): Attribute {
    // A view belongs to its media type, which may have more to hide.
    if (isView(one)) return isUnrestricted(one.of) ? one : this.narrow(one.of).view(one.name)
    if (isUnrestricted(one)) return one
    if (isMediaType(one)) return this.#narrowMediaType(one)
    const { visibleTo } = one.options
    const narrowed = one.core.narrow(this.filter)
    if (visibleTo === undefined) return narrowed
    return narrowed.core.derive({ visibleTo: undefined, required: visibleTo.required } as object)
  }

  #narrowMediaType(of: MediaType): MediaType {
    const attributes = filterVisible(of.attributes, this.filter)
    const isThere = (name: string): boolean => Object.hasOwn(attributes, name)
    const views = Object.entries(of.views).map(([view, names]) => [view, names.filter(isThere)] as const)
    const { name, identifier, description } = of
    const given = { identifier, attributes, views: Object.fromEntries(views) as Views }
    return makeMediaType(name, description === undefined ? given : { ...given, description }, { '~origin': of })
  }

  /** An action as those clients may call it. */
  narrowAction(action: ResolvedAction): ResolvedAction {
    const { params, payload, headers, responses, requires } = action
    const seen = filterVisible(params, this.filter)
    return {
      ...action,
      params: seen,
      requires: filterVisibleRules(requires, seen),
      headers: filterVisible(headers, this.filter),
      payload: payload && { ...payload, attribute: this.narrow(payload.attribute) },
      responses: new Map([...responses].map(([name, one]) => [name, this.#narrowResponse(one)])),
    }
  }

  #narrowResponse(response: ResolvedResponse): ResolvedResponse {
    const bodies = response.bodies.map((body) =>
      body.attribute === undefined ? body : { ...body, attribute: this.narrow(body.attribute) },
    )
    return { ...response, bodies }
  }
}

const isUnrestricted = (one: Attribute): boolean => collectAudiences([one]).length === 0

/** The audiences that see more of an action than others do. */
export function collectActionAudiences({ params, payload, headers, responses }: ResolvedAction): readonly string[] {
  const bodies = [...responses.values()].flatMap((one) => one.bodies.flatMap(({ attribute }) => attribute ?? []))
  return collectAudiences([...listAttributes(params), ...listAttributes(headers), ...(payload ? [payload.attribute] : []), ...bodies])
}

const listAttributes = (attributes: Attributes): readonly Attribute[] => Object.values(attributes)
