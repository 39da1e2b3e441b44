// The captures of a route, read by the compiler from the path itself. Paths with escapes are left to the boot check.
import type { Route } from '../declare/route.ts'

// The characters that end a name, apart from the slash, which is looked for first.
type Separator = '.' | '-' | '(' | ')' | '|' | '?' | ':' | '*' | '@' | ',' | ';' | '~' | '=' | '&' | '+' | '!' | '$'
type Letter =
  | ('a' | 'b' | 'c' | 'd' | 'e' | 'f' | 'g' | 'h' | 'i' | 'j' | 'k' | 'l' | 'm')
  | ('n' | 'o' | 'p' | 'q' | 'r' | 's' | 't' | 'u' | 'v' | 'w' | 'x' | 'y' | 'z' | '_')

/** The name that a text begins with. */
type Name<S extends string> = Word<Head<S>>

type Head<S extends string> = S extends `${infer H}/${string}` ? H : S

type Word<S extends string> = S extends `${string}${Separator}${string}` ? Cut<S> : S

type Cut<S extends string> = S extends `${infer W}${Separator}${string}` ? Word<W> : S

type Colons<P extends string> = P extends `${string}:${infer Rest}` ? Name<Rest> | Colons<Rest> : never

type Stars<P extends string> = P extends `${string}*${infer Rest}` ? Star<Rest, 'splat'> | Stars<Rest> : never

type Star<S extends string, Unnamed> = Lowercase<S> extends `${Letter}${string}` ? Name<S> : Unnamed

/** Every param that a path needs: captures, named wildcards, and `splat` for unnamed ones. */
export type PathParams<P extends string> = P extends `${string}${'*' | '\\'}${string}`
  ? P extends `${string}\\${string}`
    ? never
    : Colons<P> | Stars<P>
  : Colons<P>

/** The last name that a path captures, or `None`. */
export type LastCapture<P extends string, None = never> = P extends `${string}\\${string}`
  ? None
  : P extends `${string}:${infer Rest}`
    ? LastCapture<Rest, Name<Rest>>
    : P extends `${string}*${infer Rest}`
      ? LastCapture<Rest, Star<Rest, None>>
      : None

/** The params that a path captures whatever becomes of its optional parts. */
export type CertainIn<P extends string> = P extends `${string}${'(' | '|' | '?' | '*' | '\\'}${string}`
  ? CertainAmong<P>
  : Colons<P>

// Groups that may be left out are taken away, the others are opened. Where groups are nested, what stands before them.
type CertainAmong<P extends string> = P extends `${string}\\${string}`
  ? never
  : P extends `${infer Before}(${infer Group})${infer After}`
    ? Group extends `${string}(${string}`
      ? P extends `${string}|${string}`
        ? never
        : CertainIn<Before>
      : After extends `?${infer Rest}`
        ? CertainIn<`${Before}/${Rest}`>
        : Group extends `${string}|${string}`
          ? CertainIn<`${Before}/${After}`>
          : CertainIn<`${Before}/${Group}/${After}`>
    : P extends `${string}|${string}`
      ? never
      : P extends `${infer Before}?${string}`
        ? Exclude<PathParams<Before>, LastCapture<Before>>
        : PathParams<P>

/** Every param that some route of an action captures. */
export type RoutingParams<R> = R extends { readonly path: infer P extends string }
  ? PathParams<P>
  : R extends readonly (infer E)[]
    ? E extends Route
      ? PathParams<E['path']>
      : never
    : never

/** The params that every route of an action captures, and which are therefore always present. */
export type CertainParams<R> = R extends { readonly path: infer P extends string }
  ? CertainIn<P>
  : R extends readonly (infer E)[]
    ? Contravariant<E> extends (certain: infer I extends { c: unknown }) => void
      ? I['c'] & string
      : never
    : never

type Contravariant<E> = E extends Route ? (certain: { c: CertainIn<E['path']> }) => void : never

/** The path of an action's first route: the canonical one. */
export type FirstPath<R> = R extends Route
  ? R['path']
  : R extends readonly [infer H, ...infer Rest]
    ? H extends Route
      ? H['path']
      : FirstPath<Rest>
    : never
