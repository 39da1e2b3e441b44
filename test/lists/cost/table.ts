// A table whose columns have few values, many ties, and nulls that are rare or frequent, filled by the engine itself.
import type { DialectName } from '../../../src/plugins/datastores/sql/sql.ts'

/** The columns that lists are ordered by; each value is made of the number `i` of its row. */
export const FIELDS = {
  two: { nullable: false, value: '(i * 7919) % 10007 % 2' },
  three: { nullable: false, value: '(i * 4729) % 10007 % 3' },
  tied: { nullable: false, value: '(i * 3571) % 10007 % 400' },
  own: { nullable: false, value: '(i * 5863) % 1000003' },
  // Of five rows four have no value, of five rows one has none.
  sparse: { nullable: true, value: 'case when (i * 6113) % 10007 % 5 = 0 then (i * 1297) % 10007 % 70 end' },
  dense: { nullable: true, value: 'case when (i * 8117) % 10007 % 5 = 0 then null else (i * 3191) % 10007 % 3 end' },
} as const

export type Field = keyof typeof FIELDS

/** One field of an order. */
export interface Term {
  readonly field: Field
  readonly descending: boolean
}

const SERIES: Readonly<Record<DialectName, (rows: number) => string>> = {
  sqlite: (rows) =>
    `(with recursive n (i) as (select 1 union all select i + 1 from n where i < ${rows}) select i from n) as s`,
  postgres: (rows) => `(select cast(i as bigint) as i from generate_series(1, ${rows}) as g (i)) as s`,
  mysql: (rows) => `(select seq as i from seq_1_to_${rows}) as s`,
}

/** The statements that make the table and fill it. */
export function filled(dialect: DialectName, rows: number): readonly string[] {
  const columns = Object.entries(FIELDS).map(([name, { nullable }]) => `${name} integer${nullable ? '' : ' not null'}`)
  const values = Object.values(FIELDS).map(({ value }) => value)
  return [
    `create table items (id integer not null primary key, part integer not null, ${columns.join()})`,
    `insert into items select i, i % 7, ${values.join()} from ${SERIES[dialect](rows)}`,
    dialect === 'mysql' ? 'analyze table items' : 'analyze items',
  ]
}

/** The statements that make the index of an order the only one beside the key, and remove it. */
export function indexed(dialect: DialectName, order: readonly Term[], filtered: boolean): readonly [string, string] {
  const last = order.at(-1)?.descending ?? false
  const steps = [...order, { field: 'id', descending: last }].map(
    ({ field, descending }) => `${field}${descending ? ' desc' : ''}`,
  )
  return [
    `create index served on items (${[...(filtered ? ['part'] : []), ...steps].join()})`,
    `drop index served${dialect === 'mysql' ? ' on items' : ''}`,
  ]
}
