// Responses when a datastore fails: clients learn only what concerns them, and the log has the rest.
import { createClient } from '@libsql/client'
import { drizzle as mysql } from 'drizzle-orm/mysql2'
import { drizzle as postgres } from 'drizzle-orm/node-postgres'
import type { Datastore } from 'edict/mapper'
import { drizzleDatastore } from 'edict/mapper/drizzle'
import { createPool } from 'mysql2/promise'
import pg from 'pg'
import { describe, expect, test } from 'vitest'
import { askFetch, recorder } from '../../support/ask.ts'
import { everywhere, isDatabase } from '../../support/library/reader.ts'
import { applicationOf, libraryIn, type Tables } from '../../support/library/resources.ts'
import { mysqlTables, postgresTables } from '../../support/library/schema.ts'

const UNAVAILABLE = { type: 'about:blank', title: expect.any(String), status: 503, code: 'unavailable' }

describe('a database that nobody serves', () => {
  const options = { host: '127.0.0.1', port: 1, user: 'nobody', password: 'secret', database: 'nowhere' }
  const datastores: readonly (readonly [string, unknown, object])[] = [
    ['PostgreSQL', drizzleDatastore(postgres(new pg.Pool(options))), postgresTables],
    ['MySQL', drizzleDatastore(mysql(createPool(options))), mysqlTables],
  ]

  test.each(datastores)('%s is unavailable, and may be asked again', async (_, datastore, tables) => {
    const log = recorder()
    const library = libraryIn(datastore as Datastore<object>, tables as Tables<object>)
    const app = applicationOf(library, {}, log)
    for (const line of [
      'GET /books',
      'GET /books?pagination=by=title,total_count=true',
      'GET /books/1',
      'DELETE /books/1',
    ]) {
      const { status, headers, json } = await askFetch(app, line)
      expect([line, status, headers['retry-after'], json]).toEqual([line, 503, '1', UNAVAILABLE])
    }
    expect((await askFetch(app, 'POST /books', { body: { title: 'x' } })).status).toBe(503)
    expect(log.entries).toHaveLength(5)
    expect(JSON.stringify(log.entries)).toContain('ECONNREFUSED')
  })
})

await everywhere((reader) => {
  test('values that no column can hold are refused or kept as they are', async () => {
    const texts = [
      '\ud800',
      'a\udfffb',
      '\u0000',
      'a\u0000b',
      '\ufffe',
      '\u202e',
      "'; drop table books; --",
      '\\',
      '%_',
    ]
    for (const title of texts) {
      const made = await reader.ask('POST /books', `{"title":${JSON.stringify(title)}}`, undefined, 'application/json')
      expect([title, made.status === 201 || (made.status >= 400 && made.status < 500)]).toEqual([title, true])
      if (made.status !== 201) continue
      const { body, status } = await reader.ask(`GET ${made.headers['location']}?fields=title`)
      expect([status, body]).toEqual([200, { title: wellFormed(title) }])
      expect((await reader.ask(`DELETE ${made.headers['location']}`)).status).toBe(204)
    }
  })

  test('structures of any form are refused or kept as they are', async () => {
    const notes = [
      ...[
        '0',
        '-1.5',
        '1e300',
        'true',
        '""',
        '"text"',
        '"2024-01-01"',
        '[]',
        '{}',
        '[[[[[]]]]]',
        '{"":{"":null}}',
        '[null]',
      ],
      ...['{"constructor":1}', '"\\u0000"', '{"\\u0000":1}', '"\\ud800"', '9007199254740991', '{"a":"\\\\"}'],
    ]
    for (const written of notes) {
      const made = await reader.ask(
        'POST /books',
        `{"title":"Noted","notes":${written}}`,
        undefined,
        'application/json',
      )
      expect([written, made.status, made.body]).toEqual([written, expect.toSatisfy(isFine), made.body])
      if (made.status !== 201) continue
      const { body } = await reader.ask(`GET ${made.headers['location']}?fields=notes`)
      expect(wellFormed(JSON.stringify(body))).toBe(wellFormed(JSON.stringify({ notes: JSON.parse(written) })))
      expect((await reader.ask(`DELETE ${made.headers['location']}`)).status).toBe(204)
    }
  })

  test('moments at the ends of time are refused or kept as they are', async () => {
    for (const added_at of [
      '0000-01-01T00:00:00Z',
      '0001-01-01T00:00:00Z',
      '1582-10-10T00:00:00Z',
      '9999-12-31T23:59:59.999Z',
    ]) {
      const made = await reader.ask('POST /books', { title: 'Timed', added_at })
      expect([added_at, made.status]).toEqual([added_at, expect.toSatisfy(isFine)])
      if (made.status !== 201) continue
      const { body } = await reader.ask(`GET ${made.headers['location']}?fields=added_at`)
      expect(body).toEqual({ added_at: new Date(added_at).toISOString() })
      expect((await reader.ask(`DELETE ${made.headers['location']}`)).status).toBe(204)
    }
  })
})

/** A text as UTF-8 can carry it. */
const wellFormed = (text: string): string => Buffer.from(text.replaceAll(/\\ud[89a-f]../gi, '\ufffd')).toString()

const isFine = (status: number): boolean => status === 201 || (status >= 400 && status < 500)

await everywhere((reader) => {
  test('a refused write is in the log with its cause, and the response says nothing of it', async () => {
    const before = reader.log.entries.length
    await reader.library.tags.create({ id: 50, name: 'unique' })
    const again = reader.library.tags.create({ id: 51, name: 'unique' })
    await expect(again).rejects.toMatchObject({ problem: { code: 'conflict' }, cause: expect.any(Error) })
    expect(reader.log.entries).toHaveLength(before)
  })

  // A file does not go away; that another process may hold it is tested below.
  if (reader.dialect !== 'sqlite')
    test('a database that goes away is unavailable', async () => {
      await reader.opened.end()
      const before = reader.log.entries.length
      const { status, headers, body } = await reader.ask('GET /books')
      expect([status, headers['retry-after'], body]).toEqual([503, '1', UNAVAILABLE])
      expect(reader.log.entries).toHaveLength(before + 1)
      expect(reader.log.entries.at(-1)).toMatchObject({ level: 'error', message: 'A request was refused: unavailable' })
    })
}, isDatabase)

test('a database that another one holds is unavailable', async () => {
  const { sqlite } = await import('../../support/engines/sqlite.ts')
  const { drizzle } = await import('drizzle-orm/libsql')
  const { createTables, sqliteTables } = await import('../../support/library/schema.ts')
  const database = await sqlite.createDatabase()
  await database.run(...createTables('sqlite'))
  const [client, other] = [createClient({ url: database.url }), createClient({ url: database.url })]
  const library = libraryIn(
    drizzleDatastore(drizzle(client)) as unknown as Datastore<object>,
    sqliteTables as unknown as Tables<object>,
  )
  const app = applicationOf(library, {}, recorder())
  const held = await other.transaction('write')
  try {
    const { status, headers, json } = await askFetch(app, 'POST /books', { body: { title: 'x' } })
    expect([status, headers['retry-after'], json]).toEqual([503, '1', UNAVAILABLE])
  } finally {
    await held.rollback()
    client.close()
    other.close()
    await database.close()
  }
})
