// The security of operations: what policies say of it, and the header Authorization where it is declared as a plain header.
import type { ResolvedAction } from '../design/resolve/resolved.ts'
import { findAuthorization } from './parameters.ts'
import type { SchemaRegistry } from './schema-registry.ts'
import type { Operation } from './types.ts'

const AUTHORIZATION_SCHEME = {
  type: 'apiKey',
  in: 'header',
  name: 'Authorization',
  description: 'The header `Authorization`, as the operations describe it.',
}

/** The security of an operation, of which policies gave some ways; empty when everybody may call it. */
export function resolveSecurity(
  action: ResolvedAction,
  ways: Operation['security'],
  registry: SchemaRegistry,
): Operation['security'] {
  const declared = findAuthorization(action)
  if (declared === undefined) return ways.every(isAnonymous) ? [] : ways
  // A document names a scheme only if an operation uses it.
  const header = (): SecurityRequirement => ({
    [registry.scheme(AUTHORIZATION_SCHEME, 'Authorization', () => AUTHORIZATION_SCHEME)]: [],
  })
  if (ways.every(isAnonymous)) return declared.required ? [header()] : [{}, header()]
  // A required header has to be present with every alternative.
  return declared.required ? ways.map((way) => (isAnonymous(way) ? header() : way)) : ways
}

type SecurityRequirement = Operation['security'][number]

const isAnonymous = (way: SecurityRequirement): boolean => Object.keys(way).length === 0
