// The routing table: every route of an application as a flat list, for the router, the command line and users.

import type { Report } from '../design/mistakes.ts'
import type { ResolvedAction, ResolvedEndpoint, ResolvedRoute } from '../design/resolve/resolved.ts'
import { compilePathPattern, groupAlternatives, type PathPattern } from '../path/index.ts'
import type { RouteEntry } from './router/router.ts'

/** One route of an application. */
export interface TableEntry {
  readonly version: string | undefined
  /** The complete path, including the API's base path. */
  readonly path: string
  readonly route: ResolvedRoute
  readonly pattern: PathPattern
  readonly action: ResolvedAction
}

/** Lists every route of every endpoint below the base path. */
export function buildRouteTable(endpoints: readonly ResolvedEndpoint[], basePath: string): TableEntry[] {
  return endpoints.flatMap((endpoint) =>
    [...endpoint.actions.values()].flatMap((action) =>
      action.routes.map((route) => {
        const path = basePath === '' ? route.path : basePath + (route.path === '/' ? '' : route.path)
        const pattern =
          basePath === '' ? route.pattern : compilePathPattern(path, withBasePath(route.pattern.options, basePath))
        return { version: endpoint.version, path, route, pattern, action }
      }),
    ),
  )
}

function withBasePath(options: PathPattern['options'], basePath: string): PathPattern['options'] {
  return options.except === undefined ? options : { ...options, except: basePath + groupAlternatives(options.except) }
}

/** Builds the input of one version's router. */
export function buildRouterEntries<T extends TableEntry>(
  table: readonly T[],
  version: string | undefined,
): RouteEntry<T>[] {
  return table
    .filter((entry) => entry.version === version)
    .map((entry) => ({
      verb: entry.route.verb,
      pattern: entry.pattern,
      value: entry,
      // The root of an API is a separate path below a base path.
      trailingSlash: entry.route.slash || (entry.route.path === '/' && entry.path !== '/'),
    }))
}

/** Returns the versions in a table, in order of their first occurrence. */
export function listVersions(table: readonly TableEntry[]): string[] {
  return [...new Set(table.flatMap(({ version }) => (version === undefined ? [] : [version])))]
}

/** Reports routes that no request can distinguish. */
export function reportConflict(first: TableEntry, second: TableEntry, report: Report): void {
  const other = `${first.action.endpoint.name}.${first.action.name} (${first.route.verb} ${first.path})`
  report(
    'routing',
    `no request can distinguish ${second.route.verb} ${second.path} from ${other}`,
    'change the path or the verb of one of them',
  )
}
