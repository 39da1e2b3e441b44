// Routes: a verb, a path with captures and wildcards, and options for the pattern engine.
import type { PatternOptions } from '../../path/index.ts'
import { freezeSettings } from '../../util/setting-form.ts'

/** The methods that have a function; ANY stands for every method without its own route. */
const verbs = ['OPTIONS', 'GET', 'HEAD', 'QUERY', 'POST', 'PUT', 'DELETE', 'TRACE', 'CONNECT', 'PATCH', 'ANY'] as const

/** A verb keyword. */
export type Verb = (typeof verbs)[number]

/** Options of a route: its name, where its params come from, and what the pattern engine understands (`capture`, `except`). */
export interface RouteOptions<out N extends string = string> extends PatternOptions {
  /** The name of the route, under `routes` of the endpoint. */
  readonly name?: N
  /**
   * Whether a POST takes the params in its body, as a QUERY does.
   * @see docs/guide/query.md
   */
  readonly params?: 'body'
}

/** One way to reach an action. */
export interface Route<out P extends string = string, out N extends string = string> {
  readonly '~name': N
  readonly verb: Verb
  readonly path: P
  readonly options: RouteOptions
}

/** An entry that replaces the endpoint's prefix for the routes after it. */
export interface RoutePrefix {
  readonly prefix: string
}

/** The values of an action's `routing`. */
export type Routing = Route | readonly (Route | RoutePrefix)[]

/** Declares a route of one verb. */
type RouteKeyword = <const P extends string, const N extends string = never>(
  path: P,
  options?: RouteOptions<N>,
) => Route<P, NoInfer<N>>

/** The routing keywords: one for each verb, `any` for all of them, and `prefix`. */
export interface RouteKeywords extends Readonly<Record<Lowercase<Verb>, RouteKeyword>> {
  /** Clears or replaces the endpoint's prefix for the routes after it. */
  readonly prefix: (prefix: string) => RoutePrefix
}

const makeRouteKeyword =
  (verb: Verb): RouteKeyword =>
  (path, options = {}) =>
    Object.freeze({ verb, path, options: freezeSettings(options) }) as never

/** Declares routes: one function for each method, `any`, and `prefix` to clear or replace the endpoint's prefix. */
export const route: RouteKeywords = Object.freeze({
  ...Object.fromEntries(verbs.map((verb) => [verb.toLowerCase(), makeRouteKeyword(verb)])),
  prefix: (prefix: string) => Object.freeze({ prefix }),
}) as RouteKeywords
