// edict, the mapper and Drizzle.
import { createClient } from '@libsql/client'
import { drizzle as libsql } from 'drizzle-orm/libsql'
import { drizzle as nodePostgres } from 'drizzle-orm/node-postgres'
import * as pg from 'drizzle-orm/pg-core'
import * as lite from 'drizzle-orm/sqlite-core'
import postgres from 'pg'
import { drizzleDatastore } from '../../../dist/plugins/datastores/drizzle/drizzle.js'
import { CONNECTIONS, engine, note, url } from './contestant.js'
import { serveItems } from './endpoint.js'

const logger = { logQuery: note }

function onSqlite() {
  const items = lite.sqliteTable('items', {
    id: lite.integer().primaryKey(),
    title: lite.text().notNull(),
    kind: lite.text().notNull(),
    price: lite.real(),
    stock: lite.integer().notNull(),
    active: lite.integer({ mode: 'boolean' }).notNull(),
    created_at: lite.text().notNull(),
  })
  const notes = lite.sqliteTable('notes', {
    id: lite.integer().primaryKey(),
    item_id: lite.integer().notNull(),
    text: lite.text().notNull(),
  })
  return { datastore: drizzleDatastore(libsql(createClient({ url }), { logger })), tables: { items, notes } }
}

function onPostgres() {
  const items = pg.pgTable('items', {
    id: pg.integer().primaryKey(),
    title: pg.text().notNull(),
    kind: pg.text().notNull(),
    price: pg.doublePrecision(),
    stock: pg.integer().notNull(),
    active: pg.boolean().notNull(),
    created_at: pg.timestamp({ withTimezone: true }).notNull(),
  })
  const notes = pg.pgTable('notes', {
    id: pg.integer().primaryKey(),
    item_id: pg.integer().notNull(),
    text: pg.text().notNull(),
  })
  const pool = new postgres.Pool({ connectionString: url, max: CONNECTIONS, application_name: 'drizzle' })
  return { datastore: drizzleDatastore(nodePostgres(pool, { logger })), tables: { items, notes } }
}

const { datastore, tables } = engine === 'sqlite' ? onSqlite() : onPostgres()
await serveItems(datastore, tables)
