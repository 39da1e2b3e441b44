// The first rows of a mock: the same in every run, with ties, with gaps where there may be some, belonging to one another.
import type { Attribute } from '../schema/attribute.ts'
import type { ExampleSeed } from '../schema/example.ts'
import { type ColumnPart, type Entity, isCertain, type Link, POSITION, ROW, type StructPart, VALUE } from './entity.ts'
import { RowSeed } from './seed.ts'
import { plainForm, valueFor } from './values.ts'

/** A row by the names of its columns. */
export type Row = Record<string, unknown>

/** A row without values: columns may have names that objects inherit. */
export const emptyRow = (): Row => Object.create(null) as Row

/** Makes the rows of all entities, `count` of each. */
export function rowsOf(entities: readonly Entity[], count: number): ReadonlyMap<Entity, readonly Row[]> {
  const own = entities.filter(({ listed }) => listed === undefined)
  const rows = new Map(own.map((entity) => [entity, ownRows(entity, count)]))
  const done = new Set<Entity>()
  for (const entity of own) join(entity, rows, done)
  for (const entity of entities) if (entity.listed !== undefined) rows.set(entity, listedRows(entity, rows))
  return rows
}

/** The seed of a column in a row. */
const seedOf = (entity: Entity, row: number | string, path: string): ExampleSeed =>
  new RowSeed(`${entity.table}/${row}/${path}`, path.split('.').at(-1))

// --- the columns of a row ----------------------------------------------------------------

function ownRows(entity: Entity, count: number): Row[] {
  const used = new Map<string, Set<unknown>>()
  return Array.from({ length: count }, (_, i) => {
    const row: Row = Object.assign(emptyRow(), { [ROW]: i + 1 })
    for (const part of entity.parts.values())
      if (part.type === 'column' || part.type === 'struct') addPart(entity, part, row, count)
    for (const column of entity.unique) row[column] = uniqueValue(entity, column, i, used)
    return row
  }).filter((row) => [...entity.unique].every((column) => row[column] !== undefined))
}

function addPart(entity: Entity, part: ColumnPart | StructPart, row: Row, count: number): void {
  const { attribute } = part
  const i = Number(row[ROW]) - 1
  const path = part.type === 'column' ? part.column : `${[...part.parts.keys()].join()}?`
  // The first row is whole: it is the one that people look at.
  if (i > 0 && !isCertain(attribute) && seedOf(entity, i, `${path}?`).pick(6) === 0) return
  if (part.type === 'struct') {
    for (const one of part.parts.values()) addPart(entity, one, row, count)
    return
  }
  // Several rows share a place that their values are made for: that is where ties come from.
  const group = seedOf(entity, i, `${path}#`).pick(Math.ceil(count * 0.7))
  row[path] = columnValue(part, seedOf(entity, group, path))
}

/** A value for a column. */
export function columnValue({ attribute, kind }: ColumnPart, seed: ExampleSeed): unknown {
  const value = valueFor(attribute, seed)
  if (value === undefined || value === null) return null
  return kind === 'json' ? (plainForm(attribute, value) ?? null) : value
}

/** A value that no other row has in a column; undefined when none is found. */
export function uniqueValue(entity: Entity, column: string, i: number, used: Map<string, Set<unknown>>): unknown {
  const attribute = entity.single(column)?.attribute ?? (entity.hidden.get(column) as Attribute)
  const seen = used.get(column) ?? new Set()
  used.set(column, seen)
  for (let attempt = 0; attempt < 100; attempt++) {
    const value = numbered(attribute, i + attempt) ?? valueFor(attribute, seedOf(entity, `${i}.${attempt}`, column))
    const place = value instanceof Date ? value.getTime() : value
    if (value === undefined || seen.has(place)) continue
    seen.add(place)
    return value
  }
  return undefined
}

function numbered(attribute: Attribute, i: number): unknown {
  const { scalar } = attribute.core
  if (scalar !== 'integer' && scalar !== 'bigint') return undefined
  const { min, max } = attribute.options as { readonly min?: number | bigint; readonly max?: number | bigint }
  const least = BigInt(min ?? 1n) > 1n || (max !== undefined && BigInt(max) < 1n) ? BigInt(min ?? max ?? 1n) : 1n
  const value = min === undefined && max !== undefined && least !== 1n ? least - BigInt(i) : least + BigInt(i)
  if (max !== undefined && value > BigInt(max)) return undefined
  const number = scalar === 'bigint' ? value : Number(value)
  return plainForm(attribute, number) === undefined ? undefined : number
}

// --- what rows belong to -----------------------------------------------------------------

function join(entity: Entity, rows: Map<Entity, Row[]>, done: Set<Entity>): void {
  if (done.has(entity)) return
  done.add(entity)
  for (const link of entity.links) {
    join(link.target, rows, done)
    const theirs = rows.get(link.target) ?? []
    for (const [i, row] of (rows.get(entity) ?? []).entries())
      connect(row, link, theirs, { isFirst: i === 0, seed: seedOf(entity, i, `${link.on.join()}>`) })
  }
  rows.set(entity, distinct(entity, rows.get(entity) ?? []))
}

function connect(
  row: Row,
  { on, optional, parts }: Link,
  theirs: readonly Row[],
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
function distinct(entity: Entity, rows: readonly Row[]): Row[] {
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

function listedRows(entity: Entity, rows: ReadonlyMap<Entity, readonly Row[]>): Row[] {
  const [link] = entity.links as [Link]
  const made = (rows.get(link.target) ?? []).flatMap((owner) =>
    valuesFor(entity, Number(owner[ROW])).map((value, i) => ({ '~owner': owner[ROW], [POSITION]: i, [VALUE]: value })),
  )
  return made.map((row, i) => ({ [ROW]: i + 1, ...row }))
}

/** Plain values for the list of one owner, as many as its limits allow. */
export function valuesFor(entity: Entity, owner: number): readonly unknown[] {
  const { min = 0, max = Number.POSITIVE_INFINITY } = (entity.listed?.options ?? {}) as { min?: number; max?: number }
  const length = Math.max(min, Math.min(max, seedOf(entity, owner, 'length').pick(4)))
  const part = entity.parts.get(VALUE) as ColumnPart
  const values = Array.from({ length }, (_, i) =>
    columnValue(part, seedOf(entity, seedOf(entity, owner, `${i}`).pick(8), VALUE)),
  )
  // Where it may be shorter nothing is there twice, as in a list of tags.
  const once = [...new Set(values)]
  return once.length < min ? values : once
}
