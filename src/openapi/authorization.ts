// The security of operations: what policies say of it, and the header Authorization where it is declared as a plain header.
import type { ResolvedAction } from '../design/resolve/resolved.ts'
import { authorizationOf } from './parameters.ts'
import type { SchemaRegistry } from './schema-registry.ts'
import type { Operation } from './types.ts'

const AUTHORIZATION = {
  type: 'apiKey',
  in: 'header',
  name: 'Authorization',
  description: 'The header `Authorization`, as the operations describe it.',
}

/** The security of an operation, of which policies gave some ways; empty when everybody may call it. */
export function securityOf(
  action: ResolvedAction,
  ways: Operation['security'],
  registry: SchemaRegistry,
): Operation['security'] {
  const declared = authorizationOf(action)
  if (declared === undefined) return ways.every(isOpen) ? [] : ways
  // A document names a scheme only if an operation uses it.
  const header = (): SecurityRequirement => ({
    [registry.scheme(AUTHORIZATION, 'Authorization', () => AUTHORIZATION)]: [],
  })
  if (ways.every(isOpen)) return declared.required ? [header()] : [{}, header()]
  // A required header has to be present with every alternative.
  return declared.required ? ways.map((way) => (isOpen(way) ? header() : way)) : ways
}

type SecurityRequirement = Operation['security'][number]

const isOpen = (way: SecurityRequirement): boolean => Object.keys(way).length === 0
