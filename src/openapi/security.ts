// Security: schemes that actions name, and the header Authorization where it is declared as a plain header.
import type { ResolvedAction } from '../design/resolved.ts'
import type { SecurityScheme } from '../design/security.ts'
import { authorizationOf } from './parameters.ts'
import type { Operation } from './types.ts'

const AUTHORIZATION = 'Authorization'
const AUTHORIZATION_SCHEME = {
  type: 'apiKey',
  in: 'header',
  name: 'Authorization',
  description: 'The header `Authorization`, as the endpoints describe it.',
}

/** The security of an operation; undefined when everybody may call it. */
export function securityOf(action: ResolvedAction): Operation['security'] {
  if (action.security.length > 0)
    return action.security.map((need) => (need === null ? {} : { [need.scheme.name]: need.scopes }))
  const declared = authorizationOf(action)
  return declared === undefined ? undefined : [...(declared.required ? [] : [{}]), { [AUTHORIZATION]: [] }]
}

/** The schemes that some actions name, by their names; undefined when there is none. */
export function securitySchemesOf(actions: readonly ResolvedAction[]): Readonly<Record<string, object>> | undefined {
  const schemes: Record<string, object> = {}
  for (const action of actions) {
    for (const need of action.security) if (need !== null) schemes[need.scheme.name] = schemeObject(need.scheme)
    if (action.security.length === 0 && authorizationOf(action) !== undefined)
      schemes[AUTHORIZATION] = AUTHORIZATION_SCHEME
  }
  return Object.keys(schemes).length === 0 ? undefined : schemes
}

const schemeObject = ({ form, description }: SecurityScheme): object => ({
  ...form,
  ...(description !== undefined && { description }),
})
