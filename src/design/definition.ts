// A definition: an endpoint's declaration with its hrefs. It resolves itself when first asked, and keeps the result.
import { Late } from '../util/late.ts'
import type { AnyEndpoint, EndpointSpec } from './declare/endpoint.ts'
import type { HrefArgs, NamedRoute, NamedRoutes } from './infer/inference.ts'
import { outlineHref } from './resolve/outline.ts'
import type { ResolvedEndpoint } from './resolve/resolved.ts'

/** The members of any definition that the run time needs. */
export interface AnyDefinition extends AnyEndpoint {
  /** The resolved declaration, with defaults, parents and inherited attributes. */
  resolve(): ResolvedEndpoint
}

/** A definition of which only the declaration is known. */
export interface DefinitionOf<S extends EndpointSpec = EndpointSpec> extends AnyDefinition {
  readonly spec: S
}

/** An endpoint's declaration, and the paths that follow from it. */
export interface Definition<N extends string = string, S extends EndpointSpec = EndpointSpec> extends DefinitionOf<S> {
  readonly name: N
  /** Writes the canonical path for the given arguments. */
  toHref(args: HrefArgs<S>): string
  /** Reads the canonical path's arguments back, coerced; throws when the path is another one. */
  parseHref(path: string): HrefArgs<S>
  /** The named routes. */
  readonly routes: NamedRoutes<S>
}

/** The type of a declaration D, for an interface of your own: the compiler then prints the name of the interface. */
export type Named<D extends object> = D

type Paths = NamedRoute<Record<string, unknown>>

/** The answers of definitions that need their resolution. */
export interface Resolution {
  resolve(endpoint: AnyEndpoint): ResolvedEndpoint
  /** The canonical path; throws where there is none. */
  canonical(endpoint: ResolvedEndpoint): Paths
  named(endpoint: ResolvedEndpoint): Readonly<Record<string, Paths>>
}

/** The resolution of definitions, which clients do without. */
export const resolution: Late<Resolution> = new Late('Resolved definitions and their hrefs')

/** Makes the definition of an endpoint; `place` tells where it stands. */
export function define<const N extends string, const S extends EndpointSpec>(
  name: N,
  spec: S,
  place: (() => string | undefined) | undefined,
): Definition<N, S> {
  let resolved: ResolvedEndpoint | undefined
  const definition = {
    '~endpoint': true as const,
    name,
    spec,
    resolve(): ResolvedEndpoint {
      resolved ??= resolution.value.resolve(definition as AnyEndpoint)
      return resolved
    },
    toHref: (args: Record<string, unknown>) =>
      resolution.isProvided
        ? resolution.value.canonical(definition.resolve()).expand(args)
        : outlineHref(definition as AnyEndpoint, args),
    parseHref: (path: string) => resolution.value.canonical(definition.resolve()).parse(path),
    get routes() {
      return resolution.value.named(definition.resolve())
    },
  }
  Object.defineProperty(definition, '~place', { value: place })
  return Object.freeze(definition) as never
}
