// A table whose planners are tempted: columns with few values and many nulls, an index that serves a list, and others that look
// as good.
import fc from 'fast-check'
import type { DialectName } from '../../../src/plugins/datastores/sql/sql.ts'

/** A row, as the engines have it. */
export interface Row {
  readonly id: number
  readonly t: number
  readonly s: string
  readonly b: number
  readonly nb: number | null
  readonly ns: string | null
}

type Name = keyof Row

/** A field of an order, or a column of an index. */
export interface Step {
  readonly name: Name
  readonly descending: boolean
}

/** The rows of a table: most of `t` and `nb` have one value, or none. */
export const rowsOf = (count: number): readonly Row[] =>
  Array.from({ length: count }, (_, i) => {
    const id = i + 1
    const mixed = (id * 7919) % 10_007
    return {
      id,
      t: mixed % 10 === 0 ? mixed % 7 : 3,
      s: `s${((id * 3571) % 10_007) % 5}`,
      b: ((id * 5863) % 10_007) % 400,
      nb: ((id * 6113) % 10_007) % 10 < 8 ? null : ((id * 1297) % 10_007) % 900,
      ns: ((id * 8117) % 10_007) % 2 === 0 ? null : `n${((id * 3191) % 10_007) % 30}`,
    }
  })

const TYPES: Readonly<Record<Name, string>> = {
  id: 'integer not null primary key',
  t: 'integer not null',
  s: 'varchar(20) not null',
  b: 'bigint not null',
  nb: 'bigint',
  ns: 'varchar(20)',
}

/** The statements that make the table and fill it. */
export function filledWith(rows: readonly Row[]): readonly string[] {
  const written = (value: unknown): string => (typeof value === 'string' ? `'${value}'` : String(value))
  const inserts: string[] = []
  for (let from = 0; from < rows.length; from += 1000) {
    const some = rows.slice(from, from + 1000).map((row) => `(${Object.values(row).map(written).join()})`)
    inserts.push(`insert into items values ${some.join()}`)
  }
  const columns = Object.entries(TYPES).map(([name, type]) => `${name} ${type}`)
  return [`create table items (${columns.join()})`, ...inserts]
}

/** The statement that lets the planner know the rows. */
export const analysed = (dialect: DialectName): string =>
  ({ sqlite: 'analyze', postgres: 'vacuum analyze items', mysql: 'analyze table items' })[dialect]

const filters = {
  'ns!!': (row: Row) => row.ns === null,
  'ns!': (row: Row) => row.ns !== null,
  'ns!=n3': (row: Row) => row.ns !== 'n3',
  'b>100': (row: Row) => row.b > 100,
  't=3': (row: Row) => row.t === 3,
  't=5': (row: Row) => row.t === 5,
  's!=s1': (row: Row) => row.s !== 's1',
  's=s2': (row: Row) => row.s === 's2',
  '': () => true,
} as const

export type FilterText = keyof typeof filters

/** Returns whether a row meets a filter. */
export const meets = (filter: FilterText, row: Row): boolean => filters[filter](row)

/** A list, the index that serves it, and others. */
export interface Case {
  readonly order: readonly Step[]
  readonly filter: FilterText
  readonly serving: readonly Step[]
  readonly others: readonly (readonly Step[])[]
  readonly analysed: boolean
}

const step = fc.record({ name: fc.constantFrom<Name>('t', 's', 'b', 'nb', 'ns'), descending: fc.boolean() })
const steps = (most: number) =>
  fc.uniqueArray(step, { minLength: 1, maxLength: most, size: 'max', selector: ({ name }) => name })

/** Generated cases. */
export const cases: fc.Arbitrary<Case> = fc
  .record({
    chosen: steps(2),
    filter: fc.constantFrom(...(Object.keys(filters) as FilterText[])),
    others: fc.array(steps(3), { minLength: 1, maxLength: 2, size: 'max' }),
    wider: fc.boolean(),
    analysed: fc.boolean(),
  })
  .map(({ chosen, filter, others, wider, analysed: isAnalysed }) => {
    const pinned = /^(\w+)=/.exec(filter)?.[1] as Name | undefined
    const order = chosen.filter(({ name }) => name !== pinned)
    const last: Step = { name: 'id', descending: order.at(-1)?.descending ?? false }
    const front = pinned === undefined ? [] : [{ name: pinned, descending: false }]
    // The worst of all begins as the order does, and goes on in another way.
    const [first] = order
    const tempting = others.map((other) =>
      wider && first !== undefined ? [first, ...other.filter(({ name }) => name !== first.name)] : other,
    )
    return { order, filter, serving: [...front, ...order, last], others: tempting, analysed: isAnalysed }
  })
  .filter(({ order, others, filter }) => {
    // An index by which a filter could be looked up is another choice, and the planner's.
    const named = /^\w+/.exec(filter)?.[0]
    return order.length > 0 && others.every((other) => other[0]?.name !== named || named === order[0]?.name)
  })

/** Compares rows in an order with nulls last, the key at the end. */
export const compare =
  (order: readonly Step[]) =>
  (one: Row, other: Row): number => {
    for (const at of [...order, { name: 'id', descending: order.at(-1)?.descending ?? false } as const]) {
      const [a, b] = [one[at.name], other[at.name]]
      if (a === b) continue
      const isBefore = a === null || b === null ? b === null : a < b
      return isBefore === at.descending ? 1 : -1
    }
    return 0
  }

/** Writes the columns of an index. */
export const columnsOf = (index: readonly Step[]): string =>
  index.map(({ name, descending }) => `${name}${descending ? ' desc' : ''}`).join()
