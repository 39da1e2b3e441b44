// The members of definitions that need the resolved declaration. Front ends have `definition-members.browser.ts` in its
// place.
import { memoize } from '../util/memoize.ts'
import { makeController } from './controller.ts'
import type { AnyEndpoint } from './declare/endpoint.ts'
import type { AnyDefinition } from './definition.ts'
import { type AnyNamedRoute, getCanonicalRoute, getNamedRoutes } from './href.ts'
import { resolveEndpoint } from './resolve/resolve-endpoint.ts'
import type { ResolvedEndpoint } from './resolve/resolved.ts'

export { rememberSourceLocation } from './source-location.ts'

/** Resolves a declaration once, with defaults, parents and inherited attributes. */
export const resolveDefinition: (definition: AnyEndpoint) => ResolvedEndpoint = memoize((definition: AnyEndpoint) =>
  resolveEndpoint(definition, resolveDefinition),
)

/** Expands the canonical path of a definition. */
export const expandHref = (definition: AnyEndpoint, args: Record<string, unknown>): string =>
  getCanonicalRoute(resolveDefinition(definition)).expand(args)

/** Parses the arguments of a definition from a canonical path. */
export const parseHref = (definition: AnyEndpoint, path: string): Record<string, unknown> =>
  getCanonicalRoute(resolveDefinition(definition)).parse(path)

/** Returns the named routes of a definition. */
export const getRoutes = (definition: AnyEndpoint): Readonly<Record<string, AnyNamedRoute>> =>
  getNamedRoutes(resolveDefinition(definition))

/** Creates the controller of a definition. */
export const implementDefinition = (definition: AnyDefinition, implementation: object): object =>
  makeController(definition, implementation)
