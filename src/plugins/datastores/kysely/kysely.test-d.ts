// Tests the types of the tables of a Kysely instance.
import type { Kysely, Transaction } from 'kysely'
import { expectTypeOf, test } from 'vitest'
import type { Datastore, Table } from '../../query/query.ts'
import { type KyselyDatastore, kyselyDatastore } from './kysely.ts'

interface Tables {
  users: { id: number }
  'audit.log': { id: number }
}

declare const db: Kysely<Tables>
declare const transaction: Transaction<Tables>
declare const unrelated: Kysely<{ others: { id: number } }>

test('tables have the names of the instance', () => {
  expectTypeOf(kyselyDatastore(db)).resolves.toEqualTypeOf<KyselyDatastore<Tables>>()
  expectTypeOf<KyselyDatastore<Tables>>().toExtend<Datastore<'users' | 'audit.log'>>()
  const use = (store: KyselyDatastore<Tables>) => {
    expectTypeOf(store.table('users')).toEqualTypeOf<Table<'users' | 'audit.log'>>()
    store.table('audit.log')
    // @ts-expect-error -- the instance has no such table.
    store.table('nope')
    store.withDatabase(transaction).table('users')
    // @ts-expect-error -- an instance on other tables.
    store.withDatabase(unrelated)
  }
  expectTypeOf(use).parameter(0).toEqualTypeOf<KyselyDatastore<Tables>>()
})
