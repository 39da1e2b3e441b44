// Resources: which actions of an endpoint create, show, list, change and delete the same elements.
import { isMediaType, type MediaType } from '../../design/declare/media-type.ts'
import type { ResolvedAction, ResolvedEndpoint } from '../../design/resolve/resolved.ts'
import { getInheritedNames, getOwnCaptures, type EntityRegistry } from '../../mock/entity-registry.ts'
import { planMockAction } from '../../mock/roles.ts'
import { type CheckedList, findCheckedList, type TermsSource } from '../lists/checked-list.ts'
import type { TestCall } from '../session/test-call.ts'
import type { TestResponse } from '../session/check-response.ts'
import type { KnownElement, KnownElements } from './known-elements.ts'

/** The actions of an endpoint on its elements. */
export interface CheckedResource {
  readonly endpoint: ResolvedEndpoint
  readonly mediaType: MediaType
  /** The params that tell elements apart, those of parents first. */
  readonly inherited: readonly string[]
  readonly key: readonly string[]
  readonly create?: ResolvedAction | undefined
  readonly show?: ResolvedAction | undefined
  readonly update?: ResolvedAction | undefined
  readonly remove?: ResolvedAction | undefined
  readonly list?: CheckedList | undefined
}

/** The resource of an endpoint; undefined where nothing tells its elements apart. */
export function findCheckedResource(subject: TermsSource, registry: EntityRegistry, endpoint: ResolvedEndpoint): CheckedResource | undefined {
  const { mediaType } = endpoint
  const [inherited, key] = [getInheritedNames(endpoint), getOwnCaptures(endpoint)]
  if (!isMediaType(mediaType) || key.length === 0) return undefined
  const own = registry.getEntity(mediaType)
  const plans = [...endpoint.actions.values()].map((action) => planMockAction(action, registry))
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
    list: list && findCheckedList(subject, list),
  }
}

/** The params of a place that lead to its element. */
const getElementParams = ({ inherited, key }: CheckedResource, place: KnownElement): KnownElement =>
  Object.fromEntries([...inherited, ...key].map((name) => [name, place[name]]))

/** The same call about another element. */
export const withElement = (call: TestCall, resource: CheckedResource, place: KnownElement): TestCall => ({
  ...call,
  params: { ...call.params, ...getElementParams(resource, place) },
})

/** The element that an answer to a creating call tells of; undefined when it does not. */
export function findCreatedElement(places: KnownElements, resource: CheckedResource, call: TestCall, answer: TestResponse): KnownElement | undefined {
  const location = answer.headers.get('Location')
  const located = location === null ? undefined : places.locate(location)
  const names = [...resource.inherited, ...resource.key]
  const isWhole = (place: KnownElement | undefined): place is KnownElement =>
    place !== undefined && names.every((name) => place[name] !== undefined && place[name] !== null)
  if (located?.endpoint === resource.endpoint && isWhole(located.place)) return located.place
  const { body } = answer
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return undefined
  const inherited = Object.fromEntries(resource.inherited.map((name) => [name, call.params[name]]))
  const place = { ...(body as KnownElement), ...inherited }
  return isWhole(place) ? place : undefined
}

/** Returns whether an element of a list is the one at a place; undefined where the list does not show what tells. */
export function isSameElement({ key }: CheckedResource, element: Readonly<Record<string, unknown>>, place: KnownElement): boolean | undefined {
  if (!key.every((name) => element[name] !== undefined)) return undefined
  return key.every((name) => String(element[name]) === String(place[name]))
}
