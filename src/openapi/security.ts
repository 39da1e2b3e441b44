// Security: schemes that actions name, and the header Authorization where it is declared as a plain header.
import type { ResolvedAction } from '../design/resolved.ts'
import type { SecurityScheme } from '../design/security.ts'
import type { Book } from './book.ts'
import { authorizationOf } from './parameters.ts'
import type { Operation } from './types.ts'

const AUTHORIZATION = {
  type: 'apiKey',
  in: 'header',
  name: 'Authorization',
  description: 'The header `Authorization`, as the operations describe it.',
}

/** The security of an operation; empty when everybody may call it. */
export function securityOf(action: ResolvedAction, book: Book): Operation['security'] {
  const needs = action.security.map((need) =>
    need === null ? {} : { [book.scheme(need.scheme, need.scheme.name, () => schemeObject(need.scheme))]: need.scopes },
  )
  if (needs.length > 0) return needs
  const declared = authorizationOf(action)
  if (declared === undefined) return []
  const name = book.scheme(AUTHORIZATION, 'Authorization', () => AUTHORIZATION)
  return [...(declared.required ? [] : [{}]), { [name]: [] }]
}

const schemeObject = ({ form, description }: SecurityScheme): object => ({
  ...form,
  ...(description !== undefined && { description }),
})
