// Differences in the ways to reach an action.
import { compareCodeUnits, isSameData } from '../canonical.ts'
import type { RouteContract } from '../contract.ts'
import { type ChangeCollector, collectNames, getRecordValue as own, quoteList, subtractNames } from './change.ts'

type RouteContracts = readonly RouteContract[]

/** Compares the routes of two forms of an action. */
export function compareRoutes(old: RouteContracts, now: RouteContracts, place: string, changes: ChangeCollector): void {
  const at = `${place} › routing`
  const gone: RouteContract[] = []
  const widened = new Set<string>()
  for (const route of old) {
    const same = now.find((one) => isSameData(one, route)) ?? findRouteContract(now, route, route.verb)
    if (same !== undefined) compareRoute(route, same, at, changes)
    else if (findRouteContract(now, route, 'ANY') === undefined) gone.push(route)
    else {
      widened.add(route.path)
      changes.add('compatible', at, 'route-verb-widened', `ANY ${route.path} takes what ${formatRoute(route)} took`)
    }
  }
  const fresh = now.filter((route) => findRouteContract(old, route, route.verb) === undefined)
  const added = fresh.filter(({ verb, path }) => verb !== 'ANY' || !widened.has(path))
  const [was, is] = [gone[0], added[0]]
  if (was !== undefined && is !== undefined && gone.length === 1 && added.length === 1)
    return reportMovedRoute(was, is, at, changes)
  for (const route of gone) changes.add('breaking', at, 'route-removed', `${formatRoute(route)} is gone`)
  for (const route of added) changes.add('compatible', at, 'route-added', `${formatRoute(route)} is new`)
}

const findRouteContract = (routes: RouteContracts, { path }: RouteContract, verb: string): RouteContract | undefined =>
  routes.find((one) => one.verb === verb && one.path === path)

const formatRoute = ({ verb, path }: RouteContract): string => `${verb} ${path}`

function reportMovedRoute(was: RouteContract, is: RouteContract, place: string, changes: ChangeCollector): void {
  const what = `${formatRoute(is)} is the route now, and ${formatRoute(was)} was`
  changes.add('breaking', place, was.path === is.path ? 'route-verb-changed' : 'route-path-changed', what)
}

function compareRoute(was: RouteContract, is: RouteContract, place: string, changes: ChangeCollector): void {
  const at = `${place} ${formatRoute(is)}`
  changes.addText(at, 'route-name-changed', { what: 'its name', old: was.name, now: is.name })
  const [before, after] = [was.captures ?? {}, is.captures ?? {}]
  for (const name of collectNames(before, after)) compareCapture([own(before, name), own(after, name)], name, at, changes)
  if (was.slash !== is.slash)
    changes.add(
      is.slash ? 'compatible' : 'breaking',
      at,
      is.slash ? 'slash-added' : 'slash-removed',
      is.slash ? 'a slash at the end is allowed now' : 'a slash at the end is not found any more',
    )
  compareParamsSource(was.paramsIn, is.paramsIn, at, changes)
  if (was.except === is.except) return
  if (is.except === undefined)
    changes.add('compatible', at, 'exception-removed', `${was.except} is no exception any more`)
  else
    changes.add(
      'breaking',
      at,
      was.except === undefined ? 'exception-added' : 'exception-changed',
      `${is.except} is an exception now`,
    )
}

type ParamContentTypes = readonly string[] | undefined

function compareParamsSource(was: ParamContentTypes, is: ParamContentTypes, place: string, changes: ChangeCollector): void {
  if (was === undefined && is === undefined) return
  if (was === undefined || is === undefined) {
    const [now, before] = is === undefined ? ['query', 'body'] : ['body', 'query']
    return changes.add('breaking', place, 'params-moved', `its params are in the ${now} now, and were in the ${before}`)
  }
  const [gone, fresh] = [subtractNames(was, is), subtractNames(is, was)]
  if (gone.length > 0) changes.add('breaking', place, 'params-type-removed', `a body of ${quoteList(gone)} is refused now`)
  if (fresh.length > 0) changes.add('compatible', place, 'params-type-added', `a body of ${quoteList(fresh)} is taken now`)
}

type ConstraintContract = string | readonly string[] | undefined

function compareCapture(
  [was, is]: readonly [ConstraintContract, ConstraintContract],
  name: string,
  place: string,
  changes: ChangeCollector,
): void {
  if (is === undefined) return changes.add('compatible', place, 'capture-widened', `:${name} takes any segment now`)
  const now = toSortedList(is)
  if (was === undefined)
    return changes.add('breaking', place, 'capture-narrowed', `:${name} takes only ${now.join(', ')} now`)
  const before = toSortedList(was)
  const [gone, fresh] = [subtractNames(before, now), subtractNames(now, before)]
  if (gone.length > 0)
    changes.add('breaking', place, 'capture-narrowed', `:${name} does not take ${quoteList(gone)} any more`)
  if (fresh.length > 0) changes.add('compatible', place, 'capture-widened', `:${name} takes ${quoteList(fresh)} now`)
}

const toSortedList = (constraint: string | readonly string[]): readonly string[] =>
  (typeof constraint === 'string' ? [constraint] : [...constraint]).sort(compareCodeUnits)
