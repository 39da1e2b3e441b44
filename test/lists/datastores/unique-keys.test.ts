// The key of a resource tells its elements apart, or the resource is a mistake: where the datastore knows which columns are unique.
import { sql } from 'drizzle-orm'
import { index, integer, primaryKey, type SQLiteTable, sqliteTable, unique, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { mediaType, t } from 'edict'
import { type Datastore, memoryDatastore, resource } from 'edict/mapper'
import { drizzleDatastore } from 'edict/mapper/drizzle'
import { expect, test } from 'vitest'
import { openCatalogued } from '../../support/engines/clients/catalogued.ts'
import { startMariadb } from '../../support/engines/mariadb.ts'
import { startPostgres } from '../../support/engines/postgres.ts'
import { startSqlite } from '../../support/engines/sqlite.ts'

const Note = mediaType('Note', { attributes: { a: t.integer(), b: t.integer(), c: t.integer({ nullable: true }) } })
const MISTAKE = /resource Note.*key.*several rows of \w+ may have the same/s

/** The tables, with the keys of which each is right, and of which it is wrong. */
const TABLES = {
  keyed: { sql: 'primary key (a)', right: [['a'], ['a', 'b']], wrong: [['b'], ['c'], ['b', 'c']] },
  paired: { sql: 'primary key (a, b)', right: [['a', 'b']], wrong: [['a'], ['b']] },
  unique: { sql: 'unique (b)', right: [['b'], ['b', 'c']], wrong: [['a'], ['c']] },
  plain: { sql: undefined, right: [], wrong: [['a'], ['b'], ['a', 'b']] },
} as const

function expectKeys(datastore: Datastore<string>): void {
  for (const [table, { right, wrong }] of Object.entries(TABLES)) {
    for (const key of right) expect(() => resource(datastore, Note, { table, key }), `${table} ${key}`).not.toThrow()
    for (const key of wrong) expect(() => resource(datastore, Note, { table, key }), `${table} ${key}`).toThrow(MISTAKE)
  }
  // Within a scope, the other columns of a set may have one value for each caller.
  const scope = (_: object) => ({ a: 1 })
  expect(() => resource(datastore, Note, { table: 'paired', key: ['b'], scope })).not.toThrow()
  expect(() => resource(datastore, Note, { table: 'paired', key: ['c'], scope })).toThrow(MISTAKE)
}

test('memory: a key that is not unique is a mistake', () => {
  const columns = { a: { kind: 'integer' }, b: { kind: 'integer' }, c: { kind: 'integer', nullable: true } } as const
  expectKeys(
    memoryDatastore({
      keyed: { columns, key: ['a'] },
      paired: { columns, key: ['a', 'b'] },
      unique: { columns, key: [], unique: [['b']] },
      plain: { columns, key: [] },
    }),
  )
})

test('Drizzle: a key that is not unique is a mistake, for every declaration of what is unique', async () => {
  const { drizzle } = await import('drizzle-orm/libsql')
  const datastore = drizzleDatastore(drizzle('file::memory:'))
  const columns = { a: integer().notNull(), b: integer().notNull(), c: integer() }
  const declared: readonly [string, SQLiteTable, right: readonly string[][], wrong: readonly string[][]][] = [
    ['key', sqliteTable('k', { ...columns, a: integer().primaryKey() }), [['a'], ['a', 'b']], [['b']]],
    ['keys', sqliteTable('ks', columns, (of) => [primaryKey({ columns: [of.a, of.b] })]), [['a', 'b']], [['a'], ['b']]],
    ['column', sqliteTable('c', { ...columns, b: integer().notNull().unique() }), [['b']], [['a']]],
    ['constraint', sqliteTable('u', columns, (of) => [unique().on(of.a, of.b)]), [['a', 'b']], [['a'], ['b']]],
    ['index', sqliteTable('i', columns, (of) => [uniqueIndex('i_b').on(of.b)]), [['b']], [['a']]],
    ['plain index', sqliteTable('p', columns, (of) => [index('p_b').on(of.b)]), [], [['a'], ['b']]],
    ['some rows', sqliteTable('s', columns, (of) => [uniqueIndex('s_b').on(of.b).where(sql`c = 1`)]), [], [['b']]],
    ['expression', sqliteTable('e', columns, (of) => [uniqueIndex('e_b').on(sql`abs(b)`, of.b)]), [], [['b']]],
  ]
  for (const [what, table, right, wrong] of declared) {
    for (const key of right)
      expect(() => resource(datastore, Note, { table, key: key as ['a'] }), `${what} ${key}`).not.toThrow()
    for (const key of wrong)
      expect(() => resource(datastore, Note, { table, key: key as ['a'] }), `${what} ${key}`).toThrow(MISTAKE)
  }
})

test.each(['strange', 'constructor', '__proto__', undefined, 7])(
  'memory: the kind %s of a column is a mistake',
  (kind) => {
    const open = () => memoryDatastore({ notes: { columns: { a: { kind: kind as never } }, key: ['a'] } })
    expect(open).toThrow(/memoryDatastore notes.*columns\.a\.kind: it is .* Remedy: use one of text, integer/s)
  },
)

for (const need of await Promise.all([startSqlite(), startPostgres(), startMariadb()]))
  need.describe((engine) => {
    test('a key that is not unique is a mistake; of a view it cannot be known', { timeout: 60_000 }, async () => {
      const database = await engine.createDatabase()
      const create = Object.entries(TABLES).map(([name, { sql }]) => {
        const columns = 'a integer not null, b integer not null, c integer null'
        return `create table ${engine.dialect === 'mysql' ? `\`${name}\`` : `"${name}"`} (${columns}${sql ? `, ${sql}` : ''})`
      })
      await database.run(...create, 'create view seen as select a, b, c from keyed')
      const { datastore, end } = await openCatalogued('Kysely', engine.dialect, database.url)
      expectKeys(datastore)
      expect(() => resource(datastore, Note, { table: 'seen', key: ['b'] })).not.toThrow()
      await end()
      await database.close()
    })
  })
