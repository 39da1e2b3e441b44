// Writes of clients: payloads become rows, and the mock invents required values that the client did not send.

import { ownValue } from '../util/described.ts'
import {
  type ColumnPart,
  columnsIn,
  type Entity,
  isCertain,
  type ManyPart,
  type OnePart,
  POSITION,
  ROW,
  type StructPart,
  VALUE,
} from './entity.ts'
import { columnValue, emptyRow, type Row, uniqueValue, valuesFor } from './rows.ts'
import { RowSeed } from './seed.ts'
import type { Store, Where } from './store.ts'
import { ownForm, plainForm } from './values.ts'

type Structure = Readonly<Record<string, unknown>>

/** Adds an element with what was sent, and gives its row. */
export async function createRow(store: Store, entity: Entity, sent: Structure, within: Where): Promise<Row> {
  const row: Row = emptyRow()
  await put(store, entity, row, sent)
  Object.assign(row, within)
  await makeUnique(store, entity, row)
  await complete(store, entity, row)
  const stored = await store.insert(entity, row)
  await putLists(store, entity, stored, withMadeLists(entity, stored, sent))
  return stored
}

/** Changes what was sent of an element. */
export async function updateRow(store: Store, entity: Entity, row: Row, sent: Structure): Promise<void> {
  const changed: Row = Object.assign(emptyRow(), row)
  await put(store, entity, changed, sent)
  await complete(store, entity, changed)
  await store.update(entity, { [ROW]: row[ROW] }, changed)
  await putLists(store, entity, changed, sent)
}

/** Removes an element, and what cannot be without it. */
export async function deleteRow(store: Store, entity: Entity, row: Row): Promise<void> {
  await store.delete(entity, { [ROW]: row[ROW] })
  for (const other of store.entities)
    for (const link of other.links) {
      if (link.target !== entity) continue
      const where = Object.fromEntries(link.on.map(([ours, theirs]) => [ours, row[theirs]]))
      if (Object.values(where).includes(null)) continue
      if (link.optional) await store.update(other, where, emptied(link.on.map(([ours]) => ours)))
      else for (const below of await store.rows(other, where)) await deleteRow(store, other, below)
    }
}

const emptied = (columns: readonly string[]): Row => Object.fromEntries(columns.map((column) => [column, null]))

// --- attributes --------------------------------------------------------------------------

async function put(store: Store, entity: Entity, row: Row, sent: Structure): Promise<void> {
  for (const [name, part] of entity.parts) {
    const value = ownValue(sent, name)
    if (value === undefined) continue
    if (part.type === 'one') Object.assign(row, await reference(store, part, value))
    else if (part.type !== 'many') putPart(part, value, row)
  }
}

// A value that the payload allows and the media type does not could never be shown, so it is not stored.
function putPart(part: ColumnPart | StructPart, value: unknown, row: Row): void {
  if (value === null) for (const { column } of columnsIn(part)) row[column] = null
  else if (part.type === 'column') {
    const kept = part.kind === 'json' ? plainForm(part.attribute, value) : ownForm(part.attribute, value)
    if (kept !== undefined) row[part.column] = kept
  } else if (typeof value === 'object')
    for (const [name, one] of part.parts) {
      const inner = ownValue(value as Structure, name)
      if (inner !== undefined) putPart(one, inner, row)
    }
}

// Another element is named by its key; without one it is a new one.
async function reference(store: Store, { target, on }: OnePart, value: unknown): Promise<Row> {
  if (typeof value !== 'object' || value === null) return emptied(on.map(([ours]) => ours))
  const found = await named(store, target, value as Structure)
  return Object.fromEntries(on.map(([ours, theirs]) => [ours, found[theirs]]))
}

async function named(store: Store, entity: Entity, sent: Structure): Promise<Row> {
  const key = Object.fromEntries(entity.key.map((name) => [name, ownValue(sent, name)]))
  const isNamed = Object.values(key).every((value) => value !== undefined && value !== null)
  const [found] = isNamed ? await store.rows(entity, key) : []
  return found ?? createRow(store, entity, sent, {})
}

// --- lists -------------------------------------------------------------------------------

async function putLists(store: Store, entity: Entity, row: Row, sent: Structure): Promise<void> {
  for (const [name, part] of entity.parts) {
    if (part.type !== 'many') continue
    const value = ownValue(sent, name)
    if (!isListOf(part, value)) continue
    if (part.plain) await putValues(store, part, row, value)
    else await putElements(store, part, row, value as Structure[])
  }
}

const isListOf = ({ attribute }: ManyPart, value: unknown): value is unknown[] =>
  Array.isArray(value) && plainForm(attribute, value) !== undefined

// A new element gets its required lists of plain values, although the client did not send them.
function withMadeLists(entity: Entity, row: Row, sent: Structure): Structure {
  const made: Record<string, unknown> = { ...sent }
  for (const [name, part] of entity.parts) {
    if (part.type !== 'many' || !part.plain || isListOf(part, ownValue(sent, name))) continue
    const { min = 0, required } = part.attribute.options as { readonly min?: number; readonly required?: boolean }
    if (min > 0 || required) made[name] = valuesFor(part.target, Number(row[ROW]))
  }
  return made
}

async function putValues(store: Store, { target }: ManyPart, row: Row, values: readonly unknown[]): Promise<void> {
  const { attribute: element } = target.parts.get(VALUE) as ColumnPart
  await store.delete(target, { '~owner': row[ROW] })
  for (const [i, value] of values.entries())
    await store.insert(target, {
      '~owner': row[ROW],
      [POSITION]: i,
      [VALUE]: value === null ? null : ownForm(element, value),
    })
}

async function putElements(
  store: Store,
  { target, on }: ManyPart,
  row: Row,
  list: readonly Structure[],
): Promise<void> {
  const ours = Object.fromEntries(on.map(([mine, theirs]) => [theirs, row[mine]]))
  const isFree = target.links.some((link) => link.optional && link.on.every(([column]) => Object.hasOwn(ours, column)))
  const elements: Row[] = []
  for (const sent of list) elements.push(await named(store, target, sent))
  const stays = new Set(elements.map((element) => element[ROW]))
  for (const before of await store.rows(target, ours)) {
    if (stays.has(before[ROW])) continue
    if (isFree) await store.update(target, { [ROW]: before[ROW] }, emptied(Object.keys(ours)))
    else await deleteRow(store, target, before)
  }
  for (const element of elements) await store.update(target, { [ROW]: element[ROW] }, ours)
}

// --- missing values ----------------------------------------------------------------------

async function makeUnique(store: Store, entity: Entity, row: Row): Promise<void> {
  for (const column of entity.unique) {
    const kind = entity.columns.get(column)
    if ((row[column] ?? undefined) !== undefined || kind === 'integer' || kind === 'bigint') continue
    const others = await store.rows(entity, {})
    const used = new Map([[column, new Set(others.map((other) => other[column]))]])
    row[column] = uniqueValue(entity, column, others.length, used) ?? null
  }
}

// Rows that belong to others belong to the first of them by default.
async function complete(store: Store, entity: Entity, row: Row): Promise<void> {
  const isMissing = (column: string): boolean => row[column] === undefined || row[column] === null
  for (const { target, on, optional } of entity.links) {
    if (optional || !on.some(([ours]) => isMissing(ours))) continue
    const given = on.filter(([ours]) => !isMissing(ours)).map(([ours, theirs]) => [theirs, row[ours]] as const)
    const [first] = await store.rows(target, Object.fromEntries(given))
    for (const [ours, theirs] of on) row[ours] ??= first?.[theirs] ?? null
  }
  for (const [name, part] of entity.parts)
    if (part.type === 'column' || part.type === 'struct') fill(entity, part, name, row)
}

function fill(entity: Entity, part: ColumnPart | StructPart, path: string, row: Row): void {
  const columns = [...columnsIn(part)]
  const isThere = columns.some(({ column }) => row[column] !== undefined && row[column] !== null)
  if (!isThere && !isCertain(part.attribute)) return
  if (part.type === 'struct') for (const [name, one] of part.parts) fill(entity, one, `${path}.${name}`, row)
  // Numbers of unique columns are counted by the table.
  else if (!isThere && !(entity.unique.has(part.column) && /int/.test(part.kind)))
    row[part.column] = columnValue(part, new RowSeed(`${entity.table}/new/${path}`, path.split('.').at(-1)))
}
