// Row-level security of PostgreSQL as the guide tells it: each action in a transaction that says who asks.
import { readFileSync } from 'node:fs'
import { mediaType, t } from 'edict'
import { resource } from 'edict/mapper'
import { kyselyDatastore } from 'edict/mapper/kysely'
import { type Kysely, sql } from 'kysely'
import { expect, test } from 'vitest'
import { openKysely } from '../../support/engines/kysely.ts'
import { startPostgres } from '../../support/engines/postgres.ts'

const Invoice = mediaType('Invoice', { attributes: { id: t.integer({ required: true }), total: t.integer() } })

/** The statements that the guide tells, one of each line. */
function statementsOfGuide(): string[] {
  const [, block = ''] = /```sql\n(.*?)```/s.exec(readFileSync('docs/guide/scopes.md', 'utf8')) ?? []
  return block.trim().split('\n')
}

const need = await startPostgres()

need.describe((engine) => {
  test('[LST-04] policies of the database hold for lists, finds and writes', async () => {
    const database = await engine.createDatabase()
    const role = `tenants_${crypto.randomUUID().slice(0, 8)}`
    await database.run(
      'create table invoices (id integer primary key, total integer, tenant_id integer not null)',
      'insert into invoices values (1, 120, 7), (2, 80, 8)',
      ...statementsOfGuide(),
      `create role ${role}`,
      `grant select, insert, update, delete on invoices to ${role}`,
    )
    const db = openKysely<object>(engine.dialect, database.url) as Kysely<object>
    const datastore = await kyselyDatastore(db)
    const invoices = resource(datastore, Invoice, { table: 'invoices' })
    const as = <V>(tenant: number, work: (own: typeof invoices) => Promise<V>): Promise<V> =>
      db.transaction().execute(async (transaction) => {
        await sql`set local role ${sql.id(role)}`.execute(transaction)
        await sql`select set_config('app.tenant', ${String(tenant)}, true)`.execute(transaction)
        return work(invoices.withDatastore(datastore.withDatabase(transaction)))
      })
    expect(await as(7, (own) => own.list({ limit: Infinity }))).toEqual([{ id: 1, total: 120 }])
    expect(await as(7, (own) => own.find(2))).toBeUndefined()
    expect(await as(7, (own) => own.update(2, { total: 0 }))).toBe(false)
    expect(await as(7, (own) => own.delete(2))).toBe(false)
    await as(7, (own) => own.create({ id: 3, total: 5 }))
    expect(await as(8, (own) => own.list({ limit: Infinity }))).toEqual([{ id: 2, total: 80 }])
    expect(await as(7, (own) => own.list({ limit: Infinity }))).toHaveLength(2)
    await db.destroy()
    await database.run(`drop owned by ${role}`, `drop role ${role}`)
    await database.close()
  })
})
