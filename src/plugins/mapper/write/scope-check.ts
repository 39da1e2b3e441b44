// Scope checks: a write must leave the element visible to its caller, and must not link it to elements that are not.
import { Refusal } from '../../../extend.ts'
import { and, or } from '../../query/combine-filters.ts'
import { memoryKinds } from '../../query/compare-values.ts'
import { compileFilter } from '../../query/evaluate-query.ts'
import type { Column, ColumnValues, Conflict, Datastore, Exists, Filter } from '../../query/query.ts'
import { codes } from '../codes.ts'
import type { Model, ModelNodes, OneNode } from '../model/model.ts'
import type { CallerBounds } from '../plan/caller-bounds.ts'
import { getColumn } from '../plan/filter-builder.ts'
import { getParentLinks, type ParentLink } from '../plan/relations.ts'

/** A write of columns by a caller. */
export interface ScopedWrite {
  readonly datastore: Datastore
  readonly model: Model
  readonly bounds: CallerBounds
  readonly columns: ColumnValues
  /** The condition of the changed row; undefined for a new row. */
  readonly row: Filter | undefined
  /** The index of a new row among those of the call. */
  readonly index?: number
  /** The lookups of earlier writes of the same call. */
  readonly lookups?: LookupCache
}

/** Returns the condition that keeps a row within the scope of its resource; undefined if the row cannot leave it. */
export async function buildScopeCondition(write: ScopedWrite): Promise<Filter | undefined> {
  const filter = write.bounds.getFilter(write.model, 0)
  return filter === undefined ? undefined : evaluateAfterWrite(filter, write)
}

/** Returns the columns by which a write links the element to one that is not visible to its caller. */
export async function findHiddenLink(write: ScopedWrite): Promise<readonly Column[] | undefined> {
  for (const { filter, columns } of buildLinkFilters(write)) {
    const remaining = await evaluateAfterWrite(filter, write)
    if (!isAlwaysTrue(remaining)) return columns
  }
  return undefined
}

/** Refuses a new element that would not be visible to its caller, or would be linked to one that is not. */
export async function refuseOutOfScope(write: ScopedWrite): Promise<void> {
  const condition = await buildScopeCondition(write)
  if (condition !== undefined && !isAlwaysTrue(condition)) throw createScopeRefusal()
  const columns = await findHiddenLink(write)
  if (columns !== undefined) throw new KnownConflict({ kind: 'reference', columns, row: write.index ?? 0 })
}

/** A conflict with an element that the caller does not see; it is reported like one with an element that does not exist. */
export class KnownConflict extends Error {
  readonly '~conflict': Conflict

  constructor(conflict: Conflict) {
    super('The write conflicts with an element that the caller does not see')
    this.name = 'KnownConflict'
    this['~conflict'] = conflict
  }
}

/** Returns what a known conflict is about; undefined for other errors. */
export const getKnownConflict = (error: unknown): Conflict | undefined =>
  (error as Partial<KnownConflict> | undefined)?.['~conflict']

/** Creates the refusal of a write that would leave the scope of its caller. */
export const createScopeRefusal = (): Refusal =>
  new Refusal({
    ...codes.failures['out-of-scope'],
    detail: 'The element would no longer be among those that you see.',
    reason: { code: 'out-of-scope' },
  })

/** Returns whether a condition is true for every row. */
export const isAlwaysTrue = (filter: Filter): boolean => filter.op === 'and' && filter.of.length === 0

/** Returns whether a condition is false for every row. */
export const isAlwaysFalse = (filter: Filter): boolean => filter.op === 'or' && filter.of.length === 0

const TRUE_FILTER: Filter = { op: 'and', of: [] }
const FALSE_FILTER: Filter = or([])

/** Evaluates a condition on the row after the write: the written columns are decided, the rest remains a condition. */
async function evaluateAfterWrite(filter: Filter, write: ScopedWrite): Promise<Filter> {
  if (filter.op === 'and' || filter.op === 'or') {
    const parts: Filter[] = []
    for (const one of filter.of) parts.push(await evaluateAfterWrite(one, write))
    if (filter.op === 'and')
      return parts.some(isAlwaysFalse) ? FALSE_FILTER : and(parts.filter((one) => !isAlwaysTrue(one)))
    return parts.some(isAlwaysTrue) ? TRUE_FILTER : or(parts.filter((one) => !isAlwaysFalse(one)))
  }
  if ('from' in filter) return evaluateExists(filter, write)
  const { column } = filter.reference
  if (!isKnownAfterWrite(column, write)) return filter
  const value = write.columns.get(column) ?? null
  // A database may convert a value of another kind in any way.
  if (value !== null && !memoryKinds[column.kind].isComparable(value)) return FALSE_FILTER
  const row = new Map([[column.name, value]])
  return compileFilter(filter, () => [])([row]) ? TRUE_FILTER : FALSE_FILTER
}

// The database sets a column that a new row omits: its value is unknown here.
const isKnownAfterWrite = (column: Column, { columns, row }: ScopedWrite): boolean =>
  columns.has(column) || (row === undefined && !column.optional)

async function evaluateExists(filter: Exists, write: ScopedWrite): Promise<Filter> {
  const { columns, row, datastore, model } = write
  if (row !== undefined && !filter.on.some(([{ column }]) => columns.has(column))) return filter
  const missing = filter.on.map(([{ column }]) => column).filter((column) => !columns.has(column))
  const current =
    missing.length === 0 || row === undefined ? undefined : await readCurrentValues(datastore, model, missing, row)
  const values = filter.on.map(([{ column }]) => columns.get(column) ?? current?.get(column) ?? null)
  const links = filter.on.map(([, theirs], i): Filter => {
    return { op: '=', reference: { source: 0, column: theirs }, value: values[i] }
  })
  const { from, joins } = filter
  const countLinked = () => datastore.count({ from, joins, filter: and([...links, filter.filter]) })
  const count = values.includes(null) ? 0 : await lookUpOnce(write, filter.filter, values, countLinked)
  return count > 0 === (filter.op === 'exists') ? TRUE_FILTER : FALSE_FILTER
}

/** The cached lookups of linked elements, by condition and by key. */
export type LookupCache = Map<Filter, Map<string, Promise<number>>>

// Many new elements mostly reference few others.
function lookUpOnce(
  { lookups }: ScopedWrite,
  filter: Filter,
  values: readonly unknown[],
  countLinked: () => Promise<number>,
): Promise<number> {
  if (lookups === undefined) return countLinked()
  const cached = lookups.get(filter) ?? new Map<string, Promise<number>>()
  lookups.set(filter, cached)
  const text = JSON.stringify(values.map(String))
  const pending = cached.get(text) ?? countLinked()
  cached.set(text, pending)
  return pending
}

async function readCurrentValues(
  datastore: Datastore,
  { table }: Model,
  wanted: readonly Column[],
  filter: Filter,
): Promise<ColumnValues> {
  const columns = wanted.map((column) => ({ source: 0, column }))
  const { rows } = await datastore.select({ from: table, joins: [], columns, filter, order: [], limit: 1, offset: 0 })
  return new Map(wanted.map((column, i) => [column, rows[0]?.[i] ?? null]))
}

// --- links -----------------------------------------------------------------------------

interface LinkFilter {
  readonly columns: readonly Column[]
  readonly filter: Filter
}

function* buildLinkFilters({ model, bounds, columns, row }: ScopedWrite): Generator<LinkFilter> {
  for (const { parent: target, on } of [...iterateLinks(model.nodes), ...getParentLinks(model)]) {
    const filter = bounds.getFilter(target, 0)
    if (filter === undefined || !on.some(([ours]) => columns.has(ours))) continue
    // A new row with a null foreign key column references nothing.
    if (row === undefined && on.some(([ours]) => ours.nullable && !columns.has(ours))) continue
    const unlinked = on.map(([column]): Filter => ({ op: 'null', reference: { source: 0, column } }))
    const pairs = on.map(([column, theirs]) => [{ source: 0, column }, theirs] as const)
    const visible: Filter = { op: 'exists', from: target.table, on: pairs, joins: [], filter }
    yield { columns: on.map(([ours]) => ours), filter: or([...unlinked, visible]) }
  }
}

function* iterateLinks(nodes: ModelNodes): Generator<ParentLink> {
  for (const node of nodes.values()) {
    if (node.type === 'struct') yield* iterateLinks(node.nodes)
    else if (node.type === 'one') yield toRelationLink(node)
  }
}

function toRelationLink(node: OneNode): ParentLink {
  const target = node.target()
  return { parent: target, on: node.on.map(([ours, name]) => [ours, getColumn(target, name)]) }
}
