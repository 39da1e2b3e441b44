// Writes of clients: stores payloads as rows, and generates required values that the client did not send.

import { ExampleSeed } from '../schema/example.ts'
import { getOwnValue } from '../util/describe-value.ts'
import { createColumnValue, createEmptyRow, createListValues, createUniqueValue, type MockRow } from './create-rows.ts'
import {
  type ColumnPart,
  type Entity,
  type EntityLink,
  isAlwaysPresent,
  listColumns,
  POSITION_ATTRIBUTE,
  ROW_COLUMN,
  type StructPart,
  type ToManyPart,
  type ToOnePart,
  VALUE_ATTRIBUTE,
} from './entity.ts'
import { reloadValue, toJsonValue } from './example-values.ts'
import type { MockStore, RowCondition } from './mock-store.ts'

type SentFields = Readonly<Record<string, unknown>>

/** Inserts an element with the sent values, and returns its row. */
export async function createRow(
  store: MockStore,
  entity: Entity,
  sent: SentFields,
  within: RowCondition,
): Promise<MockRow> {
  return insertRow(store, entity, { sent, within, chain: [] })
}

/** A row that is being written, and the writes that wait for it. */
interface UnwrittenRow {
  readonly entity: Entity
  readonly waiting: ((written: MockRow) => Promise<void>)[]
}

async function insertRow(
  store: MockStore,
  entity: Entity,
  // The rows that need this one.
  { sent, within, chain }: { sent: SentFields; within: RowCondition; chain: readonly UnwrittenRow[] },
): Promise<MockRow> {
  const row: MockRow = createEmptyRow()
  const own: UnwrittenRow = { entity, waiting: [] }
  await applyFields(store, entity, row, sent)
  Object.assign(row, within)
  await fillUniqueColumns(store, entity, row)
  const open = await fillMissing(store, entity, row, [...chain, own])
  const stored = await store.insert(entity, row)
  for (const { link, to } of open)
    to.waiting.push((written) => {
      const columns = link.on.map(([ours, theirs]) => [ours, written[theirs]])
      return store.update(entity, { [ROW_COLUMN]: stored[ROW_COLUMN] }, Object.fromEntries(columns))
    })
  for (const refer of own.waiting) await refer(stored)
  await saveLists(store, entity, stored, withRequiredLists(entity, stored, sent))
  return stored
}

/** Updates an element with the sent values. */
export async function updateRow(store: MockStore, entity: Entity, row: MockRow, sent: SentFields): Promise<void> {
  const changed: MockRow = Object.assign(createEmptyRow(), row)
  await applyFields(store, entity, changed, sent)
  await fillMissing(store, entity, changed, [])
  await store.update(entity, { [ROW_COLUMN]: row[ROW_COLUMN] }, changed)
  await saveLists(store, entity, changed, sent)
}

/** Deletes an element and the rows that cannot exist without it. */
export async function deleteRow(store: MockStore, entity: Entity, row: MockRow): Promise<void> {
  await store.delete(entity, { [ROW_COLUMN]: row[ROW_COLUMN] })
  for (const other of store.entities)
    for (const link of other.links) {
      if (link.target !== entity) continue
      const where = Object.fromEntries(link.on.map(([ours, theirs]) => [ours, row[theirs]]))
      if (Object.values(where).includes(null)) continue
      if (link.optional) await store.update(other, where, clearColumns(link.on.map(([ours]) => ours)))
      else for (const below of await store.findRows(other, where)) await deleteRow(store, other, below)
    }
}

const clearColumns = (columns: readonly string[]): MockRow =>
  Object.fromEntries(columns.map((column) => [column, null]))

// --- attributes --------------------------------------------------------------------------

async function applyFields(store: MockStore, entity: Entity, row: MockRow, sent: SentFields): Promise<void> {
  for (const [name, part] of entity.parts) {
    const value = getOwnValue(sent, name)
    if (value === undefined) continue
    if (part.type === 'one') Object.assign(row, await resolveReference(store, part, value))
    else if (part.type !== 'many') applyPart(part, value, row)
  }
  for (const [name, part] of entity.secrets) {
    const value = getOwnValue(sent, name)
    if (value !== undefined) applyPart(part, value, row)
  }
}

// A value that the payload allows but the media type does not could never be shown, so it is not stored.
function applyPart(part: ColumnPart | StructPart, value: unknown, row: MockRow): void {
  if (value === null) for (const { column } of listColumns(part)) row[column] = null
  else if (part.type === 'column') {
    const stored = part.kind === 'json' ? toJsonValue(part.attribute, value) : reloadValue(part.attribute, value)
    if (stored !== undefined) row[part.column] = stored
  } else if (typeof value === 'object')
    for (const [name, one] of part.parts) {
      const inner = getOwnValue(value as SentFields, name)
      if (inner !== undefined) applyPart(one, inner, row)
    }
}

// A reference is resolved by its key; without one, a new element is created.
async function resolveReference(store: MockStore, { target, on }: ToOnePart, value: unknown): Promise<MockRow> {
  if (typeof value !== 'object' || value === null) return clearColumns(on.map(([ours]) => ours))
  const found = await findOrCreateRow(store, target, value as SentFields)
  return Object.fromEntries(on.map(([ours, theirs]) => [ours, found[theirs]]))
}

async function findOrCreateRow(store: MockStore, entity: Entity, sent: SentFields): Promise<MockRow> {
  const key = Object.fromEntries(entity.key.map((name) => [name, getOwnValue(sent, name)]))
  const isNamed =
    entity.key.length > 0 &&
    !entity.hasLikelyKey &&
    Object.values(key).every((value) => value !== undefined && value !== null)
  const [found] = isNamed ? await store.findRows(entity, key) : []
  return found ?? createRow(store, entity, sent, {})
}

// --- lists -------------------------------------------------------------------------------

async function saveLists(store: MockStore, entity: Entity, row: MockRow, sent: SentFields): Promise<void> {
  for (const [name, part] of entity.parts) {
    if (part.type !== 'many') continue
    const value = getOwnValue(sent, name)
    if (!isValidList(part, value)) continue
    if (part.isValueList) await replaceValues(store, part, row, value)
    else await replaceElements(store, part, row, value as SentFields[])
  }
}

const isValidList = ({ attribute }: ToManyPart, value: unknown): value is unknown[] =>
  Array.isArray(value) && toJsonValue(attribute, value) !== undefined

// A new element gets its required lists of plain values even if the client did not send them.
function withRequiredLists(entity: Entity, row: MockRow, sent: SentFields): SentFields {
  const completed: Record<string, unknown> = { ...sent }
  for (const [name, part] of entity.parts) {
    if (part.type !== 'many' || !part.isValueList || isValidList(part, getOwnValue(sent, name))) continue
    const { min = 0, required } = part.attribute.options as { readonly min?: number; readonly required?: boolean }
    if (min > 0 || required) completed[name] = createListValues(part.target, Number(row[ROW_COLUMN]))
  }
  return completed
}

async function replaceValues(
  store: MockStore,
  { target }: ToManyPart,
  row: MockRow,
  values: readonly unknown[],
): Promise<void> {
  const { attribute: element } = target.parts.get(VALUE_ATTRIBUTE) as ColumnPart
  await store.delete(target, { '~owner': row[ROW_COLUMN] })
  for (const [i, value] of values.entries())
    await store.insert(target, {
      '~owner': row[ROW_COLUMN],
      [POSITION_ATTRIBUTE]: i,
      [VALUE_ATTRIBUTE]: value === null ? null : reloadValue(element, value),
    })
}

async function replaceElements(
  store: MockStore,
  { target, on, position }: ToManyPart,
  row: MockRow,
  list: readonly SentFields[],
): Promise<void> {
  const ours = Object.fromEntries(on.map(([mine, theirs]) => [theirs, row[mine]]))
  const isFree = target.links.some((link) => link.optional && link.on.every(([column]) => Object.hasOwn(ours, column)))
  const elements: MockRow[] = []
  for (const sent of list) elements.push(await findOrCreateRow(store, target, sent))
  const keptRows = new Set(elements.map((element) => element[ROW_COLUMN]))
  for (const existing of await store.findRows(target, ours)) {
    if (keptRows.has(existing[ROW_COLUMN])) continue
    if (isFree) await store.update(target, { [ROW_COLUMN]: existing[ROW_COLUMN] }, clearColumns(Object.keys(ours)))
    else await deleteRow(store, target, existing)
  }
  for (const [place, element] of elements.entries())
    await store.update(target, { [ROW_COLUMN]: element[ROW_COLUMN] }, { ...ours, [position as string]: place })
}

// --- missing values ----------------------------------------------------------------------

async function fillUniqueColumns(store: MockStore, entity: Entity, row: MockRow): Promise<void> {
  for (const column of entity.distinct) {
    const kind = entity.columns.get(column)
    if ((row[column] ?? undefined) !== undefined || kind === 'integer' || kind === 'bigint') continue
    const others = await store.findRows(entity, {})
    const used = new Map([[column, new Set(others.map((other) => other[column]))]])
    row[column] = createUniqueValue(entity, column, others.length, used) ?? null
  }
}

// Required references default to the first row, or to a new one where all were deleted. Returns those to rows that are being
// written, as rows that need each other are.
async function fillMissing(
  store: MockStore,
  entity: Entity,
  row: MockRow,
  chain: readonly UnwrittenRow[],
): Promise<readonly { readonly link: EntityLink; readonly to: UnwrittenRow }[]> {
  const isMissing = (column: string): boolean => row[column] === undefined || row[column] === null
  const open: { readonly link: EntityLink; readonly to: UnwrittenRow }[] = []
  for (const link of entity.links) {
    const { target, on, optional } = link
    if (optional || !on.some(([ours]) => isMissing(ours))) continue
    const present = on.filter(([ours]) => !isMissing(ours)).map(([ours, theirs]) => [theirs, row[ours]] as const)
    const within = Object.fromEntries(present)
    const to = chain.find((one) => one.entity === target)
    const [found] = await store.findRows(target, within)
    const first = found ?? (to === undefined ? await insertRow(store, target, { sent: {}, within, chain }) : undefined)
    if (first === undefined && to !== undefined) open.push({ link, to })
    for (const [ours, theirs] of on) row[ours] ??= first?.[theirs] ?? null
  }
  for (const [name, part] of entity.parts)
    if (part.type === 'column' || part.type === 'struct') fillMissingPart(entity, part, name, row)
  return open
}

function fillMissingPart(entity: Entity, part: ColumnPart | StructPart, path: string, row: MockRow): void {
  const columns = [...listColumns(part)]
  const hasValue = columns.some(({ column }) => row[column] !== undefined && row[column] !== null)
  if (!hasValue && !isAlwaysPresent(part.attribute)) return
  if (part.type === 'struct') for (const [name, one] of part.parts) fillMissingPart(entity, one, `${path}.${name}`, row)
  // The table numbers its unique integer columns.
  else if (!hasValue && !(entity.distinct.includes(part.column) && /int/.test(part.kind)))
    row[part.column] = createColumnValue(part, new ExampleSeed(`${entity.table}/new/${path}`, path.split('.').at(-1)))
}
