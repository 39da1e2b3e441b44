// Forged credentials: each differs from the valid ones, and no verifier of the originals accepts them.
import fc from 'fast-check'
import { createLocalJWKSet, exportJWK, generateKeyPair, jwtVerify, SignJWT } from 'jose'
import { describe, expect, it } from 'vitest'
import { forgeBasic, forgeSecret } from './forged-credentials.ts'
import { parseJwt, replaceTokens } from './jwt.ts'

const secret = new TextEncoder().encode('a secret that is at least thirty-two bytes long')

const sign = (sub: string): Promise<string> =>
  new SignJWT({ name: 'Zoë' }).setProtectedHeader({ alg: 'HS256' }).setSubject(sub).setExpirationTime('1h').sign(secret)

describe('[TKT-02] forged credentials', () => {
  it('are refused by a verifier of a secret, and all differ', async () => {
    const [own, other] = [await sign('1'), await sign('2')]
    const forged = await forgeSecret(own, other)
    expect(forged.length).toBe(7)
    expect(new Set([...forged.map(({ value }) => value), own, other]).size).toBe(9)
    for (const { value } of forged) await expect(jwtVerify(value, secret)).rejects.toThrow()
    await expect(jwtVerify(own, secret)).resolves.toBeDefined()
  })

  it('are refused by a verifier of a public key', async () => {
    const { publicKey, privateKey } = await generateKeyPair('RS256')
    const keys = createLocalJWKSet({ keys: [{ ...(await exportJWK(publicKey)), alg: 'RS256' }] })
    const own = await new SignJWT({}).setProtectedHeader({ alg: 'RS256' }).setSubject('1').sign(privateKey)
    for (const { value } of await forgeSecret(own, undefined)) await expect(jwtVerify(value, keys)).rejects.toThrow()
  })

  it('of other texts are never the text itself, nor that of another client', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ minLength: 1 }), fc.string({ minLength: 1 }), async (own, other) => {
        const values = (await forgeSecret(own, other)).map(({ value }) => value)
        expect(values).not.toContain(own)
        expect(values).not.toContain(other)
        expect(values).not.toContain('')
      }),
    )
  })

  it('of a name and a password are another pair', () => {
    const own = btoa('ada:lovelace')
    const pairs = forgeBasic(own).map(({ value }) => atob(value))
    expect(pairs).toEqual(['ada:lovelacex', 'ada:love', 'ada:', 'adax:lovelace'])
  })
})

it('[TKT-02] tokens that differ in their times only are the same in texts, others are not', async () => {
  const at = (exp: number, sub: string) =>
    new SignJWT({}).setProtectedHeader({ alg: 'HS256' }).setSubject(sub).setExpirationTime(exp).sign(secret)
  const [first, later, other] = [await at(2e9, '1'), await at(2e9 + 1, '1'), await at(2e9, '2')]
  expect(first).not.toBe(later)
  expect(replaceTokens(`{"token":"${first}"}`)).toBe(replaceTokens(`{"token":"${later}"}`))
  expect(replaceTokens(first)).not.toBe(replaceTokens(other))
  expect(parseJwt(first)?.values).toEqual({ sub: '1', exp: 2e9 })
  expect(parseJwt('a.b.c')).toBeUndefined()
})
