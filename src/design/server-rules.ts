// Provides the parts of declarations that only servers and tools need. Only server code imports this module, so that a
// front end with declarations and the client does not contain it.
import { extendAttributes, invalidAttributesFactory } from '../schema/attribute.ts'
import { makeInvalidAttributes } from '../schema/invalid-attribute.ts'
import { isSettingsObject } from '../util/describe-value.ts'
import { holdsSettings } from '../util/late.ts'
import { makeController } from './controller.ts'
import { deferredChecks } from './declare/deferred-checks.ts'
import { type AnyDefinition, definitionResolver } from './definition.ts'
import { getCanonicalRoute, getNamedRoutes } from './href.ts'
import { buildMembers, kindMembers } from './kind-rules.ts'
import { declarationChecks, mediaTypeRules } from './media-type-rules.ts'
import { resolveEndpoint } from './resolve/resolve-endpoint.ts'

/**
 * Provides these parts and returns the part of the server that needs them. A top-level statement would stay in every
 * bundle that uses anything of its published file; a call that creates a value stays with the value.
 */
export function withServerRules<T>(part: T): T {
  holdsSettings.value = isSettingsObject
  invalidAttributesFactory.value = makeInvalidAttributes
  extendAttributes(kindMembers)
  extendAttributes(buildMembers({ 'media type': mediaTypeRules }))
  deferredChecks.value = declarationChecks
  definitionResolver.value = {
    resolve: (endpoint) => resolveEndpoint(endpoint, (other) => (other as AnyDefinition).resolve()),
    getCanonicalRoute,
    getNamedRoutes,
    implement: makeController,
  }
  return part
}
