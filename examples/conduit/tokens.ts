// Tokens: JWTs that the API signs itself, and their verifier.
import { jwt } from 'edict/jwt'
import { SignJWT } from 'jose'
import { Token } from './design/security.ts'

const secret = new TextEncoder().encode(process.env['JWT_SECRET'] ?? crypto.randomUUID())

/** Signs the token of a user, valid for 60 days. */
export const signToken = (id: number): Promise<string> =>
  new SignJWT().setProtectedHeader({ alg: 'HS256' }).setSubject(String(id)).setExpirationTime('60d').sign(secret)

/** Verifies `Authorization: Token …`. */
export const tokens = jwt(Token, { secret, principal: ({ sub }) => ({ id: Number(sub) }) })
