// Resources: which actions of an endpoint create, show, list, change and delete the same elements.
import { isMediaType, type MediaType } from '../../design/declare/media-type.ts'
import type { ResolvedAction, ResolvedEndpoint } from '../../design/resolve/resolved.ts'
import { inheritedNames, ownCaptures, type Registry } from '../../mock/registry.ts'
import { planOf } from '../../mock/roles.ts'
import { type Listed, listedBy, type Settling } from '../lists/listed.ts'
import type { Call } from './call.ts'
import type { Answer } from './judge.ts'
import type { Place, Places } from './places.ts'

/** The actions of an endpoint on its elements. */
export interface Resource {
  readonly endpoint: ResolvedEndpoint
  readonly mediaType: MediaType
  /** The params that tell elements apart, those of parents first. */
  readonly inherited: readonly string[]
  readonly key: readonly string[]
  readonly create?: ResolvedAction | undefined
  readonly show?: ResolvedAction | undefined
  readonly update?: ResolvedAction | undefined
  readonly remove?: ResolvedAction | undefined
  readonly list?: Listed | undefined
}

/** The resource of an endpoint; undefined where nothing tells its elements apart. */
export function resourceIn(subject: Settling, registry: Registry, endpoint: ResolvedEndpoint): Resource | undefined {
  const { mediaType } = endpoint
  const [inherited, key] = [inheritedNames(endpoint), ownCaptures(endpoint)]
  if (!isMediaType(mediaType) || key.length === 0) return undefined
  const own = registry.entityOf(mediaType)
  const plans = [...endpoint.actions.values()].map((action) => planOf(action, registry))
  const path = new Set([...inherited, ...key])
  const captures = ({ routes }: ResolvedAction): readonly string[] => routes[0]?.pattern.names ?? []
  const find = (role: string, names: ReadonlySet<string>): ResolvedAction | undefined =>
    plans.find(
      (plan) =>
        plan.role === role &&
        plan.entity === own &&
        captures(plan.action).length === names.size &&
        captures(plan.action).every((name) => names.has(name)),
    )?.action
  const list = find('list', new Set(inherited))
  const show = find('show', path)
  return {
    endpoint,
    mediaType,
    inherited,
    key,
    create: find('create', new Set(inherited)),
    show: show?.routes.some(({ verb }) => verb === 'GET') ? show : undefined,
    update: find('update', path),
    remove: find('delete', path),
    list: list && listedBy(subject, list),
  }
}

/** The params of a place that lead to its element. */
const paramsOf = ({ inherited, key }: Resource, place: Place): Place =>
  Object.fromEntries([...inherited, ...key].map((name) => [name, place[name]]))

/** The same call about another element. */
export const about = (call: Call, resource: Resource, place: Place): Call => ({
  ...call,
  params: { ...call.params, ...paramsOf(resource, place) },
})

/** The element that an answer to a creating call tells of; undefined when it does not. */
export function createdBy(places: Places, resource: Resource, call: Call, answer: Answer): Place | undefined {
  const location = answer.headers.get('Location')
  const located = location === null ? undefined : places.placeAt(location)
  const names = [...resource.inherited, ...resource.key]
  const isWhole = (place: Place | undefined): place is Place =>
    place !== undefined && names.every((name) => place[name] !== undefined && place[name] !== null)
  if (located?.endpoint === resource.endpoint && isWhole(located.place)) return located.place
  const { body } = answer
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return undefined
  const inherited = Object.fromEntries(resource.inherited.map((name) => [name, call.params[name]]))
  const place = { ...(body as Place), ...inherited }
  return isWhole(place) ? place : undefined
}

/** Returns whether an element of a list is the one at a place; undefined where the list does not show what tells. */
export function isAt({ key }: Resource, element: Readonly<Record<string, unknown>>, place: Place): boolean | undefined {
  if (!key.every((name) => element[name] !== undefined)) return undefined
  return key.every((name) => String(element[name]) === String(place[name]))
}
