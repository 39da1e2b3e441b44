// Adds the captures of a path to the raw params of a request.
import { type RouteMatch, readRouteCapture, readRouteSplat } from '../../routing/router/router.ts'
import type { RawTree } from './value-tree.ts'

/** Adds the captures of the path. They have precedence: a query parameter with the same name is ignored. */
export function addCaptures(found: RouteMatch<unknown>, raw: RawTree): void {
  const { names, wildcards } = found.pattern
  for (let i = 0; i < names.length; i++) {
    const value = readRouteCapture(found, i)
    if (value !== null) raw[names[i] as string] = value
  }
  if (wildcards > 0) raw['splat'] = readRouteSplat(found)
}
