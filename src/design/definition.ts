// A definition: an endpoint's declaration with its hrefs. It resolves itself when first asked, and keeps the result.
import { type Late, requireLate } from '../util/late.ts'
import type { AnyEndpoint, EndpointSpec } from './declare/endpoint.ts'
import type { HrefArgs, NamedRoute, NamedRoutes } from './infer/inference.ts'
import { expandCanonicalPath } from './resolve/outline.ts'
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

type AnyNamedRoute = NamedRoute<Record<string, unknown>>

/** The answers of definitions that need their resolution. */
export interface DefinitionResolver {
  resolve(endpoint: AnyEndpoint): ResolvedEndpoint
  /** The canonical path; throws where there is none. */
  getCanonicalRoute(endpoint: ResolvedEndpoint): AnyNamedRoute
  getNamedRoutes(endpoint: ResolvedEndpoint): Readonly<Record<string, AnyNamedRoute>>
  /** Makes the controller of a definition. */
  implement(definition: AnyDefinition, implementation: object): object
}

/** The resolution of definitions, which clients do without. */
export const definitionResolver: Late<DefinitionResolver> = {}

/** Makes the definition of an endpoint. */
export function makeDefinition(name: string, spec: EndpointSpec): AnyDefinition {
  let resolved: ResolvedEndpoint | undefined
  const server = (): DefinitionResolver => requireLate(definitionResolver)
  const definition = {
    '~endpoint': true as const,
    name,
    spec,
    resolve(): ResolvedEndpoint {
      resolved ??= server().resolve(definition)
      return resolved
    },
    toHref: (args: Record<string, unknown>) =>
      definitionResolver.value?.getCanonicalRoute(definition.resolve()).expand(args) ?? expandCanonicalPath(definition, args),
    parseHref: (path: string) => server().getCanonicalRoute(definition.resolve()).parse(path),
    get routes() {
      return server().getNamedRoutes(definition.resolve())
    },
    implement: (implementation: object) => server().implement(definition, implementation),
  }
  return definition
}
