// Patterns on texts of a collation that takes different texts for equal: they fit letter by letter, and nothing fails.

import * as pg from 'drizzle-orm/pg-core'
import { mediaType, t } from 'edict'
import { type Resource, resource } from 'edict/mapper'
import { drizzleDatastore } from 'edict/mapper/drizzle'
import { kyselyDatastore } from 'edict/mapper/kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connectDrizzle } from '../../support/engines/drizzle.ts'
import { openKysely } from '../../support/engines/kysely.ts'
import { startPostgres } from '../../support/engines/postgres.ts'
import { listRequest } from '../../support/list-request.ts'

const Word = mediaType('Word', { attributes: { id: t.integer({ required: true }), text: t.string() } })
const need = await startPostgres()

need.describe((engine) => {
  const closing: (() => Promise<unknown>)[] = []
  const words: Pick<Resource, 'list'>[] = []
  beforeAll(async () => {
    const base = await engine.createDatabase()
    await base.run(
      `create collation loose (provider = icu, locale = 'und-u-ks-level2', deterministic = false)`,
      'create table words (id int primary key, text text collate loose)',
      `insert into words values (1, 'Abc'), (2, 'abc'), (3, 'xabcx'), (4, null), (5, 'b%c')`,
    )
    const drizzle = connectDrizzle('postgres', base.url)
    const kysely = openKysely<any>('postgres', base.url)
    const table = pg.pgTable('words', { id: pg.integer().primaryKey(), text: pg.text() })
    words.push(resource(drizzleDatastore(drizzle.database), Word, { table }) as never)
    words.push(resource(await kyselyDatastore(kysely), Word, { table: 'words' }) as never)
    closing.push(
      () => drizzle.close(),
      () => kysely.destroy(),
      () => base.close(),
    )
  }, 30_000)
  afterAll(async () => {
    for (const close of closing) await close()
  })

  // Since version 18 PostgreSQL matches them as the collation compares them; before, letters count as they are.
  test.each([
    [{ text: 'abc', before: true, after: true }, [2, 3], [1, 2, 3]],
    [{ text: 'abc', before: false, after: true }, [2], [1, 2]],
    [{ text: 'bc', before: true, after: false }, [1, 2], [1, 2]],
    [{ text: '%', before: true, after: true }, [5], [5]],
  ] as const)('%o', async (pattern, exact, loose) => {
    for (const one of words) {
      const ids = async (op: '=' | '!=') => {
        const filters = { op, field: 'text', any: [{ pattern }] }
        return (await one.list(listRequest({ filters }))).map(({ id }: any) => id as number)
      }
      const found = await ids('=')
      expect([exact, loose]).toContainEqual(found)
      expect([...found, ...(await ids('!='))].sort()).toEqual([1, 2, 3, 4, 5])
    }
  })
})
