// Declarations as certain clients see them: media types, params, payloads and responses without hidden attributes.

import type { Attribute, Attributes, VisibilityFilter } from '../schema/attribute.ts'
import {
  collectAudiences,
  filterVisible,
  filterVisibleRules,
  findRestriction,
} from '../schema/structures/restrictions.ts'
import { readProperty } from '../util/describe-value.ts'
import { memoize } from '../util/memoize.ts'
import { attributeRules } from './attribute-rules.ts'
import { isMediaType, isView, type MediaType, makeMediaType } from './declare/media-type.ts'
import type { Views } from './declare/views.ts'
import type { ResolvedAction, ResolvedResponse } from './resolve/resolved.ts'

/** Returns the declared media type of a narrowed one. */
export const getDeclaredMediaType = (mediaType: MediaType): MediaType =>
  (readProperty(mediaType, '~origin') as MediaType | undefined) ?? mediaType

/** Declarations as the members of certain audiences see them; each declaration is narrowed once. */
export class Visibility {
  readonly #audiences: ReadonlySet<string>

  constructor(audiences: readonly string[]) {
    this.#audiences = new Set(audiences)
  }

  /** Returns an attribute as the audiences see it; undefined for a hidden one. */
  readonly filter: VisibilityFilter = <A extends Attribute>(one: A): A | undefined => {
    const restriction = findRestriction(one)
    const isVisible = restriction === undefined || restriction.audiences.some((name) => this.#audiences.has(name))
    return isVisible ? this.narrow(one) : undefined
  }

  /** Returns an attribute without the hidden parts below it. */
  readonly narrow = memoize((one: Attribute) => this.#narrowUncached(one)) as <A extends Attribute>(one: A) => A

  #narrowUncached(one: Attribute): Attribute {
    // A view belongs to its media type, which may hide more.
    if (isView(one)) return isUnrestricted(one.of) ? one : this.narrow(one.of).view(one.name)
    if (isUnrestricted(one)) return one
    if (isMediaType(one)) return this.#narrowMediaType(one)
    const { visibleTo } = one.options
    const narrowed = attributeRules.narrow(one, this.filter)
    if (visibleTo === undefined) return narrowed
    return narrowed.core.derive({ visibleTo: undefined, required: visibleTo.required } as object)
  }

  #narrowMediaType(mediaType: MediaType): MediaType {
    const attributes = filterVisible(mediaType.attributes, this.filter)
    const isVisible = (name: string): boolean => Object.hasOwn(attributes, name)
    const views = Object.entries(mediaType.views).map(([view, names]) => [view, names.filter(isVisible)] as const)
    const { name, identifier, description } = mediaType
    const spec = { identifier, attributes, views: Object.fromEntries(views) as Views }
    return makeMediaType(name, description === undefined ? spec : { ...spec, description }, { '~origin': mediaType })
  }

  /** Returns an action as the audiences may call it. */
  narrowAction(action: ResolvedAction): ResolvedAction {
    const { params, payload, headers, responses, requires } = action
    const visible = filterVisible(params, this.filter)
    return {
      ...action,
      params: visible,
      requires: filterVisibleRules(requires, visible),
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

const isUnrestricted = (one: Attribute): boolean => collectAudiences([one], attributeRules).length === 0

/** Returns the audiences that see restricted attributes of an action. */
export function collectActionAudiences({ params, payload, headers, responses }: ResolvedAction): readonly string[] {
  const bodies = [...responses.values()].flatMap((one) => one.bodies.flatMap(({ attribute }) => attribute ?? []))
  const attributes = [
    ...listAttributes(params),
    ...listAttributes(headers),
    ...(payload ? [payload.attribute] : []),
    ...bodies,
  ]
  return collectAudiences(attributes, attributeRules)
}

const listAttributes = (attributes: Attributes): readonly Attribute[] => Object.values(attributes)
