// Random queries for the datastore suite: the same ones for the same seed.
import type { Comparison, PerKeyLimit, Filter, Join, Operand, OrderStep, Pattern, Reference, Select } from '../../plugins/query/query.ts'
import type { SuiteModel } from './suite-model.ts'
import { ascendingValues, type SuiteRow } from './suite-tables.ts'

/** A source of random choices. */
interface RandomSource {
  /** A whole number from 0 on, below the limit. */
  nextInt(limit: number): number
  pick<V>(list: readonly V[]): V
}

function createRandomSource(seed: number): RandomSource {
  let state = seed >>> 0
  const below = (limit: number): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * limit)
  }
  return { nextInt: below, pick: (list) => list[below(list.length)]! }
}

// Columns that name a row of another table.
const relations: readonly (readonly [table: string, column: string, to: string, key: string])[] = [
  ['books', 'author', 'authors', 'id'],
  ['books', 'editor', 'authors', 'id'],
  ['authors', 'country', 'countries', 'code'],
  ['editions', 'book', 'books', 'id'],
]
const comparisons: readonly Comparison[] = ['=', '<', '<=', '>', '>=']

/** The parts that random queries are made of. */
interface RandomContext {
  readonly model: SuiteModel
  readonly chance: RandomSource
  readonly values: (table: string, column: string) => readonly unknown[]
}

/** Makes random queries over the rows of a model, one after the other. */
export function* generateQueries(
  model: SuiteModel,
  rows: Readonly<Record<string, readonly SuiteRow[]>>,
  seed: number,
): Generator<Select<string>, never> {
  const values: RandomContext['values'] = (table, column) => {
    const there = (rows[table] ?? []).map((row) => row[column])
    return there.filter((value) => value !== null)
  }
  const making: RandomContext = { model, chance: createRandomSource(seed), values }
  while (true) yield generateQuery(making)
}

function generateQuery(making: RandomContext): Select<string> {
  const { chance, model } = making
  const from = chance.pick(['samples', 'books', 'books', 'authors', 'editions'])
  const [joins, scope] = generateJoins(making, from)
  const order = Array.from({ length: chance.nextInt(3) }, (): OrderStep => {
    return { reference: pickComparable(making, scope), descending: chance.nextInt(2) === 0 }
  })
  const key = model.table(from).key.map((name): OrderStep => {
    return { reference: model.at(from, name), descending: chance.nextInt(2) === 0 }
  })
  const steps = [...order, ...key]
  const each = chance.nextInt(5) === 0 ? generatePerKeyLimit(making, from) : undefined
  return {
    from: model.table(from),
    joins,
    filter: chance.nextInt(8) === 0 ? undefined : generateFilter(making, scope, 3),
    columns: [
      ...(each?.columns ?? []).map((column): Reference => ({ source: 0, column })),
      ...Array.from({ length: 1 + chance.nextInt(4) }, () => pickReference(making, scope)),
    ],
    order: steps,
    after: chance.nextInt(2) === 0 || each !== undefined ? undefined : generateOperands(making, scope, steps),
    limit: chance.nextInt(2) === 0 || each !== undefined ? undefined : chance.nextInt(8),
    offset: chance.nextInt(3) === 0 && each === undefined ? chance.nextInt(6) : 0,
    perKey: each,
  }
}

// Some keys that rows have, and now and then one that none has.
function generatePerKeyLimit({ chance, model, values }: RandomContext, from: string): PerKeyLimit {
  const kinds: readonly string[] = ['text', 'integer']
  const columns = [...model.table(from).columns.values()].filter(({ kind }) => kinds.includes(kind))
  const column = chance.pick(columns)
  const strange = column.kind === 'text' ? 'none' : 12345
  const picked = Array.from({ length: chance.nextInt(5) }, () =>
    chance.nextInt(6) === 0 ? strange : chance.pick(values(from, column.name)),
  )
  return { columns: [column], keys: [...new Set(picked)].map((key) => [key]), limit: 1 + chance.nextInt(3) }
}

// Any place, and not always one that a row has.
function generateOperands({ chance, values }: RandomContext, scope: readonly string[], order: readonly OrderStep[]): Operand[] {
  const length = chance.nextInt(4) === 0 ? 1 + chance.nextInt(order.length) : order.length
  return order.slice(0, length).map(({ reference: { source, column } }) => {
    const isMissing = (source > 0 || column.nullable) && chance.nextInt(4) === 0
    return { value: isMissing ? null : chance.pick(values(scope[source]!, column.name)) }
  })
}

function generateJoins(making: RandomContext, from: string): [Join<string>[], string[]] {
  const { chance, model } = making
  const [joins, scope]: [Join<string>[], string[]] = [[], [from]]
  for (let more = chance.nextInt(4); more > 0; more--) {
    const source = chance.nextInt(scope.length)
    const possible = relations.filter(([table]) => table === scope[source])
    if (possible.length === 0) continue
    const [table, column, to, key] = chance.pick(possible)
    scope.push(to)
    const join = model.join(to, [model.at(table, column, source), key])
    joins.push(chance.nextInt(3) === 0 ? { ...join, where: generateCondition(making, scope, scope.length - 1) } : join)
  }
  return [joins, scope]
}

function pickReference(
  { chance, model }: RandomContext,
  scope: readonly string[],
  source: number = chance.nextInt(scope.length),
): Reference {
  return { source, column: chance.pick([...model.table(scope[source]!).columns.values()]) }
}

function pickComparable(making: RandomContext, scope: readonly string[]): Reference {
  const found = pickReference(making, scope)
  return ascendingValues[found.column.kind] === undefined ? { source: 0, column: pickKeyColumn(making, scope) } : found
}

function pickKeyColumn({ model, chance }: RandomContext, [from]: readonly string[]) {
  return model.column(from!, chance.pick(model.table(from!).key))
}

function generateFilter(making: RandomContext, scope: readonly string[], depth: number): Filter<string> {
  const { chance } = making
  const kind = chance.nextInt(10)
  if (depth > 0 && kind < 4) {
    const of = Array.from({ length: chance.nextInt(4) }, () => generateFilter(making, scope, depth - 1))
    return { op: kind < 2 ? 'and' : 'or', of }
  }
  if (depth > 0 && kind === 4) return generateExists(making, scope, depth - 1) ?? generateCondition(making, scope)
  return generateCondition(making, scope)
}

function generateExists(making: RandomContext, scope: readonly string[], depth: number): Filter<string> | undefined {
  const { chance, model } = making
  const source = chance.nextInt(scope.length)
  const both = relations.flatMap(([table, column, to, key]) => [
    [table, column, to, key] as const,
    [to, key, table, column] as const,
  ])
  const possible = both.filter(([table]) => table === scope[source])
  if (possible.length === 0) return undefined
  const [table, column, to, key] = chance.pick(possible)
  const [joins, inner] = generateJoins(making, to)
  return {
    op: chance.nextInt(3) === 0 ? 'not exists' : 'exists',
    from: model.table(to),
    on: [[model.at(table, column, source), model.column(to, key)]],
    joins,
    filter: generateFilter(making, inner, depth),
  }
}

function generateCondition(making: RandomContext, scope: readonly string[], source?: number): Filter<string> {
  const { chance, values } = making
  const found = pickReference(making, scope, source)
  const { name, kind } = found.column
  const op = chance.pick([
    'comparison',
    'comparison',
    '!=',
    'in',
    'not in',
    'null',
    'not null',
    'like',
    'not like',
    'contains',
    'not contains',
  ] as const)
  if (op === 'null' || op === 'not null') return { op, reference: found }
  if (ascendingValues[kind] === undefined) return { op: 'not null', reference: found }
  const possible = values(scope[found.source]!, name)
  if (op === 'in' || op === 'not in') {
    return { op, reference: found, values: Array.from({ length: chance.nextInt(4) }, () => chance.pick(possible)) }
  }
  if ((op === 'like' || op === 'not like') && kind === 'text') {
    return { op, reference: found, pattern: generatePattern(making, String(chance.pick(possible))) }
  }
  if ((op === 'contains' || op === 'not contains') && kind === 'text') {
    const { text } = generatePattern(making, String(chance.pick(possible)))
    return { op, reference: found, text: chance.nextInt(2) === 0 ? text.toUpperCase() : text }
  }
  const value = chance.pick(possible)
  return op === '!=' ? { op, reference: found, value } : { op: chance.pick(comparisons), reference: found, value }
}

// Characters are not taken apart.
function generatePattern({ chance }: RandomContext, text: string): Pattern {
  const characters = [...text]
  const start = chance.nextInt(characters.length + 1)
  const part = characters.slice(start, start + chance.nextInt(4)).join('')
  return { text: part, before: chance.nextInt(2) === 0, after: chance.nextInt(2) === 0 }
}
