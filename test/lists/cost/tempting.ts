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
type Field = Exclude<Name, 'id'>

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

/** A condition of a filter, by its text. */
export interface Condition {
  readonly field: Field
  readonly operator: string
  readonly value: number | string
}

/** Returns whether a row meets a condition. */
export function meets({ field, operator, value }: Condition, row: Row): boolean {
  const own = row[field]
  if (operator === '!') return own !== null
  if (operator === '!!') return own === null
  if (operator === '!=') return own !== value
  if (own === null) return false
  if (operator === '=') return own === value
  return operator === '<' ? own < value : own > value
}

/** A list, the index that serves it, and others. */
export interface Case {
  readonly order: readonly Step[]
  readonly filter: readonly Condition[]
  /** How many columns of the serving index lie before the order; conditions pin them. */
  readonly pinned: number
  readonly serving: readonly Step[]
  readonly others: readonly (readonly Step[])[]
  readonly analysed: boolean
}

/** The filter as it stands in the URL. */
export const textOf = (filter: readonly Condition[]): string =>
  filter.map(({ field, operator, value }) => field + operator + value).join('&')

/** The conditions that the serving index is entered by: equalities of its first columns, and bounds of the first ordered one. */
export const boundsOf = ({ filter, order, serving, pinned }: Case): readonly Condition[] =>
  filter.filter(({ field, operator }) => {
    const at = serving.findIndex(({ name }) => name === field)
    return (at >= 0 && at < pinned) || (field === order[0]?.name && operator !== '!=')
  })

/**
 * Returns the rows that the best of the other ways may read: those of a condition by which another index is entered. Planners have
 * to weigh one way against the other.
 */
export function otherWay(one: Case, rows: readonly Row[]): number {
  const bounds = boundsOf(one)
  const entered = new Set(one.serving.slice(0, one.pinned).map(({ name }) => name))
  const sizes = one.filter
    .filter((condition) => !bounds.includes(condition))
    .filter(({ field }) => one.others.some((index) => index.find(({ name }) => !entered.has(name))?.name === field))
    .map((condition) => rows.filter((row) => meets(condition, row)).length)
  return Math.max(0, ...sizes)
}

/** Returns whether rows that a list has may lack a later field of its order: some engines keep such rows at the wrong end. */
export const hasLaterNulls = ({ order, filter }: Case): boolean =>
  order
    .slice(1)
    .some(
      ({ name }) =>
        (name === 'nb' || name === 'ns') &&
        !filter.some(({ field, operator }) => field === name && operator !== '!=' && operator !== '!!'),
    )

const step = fc.record({ name: fc.constantFrom<Field>('t', 's', 'b', 'nb', 'ns'), descending: fc.boolean() })
const steps = (most: number) =>
  fc.uniqueArray(step, { minLength: 1, maxLength: most, size: 'max', selector: ({ name }) => name })

const VALUES: Readonly<Record<Field, readonly (number | string)[]>> = {
  t: [3, 5],
  s: ['s1', 's2'],
  b: [30, 100, 200],
  nb: [77, 450],
  ns: ['n3', 'n20'],
}

const condition: fc.Arbitrary<Condition> = fc
  .constantFrom<Field>('t', 's', 'b', 'nb', 'ns')
  .chain((field) =>
    fc
      .constantFrom('=', '=', '!=', '<', '>', ...(field.startsWith('n') ? ['!', '!!'] : []))
      .chain((operator) =>
        fc
          .constantFrom(...(operator.startsWith('!') && operator !== '!=' ? [''] : VALUES[field]))
          .map((value) => ({ field, operator, value })),
      ),
  )

const turned = (index: readonly Step[]): readonly Step[] =>
  index.map(({ name, descending }) => ({ name, descending: !descending }))

/** Generated cases. */
export const cases: fc.Arbitrary<Case> = fc
  .record({
    chosen: steps(3),
    filter: fc.uniqueArray(condition, { maxLength: 2, size: 'max', selector: ({ field }) => field }),
    pins: fc.integer({ min: 0, max: 3 }).map((most) => (most === 0 ? 0 : 9)),
    backwards: fc.boolean(),
    others: fc.array(steps(3), { minLength: 1, maxLength: 3, size: 'max' }),
    wider: fc.boolean(),
    keyed: fc.boolean(),
    analysed: fc.boolean(),
  })
  .map(({ chosen, filter, pins, backwards, others, wider, keyed, analysed: isAnalysed }) => {
    const equal = new Set(filter.filter(({ operator }) => operator === '=').map(({ field }): Name => field))
    const order = chosen.filter(({ name }) => !equal.has(name))
    const last: Step = { name: 'id', descending: order.at(-1)?.descending ?? false }
    const front = [...equal].slice(0, pins).map((name) => ({ name, descending: false }))
    const rest = [...order, last]
    // The worst of all begins as the order does, and goes on in another way.
    const [first] = order
    const tempting = others.map((other): readonly Step[] => {
      const own = wider && first !== undefined ? [first, ...other.filter(({ name }) => name !== first.name)] : other
      return keyed ? [...own, last] : own
    })
    return {
      ...{ order, filter, pinned: front.length, others: tempting, analysed: isAnalysed },
      serving: [...front, ...(backwards ? turned(rest) : rest)],
    }
  })
  .filter(({ order }) => order.length > 0)

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
