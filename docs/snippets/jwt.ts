// The snippets of docs/guide/jwt.md.
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import type { Shown } from '../../scripts/snippets.ts'
import { ask } from './support/http.ts'

// #region smallest
import { application, endpoint, route, security } from 'edict'
import { jwt } from 'edict/jwt'

interface Reader {
  readonly id: string
}

const Token = security.openIdConnect<Reader>('Accounts', {
  url: 'https://accounts.example/.well-known/openid-configuration',
})

const Books = endpoint('Books', {
  actionDefaults: { security: Token },
  actions: {
    index: { routing: route.get('/'), responses: { ok: 'text/plain' } },
    remove: { routing: route.delete('/'), security: Token.scopes('books:write'), responses: { noContent: true } },
  },
})

const books = Books.implement({
  index: (_, { principal }) => `Books for ${principal.id}`,
  remove: (_, { reply }) => reply.noContent(),
})

const accounts = jwt(Token, {
  issuer: 'https://accounts.example',
  audience: 'https://api.example',
  principal: ({ sub }) => (sub === undefined ? undefined : { id: sub }),
  // #endregion
  fetch: async (url) =>
    Response.json(
      url.endsWith('keys') ? { keys: [{ ...(await exportJWK((await pair).publicKey)), kid: 'one' }] } : found,
    ),
  // #region rest
})

export const app = application({ controllers: [books], verifiers: [accounts] })
// #endregion

// #region secret
const secrets = [process.env['JWT_SECRET'] ?? generateSecret(), process.env['JWT_OLD_SECRET'] ?? []].flat()

const own = jwt(Token, { secret: secrets, principal: ({ sub }) => (sub === undefined ? undefined : { id: sub }) })

const signToken = (id: string): Promise<string> =>
  new SignJWT()
    .setProtectedHeader({ alg: 'HS256' })
    .setSubject(id)
    .setExpirationTime('1h')
    .sign(new TextEncoder().encode(secrets[0]))
// #endregion

function generateSecret(): string {
  return 'a secret of the tests of these pages'
}

const found = { issuer: 'https://accounts.example', jwks_uri: 'https://accounts.example/keys' }
const pair = generateKeyPair('ES256')

async function told(line: string, claims: object): Promise<string> {
  const all = { iss: 'https://accounts.example', aud: 'https://api.example', sub: 'ada', ...claims }
  const token = await new SignJWT(all)
    .setProtectedHeader({ alg: 'ES256', kid: 'one' })
    .setExpirationTime('1m')
    .sign((await pair).privateKey)
  const answer = await ask(app, line, { headers: { Authorization: `Bearer ${token}` } })
  const text = answer.headers.get('content-type')?.includes('problem')
    ? (await answer.json()).title
    : await answer.text()
  return `${answer.status} ${text}`.trim()
}

/** The answers that the page shows. */
export const shown: Shown = {
  answers: async () =>
    [
      `GET /books     a token for this API                →  ${await told('GET /books', {})}`,
      `GET /books     a token for another one             →  ${await told('GET /books', { aud: 'https://other.example' })}`,
      `DELETE /books  a token without the scope           →  ${await told('DELETE /books', {})}`,
      `DELETE /books  a token with scope "books:write"    →  ${await told('DELETE /books', { scope: 'books:write' })}`,
    ].join('\n'),
  own: async () => {
    const api = application({ controllers: [books], verifiers: [own] })
    const text = async (token: string) => {
      const answer = await ask(api, 'GET /books', { headers: { Authorization: `Bearer ${token}` } })
      return `${answer.status} ${answer.status === 200 ? await answer.text() : (await answer.json()).title}`
    }
    const token = await signToken('ada')
    return [
      `GET /books  a token of signToken('ada')  →  ${await text(token)}`,
      `GET /books  the same, one character off  →  ${await text(token.replace('.e', '.f'))}`,
    ].join('\n')
  },
}
