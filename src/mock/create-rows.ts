// Creates the initial rows of a mock: deterministic, with equal values, with nulls where allowed, and linked to each
// other.
import type { Attribute } from '../schema/attribute.ts'
import { ExampleSeed } from '../schema/example.ts'
import { hashText } from '../util/naming.ts'
import {
  type ColumnPart,
  type Entity,
  type EntityLink,
  isAlwaysPresent,
  POSITION_ATTRIBUTE,
  ROW_COLUMN,
  type StructPart,
  VALUE_ATTRIBUTE,
} from './entity.ts'
import { createValue, toJsonValue } from './example-values.ts'

/** A row by column name. */
export type MockRow = Record<string, unknown>

/** Creates an empty row without a prototype, because columns may have the names of inherited members. */
export const createEmptyRow = (): MockRow => Object.create(null) as MockRow

/** Creates the rows of all entities, `count` of each. */
export function createRows(entities: readonly Entity[], count: number): ReadonlyMap<Entity, readonly MockRow[]> {
  const ownEntities = entities.filter(({ listAttribute }) => listAttribute === undefined)
  const rows = new Map(ownEntities.map((entity) => [entity, createOwnRows(entity, count)]))
  const done = new Set<Entity>()
  for (const entity of ownEntities) linkEntity(entity, rows, done)
  for (const entity of entities)
    if (entity.listAttribute !== undefined) rows.set(entity, createListedRows(entity, rows))
  return rows
}

/** Creates the seed of a column in a row. */
const createSeed = (entity: Entity, row: number | string, path: string): ExampleSeed =>
  new ExampleSeed(`${entity.table}/${row}/${path}`, path.split('.').at(-1))

// --- the columns of a row ----------------------------------------------------------------

function createOwnRows(entity: Entity, count: number): MockRow[] {
  const used = new Map<string, Set<unknown>>()
  const { distinct } = entity
  return Array.from({ length: count }, (_, i) => {
    const row: MockRow = Object.assign(createEmptyRow(), { [ROW_COLUMN]: i + 1 })
    for (const part of entity.parts.values())
      if (part.type === 'column' || part.type === 'struct') fillPart(entity, part, row, count)
    for (const column of distinct) row[column] = createUniqueValue(entity, column, i, used)
    return row
  }).filter((row) => distinct.every((column) => row[column] !== undefined))
}

function fillPart(entity: Entity, part: ColumnPart | StructPart, row: MockRow, count: number): void {
  const { attribute } = part
  const i = Number(row[ROW_COLUMN]) - 1
  const path = part.type === 'column' ? part.column : `${[...part.parts.keys()].join()}?`
  // The first row has no gaps, because it is the one that people look at.
  if (i > 0 && !isAlwaysPresent(attribute) && createSeed(entity, i, `${path}?`).numberBelow(6) === 0) return
  if (part.type === 'struct') {
    for (const one of part.parts.values()) fillPart(entity, one, row, count)
    return
  }
  // Several rows share a group, and thus a value: orders have ties to break.
  const group = createSeed(entity, i, `${path}#`).numberBelow(Math.ceil(count * 0.7))
  row[path] = createColumnValue(part, createSeed(entity, group, path))
}

/** Creates the value of a column. */
export function createColumnValue({ attribute, kind }: ColumnPart, seed: ExampleSeed): unknown {
  const value = createValue(attribute, seed)
  if (value === undefined || value === null) return null
  return kind === 'json' ? (toJsonValue(attribute, value) ?? null) : value
}

/** Creates a value that no other row has in a column; undefined if none is found. */
export function createUniqueValue(entity: Entity, column: string, i: number, used: Map<string, Set<unknown>>): unknown {
  const attribute = entity.findScalarPart(column)?.attribute ?? (entity.hiddenAttributes.get(column) as Attribute)
  const seen = used.get(column) ?? new Set()
  used.set(column, seen)
  for (let attempt = 0; attempt < 100; attempt++) {
    const value =
      createNumberedValue(attribute, i + attempt) ??
      (column === entity.credential ? createCredential(entity, attribute, i + attempt) : undefined) ??
      createValue(attribute, createSeed(entity, `${i}.${attempt}`, column))
    const comparable = value instanceof Date ? value.getTime() : value
    if (value === undefined || value === null || seen.has(comparable)) continue
    seen.add(comparable)
    return value
  }
  return undefined
}

// Credentials have no spaces, which headers would not take.
function createCredential(entity: Entity, attribute: Attribute, i: number): string | undefined {
  const text = [1, 2].map((start) => hashText(`${entity.table}/${i}`, start).toString(36)).join('')
  return toJsonValue(attribute, text) === undefined ? undefined : text
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

// --- links between rows -----------------------------------------------------------------------

function linkEntity(entity: Entity, rows: Map<Entity, MockRow[]>, done: Set<Entity>): void {
  if (done.has(entity)) return
  done.add(entity)
  for (const link of entity.links) {
    linkEntity(link.target, rows, done)
    const theirs = rows.get(link.target) ?? []
    for (const [i, row] of (rows.get(entity) ?? []).entries())
      linkRow(row, link, theirs, { isFirst: i === 0, seed: createSeed(entity, i, `${link.on.join()}>`) })
    rows.set(entity, limitLists(entity, link, rows.get(entity) ?? []))
  }
  rows.set(entity, dropDuplicates(entity, rows.get(entity) ?? []))
}

// A list has at most as many elements as its attribute permits: others have no owner, or are left out.
function limitLists(entity: Entity, { target, on, optional }: EntityLink, rows: readonly MockRow[]): MockRow[] {
  const columns = on.map(([ours]) => ours)
  const limits = [...target.parts.values()].flatMap((part) => {
    const isList = part.type === 'many' && part.target === entity && part.on.every(([, ours]) => columns.includes(ours))
    const { max } = part.attribute.options as { readonly max?: number }
    return isList && max !== undefined ? [max] : []
  })
  const limit = Math.min(...limits)
  const counts = new Map<string, number>()
  return rows.filter((row) => {
    const owner = JSON.stringify(columns.map((column) => String(row[column])))
    const count = (counts.get(owner) ?? 0) + 1
    counts.set(owner, count)
    if (count <= limit) return true
    if (optional) for (const column of columns) row[column] = null
    return optional
  })
}

function linkRow(
  row: MockRow,
  { on, optional, isOwned }: EntityLink,
  theirs: readonly MockRow[],
  { isFirst, seed }: { readonly isFirst: boolean; readonly seed: ExampleSeed },
): void {
  const isAlone = theirs.length === 0 || (!isFirst && optional && seed.at('alone').numberBelow(6) === 0)
  // Half of all owned rows belong to the first owner, so that its list has several pages; other rows are shared by a few.
  const ofFirst = isOwned && seed.at('first').numberBelow(2) === 0
  const candidates = isOwned ? theirs.length : Math.ceil(theirs.length / 3)
  const chosen = isAlone ? undefined : theirs[ofFirst ? 0 : seed.at('which').numberBelow(candidates)]
  for (const [ours, column] of on) row[ours] = chosen?.[column] ?? null
}

// Drops rows with equal keys, which may be composed of links, and rows without a required link.
function dropDuplicates(entity: Entity, rows: readonly MockRow[]): MockRow[] {
  const seen = new Set<string>()
  return rows.filter((row) => {
    const values = entity.identity.map((column) => row[column])
    const key = JSON.stringify(values.map(String))
    const required = entity.links.flatMap(({ optional, on }) => (optional ? [] : on.map(([ours]) => row[ours])))
    const isComplete = [...values, ...required].every((value) => value !== null && value !== undefined)
    if (!isComplete || seen.has(key)) return false
    seen.add(key)
    return true
  })
}

// --- plain values ------------------------------------------------------------------------

function createListedRows(entity: Entity, rows: ReadonlyMap<Entity, readonly MockRow[]>): MockRow[] {
  const [link] = entity.links as [EntityLink]
  const listedRows = (rows.get(link.target) ?? []).flatMap((owner) =>
    createListValues(entity, Number(owner[ROW_COLUMN])).map((value, i) => ({
      '~owner': owner[ROW_COLUMN],
      [POSITION_ATTRIBUTE]: i,
      [VALUE_ATTRIBUTE]: value,
    })),
  )
  return listedRows.map((row, i) => ({ [ROW_COLUMN]: i + 1, ...row }))
}

/** Creates the plain values of one owner's list, within the limits of its length. */
export function createListValues(entity: Entity, owner: number): readonly unknown[] {
  const { min = 0, max = Number.POSITIVE_INFINITY } = (entity.listAttribute?.options ?? {}) as {
    min?: number
    max?: number
  }
  const length = Math.max(min, Math.min(max, createSeed(entity, owner, 'length').numberBelow(4)))
  const part = entity.parts.get(VALUE_ATTRIBUTE) as ColumnPart
  const values = Array.from({ length }, (_, i) =>
    createColumnValue(part, createSeed(entity, createSeed(entity, owner, `${i}`).numberBelow(8), VALUE_ATTRIBUTE)),
  )
  // Values are distinct, as in a list of tags, unless the list would be too short.
  const distinct = [...new Set(values)]
  return distinct.length < min ? values : distinct
}
