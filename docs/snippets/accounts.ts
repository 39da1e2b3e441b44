// The snippets of docs/guide/accounts.md.
import { memoryDatastore } from 'edict/mapper'
import type { Shown } from '../../scripts/snippets.ts'
import { ask } from './support/http.ts'

const datastore = memoryDatastore({
  accounts: {
    columns: { id: { kind: 'integer', generated: true }, name: { kind: 'text' }, password_hash: { kind: 'text' } },
    key: ['id'],
    unique: [['name']],
  },
  tokens: {
    columns: { digest: { kind: 'text' }, account_id: { kind: 'integer' }, expires_at: { kind: 'dateTime' } },
    key: ['digest'],
  },
})

// #region stored
import { mediaType, t } from 'edict'
import { one, resource } from 'edict/mapper'

const StoredAccount = mediaType('StoredAccount', {
  attributes: {
    id: t.integer({ required: true }),
    name: t.string({ required: true }),
    password_hash: t.string({ required: true, secret: true }),
  },
  views: { default: ['id', 'name'] }, // no view shows the hash
})
const StoredToken = mediaType('StoredToken', {
  attributes: {
    digest: t.string({ required: true }),
    expires_at: t.dateTime({ required: true }),
    account: t.ref(StoredAccount, { required: true }),
  },
  views: { default: ['digest', 'expires_at', 'account'] },
})

const accounts = resource(datastore, StoredAccount, { table: 'accounts' })
const tokens = resource(datastore, StoredToken, {
  table: 'tokens',
  key: ['digest'],
  attributes: { account: one(accounts, { account_id: 'id' }) },
})
// #endregion

// #region verifier
import { createHash, randomBytes } from 'node:crypto'
import { security, verifier } from 'edict'

interface Client {
  readonly id: number
  readonly name: string
  readonly digest: string
}
const Caller = security.bearer<Client>('Token')

const digestOf = (token: string): string => createHash('sha256').update(token).digest('hex')

async function issueToken(id: number) {
  const token = randomBytes(32).toString('base64url')
  const expires_at = new Date(Date.now() + 30 * 24 * 60 * 60 * 1000)
  await tokens.create({ digest: digestOf(token), expires_at, account: { id } })
  return { token, expires_at }
}

const known = verifier(Caller, async (token) => {
  const digest = digestOf(token)
  const found = await tokens.find(digest)
  return found && found.expires_at > new Date() ? { ...found.account, digest } : undefined
})
// #endregion

// #region passwords
import { hash, type Options, verify } from '@node-rs/argon2'

// Argon2id with the least that OWASP recommends. A hash names its settings: they can be raised later.
const settings: Options = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 }
const hashPassword = (password: string): Promise<string> => hash(password.normalize('NFC'), settings)
const decoy = hashPassword(randomBytes(32).toString('base64'))

async function isPassword(password: string, stored: string | undefined): Promise<boolean> {
  const isRight = await verify(stored ?? (await decoy), password.normalize('NFC'))
  return isRight && stored !== undefined
}
// #endregion

// #region endpoint
import { endpoint, route } from 'edict'
import { rateLimit } from 'edict/rate-limit'

const Token = mediaType('Token', {
  attributes: { token: t.string({ required: true, secret: true }), expires_at: t.dateTime({ required: true }) },
})
const attempts = rateLimit({ limit: 10, per: '1m', by: 'address' })

const Tokens = endpoint('Tokens', {
  actions: {
    create: {
      routing: route.post('/'),
      policies: [attempts],
      payload: {
        name: t.string({ required: true, max: 100 }),
        password: t.string({ required: true, max: 128, secret: true }),
      },
      responses: { created: { mediaType: Token, headers: { 'Cache-Control': 'no-store' } }, unauthorized: true },
    },
    show: { routing: route.get('/current'), security: Caller, responses: { ok: 'text/plain' } },
    remove: { routing: route.delete('/current'), security: Caller, responses: { noContent: true } },
  },
})
// #endregion

// #region controller
import { controller } from 'edict'

const login = controller(Tokens, {
  async create(_, { request, reply }) {
    const { name, password } = request.payload
    const [account] = await accounts.list({ where: { name }, limit: 1, fields: ['id', 'password_hash'] })
    if (!(await isPassword(password, account?.password_hash)) || account === undefined)
      return reply.unauthorized('The name or the password is wrong.')
    return reply.created(await issueToken(account.id), { headers: { 'Cache-Control': 'no-store' } })
  },
  show: (_, { principal }) => `The token of ${principal.name}`,
  async remove(_, { principal, reply }) {
    await tokens.delete(principal.digest)
    return reply.noContent()
  },
})
// #endregion

// #region application
import { application } from 'edict'
import { mapper } from 'edict/mapper'
import { rateLimits } from 'edict/rate-limit'
import { memoryStore } from 'edict/stores'

export const app = application({
  controllers: [login],
  plugins: [mapper({ resources: [accounts, tokens] }), rateLimits(memoryStore())],
  verifiers: [known],
})
// #endregion

async function told(line: string, sent: Parameters<typeof ask>[2]): Promise<string> {
  const answer = await ask(app, line, sent)
  const text = await answer.text()
  if (!answer.headers.get('content-type')?.includes('json')) return `${answer.status} ${text}`.trim()
  const { token, title, detail = title } = JSON.parse(text)
  return `${answer.status} ${token === undefined ? detail : '{"token":"sNq…","expires_at":"…"}'}`
}

/** The answers that the page shows. */
export const shown: Shown = {
  answers: async () => {
    const password = 'correct horse battery staple'
    await accounts.create({ name: 'ada', password_hash: await hashPassword(password) })
    const logIn = (name: string, typed: string) => told('POST /tokens', { body: { name, password: typed } })
    const { token } = await issueToken(1)
    const by = (one: string) => ({ headers: { Authorization: `Bearer ${one}` } })
    return [
      `POST /tokens            {"name":"ada","password":"correct…"}   →  ${await logIn('ada', password)}`,
      `POST /tokens            {"name":"ada","password":"incorr…"}    →  ${await logIn('ada', 'incorrect horse')}`,
      `POST /tokens            {"name":"bob","password":"correct…"}   →  ${await logIn('bob', password)}`,
      `GET /tokens/current     Authorization: Bearer sNq…             →  ${await told('GET /tokens/current', by(token))}`,
      `GET /tokens/current     Authorization: Bearer, and its digest  →  ${await told('GET /tokens/current', by(digestOf(token)))}`,
      `DELETE /tokens/current  Authorization: Bearer sNq…             →  ${await told('DELETE /tokens/current', by(token))}`,
      `GET /tokens/current     Authorization: Bearer sNq…             →  ${await told('GET /tokens/current', by(token))}`,
    ].join('\n')
  },
}
