// Statements are cancelled in the database when the client disconnects or the deadline passes.

import * as my from 'drizzle-orm/mysql-core'
import * as pg from 'drizzle-orm/pg-core'
import { application, collectionOf, endpoint, mediaType, route, t } from 'edict'
import { type Datastore, mapper, memoryDatastore, resource } from 'edict/mapper'
import { serve } from 'edict/node'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { recorder } from '../../support/ask.ts'
import type { Engine, TestDatabase } from '../../support/engines/engine.ts'
import { startMariadb } from '../../support/engines/mariadb.ts'
import { startPostgres } from '../../support/engines/postgres.ts'
import { allClientsOn, type Client, type Connection, openConnection, openStore } from '../walks/targets.ts'

const Note = mediaType('Note', { attributes: { id: t.integer(), words: t.string() } })
const responses = { ok: collectionOf(Note), noContent: true } as const
const Notes = endpoint('Notes', {
  actions: {
    index: { routing: route.get('/'), responses },
    change: { routing: route.patch('/'), responses },
    export: { routing: route.get('/all'), responses: { ok: collectionOf(Note, { as: 'ndjson' }) } },
  },
})

function appOf(datastore: Datastore<never>, table: unknown, timeout?: number) {
  const notes = resource(datastore as Datastore<unknown>, Note, { table })
  const controller = Notes.implement({
    index: async (_, { request, reply }) => reply.ok(await notes.list(request)),
    change: async (_, { request, reply }) => {
      await notes.update(1, { words: 'changed' }, { request })
      return reply.noContent()
    },
    export: (_, { request, reply }) => reply.ok(notes.stream(request)),
  })
  const log = recorder()
  const app = application({
    plugins: [mapper({ resources: { notes } })],
    controllers: [controller],
    logger: log,
    ...(timeout !== undefined && { timeout }),
  })
  return { app, log }
}

const TABLES = {
  postgres: pg.pgTable('notes', { id: pg.integer().primaryKey(), words: pg.text() }),
  mysql: my.mysqlTable('notes', { id: my.int().primaryKey(), words: my.varchar({ length: 20 }) }),
}

/** The statements about the table that wait for its lock. */
const WAITING = {
  postgres:
    "select pid from pg_stat_activity where wait_event_type = 'Lock' and query like '%notes%' and pid <> pg_backend_pid()",
  mysql: "select id from information_schema.processlist where state like 'Waiting%' and info like '%notes%'",
}
const LOCK = {
  postgres: ['begin', 'lock table notes in access exclusive mode'],
  mysql: ['lock tables notes write'],
}
const UNLOCK = { postgres: 'rollback', mysql: 'unlock tables' }

function cancels(engine: Engine, client: Client): void {
  const dialect = engine.dialect as 'postgres' | 'mysql'
  let database: TestDatabase
  let store: Awaited<ReturnType<typeof openStore>>
  let holder: Connection
  let watcher: Connection
  const table = client === 'Drizzle' ? TABLES[dialect] : 'notes'

  beforeAll(async () => {
    database = await engine.createDatabase()
    await database.run(
      'create table notes (id integer not null primary key, words varchar(20))',
      "insert into notes values (1, 'a')",
    )
    store = await openStore(client, dialect, database.url)
    holder = await openConnection(dialect, database.url)
    watcher = await openConnection(dialect, database.url)
  })
  afterAll(async () => {
    for (const one of [store, holder, watcher]) await one.end()
    await database.close()
  })

  const waiting = async (count: number): Promise<void> => {
    await vi.waitUntil(async () => (await watcher.query(WAITING[dialect])).length === count, {
      timeout: 20_000,
      interval: 20,
    })
  }

  /** Locks the table, starts work that waits for it, aborts that work, and gives what became of it. */
  async function held(work: () => Promise<Response>, takeBack: () => unknown): Promise<unknown> {
    for (const statement of LOCK[dialect]) await holder.query(statement)
    try {
      const done = work().catch((error: unknown) => error)
      await waiting(1)
      takeBack()
      await waiting(0)
      return await done
    } finally {
      await holder.query(UNLOCK[dialect])
    }
  }

  test.each([
    ['GET', '/notes'],
    ['PATCH', '/notes'],
    ['GET', '/notes/all'],
  ])('[LST-09] %s %s: a client that goes away cancels the statement', async (method, path) => {
    const { app, log } = appOf(store.datastore, table)
    // The tables are compared with the database by the first list.
    expect((await app.fetch(new Request('http://localhost/notes'))).status).toBe(200)
    // More often than there are connections in the pool.
    for (let i = 0; i < 4; i++) {
      const gone = new AbortController()
      const request = new Request(`http://localhost${path}`, { method, signal: gone.signal })
      await held(
        () => app.fetch(request),
        () => gone.abort(),
      )
    }
    const answer = await app.fetch(new Request('http://localhost/notes'))
    expect([answer.status, await answer.json()]).toEqual([200, [{ id: 1, words: 'a' }]])
    expect(log.entries.filter(({ level }) => level === 'error')).toEqual([])
  })

  test('[LST-09] so does one that closes its socket, and the deadline', async () => {
    const { app } = appOf(store.datastore, table)
    const server = await serve(app, { port: 0, host: '127.0.0.1' })
    const gone = new AbortController()
    await held(
      () => fetch(`${server.url}/notes`, { signal: gone.signal }),
      () => gone.abort(),
    )
    await server.close()
    const { app: hurried } = appOf(store.datastore, table, 500)
    for (const path of ['/notes', '/notes/all', '/notes/all', '/notes/all']) {
      const answer = await held(
        () => hurried.fetch(new Request(`http://localhost${path}`)),
        () => undefined,
      )
      expect(answer).toMatchObject({ status: 503 })
    }
    for (const path of ['/notes', '/notes/all']) {
      const answer = await app.fetch(new Request(`http://localhost${path}`))
      expect([answer.status, (await answer.text()).trim()]).toEqual([200, expect.stringContaining('"words":"a"')])
    }
  })
}

for (const need of [await startPostgres(), await startMariadb()])
  need.describe((engine) => {
    for (const client of allClientsOn(engine.dialect)) describe(client, () => cancels(engine, client))
  })

test('[LST-09] a request that is not wanted any more sends no further statement', async () => {
  const sent: string[] = []
  const whole = memoryDatastore({ notes: { columns: { id: { kind: 'integer' } }, key: ['id'] } })
  const datastore: Datastore<string> = {
    ...whole,
    withSignal: (signal) => ({
      ...whole,
      select: async (query) => {
        signal.throwIfAborted()
        sent.push('select')
        return whole.select(query)
      },
    }),
  }
  const Small = mediaType('Small', { attributes: { id: t.integer() } })
  const notes = resource(datastore, Small, { table: 'notes' })
  const gone = new AbortController()
  const mine = notes.within({ request: { signal: gone.signal } })
  await mine.find(1)
  gone.abort()
  await expect(mine.find(1)).rejects.toBe(gone.signal.reason)
  await expect(mine.withDatastore(datastore).find(1)).rejects.toBe(gone.signal.reason)
  expect(sent).toEqual(['select'])
})
