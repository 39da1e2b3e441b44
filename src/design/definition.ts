// A definition: an endpoint's declaration with its hrefs. It resolves itself when first asked, and keeps the result.
import type { AnyEndpoint, EndpointSpec } from './declare/endpoint.ts'
import { hrefOf } from './href.ts'
import type { HrefArgs, NamedRoutes } from './infer/inference.ts'
import { refuseMistakes } from './resolve/mistakes.ts'
import { resolveEndpoint } from './resolve/resolve.ts'
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

const resolutionOf = (endpoint: AnyEndpoint): ResolvedEndpoint => (endpoint as AnyDefinition).resolve()

/** Makes the definition of an endpoint. */
export function define<const N extends string, const S extends EndpointSpec>(name: N, spec: S): Definition<N, S> {
  let resolved: ResolvedEndpoint | undefined
  const definition = {
    '~endpoint': true as const,
    name,
    spec,
    resolve(): ResolvedEndpoint {
      resolved ??= resolveEndpoint(definition as AnyEndpoint, resolutionOf)
      return resolved
    },
    toHref: (args: Record<string, unknown>) => canonical(definition.resolve()).expand(args),
    parseHref: (path: string) => canonical(definition.resolve()).parse(path),
    get routes() {
      return namedRoutes(definition.resolve())
    },
  }
  return Object.freeze(definition) as never
}

function canonical(endpoint: ResolvedEndpoint): ReturnType<typeof hrefOf> {
  refuseMistakes(endpoint.mistakes)
  if (endpoint.canonical === undefined) {
    throw new TypeError(
      `${endpoint.name} has no canonical path; give it a show action, or name another action in canonicalPath`,
    )
  }
  return hrefOf(endpoint.name, endpoint.canonical.route, endpoint.canonical.params)
}

function namedRoutes(endpoint: ResolvedEndpoint): Record<string, ReturnType<typeof hrefOf>> {
  refuseMistakes(endpoint.mistakes)
  const named: Record<string, ReturnType<typeof hrefOf>> = Object.create(null)
  for (const action of endpoint.actions.values()) {
    for (const route of action.routes) {
      if (route.name !== undefined)
        named[route.name] = hrefOf(`${endpoint.name}.routes.${route.name}`, route, action.params)
    }
  }
  return named
}
