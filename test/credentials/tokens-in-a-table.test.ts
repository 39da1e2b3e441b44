// Opaque tokens in a table, in every datastore: the table has digests and nothing that lets anybody in.
import { createHash, randomBytes } from 'node:crypto'
import { application, controller, endpoint, mediaType, route, security, t, verifier } from 'edict'
import { type Datastore, mapper, memoryDatastore, one, resource } from 'edict/mapper'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { DialectName } from '../../src/plugins/datastores/sql/sql.ts'
import { ask, askFetch } from '../support/ask.ts'
import { clientsOn, openCatalogued } from '../support/engines/clients/catalogued.ts'
import type { Engine } from '../support/engines/engine.ts'
import { startMariadb } from '../support/engines/mariadb.ts'
import { startPostgres } from '../support/engines/postgres.ts'
import { startSqlite } from '../support/engines/sqlite.ts'

const engines = await Promise.all([startSqlite(), startPostgres(), startMariadb()])
const Caller = security.bearer<{ readonly name: string; readonly digest: string }>('Token')
const StoredAccount = mediaType('StoredAccount', {
  attributes: { id: t.integer({ required: true }), name: t.string({ required: true }) },
})
const StoredToken = mediaType('StoredToken', {
  attributes: {
    digest: t.string({ required: true }),
    expires_at: t.dateTime({ required: true }),
    account: t.ref(StoredAccount, { required: true }),
  },
  views: { default: ['digest', 'expires_at', 'account'] },
})

const digestOf = (token: string): string => createHash('sha256').update(token).digest('hex')
const inSeconds = (seconds: number): Date => new Date(Date.now() + seconds * 1000)

function made(datastore: Datastore<string>) {
  const accounts = resource(datastore, StoredAccount, { table: 'accounts' })
  const tokens = resource(datastore, StoredToken, {
    table: 'tokens',
    key: ['digest'],
    attributes: { account: one(accounts, { account_id: 'id' }) },
  })
  const Doors = endpoint('Doors', {
    actionDefaults: { security: Caller },
    actions: {
      show: { routing: route.get('/'), responses: { ok: 'text/plain' } },
      close: { routing: route.delete('/'), responses: { noContent: true } },
    },
  })
  const doors = controller(Doors, {
    show: (_, { principal }) => `in: ${principal.name}`,
    async close(_, { principal, reply }) {
      await tokens.delete(principal.digest)
      return reply.noContent()
    },
  })
  const known = verifier(Caller, async (token) => {
    const digest = digestOf(token)
    const found = await tokens.find(digest)
    return found && found.expires_at > new Date() ? { name: found.account.name, digest } : undefined
  })
  const plugins = [mapper({ resources: [accounts, tokens] })]
  const issue = async (id: number, expires_at = inSeconds(60)): Promise<string> => {
    const token = randomBytes(32).toString('base64url')
    await tokens.create({ digest: digestOf(token), expires_at, account: { id } })
    return token
  }
  return { app: application({ controllers: [doors], plugins, verifiers: [known] }), accounts, tokens, issue }
}

type Made = ReturnType<typeof made>

const DATE_TIMES: Readonly<Record<DialectName, string>> = {
  sqlite: 'datetime',
  postgres: 'timestamptz(3)',
  mysql: 'datetime(3)',
}

const createTables = (dialect: DialectName): string[] => [
  'create table accounts (id integer primary key, name varchar(40) not null)',
  `create table tokens (
    digest varchar(64) primary key, expires_at ${DATE_TIMES[dialect]} not null, account_id integer not null,
    foreign key (account_id) references accounts (id) on delete cascade
  )`,
]

function check(open: () => Promise<{ readonly datastore: Datastore<string>; close(): Promise<void> }>): void {
  let store: Made
  let close: () => Promise<void>

  beforeAll(async () => {
    const opened = await open()
    close = opened.close
    store = made(opened.datastore)
    await store.accounts.createMany([
      { id: 1, name: 'Ada' },
      { id: 2, name: 'Alan' },
    ])
  })
  afterAll(() => close())

  const by = (token: string) => ({ headers: { authorization: `Bearer ${token}` } })
  const statusOf = async (token: string): Promise<number> => (await askFetch(store.app, 'GET /doors', by(token))).status

  it('lets its account in until it expires, over a socket and through fetch', async () => {
    const [ada, alan] = [await store.issue(1), await store.issue(2)]
    expect((await ask(store.app, 'GET /doors', by(ada))).text).toBe('in: Ada')
    expect((await askFetch(store.app, 'GET /doors', by(alan))).text).toBe('in: Alan')
    expect(await statusOf(await store.issue(1, inSeconds(-1)))).toBe(401)
    await store.tokens.update(digestOf(ada), { expires_at: new Date() })
    expect(await statusOf(ada)).toBe(401)
  })

  it('is worthless once it was revoked; others of the account are not', async () => {
    const [token, other] = [await store.issue(1), await store.issue(1)]
    expect((await askFetch(store.app, 'DELETE /doors', by(token))).status).toBe(204)
    expect(await statusOf(token)).toBe(401)
    expect(await statusOf(other)).toBe(200)
    await store.tokens.delete(digestOf(other))
    expect(await statusOf(other)).toBe(401)
  })

  it('is nowhere in the table, and nothing in the table is a token', async () => {
    const token = await store.issue(1)
    const rows = await store.tokens.list({})
    expect(rows.length).toBeGreaterThan(0)
    expect(JSON.stringify(rows)).not.toContain(token)
    for (const { digest } of rows) {
      expect(digest).toMatch(/^[0-9a-f]{64}$/)
      expect(await statusOf(digest)).toBe(401)
    }
    expect(rows.map(({ digest }) => digest)).toContain(digestOf(token))
  })

  it('lets nobody in who does not have it, character by character', async () => {
    const token = await store.issue(1)
    expect(await statusOf(token)).toBe(200)
    const unknown = fc.oneof(
      fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => Buffer.from(bytes).toString('base64url')),
      fc.string({ unit: fc.constantFrom(..."aZ09-_.~+/'%"), minLength: 1, maxLength: 80 }),
      fc.nat(token.length - 1).map((at) => token.slice(0, at) + (token[at] === 'A' ? 'B' : 'A') + token.slice(at + 1)),
      fc.nat(token.length - 1).map((length) => token.slice(0, length) || 'x'),
      fc.constantFrom(token.toLowerCase(), token.toUpperCase(), `${token}=`, `${token}A`),
    )
    await fc.assert(
      fc.asyncProperty(unknown, async (sent) => {
        fc.pre(sent !== token)
        expect(await statusOf(sent)).toBe(401)
      }),
      { numRuns: 100 },
    )
    expect((await askFetch(store.app, 'GET /doors')).status).toBe(401)
  })
}

describe('[FOR-07] a token in a table', () => {
  describe('in memory', () => {
    check(async () => {
      const datastore = memoryDatastore({
        accounts: { columns: { id: { kind: 'integer' }, name: { kind: 'text' } }, key: ['id'] },
        tokens: {
          columns: { digest: { kind: 'text' }, expires_at: { kind: 'dateTime' }, account_id: { kind: 'integer' } },
          key: ['digest'],
        },
      })
      return { datastore, close: async () => undefined }
    })
  })

  for (const need of engines)
    need.describe((engine: Engine) => {
      for (const client of clientsOn(engine.dialect))
        describe(`${client} on ${engine.name}`, () => {
          const open = async () => {
            const database = await engine.createDatabase()
            await database.run(...createTables(engine.dialect))
            const { datastore, end } = await openCatalogued(client, engine.dialect, database.url)
            const close = async (): Promise<void> => {
              await end()
              await database.close()
            }
            return { datastore, close }
          }
          check(open)

          it('disappears with its account, so that it is not that of the next one', async () => {
            const { datastore, close } = await open()
            const { app, accounts, issue } = made(datastore)
            try {
              await accounts.create({ id: 1, name: 'Ada' })
              const token = await issue(1)
              await accounts.delete(1)
              await accounts.create({ id: 1, name: 'Eve' })
              const { status } = await askFetch(app, 'GET /doors', { headers: { authorization: `Bearer ${token}` } })
              expect(status).toBe(401)
            } finally {
              await close()
            }
          })
        })
    })
})
