// Dispatch: finds the route of a request line in one version, or the reason why there is none.
import { formatAcceptQuery } from '../design/resolve/consumes.ts'
import { isWellFormedPath } from '../path/index.ts'
import { buildRouterEntries, listVersions, type TableEntry } from './route-table.ts'
import { createRouter, findRoute, type RouteMatch, type Router } from './router/router.ts'
import { findShadow } from './shadows.ts'
import { type CarriedVersion, createVersionReader, type VersionCarrier } from './version.ts'

/** The reason why no route matches a request. */
export type RouteMiss =
  | { readonly reason: 'malformed' | 'fragment' | 'unknown' }
  | { readonly reason: 'conflict'; readonly versions: readonly string[] }
  | { readonly reason: 'version'; readonly versions: readonly string[] }
  | { readonly reason: 'method'; readonly allow: readonly string[]; readonly acceptQuery: string | undefined }

/** The route of a request and the version that it carries. */
export interface DispatchResult<T extends TableEntry> {
  readonly found: RouteMatch<T>
  readonly version: string | undefined
}

/** Finds the route of each request. */
export class Dispatcher<T extends TableEntry> {
  readonly #table: readonly T[]
  readonly #routers = new Map<string | undefined, Router<T>>()
  readonly #unversioned: Router<T>
  readonly #readVersion:
    | ((path: string, query: string, headers: Readonly<Record<string, unknown>>) => CarriedVersion)
    | undefined
  readonly #prefix: string | undefined

  constructor(table: readonly T[], basePath: string, carriers: readonly VersionCarrier[]) {
    const versions = listVersions(table)
    this.#table = table
    for (const version of [undefined, ...versions])
      this.#routers.set(version, createRouter(buildRouterEntries(table, version)))
    this.#unversioned = this.#routers.get(undefined) as Router<T>
    this.#readVersion = versions.length === 0 ? undefined : createVersionReader(basePath, versions, carriers)
    this.#prefix = carriers.includes('path') && versions.length > 0 ? `${basePath}/v` : undefined
  }

  /** Returns pairs of routes that no request can distinguish. */
  findConflicts(): readonly (readonly [T, T])[] {
    return [...this.#routers.values()].flatMap((router) =>
      router.conflicts.map(({ first, second }) => [first.value, second.value] as const),
    )
  }

  /** Returns routes without a version that no request reaches, each with the versioned route that matches instead. */
  findShadows(): readonly (readonly [T, T])[] {
    const prefix = this.#prefix
    const unversioned = buildRouterEntries(this.#table, undefined)
    if (prefix === undefined || unversioned.length === 0) return []
    const versions = listVersions(this.#table).map((version) => ({
      prefix: prefix + version,
      basePath: prefix.slice(0, -2),
      router: this.#routers.get(version) as Router<T>,
      entries: buildRouterEntries(this.#table, version),
    }))
    return unversioned.flatMap((entry) => {
      const shadow = findShadow(entry, versions)
      return shadow === undefined ? [] : [[shadow, entry.value] as const]
    })
  }

  /** Returns the route for a request, or the reason why there is none. */
  find(
    method: string,
    path: string,
    query: string,
    headers: Readonly<Record<string, unknown>>,
  ): DispatchResult<T> | RouteMiss {
    if (this.#readVersion === undefined) {
      const match = findRoute(method, path, this.#unversioned)
      return match === null ? this.#explainMiss(path, path, undefined) : { found: match, version: undefined }
    }
    const carried = this.#readVersion(path, query, headers)
    if (carried.conflict !== undefined) return { reason: 'conflict', versions: carried.conflict }
    const { version } = carried
    const versionRouter = version === undefined ? undefined : this.#routers.get(version)
    // Routes without a version exist in all versions, but only under their own path, not below a version's.
    const found = findRoute(
      method,
      path,
      this.#unversioned,
      versionRouter && { router: versionRouter, path: carried.path },
    )
    return found === null ? this.#explainMiss(path, carried.path, version) : { found, version }
  }

  /**
   * Returns every route that a path may match with any version in a header, with its method; the route for `method` is
   * included with it. A CORS preflight knows no more about the actual request.
   */
  findReachable(method: string, path: string, query: string): readonly (readonly [verb: string, value: T])[] {
    const carried = this.#readVersion?.(path, query, {})
    const version = carried?.version
    const versioned = [...this.#routers].filter(
      ([one]) => one !== undefined && (version === undefined || one === version),
    )
    const routers = [
      [this.#unversioned, path] as const,
      ...versioned.map(([, one]) => [one, carried?.path ?? path] as const),
    ]
    return routers.flatMap(([router, rest]) => {
      const verbs = router.findVerbs(rest).filter((verb) => verb !== 'ANY')
      return [...new Set([...verbs, method])].flatMap((verb) => {
        const found = findRoute(verb, rest, router)
        return found === null ? [] : [[verb, found.value] as const]
      })
    })
  }

  #explainMiss(path: string, rest: string, version: string | undefined): RouteMiss {
    if (!isWellFormedPath(path)) return { reason: 'malformed' }
    const versionRouter = version === undefined ? undefined : this.#routers.get(version)
    const allowed = new Set([...(versionRouter?.findVerbs(rest) ?? []), ...this.#unversioned.findVerbs(path)])
    if (allowed.size > 0) {
      const queryRoute = allowed.has('QUERY')
        ? (versionRouter?.find('QUERY', rest) ?? this.#unversioned.find('QUERY', path))
        : null
      const types = queryRoute === null ? undefined : formatAcceptQuery(queryRoute.value.action)
      return { reason: 'method', allow: buildAllow(allowed), acceptQuery: types }
    }
    const versions = this.#findVersionsWith(rest)
    return versions.length > 0 ? { reason: 'version', versions } : { reason: 'unknown' }
  }

  #findVersionsWith(path: string): string[] {
    const paths = [path]
    const unknown =
      this.#prefix !== undefined && path.startsWith(this.#prefix) ? path.indexOf('/', this.#prefix.length) : -1
    if (unknown > 0) paths.push((this.#prefix as string).slice(0, -2) + path.slice(unknown))
    return [...this.#routers].flatMap(([version, router]) =>
      version !== undefined && paths.some((one) => router.findVerbs(one).length > 0) ? [version] : [],
    )
  }
}

function buildAllow(verbs: ReadonlySet<string>): string[] {
  const allow = new Set(verbs)
  allow.delete('ANY')
  if (allow.has('GET')) allow.add('HEAD')
  allow.add('OPTIONS')
  return [...allow]
}
