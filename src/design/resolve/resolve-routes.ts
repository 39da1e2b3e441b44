// Resolves an action's routes: each with its whole path below the API's base path.
import {
  type CaptureConstraint,
  findCapture,
  listCaptures,
  compilePathPattern,
  listConstrainedNames,
  listForms,
  groupAlternatives,
  MAX_FORMS,
  type PathPattern,
  PatternError,
  type PatternOptions,
} from '../../path/index.ts'
import { describeValue } from '../../util/describe-value.ts'
import type { Route, RouteOptions, RoutePrefix } from '../declare/route.ts'
import { type Report, reportFlaws, readSettings } from '../mistakes.ts'
import type { LimitedInheritance } from './parent.ts'
import type { ResolvedRoute } from './resolved.ts'
import { prefixForm, settingForms } from './settings.ts'

/** The start of an action's routes. */
export interface RouteStart {
  readonly prefix: string
  readonly parentPath: string
  readonly limits: LimitedInheritance['limits']
  /** Whether the body of requests is a payload. */
  readonly payload: boolean
}

/** Works out what an action's `routing` declares. */
export function resolveRoutes(routing: unknown, beginning: RouteStart, report: Report): ResolvedRoute[] {
  const entries = listRoutingEntries(routing)
  const routes: ResolvedRoute[] = []
  let { prefix } = beginning
  for (const [i, entry] of entries.entries()) {
    const place = Array.isArray(routing) ? `routing[${i}]` : 'routing'
    if (isPrefix(entry)) prefix = readPrefix(place, entry, report) ?? prefix
    else if (isRoute(entry)) routes.push(...resolveRoute(place, entry, { ...beginning, prefix }, report))
    else report('routing', `it holds ${describeValue(entry)}, which is not a route`, "declare routes like route.get('/')")
  }
  if (entries.every(isPrefix)) {
    report('routing', 'the action has no route', "give it at least one, such as routing: route.get('/')")
  }
  return routes
}

/** The entries of a `routing`. */
export const listRoutingEntries = (routing: unknown): readonly unknown[] => [routing ?? []].flat()

/** Returns whether an entry is a prefix. */
export const isPrefix = (entry: unknown): entry is RoutePrefix =>
  typeof entry === 'object' && entry !== null && 'prefix' in entry

const isRoute = (entry: unknown): entry is Route => typeof entry === 'object' && entry !== null && 'verb' in entry

function readPrefix(place: string, { prefix }: RoutePrefix, report: Report): string | undefined {
  const flaws = prefixForm.check(prefix)
  reportFlaws(`${place}.prefix`, flaws, report)
  return flaws.length === 0 ? prefix : undefined
}

function resolveRoute(place: string, route: Route, beginning: RouteStart, report: Report): ResolvedRoute[] {
  const own: unknown = route.path
  const options = readSettings(place, route.options, settingForms.route, report)
  if (typeof own !== 'string') {
    report(`${place}.path`, `it is ${describeValue(own)}`, "give a path, such as '/' or '/:id'")
    return []
  }
  try {
    const { path, base, slash } = joinPath(beginning, own)
    const limited = withParentLimits(options, beginning, { path, base })
    for (const name of limited.twice)
      report(
        `${place}.options.capture`,
        `the parent's route constrains '${name}' already`,
        'leave it out, or constrain it in the parent',
      )
    const pattern = compileRoute(path, limited.options, report)
    const params = resolveParamsSource(place, route, options, { payload: beginning.payload, report })
    return pattern === undefined ? [] : [{ verb: route.verb, path, pattern, name: options.name, params, slash }]
  } catch (error) {
    if (!(error instanceof PatternError)) throw error
    report('routing', error.message, 'correct the path or its options')
    return []
  }
}

// The body of a QUERY is its params (RFC 10008), unless the action declares what else it is.
function resolveParamsSource(
  place: string,
  { verb }: Route,
  { params }: RouteOptions,
  { payload, report }: { readonly payload: boolean; readonly report: Report },
): ResolvedRoute['params'] {
  if (params !== undefined) checkParamsSource(place, verb, payload, report)
  return getParamsSource(verb, params, payload)
}

/** Where a route takes the params that its path does not capture. */
export const getParamsSource = (verb: string, params: RouteOptions['params'], payload: boolean): ResolvedRoute['params'] =>
  params ?? (verb === 'QUERY' && !payload ? 'body' : 'query')

function checkParamsSource(place: string, verb: string, payload: boolean, report: Report): void {
  if (verb !== 'POST' && verb !== 'QUERY')
    report(`${place}.params`, `${verb} takes its params in the query`, 'declare route.query(…) or route.post(…)')
  else if (payload)
    report(`${place}.params`, 'the body is the payload of the action', 'take away the payload, or this option')
}

/** A route's path below the API's base path. */
interface JoinedPath {
  readonly path: string
  /** The part that comes from the parent and the prefix. */
  readonly base: string
  /** Whether a slash may follow: the route is the root of its endpoint. */
  readonly slash: boolean
}

/** Puts a route's own path behind those of the parent and the prefix; `//` in front leaves the prefix out. */
export function joinPath({ prefix, parentPath }: Pick<RouteStart, 'prefix' | 'parentPath'>, own: string): JoinedPath {
  const bare = own.startsWith('//')
  const base = parentPath + (bare || prefix === '//' ? '' : groupAlternatives(withLeadingSlash(prefix.replace(/\/+$/, ''))))
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

/** The options of a route together with the limits of its parent's route, and the captures that both constrain by name. */
function withParentLimits(
  { capture, except }: PatternOptions,
  { parentPath, limits }: RouteStart,
  { path, base }: Pick<JoinedPath, 'path' | 'base'>,
): { readonly options: PatternOptions; readonly twice: readonly string[] } {
  const constrained = Object.keys(limits.capture)
  const exceptions = [
    // A path below one that the parent does not take.
    limits.except === undefined ? [] : limits.except + path.slice(parentPath.length),
    // The exception is written like the route's own path, and gets the same prefix.
    except === undefined ? [] : prefixException(except, parentPath, base),
  ].flat()
  const own = constrained.length === 0 ? capture : { ...expandConstraints(capture, path), ...limits.capture }
  return {
    options: {
      ...(own !== undefined && { capture: own }),
      ...(exceptions.length > 0 && { except: exceptions.join('|') }),
    },
    twice: listConstrainedNames(capture).filter((name) => constrained.includes(name)),
  }
}

const prefixException = (except: string, parentPath: string, base: string): string =>
  except.startsWith('//') ? parentPath + groupAlternatives(except.slice(1)) : base + groupAlternatives(withLeadingSlash(except))

// One constraint for all captures, written out for each.
const expandConstraints = (capture: PatternOptions['capture'], path: string): Readonly<Record<string, CaptureConstraint>> =>
  Object.fromEntries(
    listCaptures(path).flatMap((name) => {
      const one = findCapture(capture, name)
      return one === undefined ? [] : [[name, one]]
    }),
  )

/** A path with a slash in front. */
const withLeadingSlash = (path: string): string => path.replace(/^(?=[^/(])/, '/')
