// Crossings: a write must leave the element where its caller can see it, and link it to nothing that the caller cannot see.
import { Refusal } from '../../../extend.ts'
import { codes } from '../codes.ts'
import { memoryKinds } from '../../query/compare-values.ts'
import { compileFilter } from '../../query/evaluate-query.ts'
import type { CallerBounds } from '../plan/caller-bounds.ts'
import { and, or } from '../../query/combine-filters.ts'
import { getColumn } from '../plan/filter-builder.ts'
import type { Column, Datastore, Exists, Filter, ColumnValues } from '../../query/query.ts'
import type { Model, ModelNodes, OneNode } from '../model/model.ts'
import { type RelationLink, getIncomingLinks } from '../plan/relations.ts'

/** A write of columns by a caller. */
export interface ScopedWrite {
  readonly datastore: Datastore
  readonly model: Model
  readonly bounds: CallerBounds
  readonly columns: ColumnValues
  /** Which row is changed; undefined for a new one. */
  readonly row: Filter | undefined
  /** The lookups that writes of the same call have made already. */
  readonly lookups?: LookupCache
}

/** The condition that keeps a row within the bounds of its resource; undefined if the row cannot leave them. */
export async function buildScopeCondition(write: ScopedWrite): Promise<Filter | undefined> {
  const filter = write.bounds.getFilter(write.model, 0)
  return filter === undefined ? undefined : evaluateAfterWrite(filter, write)
}

/** Returns whether a write links the element to one that its caller cannot see. */
export async function isLinkedOutOfScope(write: ScopedWrite): Promise<boolean> {
  for (const filter of buildLinkFilters(write)) {
    const left = await evaluateAfterWrite(filter, write)
    if (!isAlwaysTrue(left)) return true
  }
  return false
}

/** Refuses a new element that its caller could not see, or that would be linked to what the caller cannot see. */
export async function refuseOutOfScope(write: ScopedWrite): Promise<void> {
  const stays = await buildScopeCondition(write)
  if (stays !== undefined && !isAlwaysTrue(stays)) throw createScopeRefusal()
  if (await isLinkedOutOfScope(write)) throw createLinkRefusal()
}

/** The answer to a write that would leave the bounds of its caller. */
export const createScopeRefusal = (): Refusal =>
  new Refusal({
    ...codes.failures['out-of-scope'],
    detail: 'The element would no longer be among those that you see.',
    reason: { code: 'out-of-scope' },
  })

/** The answer to a link to nothing, and to what cannot be seen. */
export const createLinkRefusal = (): Refusal => new Refusal(codes.failures.conflict)

/** Returns whether every row meets a condition. */
export const isAlwaysTrue = (filter: Filter): boolean => filter.op === 'and' && filter.of.length === 0

/** Returns whether no row meets a condition. */
export const isAlwaysFalse = (filter: Filter): boolean => filter.op === 'or' && filter.of.length === 0

const TRUE_FILTER: Filter = { op: 'and', of: [] }
const FALSE_FILTER: Filter = or([])

/** A condition on the row as it will be: what the written columns decide is decided, the rest stays a condition. */
async function evaluateAfterWrite(filter: Filter, write: ScopedWrite): Promise<Filter> {
  if (filter.op === 'and' || filter.op === 'or') {
    const parts: Filter[] = []
    for (const one of filter.of) parts.push(await evaluateAfterWrite(one, write))
    if (filter.op === 'and') return parts.some(isAlwaysFalse) ? FALSE_FILTER : and(parts.filter((one) => !isAlwaysTrue(one)))
    return parts.some(isAlwaysTrue) ? TRUE_FILTER : or(parts.filter((one) => !isAlwaysFalse(one)))
  }
  if ('from' in filter) return evaluateExists(filter, write)
  const { column } = filter.reference
  if (!isKnownAfterWrite(column, write)) return filter
  const value = write.columns.get(column) ?? null
  // A database may make anything of a value that is none of its column.
  if (value !== null && !memoryKinds[column.kind].isComparable(value)) return FALSE_FILTER
  const row = new Map([[column.name, value]])
  return compileFilter(filter, () => [])([row]) ? TRUE_FILTER : FALSE_FILTER
}

// A column that a new row leaves out gets its value from the database, which is unknown here.
const isKnownAfterWrite = (column: Column, { columns, row }: ScopedWrite): boolean =>
  columns.has(column) || (row === undefined && !column.optional)

async function evaluateExists(filter: Exists, write: ScopedWrite): Promise<Filter> {
  const { columns, row, datastore, model } = write
  if (row !== undefined && !filter.on.some(([{ column }]) => columns.has(column))) return filter
  const others = filter.on.map(([{ column }]) => column).filter((column) => !columns.has(column))
  const known = others.length === 0 || row === undefined ? undefined : await readCurrentValues(datastore, model, others, row)
  const values = filter.on.map(([{ column }]) => columns.get(column) ?? known?.get(column) ?? null)
  const links = filter.on.map(([, theirs], i): Filter => {
    return { op: '=', reference: { source: 0, column: theirs }, value: values[i] }
  })
  const { from, joins } = filter
  const look = () => datastore.count({ from, joins, filter: and([...links, filter.filter]) })
  const count = values.includes(null) ? 0 : await lookUpOnce(write, filter.filter, values, look)
  return count > 0 === (filter.op === 'exists') ? TRUE_FILTER : FALSE_FILTER
}

/** The looks of a write at what it links to, by the condition that those meet and by the values that lead there. */
export type LookupCache = Map<Filter, Map<string, Promise<number>>>

// Many new elements are mostly linked to few others.
function lookUpOnce(
  { lookups: looks }: ScopedWrite,
  filter: Filter,
  values: readonly unknown[],
  look: () => Promise<number>,
): Promise<number> {
  if (looks === undefined) return look()
  const known = looks.get(filter) ?? new Map<string, Promise<number>>()
  looks.set(filter, known)
  const text = JSON.stringify(values.map(String))
  const found = known.get(text) ?? look()
  known.set(text, found)
  return found
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

function* buildLinkFilters({ model, bounds, columns, row }: ScopedWrite): Generator<Filter> {
  for (const { target, on } of [...iterateLinks(model.nodes), ...getIncomingLinks(model)]) {
    const filter = bounds.getFilter(target, 0)
    if (filter === undefined || !on.some(([ours]) => columns.has(ours))) continue
    // A new row that leaves out a column of several is linked to nothing by the others.
    if (row === undefined && on.some(([ours]) => ours.nullable && !columns.has(ours))) continue
    const nothing = on.map(([column]): Filter => ({ op: 'null', reference: { source: 0, column } }))
    const pairs = on.map(([column, theirs]) => [{ source: 0, column }, theirs] as const)
    yield or([...nothing, { op: 'exists', from: target.table, on: pairs, joins: [], filter }])
  }
}

function* iterateLinks(nodes: ModelNodes): Generator<RelationLink> {
  for (const node of nodes.values()) {
    if (node.type === 'struct') yield* iterateLinks(node.nodes)
    else if (node.type === 'one') yield toRelationLink(node)
  }
}

function toRelationLink(node: OneNode): RelationLink {
  const target = node.target()
  return { target, on: node.on.map(([ours, name]) => [ours, getColumn(target, name)]) }
}
