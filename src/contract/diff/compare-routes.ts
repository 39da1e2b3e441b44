// Compares the routes of an action.

import { compareAscending } from '../../util/compare.ts'
import { isSameData } from '../canonical.ts'
import type { RouteContract } from '../contract.ts'
import { type ChangeCollector, collectNames, getRecordValue, quoteList, subtractNames } from './change.ts'

type RouteContracts = readonly RouteContract[]

/** Compares the routes of two versions of an action. */
export function compareRoutes(
  old: RouteContracts,
  now: RouteContracts,
  actionLocation: string,
  changes: ChangeCollector,
): void {
  const location = `${actionLocation} › routing`
  const removed: RouteContract[] = []
  const widened = new Set<string>()
  for (const route of old) {
    const same = now.find((one) => isSameData(one, route)) ?? findRouteContract(now, route, route.verb)
    if (same !== undefined) compareRoute(route, same, location, changes)
    else if (findRouteContract(now, route, 'ANY') === undefined) removed.push(route)
    else {
      widened.add(route.path)
      changes.add(
        'compatible',
        location,
        'route-verb-widened',
        `ANY ${route.path} takes what ${formatRoute(route)} took`,
      )
    }
  }
  const unmatched = now.filter((route) => findRouteContract(old, route, route.verb) === undefined)
  const added = unmatched.filter(({ verb, path }) => verb !== 'ANY' || !widened.has(path))
  const [was, is] = [removed[0], added[0]]
  if (was !== undefined && is !== undefined && removed.length === 1 && added.length === 1)
    return reportMovedRoute(was, is, location, changes)
  for (const route of removed) changes.add('breaking', location, 'route-removed', `${formatRoute(route)} is gone`)
  for (const route of added) changes.add('compatible', location, 'route-added', `${formatRoute(route)} is new`)
}

const findRouteContract = (routes: RouteContracts, { path }: RouteContract, verb: string): RouteContract | undefined =>
  routes.find((one) => one.verb === verb && one.path === path)

const formatRoute = ({ verb, path }: RouteContract): string => `${verb} ${path}`

function reportMovedRoute(was: RouteContract, is: RouteContract, location: string, changes: ChangeCollector): void {
  const what = `${formatRoute(is)} is the route now, and ${formatRoute(was)} was`
  changes.add('breaking', location, was.path === is.path ? 'route-verb-changed' : 'route-path-changed', what)
}

function compareRoute(was: RouteContract, is: RouteContract, location: string, changes: ChangeCollector): void {
  const routeLocation = `${location} ${formatRoute(is)}`
  changes.addText(routeLocation, 'route-name-changed', { what: 'its name', old: was.name, now: is.name })
  const [before, after] = [was.captures ?? {}, is.captures ?? {}]
  for (const name of collectNames(before, after))
    compareCapture([getRecordValue(before, name), getRecordValue(after, name)], name, routeLocation, changes)
  if (was.slash !== is.slash)
    changes.add(
      is.slash ? 'compatible' : 'breaking',
      routeLocation,
      is.slash ? 'slash-added' : 'slash-removed',
      is.slash ? 'a slash at the end is allowed now' : 'a slash at the end is not found any more',
    )
  compareParamsSource(was.paramsIn, is.paramsIn, routeLocation, changes)
  if (was.except === is.except) return
  if (is.except === undefined)
    changes.add('compatible', routeLocation, 'exception-removed', `${was.except} is no exception any more`)
  else
    changes.add(
      'breaking',
      routeLocation,
      was.except === undefined ? 'exception-added' : 'exception-changed',
      `${is.except} is an exception now`,
    )
}

type ParamContentTypes = readonly string[] | undefined

function compareParamsSource(
  was: ParamContentTypes,
  is: ParamContentTypes,
  location: string,
  changes: ChangeCollector,
): void {
  if (was === undefined && is === undefined) return
  if (was === undefined || is === undefined) {
    const [now, before] = is === undefined ? ['query', 'body'] : ['body', 'query']
    return changes.add(
      'breaking',
      location,
      'params-moved',
      `its params are in the ${now} now, and were in the ${before}`,
    )
  }
  const [removed, added] = [subtractNames(was, is), subtractNames(is, was)]
  if (removed.length > 0)
    changes.add('breaking', location, 'params-type-removed', `a body of ${quoteList(removed)} is refused now`)
  if (added.length > 0)
    changes.add('compatible', location, 'params-type-added', `a body of ${quoteList(added)} is taken now`)
}

type ConstraintContract = string | readonly string[] | undefined

function compareCapture(
  [was, is]: readonly [ConstraintContract, ConstraintContract],
  name: string,
  location: string,
  changes: ChangeCollector,
): void {
  if (is === undefined) return changes.add('compatible', location, 'capture-widened', `:${name} takes any segment now`)
  const now = toSortedList(is)
  if (was === undefined)
    return changes.add('breaking', location, 'capture-narrowed', `:${name} takes only ${now.join(', ')} now`)
  const before = toSortedList(was)
  const [removed, added] = [subtractNames(before, now), subtractNames(now, before)]
  if (removed.length > 0)
    changes.add('breaking', location, 'capture-narrowed', `:${name} does not take ${quoteList(removed)} any more`)
  if (added.length > 0) changes.add('compatible', location, 'capture-widened', `:${name} takes ${quoteList(added)} now`)
}

const toSortedList = (constraint: string | readonly string[]): readonly string[] =>
  (typeof constraint === 'string' ? [constraint] : [...constraint]).sort(compareAscending)
