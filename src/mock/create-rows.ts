// The first rows of a mock: the same in every run, with ties, with gaps where there may be some, belonging to one another.
import type { Attribute } from '../schema/attribute.ts'
import type { ExampleSeed } from '../schema/example.ts'
import { type ColumnPart, type Entity, isAlwaysPresent, type EntityLink, POSITION_ATTRIBUTE, ROW_COLUMN, type StructPart, VALUE_ATTRIBUTE } from './entity.ts'
import { RowSeed } from './seed.ts'
import { toJsonValue, createValue } from './example-values.ts'

/** A row by the names of its columns. */
export type MockRow = Record<string, unknown>

/** A row without values: columns may have names that objects inherit. */
export const emptyRow = (): MockRow => Object.create(null) as MockRow

/** Makes the rows of all entities, `count` of each. */
export function createRows(entities: readonly Entity[], count: number): ReadonlyMap<Entity, readonly MockRow[]> {
  const own = entities.filter(({ listAttribute: listed }) => listed === undefined)
  const rows = new Map(own.map((entity) => [entity, createOwnRows(entity, count)]))
  const done = new Set<Entity>()
  for (const entity of own) linkEntity(entity, rows, done)
  for (const entity of entities) if (entity.listAttribute !== undefined) rows.set(entity, createListedRows(entity, rows))
  return rows
}

/** The seed of a column in a row. */
const createSeed = (entity: Entity, row: number | string, path: string): ExampleSeed =>
  new RowSeed(`${entity.table}/${row}/${path}`, path.split('.').at(-1))

// --- the columns of a row ----------------------------------------------------------------

function createOwnRows(entity: Entity, count: number): MockRow[] {
  const used = new Map<string, Set<unknown>>()
  return Array.from({ length: count }, (_, i) => {
    const row: MockRow = Object.assign(emptyRow(), { [ROW_COLUMN]: i + 1 })
    for (const part of entity.parts.values())
      if (part.type === 'column' || part.type === 'struct') fillPart(entity, part, row, count)
    for (const column of entity.unique) row[column] = createUniqueValue(entity, column, i, used)
    return row
  }).filter((row) => [...entity.unique].every((column) => row[column] !== undefined))
}

function fillPart(entity: Entity, part: ColumnPart | StructPart, row: MockRow, count: number): void {
  const { attribute } = part
  const i = Number(row[ROW_COLUMN]) - 1
  const path = part.type === 'column' ? part.column : `${[...part.parts.keys()].join()}?`
  // The first row is whole: it is the one that people look at.
  if (i > 0 && !isAlwaysPresent(attribute) && createSeed(entity, i, `${path}?`).pick(6) === 0) return
  if (part.type === 'struct') {
    for (const one of part.parts.values()) fillPart(entity, one, row, count)
    return
  }
  // Several rows share a place that their values are made for: that is where ties come from.
  const group = createSeed(entity, i, `${path}#`).pick(Math.ceil(count * 0.7))
  row[path] = createColumnValue(part, createSeed(entity, group, path))
}

/** A value for a column. */
export function createColumnValue({ attribute, kind }: ColumnPart, seed: ExampleSeed): unknown {
  const value = createValue(attribute, seed)
  if (value === undefined || value === null) return null
  return kind === 'json' ? (toJsonValue(attribute, value) ?? null) : value
}

/** A value that no other row has in a column; undefined when none is found. */
export function createUniqueValue(entity: Entity, column: string, i: number, used: Map<string, Set<unknown>>): unknown {
  const attribute = entity.findScalarPart(column)?.attribute ?? (entity.hiddenAttributes.get(column) as Attribute)
  const seen = used.get(column) ?? new Set()
  used.set(column, seen)
  for (let attempt = 0; attempt < 100; attempt++) {
    const value = createNumberedValue(attribute, i + attempt) ?? createValue(attribute, createSeed(entity, `${i}.${attempt}`, column))
    const place = value instanceof Date ? value.getTime() : value
    if (value === undefined || seen.has(place)) continue
    seen.add(place)
    return value
  }
  return undefined
}

function createNumberedValue(attribute: Attribute, i: number): unknown {
  const { scalar } = attribute.core
  if (scalar !== 'integer' && scalar !== 'bigint') return undefined
  const { min, max } = attribute.options as { readonly min?: number | bigint; readonly max?: number | bigint }
  const least = BigInt(min ?? 1n) > 1n || (max !== undefined && BigInt(max) < 1n) ? BigInt(min ?? max ?? 1n) : 1n
  const value = min === undefined && max !== undefined && least !== 1n ? least - BigInt(i) : least + BigInt(i)
  if (max !== undefined && value > BigInt(max)) return undefined
  const number = scalar === 'bigint' ? value : Number(value)
  return toJsonValue(attribute, number) === undefined ? undefined : number
}

// --- what rows belong to -----------------------------------------------------------------

function linkEntity(entity: Entity, rows: Map<Entity, MockRow[]>, done: Set<Entity>): void {
  if (done.has(entity)) return
  done.add(entity)
  for (const link of entity.links) {
    linkEntity(link.target, rows, done)
    const theirs = rows.get(link.target) ?? []
    for (const [i, row] of (rows.get(entity) ?? []).entries())
      linkRow(row, link, theirs, { isFirst: i === 0, seed: createSeed(entity, i, `${link.on.join()}>`) })
  }
  rows.set(entity, dropDuplicates(entity, rows.get(entity) ?? []))
}

function linkRow(
  row: MockRow,
  { on, optional, isOwned: parts }: EntityLink,
  theirs: readonly MockRow[],
  { isFirst, seed }: { readonly isFirst: boolean; readonly seed: ExampleSeed },
): void {
  const isAlone = theirs.length === 0 || (!isFirst && optional && seed.at('alone').pick(6) === 0)
  // Half of all parts belong to the first, so that there is a list to be paged; others are shared by a few.
  const ofFirst = parts && seed.at('first').pick(2) === 0
  const among = parts ? theirs.length : Math.ceil(theirs.length / 3)
  const chosen = isAlone ? undefined : theirs[ofFirst ? 0 : seed.at('which').pick(among)]
  for (const [ours, column] of on) row[ours] = chosen?.[column] ?? null
}

// Keys that are made of what rows belong to may meet; what belongs nowhere but has to, goes.
function dropDuplicates(entity: Entity, rows: readonly MockRow[]): MockRow[] {
  const seen = new Set<string>()
  return rows.filter((row) => {
    const values = entity.identity.map((column) => row[column])
    const key = JSON.stringify(values.map(String))
    const isWhole = values.every((value) => value !== null && value !== undefined)
    if (!isWhole || seen.has(key)) return false
    seen.add(key)
    return true
  })
}

// --- plain values ------------------------------------------------------------------------

function createListedRows(entity: Entity, rows: ReadonlyMap<Entity, readonly MockRow[]>): MockRow[] {
  const [link] = entity.links as [EntityLink]
  const made = (rows.get(link.target) ?? []).flatMap((owner) =>
    createListValues(entity, Number(owner[ROW_COLUMN])).map((value, i) => ({ '~owner': owner[ROW_COLUMN], [POSITION_ATTRIBUTE]: i, [VALUE_ATTRIBUTE]: value })),
  )
  return made.map((row, i) => ({ [ROW_COLUMN]: i + 1, ...row }))
}

/** Plain values for the list of one owner, as many as its limits allow. */
export function createListValues(entity: Entity, owner: number): readonly unknown[] {
  const { min = 0, max = Number.POSITIVE_INFINITY } = (entity.listAttribute?.options ?? {}) as { min?: number; max?: number }
  const length = Math.max(min, Math.min(max, createSeed(entity, owner, 'length').pick(4)))
  const part = entity.parts.get(VALUE_ATTRIBUTE) as ColumnPart
  const values = Array.from({ length }, (_, i) =>
    createColumnValue(part, createSeed(entity, createSeed(entity, owner, `${i}`).pick(8), VALUE_ATTRIBUTE)),
  )
  // Where it may be shorter nothing is there twice, as in a list of tags.
  const once = [...new Set(values)]
  return once.length < min ? values : once
}
