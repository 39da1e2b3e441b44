// What a route's path captures, read by the compiler from the path itself. Paths with escapes are left to the boot check.
import type { Route } from './route.ts'

type Separator =
  | '/'
  | '.'
  | '-'
  | '('
  | ')'
  | '|'
  | '?'
  | ':'
  | '*'
  | '@'
  | ','
  | ';'
  | '~'
  | '='
  | '&'
  | '+'
  | '!'
  | '$'
type Letter =
  | 'a'
  | 'b'
  | 'c'
  | 'd'
  | 'e'
  | 'f'
  | 'g'
  | 'h'
  | 'i'
  | 'j'
  | 'k'
  | 'l'
  | 'm'
  | 'n'
  | 'o'
  | 'p'
  | 'q'
  | 'r'
  | 's'
  | 't'
  | 'u'
  | 'v'
  | 'w'
  | 'x'
  | 'y'
  | 'z'
  | '_'

type Name<S extends string> = S extends `${infer N}${Separator}${string}`
  ? N extends `${string}${Separator}${string}`
    ? Name<N>
    : N
  : S

type Colons<P extends string, Found extends readonly string[] = []> = P extends `${string}:${infer Rest}`
  ? Colons<Rest, [...Found, Name<Rest>]>
  : Found

type Stars<P extends string> = P extends `${string}*${infer Rest}`
  ? (Lowercase<Rest> extends `${Letter}${string}` ? Name<Rest> : 'splat') | Stars<Rest>
  : never

/** The names of the `:name` captures of a path, in order. */
export type CaptureList<P extends string> = P extends `${string}\\${string}` ? [] : Colons<P>

/** Every param that a path needs: captures, named wildcards, and `splat` for unnamed ones. */
export type PathParams<P extends string> = string extends P
  ? never
  : P extends `${string}\\${string}`
    ? never
    : P extends `${string}*${string}`
      ? Colons<P>[number] | Stars<P>
      : Colons<P>[number]

type Certain<P extends string> = P extends `${string}|${string}`
  ? never
  : P extends `${infer Before}(${string}`
    ? Certain<Before>
    : P extends `${string}?${string}`
      ? never
      : PathParams<P>

/** Every param that some route of an action captures. */
export type RoutingParams<R> =
  R extends Route<infer P>
    ? PathParams<P>
    : R extends readonly (infer E)[]
      ? E extends Route<infer P>
        ? PathParams<P>
        : never
      : never

type Contravariant<E> = E extends Route<infer P> ? (certain: { c: Certain<P> }) => void : never

/** The params that every route of an action captures, and which are therefore always present. */
export type CertainParams<R> =
  R extends Route<infer P>
    ? Certain<P>
    : R extends readonly [Route<infer P>]
      ? Certain<P>
      : R extends readonly (infer E)[]
        ? Contravariant<E> extends (certain: infer I extends { c: unknown }) => void
          ? I['c'] & string
          : never
        : never

/** The path of an action's first route: the canonical one. */
export type FirstPath<R> =
  R extends Route<infer P>
    ? P
    : R extends readonly [infer H, ...infer Rest]
      ? H extends Route<infer P>
        ? P
        : FirstPath<Rest>
      : never
