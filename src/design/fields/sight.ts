// Declarations as some clients see them: media types, params, payloads and responses without hidden attributes.
import type { Attribute, Attributes, See } from '../../schema/attribute.ts'
import { audiencesIn, restrictionOf, seenOf, seenRules } from '../../schema/structures/seen.ts'
import { property } from '../../util/described.ts'
import { isMediaType, isView, type MediaType, makeMediaType, type Views } from '../declare/media-type.ts'
import type { ResolvedAction, ResolvedResponse } from '../resolve/resolved.ts'

/** Returns the declared media type of one that some clients see. */
export const originOf = (of: MediaType): MediaType => (property(of, '~origin') as MediaType | undefined) ?? of

/** Declarations as the members of some audiences see them; each declaration is narrowed once. */
export class Sight {
  readonly #audiences: ReadonlySet<string>
  readonly #known = new WeakMap<Attribute, Attribute>()

  constructor(audiences: readonly string[]) {
    this.#audiences = new Set(audiences)
  }

  /** An attribute as it is seen; undefined for one that is not. */
  readonly see: See = <A extends Attribute>(one: A): A | undefined => {
    const restriction = restrictionOf(one)
    const isSeen = restriction === undefined || restriction.audiences.some((name) => this.#audiences.has(name))
    return isSeen ? this.whole(one) : undefined
  }

  /** An attribute without what is not seen below it. */
  whole<A extends Attribute>(one: A): A {
    let known = this.#known.get(one)
    if (known === undefined) {
      known = this.#narrowed(one)
      this.#known.set(one, known)
    }
    return known as A
  }

  #narrowed(one: Attribute): Attribute {
    // A view belongs to its media type, which may have more to hide.
    if (isView(one)) return isOpen(one.of) ? one : this.whole(one.of).view(one.name)
    if (isOpen(one)) return one
    if (isMediaType(one)) return this.#mediaType(one)
    const { visibleTo } = one.options
    const narrowed = one.core.narrow(this.see)
    if (visibleTo === undefined) return narrowed
    return narrowed.core.derive({ visibleTo: undefined, required: visibleTo.required } as object)
  }

  #mediaType(of: MediaType): MediaType {
    const attributes = seenOf(of.attributes, this.see)
    const isThere = (name: string): boolean => Object.hasOwn(attributes, name)
    const views = Object.entries(of.views).map(([view, names]) => [view, names.filter(isThere)] as const)
    const { name, identifier, description } = of
    const given = { identifier, attributes, views: Object.fromEntries(views) as Views }
    return makeMediaType(name, description === undefined ? given : { ...given, description }, { '~origin': of })
  }

  /** An action as those clients may call it. */
  action(action: ResolvedAction): ResolvedAction {
    const { params, payload, headers, responses, requires } = action
    const seen = seenOf(params, this.see)
    return {
      ...action,
      params: seen,
      requires: seenRules(requires, seen),
      headers: seenOf(headers, this.see),
      payload: payload && { ...payload, attribute: this.whole(payload.attribute) },
      responses: new Map([...responses].map(([name, one]) => [name, this.#response(one)])),
    }
  }

  #response(response: ResolvedResponse): ResolvedResponse {
    const bodies = response.bodies.map((body) =>
      body.attribute === undefined ? body : { ...body, attribute: this.whole(body.attribute) },
    )
    return { ...response, bodies }
  }
}

const isOpen = (one: Attribute): boolean => audiencesIn([one]).length === 0

/** The audiences that see more of an action than others do. */
export function audiencesOf({ params, payload, headers, responses }: ResolvedAction): readonly string[] {
  const bodies = [...responses.values()].flatMap((one) => one.bodies.flatMap(({ attribute }) => attribute ?? []))
  return audiencesIn([...valuesIn(params), ...valuesIn(headers), ...(payload ? [payload.attribute] : []), ...bodies])
}

const valuesIn = (attributes: Attributes): readonly Attribute[] => Object.values(attributes)
