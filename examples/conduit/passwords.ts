// Passwords: kept as scrypt hashes, each with its own salt.
import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'

const hash = promisify<string, Buffer, number, Buffer>(scrypt)

/** Hashes a password for the database. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16)
  return Buffer.concat([salt, await hash(password, salt, 32)]).toString('base64')
}

/** Returns whether a password has this hash. */
export async function isPassword(password: string, stored: string): Promise<boolean> {
  const bytes = Buffer.from(stored, 'base64')
  return timingSafeEqual(bytes.subarray(16), await hash(password, bytes.subarray(0, 16), 32))
}
