// Provides what servers and tools need of declarations beyond their outline. Only code of servers uses this module, so that a
// front end which imports declarations and the client has none of it.
import { extendAttributes, strays } from '../schema/attribute.ts'
import { strayAttributes } from '../schema/refused.ts'
import { isPlain } from '../util/described.ts'
import { holdsSettings } from '../util/late.ts'
import { makeController } from './controller.ts'
import { deferred } from './declare/deferred.ts'
import { declarationMistakes, mediaRules } from './declare/media-rules.ts'
import { type AnyDefinition, resolution } from './definition.ts'
import { canonicalHref, namedHrefs } from './href.ts'
import { resolveEndpoint } from './resolve/resolve.ts'
import { kindMembers, membersWith } from './rules.ts'

/**
 * Provides it, and returns the part of the server that needs it. A statement of a module by itself would stay in every bundle
 * that has anything of the file in which it is published; what makes a value stays with the value.
 */
export function serving<T>(part: T): T {
  holdsSettings.value = isPlain
  strays.value = strayAttributes
  extendAttributes(kindMembers)
  extendAttributes(membersWith({ 'media type': mediaRules }))
  deferred.value = declarationMistakes
  resolution.value = {
    resolve: (endpoint) => resolveEndpoint(endpoint, (other) => (other as AnyDefinition).resolve()),
    canonical: canonicalHref,
    named: namedHrefs,
    implement: makeController,
  }
  return part
}
