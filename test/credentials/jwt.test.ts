// JWTs of an issuer: who is let in, and who never is.
import { application, controller, endpoint, forbidden, route, security } from 'edict'
import { type JwtOptions, jwt } from 'edict/jwt'
import { SignJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Answered, ask, askFetch, recorder } from '../support/ask.ts'
import { Issuer, inSeconds, type Keys, makeKeys, signed } from '../support/credentials/issuer.ts'

const Token = security.bearer<{ readonly id: string }>('Token', { format: 'JWT' })
const AUDIENCE = 'https://api.example'

let keys: Keys
let issuer: Issuer
beforeAll(async () => {
  keys = await makeKeys('one')
  issuer = await Issuer.start(keys)
})
afterAll(() => issuer?.stop())

function made(options: Partial<JwtOptions<{ readonly id: string }>> = {}, logger = recorder()) {
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
  const principal: JwtOptions<{ readonly id: string }>['principal'] = ({ sub }) =>
    sub === undefined ? undefined : { id: sub }
  const verified = jwt(Token, { issuer: issuer.url, audience: AUDIENCE, principal, ...options })
  return application({ controllers: [doors], verifiers: [verified], logger })
}

const claims = (more: object = {}) => ({ iss: issuer.url, aud: AUDIENCE, sub: 'ada', ...more })
const bearer = (token: string) => ({ headers: { authorization: `Bearer ${token}` } })
const text = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url')

async function refused(app: ReturnType<typeof made>, token: string): Promise<Answered> {
  const answer = await ask(app, 'GET /doors', bearer(token))
  expect(answer.status).toBe(401)
  expect(answer.headers['www-authenticate']).toBe('Bearer realm="API"')
  return answer
}

describe('a JWT', () => {
  it('[AUT-01] of the issuer, for this audience and of now, lets its subject in, over a socket and through fetch', async () => {
    const app = made()
    expect((await ask(app, 'GET /doors', bearer(await signed(keys, claims())))).text).toBe('in: ada')
    const several = await signed(keys, claims({ aud: ['https://other.example', AUDIENCE] }))
    expect((await ask(app, 'GET /doors', bearer(several))).text).toBe('in: ada')
    const edwards = await makeKeys('ed', 'EdDSA')
    issuer.keys = [keys, edwards]
    const other = await signed(edwards, claims(), { alg: 'EdDSA' })
    expect((await ask(made(), 'GET /doors', bearer(other))).text).toBe('in: ada')
    issuer.keys = [keys]
  })

  it('[AUT-01] without a signature (alg: none) is refused', async () => {
    const body = text({ ...claims(), exp: inSeconds(60) })
    for (const alg of ['none', 'None', 'NONE', '']) await refused(made(), `${text({ alg, kid: 'one' })}.${body}.`)
    await refused(made(), `${text({ kid: 'one' })}.${body}.`)
  })

  it('[AUT-01] signed with the public key as a shared secret is refused', async () => {
    const secret = new TextEncoder().encode(JSON.stringify(keys.open))
    const token = await new SignJWT({ ...claims(), exp: inSeconds(60) })
      .setProtectedHeader({ alg: 'HS256', kid: 'one' })
      .sign(secret)
    await refused(made(), token)
    expect(() => made({ issuer: new URL(issuer.url) as never })).toThrow('jwt: issuer')
    expect(() => made({ algorithms: ['HS256'] })).toThrow("jwt: algorithms[0] is 'HS256': give 'RS256' or")
  })

  it.each([
    ...['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'],
    ...['ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'],
  ] as const)('[AUT-01] signed by %s is let in, unless other algorithms are declared', async (alg) => {
    const own = await makeKeys(alg, alg)
    issuer.keys = [own]
    const sent = bearer(await signed(own, claims(), { alg }))
    expect((await askFetch(made(), 'GET /doors', sent)).text).toBe('in: ada')
    expect((await askFetch(made({ algorithms: [alg] }), 'GET /doors', sent)).text).toBe('in: ada')
    const other = alg === 'ES256' ? 'ES384' : 'ES256'
    expect((await askFetch(made({ algorithms: [other] }), 'GET /doors', sent)).status).toBe(401)
    issuer.keys = [keys]
  })

  it('[AUT-01] for another audience, or for none, is refused', async () => {
    await refused(made(), await signed(keys, claims({ aud: 'https://other.example' })))
    await refused(made(), await signed(keys, claims({ aud: undefined })))
    await refused(made(), await signed(keys, claims({ aud: [] })))
    await refused(made(), await signed(keys, claims({ aud: `${AUDIENCE}/` })))
  })

  it('[AUT-01] that has expired, or never does, is refused; clocks may differ a little', async () => {
    await refused(made(), await signed(keys, claims({ exp: inSeconds(-30) })))
    await refused(made(), await signed(keys, claims({ exp: undefined })))
    await refused(made(), await signed(keys, claims({ exp: 'tomorrow' as never })))
    const late = await signed(keys, claims({ exp: inSeconds(-5) }))
    expect((await askFetch(made({ clockTolerance: '1m' }), 'GET /doors', bearer(late))).status).toBe(200)
    await refused(made({ clockTolerance: 0 }), late)
  })

  it('[AUT-01] that is not yet valid is refused', async () => {
    await refused(made(), await signed(keys, claims({ nbf: inSeconds(60) })))
  })

  it('[AUT-01] of another issuer is refused, by its claim or by its key', async () => {
    await refused(made(), await signed(keys, claims({ iss: 'https://evil.example' })))
    await refused(made(), await signed(keys, claims({ iss: undefined })))
    const foreign = await makeKeys('one')
    await refused(made(), await signed(foreign, claims()))
    // A token that brings its own key, or names where to find one, is not listened to.
    await refused(made(), await signed(foreign, claims(), { jwk: foreign.open }))
    await refused(made(), await signed(foreign, claims(), { jku: 'https://evil.example/keys' }))
  })

  it('[AUT-01] that was changed, cut off or is none at all is refused', async () => {
    const token = await signed(keys, claims())
    const [head, , signature] = token.split('.') as [string, string, string]
    await refused(made(), `${head}.${text({ ...claims(), sub: 'root', exp: inSeconds(60) })}.${signature}`)
    for (const odd of [
      token.slice(0, -2),
      token.slice(0, 50),
      `${token}.x`,
      'x',
      '..',
      'e30.e30.',
      `${head}..${signature}`,
    ])
      await refused(made(), odd)
    await refused(made({ type: 'at+jwt' }), token)
    const typed = await signed(keys, claims(), { typ: 'at+jwt' })
    expect((await askFetch(made({ type: 'at+jwt' }), 'GET /doors', bearer(typed))).status).toBe(200)
  })

  it('[AUT-01] that is oversized is refused before it is looked at', async () => {
    const before = issuer.asked
    await refused(made(), await signed(keys, claims({ more: 'x'.repeat(9000) })))
    expect(issuer.asked).toBe(before)
  })

  it('[AUT-01] lacks scopes, or is of somebody unknown or forbidden', async () => {
    const granted = { scope: 'read write' }
    expect((await ask(made(), 'GET /doors/write', bearer(await signed(keys, claims(granted))))).text).toBe(
      'writes: ada',
    )
    const listed = await signed(keys, claims({ scp: ['write'] }))
    expect((await ask(made(), 'GET /doors/write', bearer(listed))).status).toBe(200)
    for (const scope of [undefined, 'read', 'writes', ''])
      expect((await ask(made(), 'GET /doors/write', bearer(await signed(keys, claims({ scope }))))).status).toBe(403)
    await refused(made(), await signed(keys, claims({ sub: undefined })))
    const shut = made({ principal: () => forbidden })
    expect((await ask(shut, 'GET /doors', bearer(await signed(keys, claims())))).status).toBe(403)
  })
})

describe('the keys of an issuer', () => {
  it('[AUT-01] are read once, again for a new key, and a key that was taken back is refused', async () => {
    const own = await Issuer.start(keys)
    const app = made({ issuer: own.url, cooldown: 0, maxAge: '1s' })
    const mine = (by: Keys) => signed(by, claims({ iss: own.url }))
    const old = await mine(keys)
    for (let i = 0; i < 5; i++) expect((await askFetch(app, 'GET /doors', bearer(old))).status).toBe(200)
    expect(own.asked).toBe(1)
    const next = await makeKeys('two')
    own.keys = [next]
    expect((await askFetch(app, 'GET /doors', bearer(await mine(next)))).status).toBe(200)
    expect(own.asked).toBe(2)
    await refused(app, old)
    await own.stop()
  })

  it('[AUT-01] are not asked for by every token with an unknown key', async () => {
    const own = await Issuer.start(keys)
    const app = made({ issuer: own.url })
    for (let i = 0; i < 5; i++) await refused(app, await signed(await makeKeys(`odd ${i}`), claims({ iss: own.url })))
    expect(own.asked).toBe(1)
    await own.stop()
  })

  it('[AUT-01] that cannot be read are a 503 with Retry-After, and the next request finds them when they are back', async () => {
    const own = await Issuer.start(keys)
    const logger = recorder()
    const app = made({ issuer: own.url, timeout: 200 }, logger)
    const token = await signed(keys, claims({ iss: own.url }))
    for (const mood of ['broken', 'silent'] as const) {
      own.mood = mood
      const answer = await ask(app, 'GET /doors', bearer(token))
      expect([answer.status, answer.headers['retry-after'], answer.json.code]).toEqual([503, '5', 'unavailable'])
    }
    expect(logger.entries[0]?.fields.err.message).toBe(`The keys of ${own.url} cannot be read`)
    own.mood = 'well'
    expect((await ask(app, 'GET /doors', bearer(token))).status).toBe(200)
    const { url } = own
    await own.stop()
    const gone = made({ issuer: url })
    expect((await ask(gone, 'GET /doors', bearer(token))).status).toBe(503)
    // A token that needs no key to be refused is refused without one.
    expect((await ask(gone, 'GET /doors', bearer('x'))).status).toBe(401)
  })

  it('[AUT-01] of an issuer that calls itself otherwise are not taken', async () => {
    const own = await Issuer.start(keys)
    own.names = 'https://evil.example'
    const token = await signed(keys, claims({ iss: own.url }))
    expect((await ask(made({ issuer: own.url }), 'GET /doors', bearer(token))).status).toBe(503)
    const direct = made({ issuer: own.url, jwks: `${own.url}/keys` })
    expect((await ask(direct, 'GET /doors', bearer(token))).status).toBe(200)
    await own.stop()
  })

  it.each([
    ['https://accounts.example', 'http://accounts.example/keys'],
    ['https://accounts.example', 'http://localhost/keys'],
    ['http://localhost:9', 'http://accounts.example/keys'],
  ])('[AUT-01] of %s with keys at %s are not taken', async (url, jwks_uri) => {
    const asked: string[] = []
    const fetch = async (target: string): Promise<Response> => {
      asked.push(target)
      return Response.json({ issuer: url, jwks_uri })
    }
    const token = await signed(keys, claims({ iss: url }))
    expect((await ask(made({ issuer: url, fetch }), 'GET /doors', bearer(token))).status).toBe(503)
    expect(asked).not.toContain(jwks_uri)
  })

  it('[AUT-01] of an issuer that names none, or several, are not asked for', async () => {
    const url = 'https://accounts.example'
    for (const jwks_uri of [undefined, 7, '', 'keys', [`${url}/keys`]]) {
      const asked: string[] = []
      const fetch = async (target: string): Promise<Response> => {
        asked.push(target)
        return Response.json({ issuer: url, jwks_uri })
      }
      const token = await signed(keys, claims({ iss: url }))
      expect((await ask(made({ issuer: url, fetch }), 'GET /doors', bearer(token))).status).toBe(503)
      expect(new Set(asked)).toEqual(new Set([`${url}/.well-known/openid-configuration`]))
    }
  })

  it('[AUT-01] settings that cannot work are refused when the verifier is made', () => {
    expect(() => made({ issuer: 'accounts.example' })).toThrow(
      "jwt: issuer is 'accounts.example': give a URL with https",
    )
    for (const url of [
      'http://accounts.example',
      'HTTP://accounts.example/keys',
      'http://127.0.0.1.evil.example',
      'http://localhost.evil.example',
      'http://10.0.0.1/keys',
      'http://[::2]/',
      'ftp://localhost/',
      'file:///keys',
    ]) {
      expect(() => made({ issuer: url }), url).toThrow('jwt: issuer')
      expect(() => made({ issuer: 'https://accounts.example', jwks: url }), url).toThrow('jwt: jwks')
    }
    for (const url of [
      'https://accounts.example',
      'http://localhost:8080',
      'http://127.1.2.3/keys',
      'http://127.0.10.254/keys',
      'http://[::1]:8080/',
      'http://issuer.localhost',
    ])
      expect(() => made({ issuer: url, jwks: url }), url).not.toThrow()
    expect(() => made({ audience: '' })).toThrow('jwt: audience')
    expect(() => made({ audiences: 'x' } as never)).toThrow('there is no such setting')
  })
})
