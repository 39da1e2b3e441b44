// Writes related lists with their element: few statements for each list, however many members it has.
import { Refusal, type RefusedValue } from '../../../extend.ts'
import { and } from '../../query/combine-filters.ts'
import { memoryKinds } from '../../query/compare-values.ts'
import type { Column, ColumnValues, Datastore, Filter, Reference } from '../../query/query.ts'
import { codes } from '../codes.ts'
import { buildVisibilityFilters } from '../plan/filter-builder.ts'
import { buildKeysFilter } from '../read/assembly.ts'
import type { ResourceSource } from '../read/planned-query.ts'
import { getListedPointers, incrementVersion, toListedValues } from './column-values.ts'
import { withNamedConflicts } from './conflicts.ts'
import { type ListChange, type ListItem, refuseLength, type WritableList } from './related-lists.ts'
import { type LookupCache, refuseOutOfScope } from './scope-check.ts'
import { updateWithinScope } from './update.ts'

/** The lists of one element, and the values of its columns. */
export interface OwnedLists {
  readonly changes: readonly ListChange[]
  readonly owner: ColumnValues
  /** Whether the element is new, so that its lists are empty. */
  readonly isNew: boolean
}

/** A member that is written: its columns, without those of its element. */
interface Member {
  readonly item: ListItem
  readonly columns: Map<Column, unknown>
  /** The columns that only a new row gets. */
  readonly initial: ReadonlySet<Column>
}

/** A row as it is to be, and the member that it is of. */
interface NewRow extends Omit<Member, 'columns'> {
  readonly columns: ColumnValues
}

/** Changes of rows, and the keys of the rows that they are for. */
interface RowChanges {
  readonly changes: ColumnValues
  readonly rows: { readonly item: ListItem; readonly key: readonly unknown[] }[]
}

/** Checks what the payload says about lists, before anything is written. */
export function checkLists(source: ResourceSource, changes: readonly ListChange[]): void {
  const refusals = changes.flatMap((change) => change.refusals)
  if (refusals.length > 0) throw Refusal.ofPayload(refusals)
  for (const change of changes) {
    refuseRepeated(change)
    if (change.isReplaced) refuseLength(change, change.added.length)
    if (change.list.links === undefined) encodeMembers(source, change.list, change.added)
  }
}

/** Writes the lists of elements that are written themselves in the same transaction. */
export async function writeLists(source: ResourceSource, elements: readonly OwnedLists[]): Promise<void> {
  const lists = new Set(elements.flatMap(({ changes }) => changes.map(({ list }) => list)))
  for (const list of lists) {
    const parts = elements.flatMap(({ changes, owner, isNew }) =>
      changes.flatMap((change) => (change.list === list ? [{ change, owner, isNew }] : [])),
    )
    await writeList(source, list, parts)
  }
}

interface ListPart {
  readonly change: ListChange
  readonly owner: ColumnValues
  readonly isNew: boolean
}

async function writeList(source: ResourceSource, list: WritableList, parts: readonly ListPart[]): Promise<void> {
  const added = await resolveMembers(
    source,
    list,
    parts.flatMap(({ change }) => change.added),
    'refuse',
  )
  const rows: NewRow[] = []
  let from = 0
  for (const part of parts) {
    const end = from + part.change.added.length
    const members = added.slice(from, end) as readonly Member[]
    from = end
    // A client chooses how many there are: too many for the arguments of one call.
    for (const row of await changeList(source, part, members)) rows.push(row)
  }
  await insertRows(source, list, rows)
}

/** Removes and changes the rows of one list, and returns those to insert. */
async function changeList(source: ResourceSource, part: ListPart, members: readonly Member[]): Promise<NewRow[]> {
  const { change, owner, isNew } = part
  const { list } = change
  const foreign = list.on.map(([ours, theirs]) => [theirs, owner.get(ours) ?? null] as const)
  // An element that others refer to by nothing has no related ones.
  if (foreign.some(([, value]) => value === null)) {
    if (members.length === 0) return []
    throw Refusal.ofPayload([{ pointer: change.path, code: codes.issues.unwritable }])
  }
  for (const { item, columns } of members) setForeign(columns, foreign, item)
  const finish = (list_: readonly Member[], start = 0): NewRow[] =>
    list_.map((one, i) => ({ ...one, columns: withPosition(list, one.columns, start + i) }))
  if (isNew) {
    refuseLength(change, members.length)
    return finish(members)
  }
  const state = { source, list, foreign, current: await readCurrent(source, list, foreign, members) }
  return change.isReplaced ? replaceMembers(state, finish(members)) : addMembers(state, change, members, finish)
}

interface ListState {
  readonly source: ResourceSource
  readonly list: WritableList
  readonly foreign: readonly (readonly [Column, unknown])[]
  /** The rows that the caller sees, by their identity. */
  readonly current: ReadonlyMap<string, ColumnValues>
}

async function replaceMembers(state: ListState, rows: readonly NewRow[]): Promise<NewRow[]> {
  const { list, current } = state
  const inserted: NewRow[] = []
  const removed = new Map(current)
  const changed = new Map<string, RowChanges>()
  const isPlain = isPlainList(list)
  for (const row of rows) {
    const text = formatIdentity(list, row.columns)
    const existing = text === undefined ? undefined : current.get(text)
    if (text === undefined || existing === undefined) {
      if (text !== undefined) refuseUnknownKey(list, row.item)
      inserted.push(row)
      continue
    }
    const changes = findChanges(list, row, existing)
    // A row that only moves is written again: others may be in its place.
    if (changes.size > 0 && isPlain) inserted.push({ ...row, columns: mergeColumns(list, row, existing) })
    else removed.delete(text)
    if (changes.size === 0 || isPlain) continue
    const key = JSON.stringify([...changes].map(([column, value]) => [column.name, toText(column, value)]))
    const group = changed.get(key) ?? { changes, rows: [] }
    group.rows.push({ item: row.item, key: list.identity.map((column) => existing.get(column)) })
    changed.set(key, group)
  }
  await deleteRows(state, [...removed.values()])
  for (const group of changed.values()) await changeRows(state, group)
  return inserted
}

/** Returns whether the rows of a list say no more than what is in it, and where. */
const isPlainList = ({ links, node }: WritableList): boolean => links !== undefined || node.settings.value !== undefined

/** Returns the columns that a row keeps when it is written again; a generated key is made anew. */
function listKeptColumns({ table, identity }: WritableList): readonly Column[] {
  const isGeneratedKey = ({ name, optional }: Column): boolean => optional && table.key.includes(name)
  return [...table.columns.values()].filter(
    (column) =>
      identity.includes(column) ||
      (column.readOnly !== true && column.derived === undefined && column.kind !== 'other' && !isGeneratedKey(column)),
  )
}

/** Returns the columns of a row that is written again: what was sent, and what it has otherwise. */
function mergeColumns(list: WritableList, { columns, initial }: NewRow, existing: ColumnValues): ColumnValues {
  const kept = listKeptColumns(list).map((column) => [column, existing.get(column)] as const)
  return new Map([...kept, ...[...columns].filter(([column]) => !initial.has(column))])
}

/** Returns the columns of a row that is there and differs from what was sent. */
function findChanges(
  { target }: WritableList,
  { item, columns, initial }: NewRow,
  existing: ColumnValues,
): ColumnValues {
  const changes = new Map(
    [...columns].filter(([column, value]) => !initial.has(column) && !isSame(column, existing.get(column), value)),
  )
  const version = target.version?.column
  if (version === undefined || !changes.has(version)) return changes
  const pointer = getListedPointers(target, item, undefined).get(version) ?? item.path
  throw Refusal.ofPayload([{ pointer, code: codes.issues.unchangeable }])
}

/** Changes rows alike; those of a caller one by one, as each may leave the scope of its resource, or be linked beyond one. */
async function changeRows(state: ListState, { changes, rows }: RowChanges): Promise<void> {
  const { source, list } = state
  const { datastore, bounds } = source
  const model = list.target
  const columns = incrementVersion(model, changes)
  const buildRowsFilter = (some: RowChanges['rows']): Filter => {
    const keys = buildKeysFilter(
      list.identity,
      some.map(({ key }) => key),
    )
    return and([buildOwnerFilter(state), keys, ...buildSeenFilters(source, list)])
  }
  const parts = bounds === undefined ? [rows] : rows.map((row) => [row])
  for (const part of parts) {
    const { value: values, path } = (part[0] as RowChanges['rows'][number]).item
    const locate = () => ({ values, path })
    await withNamedConflicts({ datastore, model, rows: [columns], locate }, () =>
      updateWithinScope({ ...source, model }, columns, buildRowsFilter(part)),
    )
  }
}

// A new element with a generated key is none that the client can know.
function refuseUnknownKey({ identity, links, node, on, position }: WritableList, item: ListItem): void {
  const isGenerated = identity.every((column) => column.optional && column !== position)
  if (links !== undefined || node.settings.value !== undefined || !isGenerated || on.length === 0) return
  throw Refusal.ofPayload([{ pointer: item.path, code: codes.issues['unknown-related'] }])
}

async function addMembers(
  state: ListState,
  change: ListChange,
  members: readonly Member[],
  finish: (members: readonly Member[], start: number) => NewRow[],
): Promise<NewRow[]> {
  const { source, list, current } = state
  const gone = await resolveMembers(source, list, change.removed, 'omit')
  const removed = gone.flatMap((member) => {
    const text = member && formatIdentity(list, member.columns)
    const existing = text === undefined ? undefined : current.get(text)
    return existing === undefined ? [] : [existing]
  })
  // To add what is in the list already changes nothing, so that requests can be repeated.
  const added = members.filter(({ columns }) => {
    const text = formatIdentity(list, columns)
    return text === undefined || !current.has(text)
  })
  if (added.length > 0 || removed.length > 0) refuseLength(change, current.size + added.length - removed.length)
  await deleteRows(state, removed)
  const { position } = list
  const last = position === undefined ? [] : Array.from(current.values(), (row) => Number(row.get(position) ?? -1))
  return finish(added, last.reduce((a, b) => Math.max(a, b), -1) + 1)
}

// --- members -----------------------------------------------------------------------------

function refuseRepeated({ list, added, removed }: ListChange): void {
  const seen = new Map<string, string>()
  const refusals: RefusedValue[] = []
  for (const { value, path } of [...added, ...removed]) {
    const text = formatMember(list, value)
    const other = text === undefined ? undefined : seen.get(text)
    if (other !== undefined) refusals.push({ pointer: path, code: codes.issues['repeated-related'], detail: { other } })
    else if (text !== undefined) seen.set(text, path)
  }
  if (refusals.length > 0) throw Refusal.ofPayload(refusals)
}

/** Writes what a member is known by in a payload. */
function formatMember({ node, target }: WritableList, value: unknown): string | undefined {
  if (node.settings.value !== undefined) return JSON.stringify(value instanceof Date ? value.getTime() : String(value))
  if (typeof value !== 'object' || value === null) return undefined
  const key = target.key.map(({ name }) => (value as Readonly<Record<string, unknown>>)[name])
  return key.some((one) => one === undefined || one === null) ? undefined : JSON.stringify(key.map(String))
}

function encodeMembers({ bounds }: ResourceSource, list: WritableList, items: readonly ListItem[]): Member[] {
  const { target, node } = list
  const rows = toListedValues(target, items, node.settings.value, bounds?.getFixedValues(target))
  return rows.map(({ columns, initial }, i) => ({ item: items[i] as ListItem, columns: new Map(columns), initial }))
}

const NO_COLUMNS: ReadonlySet<Column> = new Set()

/** Returns the columns of members; those of a join table are found by the elements that the caller sees. */
async function resolveMembers(
  source: ResourceSource,
  list: WritableList,
  items: readonly ListItem[],
  unknowns: 'refuse' | 'omit',
): Promise<readonly (Member | undefined)[]> {
  const { links, target, node } = list
  if (items.length === 0) return []
  if (links === undefined) return encodeMembers(source, list, items)
  const { value } = node.settings
  const known = value === undefined ? target.key : [{ name: value, node: target.nodes.get(value) }]
  const columns = known.flatMap((one) => (one.node?.type === 'column' ? [one.node.column] : []))
  const wanted = items.map((item) => {
    const part = value === undefined ? pickKey(item, target.key) : item.value
    const [row] = toListedValues(target, [{ value: part, path: item.path }], value)
    return columns.map((column) => row?.columns.get(column) ?? null)
  })
  const selected = [...columns, ...links.map(([, theirs]) => theirs)]
  const sought = wanted.filter((one) => !one.includes(null))
  const filters = buildVisibilityFilters(target, 0, source.bounds)
  const found = new Map<string, readonly unknown[]>()
  for (const keys of splitKeys(source.datastore, sought, columns.length)) {
    const filter = and([...filters, buildKeysFilter(columns, keys)])
    for (const row of await selectRows(source.datastore, target.table, selected, filter))
      found.set(formatKey(columns, row), row.slice(columns.length))
  }
  const refusals: RefusedValue[] = []
  const members = items.map((item, i) => {
    const row = found.get(formatKey(columns, wanted[i] as readonly unknown[]))
    if (row !== undefined)
      return { item, columns: new Map(links.map(([ours], k) => [ours, row[k]])), initial: NO_COLUMNS }
    if (unknowns === 'refuse') refusals.push({ pointer: item.path, code: codes.issues['unknown-related'] })
    return undefined
  })
  if (refusals.length > 0) throw Refusal.ofPayload(refusals)
  return members
}

/** Returns the attributes of a member that identify it; those of its other attributes are not written. */
function pickKey({ value, path }: ListItem, key: WritableList['target']['key']): unknown {
  if (typeof value !== 'object' || value === null) return value
  const missing = key.filter(({ name }) => (value as Readonly<Record<string, unknown>>)[name] === undefined)
  if (missing.length > 0)
    throw Refusal.ofPayload(missing.map(({ name }) => ({ pointer: `${path}/${name}`, code: 'missing' })))
  return Object.fromEntries(key.map(({ name }) => [name, (value as Readonly<Record<string, unknown>>)[name]]))
}

function setForeign(columns: Map<Column, unknown>, foreign: ListState['foreign'], { path }: ListItem): void {
  for (const [column, value] of foreign) {
    if (columns.has(column) && !isSame(column, columns.get(column), value))
      throw Refusal.ofPayload([{ pointer: path, code: codes.issues.contradiction, detail: { other: 'its element' } }])
    columns.set(column, value)
  }
}

function withPosition({ position }: WritableList, columns: ColumnValues, place: number): ColumnValues {
  if (position === undefined || columns.has(position)) return columns
  return new Map([...columns, [position, position.kind === 'bigint' ? BigInt(place) : place]])
}

// --- rows --------------------------------------------------------------------------------

const toText = ({ kind }: Column, value: unknown): string => {
  if (value === null || value === undefined) return 'null'
  return memoryKinds[kind].isComparable(value) ? String(memoryKinds[kind].toCursorValue(value)) : JSON.stringify(value)
}

const isSame = (column: Column, a: unknown, b: unknown): boolean => toText(column, a) === toText(column, b)

const formatKey = (columns: readonly Column[], key: readonly unknown[]): string =>
  JSON.stringify(columns.map((column, i) => toText(column, key[i])))

function formatIdentity({ identity }: WritableList, columns: ColumnValues): string | undefined {
  const key = identity.map((column) => columns.get(column))
  return key.some((one) => one === undefined || one === null) ? undefined : formatKey(identity, key)
}

const buildOwnerFilter = ({ foreign }: Pick<ListState, 'foreign'>): Filter =>
  and(foreign.map(([column, value]): Filter => ({ op: '=', reference: { source: 0, column }, value })))

/** Returns the conditions of the rows that the caller sees; a row of a join table is seen with its element. */
function buildSeenFilters({ bounds }: ResourceSource, { links, target }: WritableList): readonly Filter[] {
  const filters = buildVisibilityFilters(target, 0, bounds)
  if (links === undefined || filters.length === 0) return filters
  const on = links.map(([ours, theirs]): readonly [Reference, Column] => [{ source: 0, column: ours }, theirs])
  return [{ op: 'exists', from: target.table, on, joins: [], filter: and(filters) }]
}

async function readCurrent(
  source: ResourceSource,
  list: WritableList,
  foreign: ListState['foreign'],
  members: readonly Member[],
): Promise<ReadonlyMap<string, ColumnValues>> {
  const written = members.flatMap(({ columns }) => [...columns.keys()])
  const kept = isPlainList(list) ? listKeptColumns(list) : []
  const columns = [...new Set([...list.identity, ...(list.position ? [list.position] : []), ...written, ...kept])]
  const filter = and([buildOwnerFilter({ foreign }), ...buildSeenFilters(source, list)])
  const rows = await selectRows(source.datastore, list.table, columns, filter)
  return new Map(
    rows.map((row) => {
      const values = new Map(columns.map((column, i) => [column, row[i]]))
      return [formatIdentity(list, values) ?? '', values]
    }),
  )
}

/** Reads columns of the rows that match. */
export async function selectRows(
  datastore: Datastore,
  from: WritableList['table'],
  wanted: readonly Column[],
  filter: Filter,
): Promise<readonly (readonly unknown[])[]> {
  const columns = wanted.map((column) => ({ source: 0, column }))
  const query = { from, joins: [], columns, filter, order: [], limit: undefined, offset: 0 }
  return (await datastore.select(query)).rows
}

/** Splits keys so that each part fits into a statement. */
export function* splitKeys<K>({ maxValues }: Datastore, keys: readonly K[], width: number): Generator<readonly K[]> {
  const size = Math.max(1, Math.min(10_000, Math.floor(maxValues / width) - 50))
  for (let from = 0; from < keys.length; from += size) yield keys.slice(from, from + size)
}

async function deleteRows(state: ListState, rows: readonly ColumnValues[]): Promise<void> {
  const { source, list } = state
  const keys = rows.map((row) => list.identity.map((column) => row.get(column)))
  const seen = buildSeenFilters(source, list)
  for (const part of splitKeys(source.datastore, keys, list.identity.length)) {
    const filter = and([buildOwnerFilter(state), buildKeysFilter(list.identity, part), ...seen])
    await source.datastore.delete(list.table, filter)
  }
}

async function insertRows(source: ResourceSource, list: WritableList, rows: readonly NewRow[]): Promise<void> {
  if (rows.length === 0) return
  const { datastore, bounds } = source
  const { target, table, links } = list
  const columns = rows.map((row) => row.columns)
  const attribute = links === undefined ? list.node.settings.value : undefined
  const locate = (row: number) => {
    const { value, path } = (rows[row] as NewRow).item
    return { values: links === undefined ? value : {}, path, attribute }
  }
  const write = { datastore, model: links === undefined ? target : { ...target, table }, rows: columns, locate }
  await withNamedConflicts(write, async () => {
    if (bounds !== undefined && links === undefined) {
      const lookups: LookupCache = new Map()
      const model = target
      for (const [index, one] of columns.entries())
        await refuseOutOfScope({ datastore, model, bounds, columns: one, row: undefined, index, lookups })
    }
    if (datastore.insertMany !== undefined) await datastore.insertMany(table, columns, [])
    else for (const one of columns) await datastore.insert(table, one)
  })
}
