// Generates random queries for the datastore suite: the same ones for the same seed.
import type {
  Comparison,
  Filter,
  Join,
  Operand,
  OrderStep,
  Pattern,
  PerKeyLimit,
  Reference,
  Select,
} from '../../plugins/mapper/index.ts'
import type { SuiteModel } from './suite-model.ts'
import { ascendingValues, type SuiteRow } from './suite-tables.ts'

/** A source of random choices. */
interface RandomSource {
  /** Returns an integer from 0, below the limit. */
  nextInt(limit: number): number
  pick<V>(list: readonly V[]): V
}

function createRandomSource(seed: number): RandomSource {
  let state = seed >>> 0
  const nextInt = (limit: number): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * limit)
  }
  return { nextInt, pick: (list) => list[nextInt(list.length)]! }
}

// Columns that refer to a row of another table.
const relations: readonly (readonly [table: string, column: string, to: string, key: string])[] = [
  ['books', 'author', 'authors', 'id'],
  ['books', 'editor', 'authors', 'id'],
  ['authors', 'country', 'countries', 'code'],
  ['editions', 'book', 'books', 'id'],
]
const comparisons: readonly Comparison[] = ['=', '<', '<=', '>', '>=']

/** The model, the random source and the values that queries are generated from. */
interface RandomContext {
  readonly model: SuiteModel
  readonly chance: RandomSource
  readonly values: (table: string, column: string) => readonly unknown[]
}

/** Generates random queries for the rows of a model. */
export function* generateQueries(
  model: SuiteModel,
  rows: Readonly<Record<string, readonly SuiteRow[]>>,
  seed: number,
): Generator<Select<string>, never> {
  const values: RandomContext['values'] = (table, column) => {
    const columnValues = (rows[table] ?? []).map((row) => row[column])
    return columnValues.filter((value) => value !== null)
  }
  const context: RandomContext = { model, chance: createRandomSource(seed), values }
  while (true) yield generateQuery(context)
}

function generateQuery(context: RandomContext): Select<string> {
  const { chance, model } = context
  const from = chance.pick(['samples', 'books', 'books', 'authors', 'editions'])
  const [joins, scope] = generateJoins(context, from)
  const order = Array.from({ length: chance.nextInt(3) }, (): OrderStep => {
    return { reference: pickComparable(context, scope), descending: chance.nextInt(2) === 0 }
  })
  const key = model.table(from).key.map((name): OrderStep => {
    return { reference: model.reference(from, name), descending: chance.nextInt(2) === 0 }
  })
  const steps = [...order, ...key]
  const perKey = chance.nextInt(5) === 0 ? generatePerKeyLimit(context, from) : undefined
  return {
    from: model.table(from),
    joins,
    filter: chance.nextInt(8) === 0 ? undefined : generateFilter(context, scope, 3),
    columns: [
      ...(perKey?.columns ?? []).map((column): Reference => ({ source: 0, column })),
      ...Array.from({ length: 1 + chance.nextInt(4) }, () => pickReference(context, scope)),
    ],
    order: steps,
    after: chance.nextInt(2) === 0 || perKey !== undefined ? undefined : generateOperands(context, scope, steps),
    limit: chance.nextInt(2) === 0 || perKey !== undefined ? undefined : chance.nextInt(8),
    offset: chance.nextInt(3) === 0 && perKey === undefined ? chance.nextInt(6) : 0,
    perKey,
  }
}

// Some keys that rows have, and occasionally one that no row has.
function generatePerKeyLimit({ chance, model, values }: RandomContext, from: string): PerKeyLimit {
  const kinds: readonly string[] = ['text', 'integer']
  const columns = [...model.table(from).columns.values()].filter(({ kind }) => kinds.includes(kind))
  const column = chance.pick(columns)
  const missingKey = column.kind === 'text' ? 'none' : 12345
  const picked = Array.from({ length: chance.nextInt(5) }, () =>
    chance.nextInt(6) === 0 ? missingKey : chance.pick(values(from, column.name)),
  )
  return { columns: [column], keys: [...new Set(picked)].map((key) => [key]), limit: 1 + chance.nextInt(3) }
}

// Any position, not always that of a row.
function generateOperands(
  { chance, values }: RandomContext,
  scope: readonly string[],
  order: readonly OrderStep[],
): Operand[] {
  const length = chance.nextInt(4) === 0 ? 1 + chance.nextInt(order.length) : order.length
  return order.slice(0, length).map(({ reference: { source, column } }) => {
    const isMissing = (source > 0 || column.nullable) && chance.nextInt(4) === 0
    return { value: isMissing ? null : chance.pick(values(scope[source]!, column.name)) }
  })
}

function generateJoins(context: RandomContext, from: string): [Join<string>[], string[]] {
  const { chance, model } = context
  const [joins, scope]: [Join<string>[], string[]] = [[], [from]]
  for (let more = chance.nextInt(4); more > 0; more--) {
    const source = chance.nextInt(scope.length)
    const possible = relations.filter(([table]) => table === scope[source])
    if (possible.length === 0) continue
    const [table, column, to, key] = chance.pick(possible)
    scope.push(to)
    const join = model.join(to, [model.reference(table, column, source), key])
    joins.push(chance.nextInt(3) === 0 ? { ...join, where: generateCondition(context, scope, scope.length - 1) } : join)
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

function pickComparable(context: RandomContext, scope: readonly string[]): Reference {
  const reference = pickReference(context, scope)
  return ascendingValues[reference.column.kind] === undefined
    ? { source: 0, column: pickKeyColumn(context, scope) }
    : reference
}

function pickKeyColumn({ model, chance }: RandomContext, [from]: readonly string[]) {
  return model.column(from!, chance.pick(model.table(from!).key))
}

function generateFilter(context: RandomContext, scope: readonly string[], depth: number): Filter<string> {
  const { chance } = context
  const kind = chance.nextInt(10)
  if (depth > 0 && kind < 4) {
    const of = Array.from({ length: chance.nextInt(4) }, () => generateFilter(context, scope, depth - 1))
    return { op: kind < 2 ? 'and' : 'or', of }
  }
  if (depth > 0 && kind === 4) return generateExists(context, scope, depth - 1) ?? generateCondition(context, scope)
  return generateCondition(context, scope)
}

function generateExists(context: RandomContext, scope: readonly string[], depth: number): Filter<string> | undefined {
  const { chance, model } = context
  const source = chance.nextInt(scope.length)
  const both = relations.flatMap(([table, column, to, key]) => [
    [table, column, to, key] as const,
    [to, key, table, column] as const,
  ])
  const possible = both.filter(([table]) => table === scope[source])
  if (possible.length === 0) return undefined
  const [table, column, to, key] = chance.pick(possible)
  const [joins, inner] = generateJoins(context, to)
  return {
    op: chance.nextInt(3) === 0 ? 'not exists' : 'exists',
    from: model.table(to),
    on: [[model.reference(table, column, source), model.column(to, key)]],
    joins,
    filter: generateFilter(context, inner, depth),
  }
}

function generateCondition(context: RandomContext, scope: readonly string[], source?: number): Filter<string> {
  const { chance, values } = context
  const reference = pickReference(context, scope, source)
  const { name, kind } = reference.column
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
  if (op === 'null' || op === 'not null') return { op, reference }
  if (ascendingValues[kind] === undefined) return { op: 'not null', reference }
  const possible = values(scope[reference.source]!, name)
  if (op === 'in' || op === 'not in') {
    return { op, reference, values: Array.from({ length: chance.nextInt(4) }, () => chance.pick(possible)) }
  }
  if ((op === 'like' || op === 'not like') && kind === 'text') {
    return { op, reference, pattern: generatePattern(context, String(chance.pick(possible))) }
  }
  if ((op === 'contains' || op === 'not contains') && kind === 'text') {
    const { text } = generatePattern(context, String(chance.pick(possible)))
    return { op, reference, text: chance.nextInt(2) === 0 ? text.toUpperCase() : text }
  }
  const value = chance.pick(possible)
  return op === '!=' ? { op, reference, value } : { op: chance.pick(comparisons), reference, value }
}

// Surrogate pairs are not split.
function generatePattern({ chance }: RandomContext, text: string): Pattern {
  const characters = [...text]
  const start = chance.nextInt(characters.length + 1)
  const part = characters.slice(start, start + chance.nextInt(4)).join('')
  return { text: part, before: chance.nextInt(2) === 0, after: chance.nextInt(2) === 0 }
}
