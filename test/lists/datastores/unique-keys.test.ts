// The key of a resource tells its elements apart, or the resource is a mistake: where the datastore knows which columns are unique.
import { mediaType, t } from 'edict'
import { type Datastore, memoryDatastore, resource } from 'edict/mapper'
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
