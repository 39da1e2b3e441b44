// Says what a mock does not keep and what it does not understand, with the reason and the remedy.
import { isMediaType } from '../design/declare/media-type.ts'
import { getMediaType, listShownParts } from '../design/fields/shown-part.ts'
import type { ResolvedAction, ResolvedEndpoint } from '../design/resolve/resolved.ts'
import type { EntityRegistry } from './entity-registry.ts'
import type { MockPlan } from './roles.ts'

/** A part of a declaration that a mock does not serve as an application would. */
export interface MockNote {
  /** The media type or the action, such as `Books.index`. */
  readonly location: string
  readonly problem: string
  readonly remedy: string
}

/** Lists what a mock does not keep, and what it does not understand. */
export function listNotes(
  endpoints: readonly ResolvedEndpoint[],
  plans: readonly MockPlan[],
  registry: EntityRegistry,
): readonly MockNote[] {
  return [...listKeptNothing(endpoints, registry), ...plans.flatMap((plan) => [...listPlanNotes(plan, plans)])]
}

function listKeptNothing(endpoints: readonly ResolvedEndpoint[], registry: EntityRegistry): readonly MockNote[] {
  const shown = endpoints.flatMap(({ mediaType, actions }) => [
    ...(isMediaType(mediaType) ? [mediaType] : []),
    ...[...actions.values()].flatMap(listShownTypes),
  ])
  return [...new Set(shown)]
    .filter((one) => registry.getEntity(one) === undefined)
    .map(({ name }) => ({
      location: name,
      problem: 'none of its attributes identifies an element, so the mock keeps none and responds with examples',
      remedy: 'declare a required attribute with many values, or a path with a param that has the name of one',
    }))
}

const listShownTypes = ({ responses }: ResolvedAction) =>
  [...responses.values()]
    .filter(({ status }) => status < 400)
    .flatMap(({ bodies }) => bodies.flatMap(({ attribute }) => (attribute ? listShownParts(attribute) : [])))
    .map(({ resource }) => getMediaType(resource))

function* listPlanNotes(plan: MockPlan, plans: readonly MockPlan[]): Generator<MockNote> {
  const { action, role, entity, sent, filters, values, response } = plan
  const location = `${action.endpoint.name}.${action.name}`
  const isRead = action.routes.every(({ verb }) => verb === 'GET' || verb === 'QUERY' || verb === 'HEAD')
  if (role === 'none' && response !== undefined && response.status < 400 && values === undefined) {
    const parts = response.bodies.flatMap(({ attribute }) => (attribute ? listShownParts(attribute) : []))
    if (parts.length > 1)
      yield {
        location,
        problem: `it responds with an example, as its response shows several elements: ${formatPaths(parts)}`,
        remedy: 'respond with one of them, or with a list',
      }
    else if (!isRead || response.bodies.length > 0)
      yield {
        location,
        problem: 'it responds with an example, as neither its path nor its response names elements that the mock keeps',
        remedy: 'give its endpoint a media type, or respond with one',
      }
  }
  if (role === 'show' && !isRead)
    yield {
      location,
      problem: 'it changes nothing, as its declaration does not say what it does',
      remedy:
        'use PUT or PATCH on the path of the element, or a pair of POST and DELETE whose path ends in the name of an attribute',
    }
  if ((role === 'create' || role === 'update') && action.payload !== undefined && sent === undefined)
    yield {
      location,
      problem: `its payload is not kept, as no one part of it has attributes of ${entity?.mediaType.name}`,
      remedy: 'give attributes of the payload the names of those of the media type',
    }
  for (const param of filters.others)
    yield {
      location: `${location}.params.${param}`,
      problem: `it filters nothing, as ${entity?.mediaType.name} has no attribute of its name and kind`,
      remedy: 'name it like an attribute, or declare FilteringParams',
    }
  if (role === 'list' && plans.some((other) => isWiderList(other, plan)))
    yield {
      location,
      problem: `it lists every ${entity?.mediaType.name}, as its declaration does not say which`,
      remedy: 'declare the condition as a param that is named like an attribute',
    }
}

const formatPaths = (parts: readonly { readonly path: readonly string[] }[]): string =>
  parts.map(({ path }) => path.join('.')).join(', ')

// `/articles/feed` has a part of the list at `/articles`; which one, only the application knows.
const isWiderList = (wider: MockPlan, { action, entity }: MockPlan): boolean =>
  wider.role === 'list' &&
  wider.entity === entity &&
  wider.action.endpoint === action.endpoint &&
  action.routes.some(({ path }) => wider.action.routes.some((other) => path.startsWith(`${other.path}/`)))
