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
  const declared = authorizationOf(action)
  const ways = action.security.map((need): Way => (need === null ? {} : { [nameOf(need.scheme, book)]: need.scopes }))
  if (declared === undefined) return ways.every(isOpen) ? [] : ways
  // A scheme is named where it is needed only: one that nobody uses has no place in a document.
  const header = (): Way => ({ [book.scheme(AUTHORIZATION, 'Authorization', () => AUTHORIZATION)]: [] })
  if (ways.every(isOpen)) return declared.required ? [header()] : [{}, header()]
  // Whatever way is taken, a required header has to be there.
  return declared.required ? ways.map((way) => (isOpen(way) ? header() : way)) : ways
}

type Way = Operation['security'][number]

const isOpen = (way: Way): boolean => Object.keys(way).length === 0

const nameOf = (scheme: SecurityScheme, book: Book): string =>
  book.scheme(scheme, scheme.name, () => schemeObject(scheme))

const schemeObject = ({ form, description }: SecurityScheme): object => ({
  ...form,
  ...(description !== undefined && { description }),
})
