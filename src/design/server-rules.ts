// Provides what servers and tools need of declarations beyond their outline. Only code of servers uses this module, so that a
// front end which imports declarations and the client has none of it.
import { extendAttributes, invalidAttributesFactory } from '../schema/attribute.ts'
import { makeInvalidAttributes } from '../schema/invalid-attribute.ts'
import { isSettingsObject } from '../util/describe-value.ts'
import { holdsSettings } from '../util/late.ts'
import { makeController } from './controller.ts'
import { deferredChecks } from './declare/deferred-checks.ts'
import { declarationChecks, mediaTypeRules } from './media-type-rules.ts'
import { type AnyDefinition, definitionResolver } from './definition.ts'
import { getCanonicalRoute, getNamedRoutes } from './href.ts'
import { resolveEndpoint } from './resolve/resolve-endpoint.ts'
import { kindMembers, buildMembers } from './kind-rules.ts'

/**
 * Provides it, and returns the part of the server that needs it. A statement of a module by itself would stay in every bundle
 * that has anything of the file in which it is published; what makes a value stays with the value.
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
