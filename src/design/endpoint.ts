// Endpoints: definitions as immutable values, with their hrefs and their controller.
import type { CheckedImplementation } from './checked-implementation.ts'
import type { Controller } from './controller.ts'
import type { EndpointSpec } from './declare/endpoint.ts'
import type { Definition } from './definition.ts'
import {
  expandHref,
  getRoutes,
  implementDefinition,
  parseHref,
  rememberSourceLocation,
  resolveDefinition,
} from './definition-members.ts'
import type { CheckedSpec, SpecMistakes } from './infer/spec-mistakes.ts'
import type { ResolvedEndpoint } from './resolve/resolved.ts'

/** An endpoint definition that can also be its own controller. */
export interface Endpoint<N extends string = string, S extends EndpointSpec = EndpointSpec> extends Definition<N, S> {
  /** Implements the endpoint where it is declared. */
  implement<I = never>(implementation: CheckedImplementation<S, I>): Controller<S>
}

/** Declares an endpoint: the actions of one resource type. */
export function endpoint<const N extends string, const S extends EndpointSpec>(
  name: N,
  spec: CheckedSpec<S> & SpecMistakes<S>,
): Endpoint<N, S> {
  const definition = {
    '~endpoint': true as const,
    name,
    spec: spec as EndpointSpec,
    resolve: (): ResolvedEndpoint => resolveDefinition(definition),
    toHref: (args: Record<string, unknown>) => expandHref(definition, args),
    parseHref: (path: string) => parseHref(definition, path),
    get routes() {
      return getRoutes(definition)
    },
    implement: (implementation: object) => implementDefinition(definition, implementation),
  }
  rememberSourceLocation(definition, endpoint)
  return Object.freeze(definition) as never
}
