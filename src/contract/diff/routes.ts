// Differences in the ways to reach an action.
import { byText, isSame } from '../canonical.ts'
import type { RouteContract } from '../contract.ts'
import { type Changes, namesOf, at as own, quoted, without } from './change.ts'

type Routes = readonly RouteContract[]

/** Compares the routes of two forms of an action. */
export function compareRoutes(old: Routes, now: Routes, place: string, changes: Changes): void {
  const at = `${place} › routing`
  const gone: RouteContract[] = []
  const widened = new Set<string>()
  for (const route of old) {
    const same = now.find((one) => isSame(one, route)) ?? find(now, route, route.verb)
    if (same !== undefined) compareRoute(route, same, at, changes)
    else if (find(now, route, 'ANY') === undefined) gone.push(route)
    else {
      widened.add(route.path)
      changes.add('compatible', at, 'route-verb-widened', `ANY ${route.path} takes what ${shown(route)} took`)
    }
  }
  const fresh = now.filter((route) => find(old, route, route.verb) === undefined)
  const added = fresh.filter(({ verb, path }) => verb !== 'ANY' || !widened.has(path))
  const [was, is] = [gone[0], added[0]]
  if (was !== undefined && is !== undefined && gone.length === 1 && added.length === 1)
    return moved(was, is, at, changes)
  for (const route of gone) changes.add('breaking', at, 'route-removed', `${shown(route)} is gone`)
  for (const route of added) changes.add('compatible', at, 'route-added', `${shown(route)} is new`)
}

const find = (routes: Routes, { path }: RouteContract, verb: string): RouteContract | undefined =>
  routes.find((one) => one.verb === verb && one.path === path)

const shown = ({ verb, path }: RouteContract): string => `${verb} ${path}`

function moved(was: RouteContract, is: RouteContract, place: string, changes: Changes): void {
  const what = `${shown(is)} is the route now, and ${shown(was)} was`
  changes.add('breaking', place, was.path === is.path ? 'route-verb-changed' : 'route-path-changed', what)
}

function compareRoute(was: RouteContract, is: RouteContract, place: string, changes: Changes): void {
  const at = `${place} ${shown(is)}`
  changes.text(at, 'route-name-changed', { what: 'its name', old: was.name, now: is.name })
  const [before, after] = [was.captures ?? {}, is.captures ?? {}]
  for (const name of namesOf(before, after)) compareCapture([own(before, name), own(after, name)], name, at, changes)
  if (was.slash !== is.slash)
    changes.add(
      is.slash ? 'compatible' : 'breaking',
      at,
      is.slash ? 'slash-added' : 'slash-removed',
      is.slash ? 'a slash at the end is allowed now' : 'a slash at the end is not found any more',
    )
  compareParams(was.paramsIn, is.paramsIn, at, changes)
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

type Types = readonly string[] | undefined

function compareParams(was: Types, is: Types, place: string, changes: Changes): void {
  if (was === undefined && is === undefined) return
  if (was === undefined || is === undefined) {
    const [now, before] = is === undefined ? ['query', 'body'] : ['body', 'query']
    return changes.add('breaking', place, 'params-moved', `its params are in the ${now} now, and were in the ${before}`)
  }
  const [gone, fresh] = [without(was, is), without(is, was)]
  if (gone.length > 0) changes.add('breaking', place, 'params-type-removed', `a body of ${quoted(gone)} is refused now`)
  if (fresh.length > 0) changes.add('compatible', place, 'params-type-added', `a body of ${quoted(fresh)} is taken now`)
}

type Constraint = string | readonly string[] | undefined

function compareCapture(
  [was, is]: readonly [Constraint, Constraint],
  name: string,
  place: string,
  changes: Changes,
): void {
  if (is === undefined) return changes.add('compatible', place, 'capture-widened', `:${name} takes any segment now`)
  const now = listed(is)
  if (was === undefined)
    return changes.add('breaking', place, 'capture-narrowed', `:${name} takes only ${now.join(', ')} now`)
  const before = listed(was)
  const [gone, fresh] = [without(before, now), without(now, before)]
  if (gone.length > 0)
    changes.add('breaking', place, 'capture-narrowed', `:${name} does not take ${quoted(gone)} any more`)
  if (fresh.length > 0) changes.add('compatible', place, 'capture-widened', `:${name} takes ${quoted(fresh)} now`)
}

const listed = (constraint: string | readonly string[]): readonly string[] =>
  (typeof constraint === 'string' ? [constraint] : [...constraint]).sort(byText)
