// The captures of a route, derived from the path by the compiler. Paths with escapes are left to the boot check.
import type { Route, RoutePrefix } from '../declare/route.ts'

// The characters that end a name, except the slash, which is searched for first.
type Separator = '.' | '-' | '(' | ')' | '|' | '?' | ':' | '*' | '@' | ',' | ';' | '~' | '=' | '&' | '+' | '!' | '$'
type Letter =
  | ('a' | 'b' | 'c' | 'd' | 'e' | 'f' | 'g' | 'h' | 'i' | 'j' | 'k' | 'l' | 'm')
  | ('n' | 'o' | 'p' | 'q' | 'r' | 's' | 't' | 'u' | 'v' | 'w' | 'x' | 'y' | 'z' | '_')

/** The name at the beginning of a text. */
type CaptureName<S extends string> = NameBeforeSeparator<FirstPathSegment<S>>

type FirstPathSegment<S extends string> = S extends `${infer H}/${string}` ? H : S

type NameBeforeSeparator<S extends string> = S extends `${string}${Separator}${string}` ? CutAtSeparator<S> : S

type CutAtSeparator<S extends string> = S extends `${infer W}${Separator}${string}` ? NameBeforeSeparator<W> : S

type NamedCaptures<P extends string> = P extends `${string}:${infer Rest}`
  ? CaptureName<Rest> | NamedCaptures<Rest>
  : never

type WildcardCaptures<P extends string> = P extends `${string}*${infer Rest}`
  ? WildcardName<Rest, 'splat'> | WildcardCaptures<Rest>
  : never

type WildcardName<S extends string, Unnamed> = Lowercase<S> extends `${Letter}${string}` ? CaptureName<S> : Unnamed

/** All params of a path: captures, named wildcards, and `splat` for unnamed ones. */
export type PathParams<P extends string> = P extends `${string}${'*' | '\\'}${string}`
  ? P extends `${string}\\${string}`
    ? never
    : NamedCaptures<P> | WildcardCaptures<P>
  : NamedCaptures<P>

/** The last name that a path captures, or `None`. */
export type LastCapture<P extends string, None = never> = P extends `${string}\\${string}`
  ? None
  : P extends `${string}:${infer Rest}`
    ? LastCapture<Rest, CaptureName<Rest>>
    : P extends `${string}*${infer Rest}`
      ? LastCapture<Rest, WildcardName<Rest, None>>
      : None

/** The params that a path captures even without its optional parts. */
export type RequiredCaptures<P extends string> = P extends `${string}${'(' | '|' | '?' | '*' | '\\'}${string}`
  ? RequiredAmongGroups<P>
  : NamedCaptures<P>

// Optional groups are removed, the others are opened. With nested groups, only the part before them counts.
type RequiredAmongGroups<P extends string> = P extends `${string}\\${string}`
  ? never
  : P extends `${infer Before}(${infer Group})${infer After}`
    ? Group extends `${string}(${string}`
      ? P extends `${string}|${string}`
        ? never
        : RequiredCaptures<Before>
      : After extends `?${infer Rest}`
        ? RequiredCaptures<`${Before}/${Rest}`>
        : Group extends `${string}|${string}`
          ? RequiredCaptures<`${Before}/${After}`>
          : RequiredCaptures<`${Before}/${Group}/${After}`>
    : P extends `${string}|${string}`
      ? never
      : P extends `${infer Before}?${string}`
        ? Exclude<PathParams<Before>, LastCapture<Before>>
        : PathParams<P>

/** The params that at least one route of an action captures, or a prefix among its routes. */
export type RoutingParams<R> = R extends { readonly path: infer P extends string }
  ? PathParams<P>
  : R extends readonly (infer E)[]
    ? E extends Route
      ? PathParams<E['path']>
      : E extends RoutePrefix<infer P>
        ? PathParams<P>
        : never
    : never

/** The params that every route of an action captures, and which are therefore always present. */
export type RequiredParams<R> = R extends { readonly path: infer P extends string }
  ? RequiredCaptures<P>
  : R extends readonly (infer E)[]
    ? [E] extends [Route]
      ? RequiredCapturesIntersection<E> extends (certain: infer I extends { c: unknown }) => void
        ? I['c'] & string
        : never
      : RequiredBelow<R, never>
    : never

type RequiredCapturesIntersection<E> = E extends Route ? (certain: { c: RequiredCaptures<E['path']> }) => void : never

/** A declaration whose prefix captures something. */
export interface PrefixCaptures {
  readonly prefix: `${string}${':' | '*'}${string}`
}

/** The same as `RequiredParams`, with the captures X of the prefix. */
export type RequiredBelow<R, X> = R extends Route
  ? RequiredCaptures<R['path']> | (R['path'] extends `//${string}` ? never : X)
  : R extends readonly [infer H, ...infer Rest]
    ? H extends RoutePrefix<infer P>
      ? RequiredBelow<Rest, RequiredCaptures<P>>
      : RequiredBelow<H, X> & RequiredBelow<Rest, X>
    : R extends readonly []
      ? string
      : never

/** A path below a prefix. */
export type PathBelow<P extends string, X extends string> = P extends `//${string}` ? P : `${X}/${P}`

/** The path of an action's first route: the canonical one. */
export type FirstPath<R> = R extends Route
  ? R['path']
  : R extends readonly [infer H, ...infer Rest]
    ? H extends Route
      ? H['path']
      : FirstPath<Rest>
    : never
