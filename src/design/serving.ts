// Provides what servers and tools need of declarations beyond their outline. Only code of servers imports this module, so
// that a front end which imports declarations and the client has none of it.
import { rules } from '../schema/attribute.ts'
import { deferred } from './declare/deferred.ts'
import { declarationMistakes, mediaRules } from './declare/media-rules.ts'
import { type AnyDefinition, resolution } from './definition.ts'
import { canonicalHref, namedHrefs } from './href.ts'
import { resolveEndpoint } from './resolve/resolve.ts'
import { rulesWith } from './rules.ts'

rules.provide(rulesWith({ 'media type': mediaRules }))
deferred.provide(declarationMistakes)
resolution.provide({
  resolve: (endpoint) => resolveEndpoint(endpoint, (other) => (other as AnyDefinition).resolve()),
  canonical: canonicalHref,
  named: namedHrefs,
})
