// Describes resources: the actions whose paths address the same elements, and the parts of a key in paths and elements.
import type { PathResource } from '../../mock/resource-index.ts'
import type { CheckedList } from '../lists/checked-list.ts'
import type { JsonElement } from '../lists/list-reader.ts'
import type { TestCall } from '../session/test-call.ts'

/** The path params that identify an element, and its other known values. */
export type KnownElement = Readonly<Record<string, unknown>>

/** The actions on the elements of one path, with how their list is read. */
export type CheckedResource = PathResource<CheckedList>

/** Returns the value of a key in an element, as a path has it. */
export const getKeyValue = ({ keyAttributes }: CheckedResource, element: KnownElement, name: string): unknown =>
  Object.hasOwn(element, name) ? element[name] : element[keyAttributes[name] ?? name]

/** Returns the params that identify an element among those of its parent. */
export const getKeyParams = (resource: CheckedResource, element: KnownElement): KnownElement =>
  Object.fromEntries(resource.key.map((name) => [name, getKeyValue(resource, element, name)]))

/** Returns the params that identify the parent of the elements of a call. */
export const getInheritedParams = ({ inherited }: CheckedResource, { params }: TestCall): KnownElement =>
  Object.fromEntries(inherited.map((name) => [name, params[name]]))

/** Returns whether an element shows its key. */
export const hasKey = (resource: CheckedResource, element: KnownElement): boolean =>
  resource.key.every((name) => (getKeyValue(resource, element, name) ?? undefined) !== undefined)

/** Returns the path params that identify an element. */
const getElementParams = (resource: CheckedResource, element: KnownElement): KnownElement => ({
  ...Object.fromEntries(resource.inherited.map((name) => [name, element[name]])),
  ...getKeyParams(resource, element),
})

/** Returns the same call for another element. */
export const withElement = (call: TestCall, resource: CheckedResource, element: KnownElement): TestCall => ({
  ...call,
  params: { ...call.params, ...getElementParams(resource, element) },
})

/** Returns whether an element of a list is the given one; undefined when the list does not show its key. */
export function isSameElement(
  resource: CheckedResource,
  element: JsonElement,
  known: KnownElement,
): boolean | undefined {
  if (!hasKey(resource, element)) return undefined
  return resource.key.every(
    (name) => String(getKeyValue(resource, element, name)) === String(getKeyValue(resource, known, name)),
  )
}

/** Returns a text that is equal for elements with the same key. */
export const formatKey = (resource: CheckedResource, element: KnownElement): string =>
  JSON.stringify(resource.key.map((name) => String(getKeyValue(resource, element, name))))
