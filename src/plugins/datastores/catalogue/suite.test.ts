// Runs the datastore suite with every client whose datastore reads the catalogue, on every engine.
import { afterAll, describe, test, vi } from 'vitest'
import {
  type CatalogueClient,
  clientsAndPrismaOn,
  enginesHere,
  openCatalogued,
} from '../../../../test/support/engines/clients/catalogued.ts'
import { creation } from '../../../../test/support/engines/clients/suite-tables.ts'
import type { Engine } from '../../../../test/support/engines/engine.ts'
import { runs } from '../../../../test/support/runs.ts'
import { datastoreSuite, type SuiteStore, type SuiteTable } from '../../../suites/datastores/suite.ts'
import { suiteKinds } from '../../../suites/datastores/suite-tables.ts'

async function open(
  engine: Engine,
  client: CatalogueClient,
  tables: readonly SuiteTable[],
): Promise<SuiteStore<string>> {
  const database = await engine.createDatabase()
  await database.run(...tables.map((table) => creation(engine.dialect, table)))
  const { datastore, end } = await openCatalogued(client, engine.dialect, database.url)
  return {
    datastore,
    table: (name) => name,
    async close() {
      await end()
      await database.close()
    },
  }
}

// Each test runs hundreds of statements, which takes long on a busy machine.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 })

for (const need of await enginesHere()) {
  need.describe((engine) => {
    describe.each(clientsAndPrismaOn(engine.dialect))('[LST-14] %s', (client) => {
      datastoreSuite<string>({
        test,
        afterAll,
        open: (tables) => open(engine, client, tables),
        queries: runs(60, 300),
        // SQLite stores decimals as doubles, which have fewer digits than the suite requires.
        kinds: suiteKinds.filter((kind) => kind !== 'decimal' || engine.dialect !== 'sqlite'),
      })
    })
  })
}
