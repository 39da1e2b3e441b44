// Credentials: passwords as Argon2id hashes, tokens as JWTs that the API signs itself.
import { hash, type Options, verify } from '@node-rs/argon2'
import { jwt } from 'edict/jwt'
import { SignJWT } from 'jose'
import { Token } from './design/users.ts'

// Argon2id with the least that OWASP recommends.
const settings: Options = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 }

export const hashPassword = (password: string): Promise<string> => hash(password, settings)
export const isPassword = (password: string, stored: string): Promise<boolean> => verify(stored, password)

const secret = new TextEncoder().encode(process.env['JWT_SECRET'] ?? crypto.randomUUID())

/** Signs the token of a user, valid for 60 days. */
export const signToken = (id: number): Promise<string> =>
  new SignJWT().setProtectedHeader({ alg: 'HS256' }).setSubject(String(id)).setExpirationTime('60d').sign(secret)

/** Verifies `Authorization: Token …`. */
export const tokens = jwt(Token, { secret, principal: ({ sub }) => ({ id: Number(sub) }) })
