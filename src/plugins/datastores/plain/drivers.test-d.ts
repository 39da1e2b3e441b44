// Tests that the pools, connections and databases of the drivers are assignable without a cast, and others are not.
import type BetterSqlite3 from 'better-sqlite3'
import type { Connection, Pool } from 'mysql2'
import type { Connection as PromiseConnection, Pool as PromisePool } from 'mysql2/promise'
import type pg from 'pg'
import { expectTypeOf, test } from 'vitest'
import type { Datastore, Table } from '../../query/query.ts'
import { type BetterSqlite3Datastore, betterSqlite3Datastore } from './better-sqlite3.ts'
import { type Mysql2Database, type Mysql2Datastore, mysql2Datastore } from './mysql2.ts'
import { type NodeSqliteDatabase, type NodeSqliteDatastore, nodeSqliteDatastore } from './node-sqlite.ts'
import { type PgDatabase, type PgDatastore, pgDatastore } from './pg.ts'
import { type PrismaDatabase, type PrismaDatastore, prismaDatastore } from './prisma.ts'

test('clients', () => {
  expectTypeOf<pg.Pool>().toExtend<PgDatabase>()
  expectTypeOf<pg.Client>().toExtend<PgDatabase>()
  expectTypeOf<pg.PoolClient>().toExtend<PgDatabase>()
  for (const database of [] as (Pool | Connection | PromisePool | PromiseConnection)[])
    expectTypeOf(database).toExtend<Mysql2Database>()
  expectTypeOf<pg.Pool>().not.toExtend<Mysql2Database>()
  expectTypeOf<BetterSqlite3.Database>().not.toExtend<NodeSqliteDatabase>()
})

test('datastores have tables by name, and transactions', () => {
  const use = async (pool: pg.Pool, sqlite: BetterSqlite3.Database, prisma: PrismaDatabase) => {
    const store = await pgDatastore(pool, { schemas: ['other'], prepare: true })
    expectTypeOf(store).toEqualTypeOf<PgDatastore>()
    expectTypeOf(store.table('books')).toEqualTypeOf<Table<string>>()
    expectTypeOf(store.withDatabase(await pool.connect())).toEqualTypeOf<PgDatastore>()
    // @ts-expect-error -- there is no such option.
    await pgDatastore(pool, { prepared: true })
    // @ts-expect-error -- a connection of another client.
    store.withDatabase(sqlite)
    const file = await betterSqlite3Datastore(sqlite)
    expectTypeOf(file).toEqualTypeOf<BetterSqlite3Datastore>()
    const result = await file.transaction(async (within) => {
      expectTypeOf(within).toEqualTypeOf<Datastore<string>>()
      return 7
    })
    expectTypeOf(result).toEqualTypeOf<number>()
    expectTypeOf(await prismaDatastore(prisma, { dialect: 'mysql' })).toEqualTypeOf<PrismaDatastore>()
    // @ts-expect-error -- the dialect is not supported.
    await prismaDatastore(prisma, { dialect: 'oracle' })
  }
  expectTypeOf(use).returns.resolves.toBeVoid()
  expectTypeOf(mysql2Datastore).returns.resolves.toEqualTypeOf<Mysql2Datastore>()
  expectTypeOf(nodeSqliteDatastore).returns.resolves.toEqualTypeOf<NodeSqliteDatastore>()
})
