// A definition: an endpoint's declaration with its hrefs. It is resolved at first use, and the result is cached.
import { type Late, requireLate } from '../util/late.ts'
import type { AnyEndpoint, EndpointSpec } from './declare/endpoint.ts'
import type { HrefArgs, NamedRoute, NamedRoutes } from './infer/inference.ts'
import { expandCanonicalPath } from './resolve/outline.ts'
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

type AnyNamedRoute = NamedRoute<Record<string, unknown>>

/** The functions of definitions that need the resolved declaration. */
export interface DefinitionResolver {
  resolve(endpoint: AnyEndpoint): ResolvedEndpoint
  /** Returns the canonical route; throws if there is none. */
  getCanonicalRoute(endpoint: ResolvedEndpoint): AnyNamedRoute
  getNamedRoutes(endpoint: ResolvedEndpoint): Readonly<Record<string, AnyNamedRoute>>
  /** Creates the controller of a definition. */
  implement(definition: AnyDefinition, implementation: object): object
}

/** The resolver of definitions, which clients do without. */
export const definitionResolver: Late<DefinitionResolver> = {}

/** Creates the definition of an endpoint. */
export function makeDefinition(name: string, spec: EndpointSpec): AnyDefinition {
  let resolved: ResolvedEndpoint | undefined
  const getResolver = (): DefinitionResolver => requireLate(definitionResolver)
  const definition = {
    '~endpoint': true as const,
    name,
    spec,
    resolve(): ResolvedEndpoint {
      resolved ??= getResolver().resolve(definition)
      return resolved
    },
    toHref: (args: Record<string, unknown>) =>
      definitionResolver.value?.getCanonicalRoute(definition.resolve()).expand(args) ??
      expandCanonicalPath(definition, args),
    parseHref: (path: string) => getResolver().getCanonicalRoute(definition.resolve()).parse(path),
    get routes() {
      return getResolver().getNamedRoutes(definition.resolve())
    },
    implement: (implementation: object) => getResolver().implement(definition, implementation),
  }
  return definition
}
