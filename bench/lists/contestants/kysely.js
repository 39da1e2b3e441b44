// edict, the mapper and Kysely; SQLite through the library that the other contestants' client is made of.
import { createRequire } from 'node:module'
import { Kysely, PostgresDialect, SqliteDialect } from 'kysely'
import postgres from 'pg'
import { kyselyDatastore } from '../../../dist/plugins/datastores/kysely/kysely.js'
import { CONNECTIONS, engine, note, url } from './contestant.js'
import { serveItems } from './endpoint.js'

const log = ({ query }) => note(query.sql, query.parameters)

function sqliteDialect() {
  const Database = createRequire(createRequire(import.meta.url).resolve('@libsql/client'))('libsql')
  const database = new Database(url.replace(/^file:/, ''))
  return new SqliteDialect({
    database: {
      close: () => database.close(),
      prepare(text) {
        const statement = database.prepare(text)
        return {
          reader: statement.reader,
          all: (values) => statement.all(...values),
          run: (values) => statement.run(...values),
          iterate: (values) => statement.iterate(...values),
        }
      },
    },
  })
}

const postgresDialect = () =>
  new PostgresDialect({
    pool: new postgres.Pool({ connectionString: url, max: CONNECTIONS, application_name: 'kysely' }),
  })

const db = new Kysely({ dialect: engine === 'sqlite' ? sqliteDialect() : postgresDialect(), log })
await serveItems(await kyselyDatastore(db), { items: 'items', notes: 'notes' })
