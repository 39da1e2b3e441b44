// Tests text columns after a refusal: the statement is written again, and correctly from then on.
import { expect, it } from 'vitest'
import type { Filter } from '../../../query/query.ts'
import { createSqlDatastore } from '../../sql-datastore.ts'
import { quoteIdentifier } from '../dialect.ts'
import type { DialectName, SqlColumn, SqlTable, Statement } from '../sql.ts'

/** Creates a datastore whose client refuses statements until they fit the column, and responds to queries of the catalogue. */
function createRefusingStore(
  dialect: DialectName,
  error: object,
  catalogue: readonly unknown[],
  isAccepted: (sql: string) => boolean,
) {
  const statements: string[] = []
  const column: SqlColumn = {
    ...{ name: 'text', sqlName: quoteIdentifier(dialect, 'text'), kind: 'text', nullable: false, optional: false },
    ...{ isCursorValue: () => true, encode: (value: unknown) => value, decode: (raw: unknown) => raw },
  }
  const table: SqlTable = {
    ...{ name: 'words', source: 'words', sqlName: quoteIdentifier(dialect, 'own', 'words') },
    ...{ columns: new Map([['text', column]]), key: [] },
  }
  const query = async ({ strings }: Statement) => {
    const sql = strings.join('?')
    statements.push(sql)
    if (/information_schema|pg_catalog/.test(sql)) return [catalogue]
    if (!isAccepted(sql)) throw Object.assign(new Error('refused'), error)
    return [[7]]
  }
  const execute = async (statement: Statement) => ({ affected: Number((await query(statement))[0]?.[0]) })
  const batch = (all: readonly Statement[]) => Promise.all(all.map(query))
  const store = createSqlDatastore({ dialect, query, execute, batch }, () => table)
  const reference = { source: 0, column }
  const from = store.table('words')
  const all = { from, joins: [], columns: [reference], order: [], limit: undefined, offset: 0 }
  const ways = {
    count: (filter: Filter) => store.count({ from, joins: [], filter }),
    select: async (filter: Filter) => (await store.select({ ...all, filter })).rows[0]?.[0],
    update: (filter: Filter) => store.update(from, new Map([[column, 'a']]), filter),
    delete: (filter: Filter) => store.delete(from, filter),
  }
  return { statements, ways, count: ways.count, reference }
}

it('patterns under a nondeterministic collation of PostgreSQL before 18 have a collation of their own', async () => {
  const error = { code: '0A000', severity: 'ERROR' }
  const { statements, count, reference } = createRefusingStore('postgres', error, ['text'], (sql) =>
    sql.includes('collate "C"'),
  )
  const filter: Filter = { op: 'like', reference, pattern: { text: 'a', before: true, after: true } }
  expect(await count(filter)).toBe(7)
  expect(await count(filter)).toBe(7)
  expect(statements).toHaveLength(4)
  expect(statements.at(-1)).toContain(`where cast(t0."text" as text) collate "C" like ? escape '!'`)
})

it('texts beyond the character set of MySQL are converted, and others are not', async () => {
  const error = { errno: 1267, sqlMessage: 'Illegal mix of collations' }
  const catalogue = ['text', 'latin1', 'latin1_bin']
  const { statements, count, reference } = createRefusingStore('mysql', error, catalogue, (sql) =>
    sql.includes('using latin1'),
  )
  expect(await count({ op: '=', reference, value: '日' })).toBe(7)
  expect(statements).toHaveLength(3)
  await expect(count({ op: '=', reference, value: 'a' })).rejects.toThrow()
  expect(statements.slice(3)).toEqual(['select count(*) as c0 from `own`.`words` as t0 where t0.`text` = ?'])
})

it.each(['count', 'select', 'update', 'delete'] as const)('a %s that is refused is written once more', async (way) => {
  const error = { errno: 1267, sqlMessage: 'Illegal mix of collations' }
  const catalogue = ['text', 'latin1', 'latin1_bin']
  const { statements, ways, reference } = createRefusingStore('mysql', error, catalogue, (sql) =>
    sql.includes('using latin1'),
  )
  expect(await ways[way]({ op: '=', reference, value: '日' })).toBe(7)
  expect(statements.map((sql) => sql.split(' ', 1)[0])).toEqual([
    way === 'count' ? 'select' : way,
    'select',
    way === 'count' ? 'select' : way,
  ])
  expect(statements.at(-1)).toContain('using latin1')
})

it('any other refusal stays one', async () => {
  const { statements, count, reference } = createRefusingStore(
    'postgres',
    { code: '22P02', severity: 'ERROR' },
    [],
    () => false,
  )
  await expect(count({ op: '=', reference, value: 'a' })).rejects.toMatchObject({ code: '22P02' })
  expect(statements).toHaveLength(1)
})
