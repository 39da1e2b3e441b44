// Finds the element that a creation made, by the response to it.
import type { TestResponse } from '../session/check-response.ts'
import type { TestCall } from '../session/test-call.ts'
import {
  type CheckedResource,
  getInheritedParams,
  getKeyParams,
  hasKey,
  type KnownElement,
} from './checked-resource.ts'
import type { KnownElements } from './known-elements.ts'
import { readElement } from './shown-elements.ts'

/** Returns the element that the response to a create call reports; undefined when it reports none. */
export function findCreatedElement(
  knownElements: KnownElements,
  resource: CheckedResource,
  call: TestCall,
  response: TestResponse,
): KnownElement | undefined {
  const location = response.headers.get('Location')
  const located = location === null ? undefined : knownElements.locate(location)
  const isIdentified = (element: KnownElement): boolean =>
    resource.inherited.every((name) => (element[name] ?? undefined) !== undefined) && hasKey(resource, element)
  if (located?.resource === resource && isIdentified(located.element)) return located.element
  const shown = readElement(call.action, response.body)
  if (shown === undefined) return undefined
  const element = { ...shown, ...getInheritedParams(resource, call) }
  return isIdentified(element) ? { ...element, ...getKeyParams(resource, element) } : undefined
}
