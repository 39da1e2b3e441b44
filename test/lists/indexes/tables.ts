// Random tables, indexes and declarations of lists, written for each engine.
import fc from 'fast-check'
import type { DialectName } from '../../../src/plugins/datastores/sql/sql.ts'

/** A column of a random table. */
export interface RandomColumn {
  readonly name: string
  readonly type: 'integer' | 'bigint' | 'varchar(40)'
  readonly nullable: boolean
  /** How many different values it has. */
  readonly values: number
}

/** A table whose columns have few values or many, with nulls or without. */
export interface RandomTable {
  readonly key: 'integer' | 'varchar(40)'
  readonly columns: readonly RandomColumn[]
}

const NAMES = ['a', 'b', 'c', 'd', 'e'] as const
// Columns that conditions compare: each value, and each two of them, have more rows than a page, so that rows which are passed over
// show.
const PINNED = ['a', 'b', 'c'] as const

export const tables: fc.Arbitrary<RandomTable> = fc.record({
  key: fc.constantFrom('integer', 'integer', 'varchar(40)'),
  columns: fc.tuple(
    ...NAMES.map((name) =>
      fc.record({
        name: fc.constant(name),
        type: fc.constantFrom('integer', 'bigint', 'varchar(40)'),
        nullable: fc.boolean(),
        values: (PINNED as readonly string[]).includes(name) ? fc.constantFrom(3, 15) : fc.constantFrom(40, 5000),
      }),
    ),
  ),
}) as fc.Arbitrary<RandomTable>

/** A column of a random index. */
interface IndexPart {
  readonly name: string
  readonly descending: boolean
  /** Puts nulls where the direction does not have them, on engines that can. */
  readonly odd: boolean
}

/** An index, of all rows or of those that have a value in a column, or none. */
export interface RandomIndex {
  readonly parts: readonly IndexPart[]
  readonly kept?: { readonly name: string; readonly isNull: boolean }
  readonly unique: boolean
}

/** The declarations of an application, and the indexes of its database. */
export interface Declaration {
  readonly indexes: readonly RandomIndex[]
  /** The columns of the scope: equal to something, or without a value. */
  readonly scope: readonly { readonly name: string; readonly isNull: boolean }[]
  /** The fields that lists may go by. */
  readonly orders: readonly string[]
  /** The default order of a list. */
  readonly initial: readonly string[]
  /** The fields that may be compared. */
  readonly filters: readonly string[]
}

const columnName = fc.constantFrom(...NAMES)
const pinned = fc.constantFrom(...PINNED)

const indexes: fc.Arbitrary<RandomIndex> = fc
  .record({
    names: fc.uniqueArray(fc.constantFrom(...NAMES, 'id'), { minLength: 1, maxLength: 4 }),
    signs: fc.array(fc.boolean(), { minLength: 4, maxLength: 4 }),
    uniform: fc.integer({ min: 0, max: 9 }).map((one) => one < 6),
    odd: fc.integer({ min: 0, max: 9 }).map((one) => one === 0),
    ended: fc.boolean(),
    kept: fc.option(fc.record({ name: columnName, isNull: fc.boolean() }), { freq: 6, nil: undefined }),
    unique: fc.boolean(),
  })
  .map(({ names, signs, uniform, odd, ended, kept, unique }) => {
    const whole = ended && !names.includes('id') ? [...names, 'id'] : names
    const parts = whole.map((name, i) => ({ name, descending: (uniform ? signs[0] : signs[i % 4]) === true, odd }))
    return { parts, unique: unique && whole.includes('id'), ...(kept !== undefined && { kept }) }
  })

const fresh: fc.Arbitrary<Omit<Declaration, 'indexes'>> = fc.record({
  scope: fc.oneof(
    { weight: 3, arbitrary: fc.constant([]) },
    { weight: 2, arbitrary: pinned.map((name) => [{ name, isNull: false }]) },
    { weight: 1, arbitrary: pinned.map((name) => [{ name, isNull: true }]) },
    {
      weight: 1,
      arbitrary: fc
        .uniqueArray(pinned, { minLength: 2, maxLength: 2 })
        .map((names) => names.map((name, i) => ({ name, isNull: i > 0 }))),
    },
  ),
  orders: fc.uniqueArray(columnName, { minLength: 1, maxLength: 2 }),
  initial: fc.oneof(
    fc.constant([]),
    fc
      .uniqueArray(columnName, { minLength: 1, maxLength: 2 })
      .chain((names) =>
        fc.tuple(...names.map((name) => fc.boolean().map((descending) => (descending ? `-${name}` : name)))),
      ),
  ),
  filters: fc.uniqueArray(pinned, { minLength: 0, maxLength: 2 }),
})

/** Declarations, of which most have an index that is nearly right for one of their lists. */
export const declarations: fc.Arbitrary<Declaration> = fresh.chain((declared) => {
  const near = fc
    .record({
      scope: fc.boolean(),
      filter: fc.constantFrom(undefined, ...declared.filters),
      order: fc.constantFrom([], declared.initial, ...declared.orders.map((one) => [one])),
      ended: fc.boolean(),
      turned: fc.integer({ min: 0, max: 4 }),
    })
    .map(({ scope, filter, order, ended, turned }): RandomIndex => {
      const led = [...(scope ? declared.scope.map(({ name }) => name) : []), ...(filter === undefined ? [] : [filter])]
      const terms = order.map((term) => ({ name: term.replace(/^-/, ''), descending: term.startsWith('-') }))
      const last = terms.at(-1)?.descending ?? false
      const all = [
        ...led.map((name) => ({ name, descending: false })),
        ...terms,
        ...(ended || (led.length === 0 && terms.length === 0) ? [{ name: 'id', descending: last }] : []),
      ]
      const own = all.filter(({ name }, i) => all.findIndex((one) => one.name === name) === i)
      const parts = own.map((part, i) => ({ ...part, descending: (turned === i + 1) !== part.descending, odd: false }))
      return { parts, unique: false }
    })
  return fc
    .tuple(fc.array(near, { minLength: 0, maxLength: 2 }), fc.array(indexes, { minLength: 0, maxLength: 2 }))
    .map(([right, others]) => ({ ...declared, indexes: [...right, ...others] }))
})

const SERIES: Readonly<Record<DialectName, (rows: number) => string>> = {
  sqlite: (rows) =>
    `(with recursive n (i) as (select 1 union all select i + 1 from n where i < ${rows}) select i from n) as s`,
  postgres: (rows) => `(select cast(i as bigint) as i from generate_series(1, ${rows}) as g (i)) as s`,
  mysql: (rows) => `(select seq as i from seq_1_to_${rows}) as s`,
}

const texts: Readonly<Record<DialectName, (number: string) => string>> = {
  sqlite: (number) => `'v' || cast(${number} as text)`,
  postgres: (number) => `'v' || cast(${number} as text)`,
  mysql: (number) => `concat('v', cast(${number} as char))`,
}

/** The statements that make a table and fill it. */
export function filled(dialect: DialectName, name: string, { key, columns }: RandomTable, rows: number): string[] {
  const declared = columns.map((one) => `${one.name} ${one.type}${one.nullable ? '' : ' not null'}`)
  const values = columns.map((one, i) => {
    const number = `(i * ${[7919, 4729, 3571, 5863, 6113][i]}) % 10007 % ${one.values}`
    const value = one.type === 'varchar(40)' ? texts[dialect](number) : number
    return one.nullable
      ? `case when (i * ${[8117, 3191, 1297, 2749, 9203][i]}) % 10007 % 10 = 0 then null else ${value} end`
      : value
  })
  const id = key === 'integer' ? 'i' : texts[dialect]('i')
  return [
    `create table ${name} (id ${key} not null primary key, ${declared.join()})`,
    `insert into ${name} select ${id}, ${values.join()} from ${SERIES[dialect](rows)}`,
    ...(dialect === 'sqlite' ? [] : [`analyze ${dialect === 'mysql' ? 'table ' : ''}${name}`]),
  ]
}

/** The statement that makes an index. */
export function created(dialect: DialectName, table: string, name: string, index: RandomIndex): string {
  const parts = index.parts.map(({ name: column, descending, odd }) => {
    const nulls = odd && dialect === 'postgres' ? ` nulls ${descending ? 'last' : 'first'}` : ''
    return `${column}${descending ? ' desc' : ''}${nulls}`
  })
  const { kept } = index
  const where =
    kept === undefined || dialect === 'mysql' ? '' : ` where ${kept.name} is ${kept.isNull ? '' : 'not '}null`
  return `create ${index.unique ? 'unique ' : ''}index ${name} on ${table} (${parts.join()})${where}`
}

/** The name of a copy of the random table. */
export const WITHOUT_NULLS = 'others'

/**
 * The statements that copy the table with its indexes, with values in columns that may have none: for `is null`, it is what a value
 * is that no row has. In SQLite the bounds of a plan tell enough.
 */
export function copied(dialect: DialectName, { columns }: RandomTable, filled: readonly string[]): string[] {
  if (dialect === 'sqlite') return []
  const values = columns.map(({ name, type }) => {
    if (!filled.includes(name)) return name
    return `coalesce(${name}, ${type === 'varchar(40)' ? "'v0'" : '0'})`
  })
  return [
    `create table ${WITHOUT_NULLS} ${dialect === 'mysql' ? 'like items' : '(like items including all)'}`,
    `insert into ${WITHOUT_NULLS} select id, ${values.join()} from items`,
    `analyze ${dialect === 'mysql' ? 'table ' : ''}${WITHOUT_NULLS}`,
  ]
}
