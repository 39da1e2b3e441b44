// Routes: a method, a path with captures and wildcards, and options of the pattern.
import type { PatternOptions } from '../../path/index.ts'
import { freezeSettings } from '../../util/setting-form.ts'

/** The methods with a function; ANY matches every method without its own route. */
const verbs = ['OPTIONS', 'GET', 'HEAD', 'QUERY', 'POST', 'PUT', 'DELETE', 'TRACE', 'CONNECT', 'PATCH', 'ANY'] as const

/** A method keyword. */
export type Verb = (typeof verbs)[number]

/** The options of a route: its name, the source of its params, and the constraints of its pattern. */
export interface RouteOptions<out N extends string = string> extends PatternOptions {
  /** The name of the route in the endpoint's `routes`. */
  readonly name?: N
  /**
   * Set if a POST takes the params in its body, as a QUERY does.
   * @see docs/guide/query.md
   */
  readonly params?: 'body'
}

/** One route of an action. */
export interface Route<out P extends string = string, out N extends string = string> {
  readonly '~name': N
  readonly verb: Verb
  readonly path: P
  readonly options: RouteOptions
}

/** An entry that replaces the endpoint's prefix for the routes after it. */
export interface RoutePrefix<out P extends string = string> {
  readonly prefix: P
}

/** The values of an action's `routing`. */
export type Routing = Route | readonly (Route | RoutePrefix)[]

/** Declares a route of one method. */
type RouteKeyword = <const P extends string, const N extends string = never>(
  path: P,
  options?: RouteOptions<N>,
) => Route<P, NoInfer<N>>

/** The routing keywords: one for each method, `any` for all of them, and `prefix`. */
export interface RouteKeywords extends Readonly<Record<Lowercase<Verb>, RouteKeyword>> {
  /** Clears or replaces the endpoint's prefix for the routes after it. */
  readonly prefix: <const P extends string>(prefix: P) => RoutePrefix<P>
}

const makeRouteKeyword =
  (verb: Verb): RouteKeyword =>
  (path, options = {}) =>
    Object.freeze({ verb, path, options: freezeSettings(options) }) as never

/** Declares routes: one function for each method, `any`, and `prefix` to clear or replace the endpoint's prefix. */
export const route: RouteKeywords = Object.freeze({
  ...Object.fromEntries(verbs.map((verb) => [verb.toLowerCase(), makeRouteKeyword(verb)])),
  prefix: <P extends string>(prefix: P) => Object.freeze({ prefix }),
}) as RouteKeywords
