// The security scheme of the API: `Authorization: Token …`, with a token from a registration or a login.
import { security } from 'edict'

/** The caller of an action. */
export interface Caller {
  readonly id: number
}

/** The scheme that actions name; the contract declares it as an API key. */
export const Token = security.apiKey<Caller>('Token', { in: 'header', name: 'Authorization', scheme: 'Token' })
