// Finds the actions of an endpoint that create, show, list, update and delete the same elements.
import { isMediaType, type MediaType } from '../../design/declare/media-type.ts'
import type { ResolvedAction, ResolvedEndpoint } from '../../design/resolve/resolved.ts'
import { type EntityRegistry, getInheritedNames, getOwnCaptures } from '../../mock/entity-registry.ts'
import { planMockAction } from '../../mock/roles.ts'
import { type CheckedList, findCheckedList, type TermsSource } from '../lists/checked-list.ts'
import type { TestResponse } from '../session/check-response.ts'
import type { TestCall } from '../session/test-call.ts'
import type { KnownElement, KnownElements } from './known-elements.ts'

/** The actions of an endpoint on its elements. */
export interface CheckedResource {
  readonly endpoint: ResolvedEndpoint
  readonly mediaType: MediaType
  /** The params that identify elements, those of parents first. */
  readonly inherited: readonly string[]
  readonly key: readonly string[]
  readonly create?: ResolvedAction | undefined
  readonly show?: ResolvedAction | undefined
  readonly update?: ResolvedAction | undefined
  readonly remove?: ResolvedAction | undefined
  readonly list?: CheckedList | undefined
}

/** Returns the resource of an endpoint; undefined when no param identifies its elements. */
export function findCheckedResource(
  subject: TermsSource,
  registry: EntityRegistry,
  endpoint: ResolvedEndpoint,
): CheckedResource | undefined {
  const { mediaType } = endpoint
  const [inherited, key] = [getInheritedNames(endpoint), getOwnCaptures(endpoint)]
  if (!isMediaType(mediaType) || key.length === 0) return undefined
  const own = registry.getEntity(mediaType)
  const plans = [...endpoint.actions.values()].map((action) => planMockAction(action, registry))
  const path = new Set([...inherited, ...key])
  const getCaptures = ({ routes }: ResolvedAction): readonly string[] => routes[0]?.pattern.names ?? []
  const find = (role: string, names: ReadonlySet<string>): ResolvedAction | undefined =>
    plans.find(
      (plan) =>
        plan.role === role &&
        plan.entity === own &&
        getCaptures(plan.action).length === names.size &&
        getCaptures(plan.action).every((name) => names.has(name)),
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

/** Returns the path params that identify an element. */
const getElementParams = ({ inherited, key }: CheckedResource, element: KnownElement): KnownElement =>
  Object.fromEntries([...inherited, ...key].map((name) => [name, element[name]]))

/** Returns the same call for another element. */
export const withElement = (call: TestCall, resource: CheckedResource, element: KnownElement): TestCall => ({
  ...call,
  params: { ...call.params, ...getElementParams(resource, element) },
})

/** Returns the element that the response to a create call reports; undefined when it reports none. */
export function findCreatedElement(
  knownElements: KnownElements,
  resource: CheckedResource,
  call: TestCall,
  response: TestResponse,
): KnownElement | undefined {
  const location = response.headers.get('Location')
  const located = location === null ? undefined : knownElements.locate(location)
  const names = [...resource.inherited, ...resource.key]
  const isIdentified = (element: KnownElement | undefined): element is KnownElement =>
    element !== undefined && names.every((name) => element[name] !== undefined && element[name] !== null)
  if (located?.endpoint === resource.endpoint && isIdentified(located.element)) return located.element
  const { body } = response
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return undefined
  const inherited = Object.fromEntries(resource.inherited.map((name) => [name, call.params[name]]))
  const element = { ...(body as KnownElement), ...inherited }
  return isIdentified(element) ? element : undefined
}

/** Returns whether an element of a list is the given one; undefined when the list does not show its key. */
export function isSameElement(
  { key }: CheckedResource,
  element: Readonly<Record<string, unknown>>,
  known: KnownElement,
): boolean | undefined {
  if (!key.every((name) => element[name] !== undefined)) return undefined
  return key.every((name) => String(element[name]) === String(known[name]))
}
