// Resolves an action's routes: each with its complete path below the API's base path.
import {
  type CaptureConstraint,
  compilePathPattern,
  findCapture,
  groupAlternatives,
  listCaptures,
  listConstrainedNames,
  listForms,
  MAX_FORMS,
  type PathPattern,
  PatternError,
  type PatternOptions,
} from '../../path/index.ts'
import { describeValue } from '../../util/describe-value.ts'
import type { Route, RouteOptions, RoutePrefix } from '../declare/route.ts'
import { type Report, readSettings, reportFlaws } from '../mistakes.ts'
import type { LimitedInheritance } from './parent.ts'
import type { ResolvedRoute } from './resolved.ts'
import { prefixForm, settingForms } from './settings.ts'

/** The settings that an action's routes begin with. */
export interface RouteStart {
  readonly prefix: string
  readonly parentPath: string
  readonly limits: LimitedInheritance['limits']
  /** Whether the body of requests is a payload. */
  readonly payload: boolean
}

/** Resolves an action's `routing`. */
export function resolveRoutes(routing: unknown, start: RouteStart, report: Report): ResolvedRoute[] {
  const entries = listRoutingEntries(routing)
  const routes: ResolvedRoute[] = []
  let { prefix } = start
  for (const [i, entry] of entries.entries()) {
    const setting = Array.isArray(routing) ? `routing[${i}]` : 'routing'
    if (isPrefix(entry)) prefix = readPrefix(setting, entry, report) ?? prefix
    else if (isRoute(entry)) routes.push(...resolveRoute(setting, entry, { ...start, prefix }, report))
    else
      report('routing', `it holds ${describeValue(entry)}, which is not a route`, "declare routes like route.get('/')")
  }
  if (entries.every(isPrefix)) {
    report('routing', 'the action has no route', "give it at least one, such as routing: route.get('/')")
  }
  return routes
}

/** Returns the entries of a `routing`. */
export const listRoutingEntries = (routing: unknown): readonly unknown[] => [routing ?? []].flat()

export const isPrefix = (entry: unknown): entry is RoutePrefix =>
  typeof entry === 'object' && entry !== null && 'prefix' in entry

const isRoute = (entry: unknown): entry is Route => typeof entry === 'object' && entry !== null && 'verb' in entry

function readPrefix(setting: string, { prefix }: RoutePrefix, report: Report): string | undefined {
  const flaws = prefixForm.check(prefix)
  reportFlaws(`${setting}.prefix`, flaws, report)
  return flaws.length === 0 ? prefix : undefined
}

function resolveRoute(setting: string, route: Route, start: RouteStart, report: Report): ResolvedRoute[] {
  const own: unknown = route.path
  const options = readSettings(setting, route.options, settingForms.route, report)
  if (typeof own !== 'string') {
    report(`${setting}.path`, `it is ${describeValue(own)}`, "give a path, such as '/' or '/:id'")
    return []
  }
  try {
    const { path, base, slash } = joinPath(start, own)
    const limited = withParentLimits(options, start, { path, base })
    for (const name of limited.duplicates)
      report(
        `${setting}.options.capture`,
        `the parent's route constrains '${name}' already`,
        'leave it out, or constrain it in the parent',
      )
    const pattern = compileRoute(path, limited.options, report)
    const params = resolveParamsSource(setting, route, options, { payload: start.payload, report })
    return pattern === undefined ? [] : [{ verb: route.verb, path, pattern, name: options.name, params, slash }]
  } catch (error) {
    if (!(error instanceof PatternError)) throw error
    report('routing', error.message, 'correct the path or its options')
    return []
  }
}

// The body of a QUERY contains its params (RFC 10008), unless the action declares a payload.
function resolveParamsSource(
  setting: string,
  { verb }: Route,
  { params }: RouteOptions,
  { payload, report }: { readonly payload: boolean; readonly report: Report },
): ResolvedRoute['params'] {
  if (params !== undefined) checkParamsSource(setting, verb, payload, report)
  return getParamsSource(verb, params, payload)
}

/** Returns the source of the params that a route's path does not capture. */
export const getParamsSource = (
  verb: string,
  params: RouteOptions['params'],
  payload: boolean,
): ResolvedRoute['params'] => params ?? (verb === 'QUERY' && !payload ? 'body' : 'query')

function checkParamsSource(setting: string, verb: string, payload: boolean, report: Report): void {
  if (verb !== 'POST' && verb !== 'QUERY')
    report(`${setting}.params`, `${verb} takes its params in the query`, 'declare route.query(…) or route.post(…)')
  else if (payload)
    report(`${setting}.params`, 'the body is the payload of the action', 'take away the payload, or this option')
}

/** A route's path below the API's base path. */
interface JoinedPath {
  readonly path: string
  /** The part from the parent and the prefix. */
  readonly base: string
  /** Whether a trailing slash is accepted: the route is the root of its endpoint. */
  readonly slash: boolean
}

/** Appends a route's own path to those of the parent and the prefix; a leading `//` leaves the prefix out. */
export function joinPath({ prefix, parentPath }: Pick<RouteStart, 'prefix' | 'parentPath'>, own: string): JoinedPath {
  const skipsPrefix = own.startsWith('//')
  const base =
    parentPath + (skipsPrefix || prefix === '//' ? '' : groupAlternatives(withLeadingSlash(prefix.replace(/\/+$/, ''))))
  const end = groupAlternatives(withLeadingSlash(own.replace(/^\/\/?$|^\/(?=\/)/, '')))
  return { path: base + end || '/', base, slash: end === '' && base !== '' }
}

function compileRoute(path: string, options: PatternOptions, report: Report): PathPattern | undefined {
  const pattern = compilePathPattern(path, options)
  if (pattern.segments !== null || listForms(pattern.root) !== null) return pattern
  const problem = `the path ${path} has more than ${MAX_FORMS} forms`
  report('routing', problem, 'declare several routes with fewer optional parts')
  return undefined
}

/**
 * Merges the options of a route with the limits of its parent's route; also returns the captures that both constrain by
 * name.
 */
function withParentLimits(
  { capture, except }: PatternOptions,
  { parentPath, limits }: RouteStart,
  { path, base }: Pick<JoinedPath, 'path' | 'base'>,
): { readonly options: PatternOptions; readonly duplicates: readonly string[] } {
  const constrained = Object.keys(limits.capture)
  const exceptions = [
    // A path below one that the parent excludes.
    limits.except === undefined ? [] : limits.except + path.slice(parentPath.length),
    // The exception is written like the route's own path, and gets the same prefix.
    except === undefined ? [] : prefixException(except, parentPath, base),
  ].flat()
  const captures = constrained.length === 0 ? capture : { ...expandConstraints(capture, path), ...limits.capture }
  return {
    options: {
      ...(captures !== undefined && { capture: captures }),
      ...(exceptions.length > 0 && { except: exceptions.join('|') }),
    },
    duplicates: listConstrainedNames(capture).filter((name) => constrained.includes(name)),
  }
}

const prefixException = (except: string, parentPath: string, base: string): string =>
  except.startsWith('//')
    ? parentPath + groupAlternatives(except.slice(1))
    : base + groupAlternatives(withLeadingSlash(except))

// Expands one constraint for all captures into one for each.
const expandConstraints = (
  capture: PatternOptions['capture'],
  path: string,
): Readonly<Record<string, CaptureConstraint>> =>
  Object.fromEntries(
    listCaptures(path).flatMap((name) => {
      const constraint = findCapture(capture, name)
      return constraint === undefined ? [] : [[name, constraint]]
    }),
  )

/** Adds a leading slash to a path. */
const withLeadingSlash = (path: string): string => path.replace(/^(?=[^/(])/, '/')
