// JWTs that are signed with a secret of one's own: the same checks as for those of an issuer, and none of its algorithms.
import { createHmac, randomBytes } from 'node:crypto'
import { application, controller, endpoint, route, security } from 'edict'
import { type JwtSecretOptions, jwt } from 'edict/jwt'
import fc from 'fast-check'
import { exportJWK, exportPKCS8, exportSPKI, generateKeyPair, SignJWT } from 'jose'
import { describe, expect, it } from 'vitest'
import { ask, askFetch } from '../support/ask.ts'
import { inSeconds } from '../support/credentials/issuer.ts'

type Options = JwtSecretOptions<{ readonly id: string }>

const Token = security.http<{ readonly id: string }>('Token', { scheme: 'Token' })
const secret = randomBytes(64)

function made(options: Partial<Options> = {}) {
  const Doors = endpoint('Doors', {
    actionDefaults: { security: Token },
    actions: {
      show: { routing: route.get('/'), responses: { ok: 'text/plain' } },
      write: { routing: route.get('/write'), security: Token.scopes('write'), responses: { ok: 'text/plain' } },
    },
  })
  const doors = controller(Doors, {
    show: (_, { principal }) => `in: ${principal.id}`,
    write: (_, { principal }) => `writes: ${principal.id}`,
  })
  const principal: Options['principal'] = ({ sub }) => (sub === undefined ? undefined : { id: sub })
  return application({ controllers: [doors], verifiers: [jwt(Token, { secret, principal, ...options })] })
}

const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url')

/** Signs claims by hand, so that the tests do not sign with the library that verifies. */
function sign(claims: object, { by = secret as string | Uint8Array, alg = 'HS256', header = {} } = {}): string {
  const signed = `${encode({ alg, ...header })}.${encode({ sub: 'ada', exp: inSeconds(60), ...claims })}`
  return `${signed}.${createHmac(alg.replace('HS', 'sha'), by).update(signed).digest('base64url')}`
}

const statusOf = async (app: ReturnType<typeof made>, token: string, line = 'GET /doors'): Promise<number> =>
  (await askFetch(app, line, { headers: { authorization: `Token ${token}` } })).status

describe('[FOR-07] a JWT that is signed with a secret', () => {
  it('lets its subject in, over a socket and through fetch', async () => {
    const sent = { headers: { authorization: `token ${sign({})}` } }
    expect((await ask(made(), 'GET /doors', sent)).text).toBe('in: ada')
    expect((await askFetch(made(), 'GET /doors', sent)).text).toBe('in: ada')
    const library = new SignJWT({}).setProtectedHeader({ alg: 'HS256' }).setSubject('ada').setExpirationTime('1m')
    expect(await statusOf(made(), await library.sign(secret))).toBe(200)
  })

  it('is refused without a valid signature of this secret', async () => {
    const token = sign({})
    const [head, , signature] = token.split('.') as [string, string, string]
    const other = randomBytes(64)
    for (const odd of [
      sign({}, { by: other }),
      `${head}.${encode({ sub: 'root', exp: inSeconds(60) })}.${signature}`,
      `${encode({ alg: 'none' })}.${encode({ sub: 'ada', exp: inSeconds(60) })}.`,
      token.slice(0, -1),
      `${token}A`,
      `${head}..${signature}`,
      'x',
    ])
      expect(await statusOf(made(), odd), odd).toBe(401)
  })

  it('is refused after any change of one character', async () => {
    const app = made()
    const token = sign({})
    await fc.assert(
      fc.asyncProperty(fc.nat(token.length - 1), fc.constantFrom(...'AZaz09-_.'), async (at, character) => {
        const changed = token.slice(0, at) + character + token.slice(at + 1)
        // The last character of a signature has bits that stand for nothing.
        fc.pre(changed !== token && at < token.length - 1)
        expect(await statusOf(app, changed)).toBe(401)
      }),
      { numRuns: 300 },
    )
  })

  it('is refused with an algorithm of keys, and with one that was not declared', async () => {
    for (const alg of ['RS256', 'ES256', 'EdDSA'] as const) {
      const { privateKey } = await generateKeyPair(alg)
      const token = await new SignJWT({ sub: 'ada', exp: inSeconds(60) }).setProtectedHeader({ alg }).sign(privateKey)
      expect(await statusOf(made(), token), alg).toBe(401)
    }
    for (const declared of ['HS256', 'HS384', 'HS512'] as const) {
      for (const alg of ['HS256', 'HS384', 'HS512']) {
        const app = made({ algorithms: [declared] })
        expect(await statusOf(app, sign({}, { alg })), `${declared} ${alg}`).toBe(alg === declared ? 200 : 401)
      }
    }
    const every = made({ algorithms: ['HS256', 'HS384', 'HS512'] })
    for (const alg of ['HS256', 'HS384', 'HS512']) expect(await statusOf(every, sign({}, { alg }))).toBe(200)
  })

  it('is refused when it has expired, never does, or is not yet valid', async () => {
    for (const exp of [inSeconds(-30), undefined, 'tomorrow']) expect(await statusOf(made(), sign({ exp }))).toBe(401)
    expect(await statusOf(made(), sign({ nbf: inSeconds(60) }))).toBe(401)
    expect(await statusOf(made({ clockTolerance: '1m' }), sign({ exp: inSeconds(-30) }))).toBe(200)
  })

  it('is refused for another audience, also where this API has none', async () => {
    expect(await statusOf(made(), sign({ aud: 'https://other.example' }))).toBe(401)
    const app = made({ audience: ['https://api.example', 'https://old.example'] })
    expect(await statusOf(app, sign({ aud: 'https://old.example' }))).toBe(200)
    for (const aud of [undefined, 'https://other.example', []]) expect(await statusOf(app, sign({ aud }))).toBe(401)
  })

  it('is refused without the scope of the action, its type, or within the length', async () => {
    expect(await statusOf(made(), sign({ scope: 'read write' }), 'GET /doors/write')).toBe(200)
    expect(await statusOf(made(), sign({ scope: 'read' }), 'GET /doors/write')).toBe(403)
    expect(await statusOf(made({ type: 'at+jwt' }), sign({}))).toBe(401)
    expect(await statusOf(made({ type: 'at+jwt' }), sign({}, { header: { typ: 'at+jwt' } }))).toBe(200)
    expect(await statusOf(made(), sign({ more: 'x'.repeat(9000) }))).toBe(401)
    expect(await statusOf(made(), sign({ sub: undefined }))).toBe(401)
  })

  it('is verified with each of several secrets until one is removed', async () => {
    const [next, old] = ['n'.repeat(32), 'o'.repeat(32)]
    const tokens = [sign({}, { by: next }), sign({}, { by: old })]
    const statuses = async (...secrets: string[]) =>
      Promise.all(tokens.map((token) => statusOf(made({ secret: secrets }), token)))
    expect(await statuses(old)).toEqual([401, 200])
    expect(await statuses(next, old)).toEqual([200, 200])
    expect(await statuses(old, next)).toEqual([200, 200])
    expect(await statuses(next)).toEqual([200, 401])
    const expired = sign({ exp: inSeconds(-60) }, { by: old })
    expect(await statusOf(made({ secret: [old, next] }), expired)).toBe(401)
  })

  it('is verified with the bytes that the secret had when the verifier was made', async () => {
    const bytes = Uint8Array.from(secret)
    const app = made({ secret: bytes })
    bytes.fill(0)
    expect(await statusOf(app, sign({}))).toBe(200)
    expect(await statusOf(app, sign({}, { by: bytes }))).toBe(401)
  })
})

describe('[FOR-07] the settings of a secret', () => {
  it('need the bytes of the longest hash, and do not reveal a secret that is too short', () => {
    const short = 'a secret that is too short'
    expect(() => made({ secret: short })).toThrow(
      'jwt: secret has 26 bytes: give at least 32 random bytes for HS256, such as those of openssl rand -base64 32',
    )
    expect(() => made({ secret: [randomBytes(32), short] })).toThrow('jwt: secret[1] has 26 bytes')
    expect(() => made({ secret: 'é'.repeat(16) })).not.toThrow()
    const counts = { HS256: 32, HS384: 48, HS512: 64 } as const
    for (const [algorithm, count] of Object.entries(counts) as ['HS256', number][]) {
      const algorithms = ['HS256', algorithm] as const
      expect(() => made({ algorithms, secret: randomBytes(count) })).not.toThrow()
      expect(() => made({ algorithms, secret: randomBytes(count - 1) })).toThrow(`bytes for ${algorithm}`)
    }
    for (const value of [undefined, null, 42, [], [short, 42], { value: short }]) {
      const attempt = () => made({ secret: value as never })
      expect(attempt).toThrow(/^jwt: secret/)
      expect(attempt).not.toThrow(short)
    }
  })

  it('are no key in any form in which keys are published, as a text or as bytes', async () => {
    for (const alg of ['RS256', 'ES256', 'EdDSA'] as const) {
      const { publicKey, privateKey } = await generateKeyPair(alg, { extractable: true })
      const jwk = JSON.stringify(await exportJWK(publicKey))
      const keys = [await exportSPKI(publicKey), await exportPKCS8(privateKey), jwk, `{ "keys": [${jwk}] }`]
      for (const key of keys)
        for (const given of [key, `\n${key}`, new TextEncoder().encode(key), [secret, key]]) {
          const attempt = () => made({ secret: given as never })
          expect(attempt).toThrow(/^jwt: secret(?:\[1\])? is a key/)
          expect(attempt).not.toThrow(key.slice(30, 60))
        }
    }
    for (const label of ['CERTIFICATE', 'PUBLIC KEY', 'RSA PUBLIC KEY', 'EC PRIVATE KEY', 'OPENSSH PRIVATE KEY'])
      expect(() => made({ secret: `-----BEGIN ${label}-----\n${'A'.repeat(64)}` })).toThrow('jwt: secret is a key')
    for (const line of ['ssh-rsa', 'ssh-ed25519', 'ecdsa-sha2-nistp256', 'sk-ssh-ed25519@openssh.com'])
      expect(() => made({ secret: `${line} ${'A'.repeat(64)} ada@example` })).toThrow('jwt: secret is a key')
    // Random bytes, whatever they look like, and passphrases.
    for (const fine of [
      randomBytes(64),
      randomBytes(64).toString('base64'),
      '-----BEGINNING of a long passphrase-----',
    ])
      expect(() => made({ secret: fine })).not.toThrow()
  })

  it('have no empty lists', () => {
    for (const options of [{ secret: [] }, { algorithms: [] }, { audience: [] }])
      expect(() => made(options)).toThrow(/^jwt: (?:secret|algorithms|audience)/)
    const issuer = { issuer: 'https://accounts.example', audience: 'x', principal: () => ({ id: 'ada' }) }
    expect(() => jwt(Token, { ...issuer, audience: [] })).toThrow('jwt: audience')
    expect(() => jwt(Token, { ...issuer, algorithms: [] })).toThrow('jwt: algorithms')
  })

  it('are those of one family: no issuer, no keys, no algorithms of keys', () => {
    expect(() => made({ issuer: 'https://accounts.example' } as never)).toThrow(
      'jwt: there is an issuer beside a secret',
    )
    expect(() => made({ jwks: 'https://accounts.example/keys' } as never)).toThrow('there is no such setting')
    expect(() => made({ algorithms: ['RS256'] as never })).toThrow("jwt: algorithms[0] is 'RS256': give 'HS256' or")
    expect(() => made({ algorithms: ['none'] as never })).toThrow("algorithms[0] is 'none'")
    const principal = () => ({ id: 'ada' })
    expect(() => jwt(Token, { principal } as never)).toThrow('or a secret instead')
    for (const none of [undefined, null, 7, 'secret']) expect(() => jwt(Token, none as never)).toThrow(/^jwt/)
    const options = { issuer: 'https://accounts.example', audience: 'x', algorithms: ['HS256'], principal }
    expect(() => jwt(Token, options)).toThrow("algorithms[0] is 'HS256'")
  })
})
