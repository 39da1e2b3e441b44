// Tests derived columns of every kind that an expression can have.
import { expect, test } from 'vitest'
import { enginesHere, openCatalogued } from '../../../../test/support/engines/clients/catalogued.ts'
import { creation } from '../../../../test/support/engines/clients/suite-tables.ts'
import { testDerivedColumns } from '../../../suites/datastores/derived-tests.ts'
import { bindValues, createSuiteModel } from '../../../suites/datastores/suite-model.ts'
import { buildSuiteRows, buildSuiteTables, type SuiteKind } from '../../../suites/datastores/suite-tables.ts'
import { describeDerivedColumn } from './derived-column.ts'

const KINDS = ['text', 'integer', 'bigint', 'number', 'decimal', 'boolean', 'date', 'dateTime'] as const

for (const need of await enginesHere())
  need.describe((engine) => {
    test('[LST-07] derived columns of every kind are read, ordered and compared as columns are', async () => {
      const kinds: readonly SuiteKind[] = KINDS.filter((kind) => kind !== 'decimal' || engine.dialect !== 'sqlite')
      const suiteTables = buildSuiteTables(kinds)
      const database = await engine.createDatabase()
      await database.run(...suiteTables.map((table) => creation(engine.dialect, table)))
      const { datastore, end } = await openCatalogued('Kysely', engine.dialect, database.url)
      const getTable = (name: string) => datastore.table(name)
      for (const row of buildSuiteRows(kinds)['samples']!)
        await datastore.insert(getTable('samples'), bindValues(getTable('samples'), row))
      await testDerivedColumns({ datastore, tables: getTable, model: createSuiteModel(suiteTables, {}) }, kinds)
      await end()
      await database.close()
    }, 60_000)
  })

test('[LST-07] an expression has no other kinds', () => {
  const derived = { columns: [], sql: () => '1', run: () => 1 }
  expect(() => describeDerivedColumn('sqlite', 'x', 'json', derived)).toThrow(/No expression can be of the kind json/)
})
