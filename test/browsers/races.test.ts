// Writers that race: with If-Match, each version of a row is made by exactly one of them, on every engine.
import { createClient } from '@libsql/client'
import { drizzle as libsql } from 'drizzle-orm/libsql'
import * as my from 'drizzle-orm/mysql-core'
import { drizzle as mysql } from 'drizzle-orm/mysql2'
import { drizzle as postgres } from 'drizzle-orm/node-postgres'
import * as pgc from 'drizzle-orm/pg-core'
import * as lite from 'drizzle-orm/sqlite-core'
import { createPool } from 'mysql2/promise'
import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Application, application, endpoint, mediaType, route, t } from '../../src/index.ts'
import { conditional, etag } from '../../src/plugins/conditional/index.ts'
import { drizzleDatastore } from '../../src/plugins/datastores/drizzle/drizzle.ts'
import { kyselyDatastore } from '../../src/plugins/datastores/kysely/kysely.ts'
import type { DialectName } from '../../src/plugins/datastores/sql/sql.ts'
import { type Datastore, mapper, resource } from '../../src/plugins/mapper/index.ts'
import { urlOf } from '../support/ask.ts'
import type { Engine } from '../support/engines/engine.ts'
import { openKysely } from '../support/engines/kysely.ts'
import { startMariadb } from '../support/engines/mariadb.ts'
import { startPostgres } from '../support/engines/postgres.ts'
import { startSqlite } from '../support/engines/sqlite.ts'
import { runs } from '../support/runs.ts'

const CLIENTS = 50
/** Changes that succeed before the clients stop; those under way still may. */
const ENOUGH = runs(10, 50)

const Counter = mediaType('Counter', {
  attributes: { id: t.integer(), count: t.integer({ required: true }), version: t.integer() },
})
const Counters = endpoint('Counters', {
  mediaType: Counter,
  actionDefaults: { params: { id: t.integer() }, policies: [etag('version', { required: true })] },
  actions: {
    show: { routing: route.get('/:id'), responses: { ok: Counter, notFound: true } },
    change: {
      routing: route.patch('/:id'),
      payload: { count: t.integer({ required: true }) },
      responses: { ok: Counter, notFound: true },
    },
    remove: { routing: route.delete('/:id'), responses: { noContent: true, notFound: true } },
  },
})

function applicationOn<T>(datastore: Datastore<T>, table: T): Application {
  const counters = resource(datastore, Counter, { table, version: 'version' })
  return application({
    plugins: [mapper({ resources: { counters } }), conditional()],
    controllers: [
      Counters.implement({
        async show({ id }, { request, reply }) {
          const found = await counters.find(id, request)
          return found ? reply.ok(found) : reply.notFound()
        },
        async change({ id }, { request, reply }) {
          if (!(await counters.update(id, request.payload, { request }))) return reply.notFound()
          return reply.ok((await counters.find(id, request)) as never)
        },
        remove: async ({ id }, { request, reply }) =>
          (await counters.delete(id, { request })) ? reply.noContent() : reply.notFound(),
      }),
    ],
  })
}

interface Opened {
  readonly app: Application
  end(): Promise<unknown> | void
}

const drizzles: Readonly<Record<DialectName, (url: string) => Opened>> = {
  sqlite(url) {
    const client = createClient({ url })
    const table = lite.sqliteTable('counters', {
      id: lite.integer().primaryKey(),
      count: lite.integer().notNull(),
      version: lite.integer().notNull(),
    })
    return { app: applicationOn(drizzleDatastore(libsql(client)), table as never), end: () => client.close() }
  },
  postgres(url) {
    const pool = new pg.Pool({ connectionString: url, max: 8 })
    const table = pgc.pgTable('counters', {
      id: pgc.integer().primaryKey(),
      count: pgc.integer().notNull(),
      version: pgc.integer().notNull(),
    })
    return { app: applicationOn(drizzleDatastore(postgres(pool)), table as never), end: () => pool.end() }
  },
  mysql(url) {
    const pool = createPool({ uri: url, connectionLimit: 8 })
    const table = my.mysqlTable('counters', {
      id: my.int().primaryKey(),
      count: my.int().notNull(),
      version: my.int().notNull(),
    })
    return { app: applicationOn(drizzleDatastore(mysql(pool)), table as never), end: () => pool.end() }
  },
}

async function kyselyOn(engine: Engine, url: string): Promise<Opened> {
  const db = openKysely<{ counters: { id: number; count: number; version: number } }>(engine.dialect, url)
  return { app: applicationOn(await kyselyDatastore(db), 'counters' as never), end: () => db.destroy() }
}

interface Answered {
  readonly status: number
  readonly tag: string
  readonly count: number
}

type Send = (method: string, headers: Record<string, string>, body?: unknown) => Promise<Answered>

async function answered(response: Response): Promise<Answered> {
  const text = await response.text()
  const tag = response.headers.get('etag') ?? ''
  return { status: response.status, tag, count: text === '' ? -1 : (JSON.parse(text).count ?? -1) }
}

function senders(app: Application, url: string): Readonly<Record<string, Send>> {
  const init = (method: string, headers: Record<string, string>, body?: unknown) => ({
    method,
    headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  return {
    socket: async (...sent) => answered(await fetch(`${url}/counters/1`, init(...sent))),
    fetch: async (...sent) => answered(await app.fetch(new Request('http://x/counters/1', init(...sent)))),
  }
}

/** Reads, adds one, and writes under the version that was read, again and again until enough writes have succeeded. */
async function addOnes(send: Send, made: string[]): Promise<void> {
  while (made.length < ENOUGH) {
    const { tag, count } = await send('GET', {})
    const changed = await send('PATCH', { 'if-match': tag }, { count: count + 1 })
    if (changed.status === 200) made.push(changed.tag)
    else expect(changed.status).toBe(412)
  }
}

const engines = await Promise.all([startSqlite(), startPostgres(), startMariadb()])

for (const need of engines) {
  need.describe((engine) => {
    let database: Awaited<ReturnType<Engine['createDatabase']>>
    const opened: Record<string, Opened> = {}

    beforeAll(async () => {
      database = await engine.createDatabase()
      await database.run(
        'create table counters (id integer not null primary key, count integer not null, version integer not null)',
      )
      opened['Drizzle'] = drizzles[engine.dialect](database.url)
      opened['Kysely'] = await kyselyOn(engine, database.url)
    })

    afterAll(async () => {
      for (const { end } of Object.values(opened)) await end()
      await database.close()
    })

    it.each(['Drizzle', 'Kysely'])(
      '[CND-03] %s: 50 racing clients make as many versions as they succeed, and no change is lost',
      async (name) => {
        const { app } = opened[name] as Opened
        for (const [way, send] of Object.entries(senders(app, await urlOf(app)))) {
          await database.run('delete from counters', 'insert into counters (id, count, version) values (1, 0, 1)')
          const made: string[] = []
          await Promise.all(Array.from({ length: CLIENTS }, () => addOnes(send, made)))
          expect(made.length, way).toBeGreaterThanOrEqual(ENOUGH)
          expect(await send('GET', {}), way).toMatchObject({ tag: `"${made.length + 1}"`, count: made.length })
        }
      },
    )

    it.each(['Drizzle', 'Kysely'])(
      '[CND-03] %s: of 50 clients with one version exactly one changes it, one removes it',
      async (name) => {
        const { app } = opened[name] as Opened
        for (const [way, send] of Object.entries(senders(app, await urlOf(app)))) {
          await database.run('delete from counters', 'insert into counters (id, count, version) values (1, 0, 1)')
          const statuses = async (method: string, tag: string, body?: unknown) => {
            const all = await Promise.all(
              Array.from({ length: CLIENTS }, () => send(method, { 'if-match': tag }, body)),
            )
            return all.map(({ status }) => status).sort()
          }
          const refused = Array.from({ length: CLIENTS - 1 }, () => 412)
          expect(await statuses('PATCH', '"1"', { count: 5 }), way).toEqual([200, ...refused])
          const removed = await statuses('DELETE', '"2"')
          expect(removed[0], way).toBe(204)
          // Those who come after the removal find nothing at all.
          expect(new Set(removed.slice(1)), way).toEqual(new Set([404]))
        }
      },
    )
  })
}
