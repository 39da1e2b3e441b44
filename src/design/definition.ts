// The interfaces of definitions: an endpoint's declaration with its hrefs.
import type { AnyEndpoint, EndpointSpec } from './declare/endpoint.ts'
import type { HrefArgs, NamedRoutes } from './infer/inference.ts'
import type { ResolvedEndpoint } from './resolve/resolved.ts'

/** The members of any definition that the run time needs. */
export interface AnyDefinition extends AnyEndpoint {
  /** Resolves the declaration, with defaults, parents and inherited attributes. */
  resolve(): ResolvedEndpoint
}

/** A definition with only the type of its declaration. */
export interface DefinitionOf<S extends EndpointSpec = EndpointSpec> extends AnyDefinition {
  readonly spec: S
}

/** An endpoint's declaration, and the paths derived from it. */
export interface Definition<N extends string = string, S extends EndpointSpec = EndpointSpec> extends DefinitionOf<S> {
  readonly name: N
  /** Expands the canonical path with the given arguments. */
  toHref(args: HrefArgs<S>): string
  /** Parses the arguments from a canonical path and converts them to their types; throws for any other path. */
  parseHref(path: string): HrefArgs<S>
  /** The named routes. */
  readonly routes: NamedRoutes<S>
}

/** The type of a declaration D for a custom interface, whose name the compiler then prints. */
export type Named<D extends object> = D
