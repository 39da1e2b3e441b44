// Builds the security of operations from policies, and from an `Authorization` header that is declared as a plain header.
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

/**
 * Returns the security of an operation, given the alternatives of its policies; empty if anonymous clients may call it.
 */
export function resolveSecurity(
  action: ResolvedAction,
  ways: Operation['security'],
  registry: SchemaRegistry,
): Operation['security'] {
  const declared = findAuthorization(action)
  if (declared === undefined) return ways.every(isAnonymous) ? [] : ways
  // A document names a scheme only if an operation uses it.
  const makeHeaderRequirement = (): SecurityRequirement => ({
    [registry.scheme(AUTHORIZATION_SCHEME, 'Authorization', () => AUTHORIZATION_SCHEME)]: [],
  })
  if (ways.every(isAnonymous)) return declared.required ? [makeHeaderRequirement()] : [{}, makeHeaderRequirement()]
  // A required header must be present with every alternative.
  return declared.required ? ways.map((way) => (isAnonymous(way) ? makeHeaderRequirement() : way)) : ways
}

type SecurityRequirement = Operation['security'][number]

const isAnonymous = (way: SecurityRequirement): boolean => Object.keys(way).length === 0
