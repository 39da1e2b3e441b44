// Assembly: rows become elements; related lists are read by one query each for all elements together, never one per element.
import { and, or } from '../../query/combine-filters.ts'
import { buildRelationFilters, buildFilter, locateColumn, createRelatedScope, buildVisibilityFilters } from '../plan/filter-builder.ts'
import { addKey } from '../plan/query-plan.ts'
import { type ManyShape, type RowShape, buildRowShape, type RequestedFields } from '../plan/row-shape.ts'
import type { ScopeBounds, QueryScope } from '../plan/query-scope.ts'
import type { Column, Datastore, Filter, OrderStep, Select } from '../../query/query.ts'
import { createColumnReader, type AssembledElement, buildElements, hasValue, type RowSet } from './build-elements.ts'
import { countRows } from './planned-query.ts'
import type { RelatedTree } from './related-options.ts'

type Row = readonly unknown[]
type ShapePart<P extends 'structs' | 'ones' | 'computeds'> = RowShape[P][number]

/** How deep lists may lie in lists. */
const MAX_DEPTH = 16

/** Makes an element of each row, up to a number of rows; a promise only when rows alone do not suffice. */
export function assembleElements(
  shape: RowShape,
  selected: RowSet,
  count: number,
  { datastore, bounds, related }: Omit<AssemblyContext, 'depth'>,
): AssembledElement[] | Promise<AssembledElement[]> {
  return assembleRows(shape, selected, count, { datastore, bounds, related, depth: 0 })
}

function assembleRows(shape: RowShape, selected: RowSet, count: number, run: AssemblyContext): AssembledElement[] | Promise<AssembledElement[]> {
  const elements = buildElements(shape, selected, count)
  return shape.isDeep ? completeElements(shape, { selected, elements, run }) : elements
}

interface AssemblyContext {
  readonly datastore: Datastore
  /** The bounds of the caller for related resources. */
  readonly bounds?: ScopeBounds | undefined
  /** The options that the call has for the lists below. */
  readonly related?: RelatedTree | undefined
  readonly depth: number
}

// Most calls have no options for the lists below.
const enterRelated = (run: AssemblyContext, name: string): AssemblyContext =>
  run.related === undefined ? run : { ...run, related: run.related.children.get(name) }

interface Assembly {
  /** As many rows as there are elements, or more. */
  readonly selected: RowSet
  readonly elements: readonly AssembledElement[]
  readonly run: AssemblyContext
}

/** Adds what rows alone do not give; each part writes an attribute of its own, so that all of them are read together. */
async function completeElements(shape: RowShape, assembly: Assembly & { readonly elements: AssembledElement[] }): Promise<AssembledElement[]> {
  const adding: Promise<void>[] = []
  for (const part of shape.structs) if (part.shape.isDeep) adding.push(addStructs(part, assembly))
  for (const part of shape.ones) if (part.shape.isDeep) adding.push(addOnes(part, assembly))
  for (const part of shape.manys) adding.push(addLists(part, assembly))
  for (const part of shape.computeds) adding.push(addComputed(part, assembly))
  await Promise.all(adding)
  return assembly.elements
}

async function addStructs(
  { name, nullable, alwaysPresent: certain, shape }: ShapePart<'structs'>,
  { selected, elements, run }: Assembly,
): Promise<void> {
  const made = await assembleRows(shape, selected, elements.length, enterRelated(run, name))
  for (const [i, structure] of made.entries()) {
    if (certain || hasValue(structure)) (elements[i] as AssembledElement)[name] = structure
    else if (nullable) (elements[i] as AssembledElement)[name] = null
  }
}

async function addOnes({ name, presence, shape }: ShapePart<'ones'>, { selected, elements, run }: Assembly): Promise<void> {
  const isPresent = (row: Row): boolean => row[presence] !== null && row[presence] !== undefined
  const all = selected.rows.slice(0, elements.length)
  const owners = elements.filter((_, i) => isPresent(all[i] as Row))
  const made = await assembleRows(shape, { rows: all.filter(isPresent) }, owners.length, enterRelated(run, name))
  for (const [i, owner] of owners.entries()) owner[name] = made[i]
}

async function addComputed(
  { name, node, shape }: ShapePart<'computeds'>,
  { selected, elements, run }: Assembly,
): Promise<void> {
  const needs = await assembleRows(shape, selected, elements.length, run)
  const values = await node.run(needs as never)
  if (values.length !== elements.length)
    throw new TypeError(`The attribute '${name}' was computed for ${values.length} of ${elements.length} elements`)
  for (const [i, element] of elements.entries()) element[name] = values[i]
}

// --- related lists ---------------------------------------------------------------------

async function addLists(part: ManyShape, { selected, elements, run }: Assembly): Promise<void> {
  const { name, indices } = part
  const keyAt = createKeyReader(selected, indices)
  const keys = new Map<string, Row>()
  const owners: (string | undefined)[] = new Array(elements.length)
  for (let i = 0; i < elements.length; i++) {
    const key = keyAt(i)
    if (key.includes(null) || key.includes(undefined)) continue
    const text = formatKey(key)
    keys.set(text, key)
    owners[i] = text
  }
  const lists =
    keys.size === 0 ? new Map<string, unknown[]>() : await readRelatedLists(part, [...keys.values()], enterRelated(run, name))
  for (let i = 0; i < elements.length; i++) {
    const owner = owners[i]
    ;(elements[i] as AssembledElement)[name] = owner === undefined ? [] : (lists.get(owner) ?? [])
  }
}

/** Makes the function that reads the key of a row. */
function createKeyReader(selected: RowSet, indices: readonly number[]): (row: number) => Row {
  const readers = indices.map((index) => createColumnReader(selected, index))
  const [only] = readers
  if (readers.length === 1 && only !== undefined) return (row) => [only(row)]
  return (row) => readers.map((read) => read(row))
}

/** Writes a key, so that keys of both sides can be compared. */
const formatKey = (key: Row): string =>
  key.length === 1 ? String(toComparable(key[0])) : JSON.stringify(key.map((value) => String(toComparable(value))))

const toComparable = (value: unknown): unknown => (value instanceof Date ? value.getTime() : value)

async function readRelatedLists(part: ManyShape, keys: readonly Row[], run: AssemblyContext): Promise<Map<string, unknown[]>> {
  if (run.depth >= MAX_DEPTH) throw new TypeError(`Lists are nested deeper than ${MAX_DEPTH} levels`)
  const own = run.related?.options
  const plan = getListPlan(part, own?.order ?? part.node.settings.order)
  const lists = new Map<string, unknown[]>()
  const size = Math.max(1, Math.floor(run.datastore.maxValues / plan.foreignColumns.length))
  for (let from = 0; from < keys.length; from += size) {
    const selected = await run.datastore.select(buildListQuery(part, plan, keys.slice(from, from + size), run))
    const elements = await assembleRows(plan.shape, selected, countRows(selected), { ...run, depth: run.depth + 1 })
    distributeElements(plan, elements, createKeyReader(selected, plan.indices), lists)
  }
  return lists
}

/** Puts elements into the lists of their keys. */
function distributeElements(
  { value, nullable }: RelatedListPlan,
  elements: readonly AssembledElement[],
  keyAt: (row: number) => Row,
  lists: Map<string, unknown[]>,
): void {
  let last: Row | undefined
  let list: unknown[] = []
  for (let i = 0; i < elements.length; i++) {
    const element = elements[i] as AssembledElement
    const one = value === undefined ? element : (element[value] ?? null)
    // In a list of plain values, what has none is nothing.
    if (one === null && !nullable) continue
    const key = keyAt(i)
    // Rows of one list mostly follow one another.
    if (last === undefined || !isSameKey(key, last)) list = getOrCreateList(lists, formatKey(key))
    list.push(one)
    last = key
  }
}

const isSameKey = (key: Row, other: Row): boolean => key.every((value, i) => value === other[i])

function getOrCreateList(lists: Map<string, unknown[]>, key: string): unknown[] {
  const known = lists.get(key)
  if (known !== undefined) return known
  const made: unknown[] = []
  lists.set(key, made)
  return made
}

function buildListQuery({ node }: ManyShape, plan: RelatedListPlan, keys: readonly Row[], { bounds, related }: AssemblyContext): Select {
  const own = related?.options
  const limit = own?.limit ?? node.settings.limit ?? Number.POSITIVE_INFINITY
  // Conditions may join further tables.
  const isPlain = node.where === undefined && own?.where === undefined
  const scope = isPlain ? plan.scope : plan.scope.copy(bounds)
  const target = node.target()
  const filters = [
    ...buildVisibilityFilters(target, plan.source, bounds),
    ...buildRelationFilters(node, scope, plan.source),
    ...(own?.where === undefined ? [] : [buildFilter(own.where, target, scope, plan.source)]),
  ]
  const isLimited = limit < Number.POSITIVE_INFINITY
  const all = isLimited ? filters : [buildKeysFilter(plan.foreignColumns, keys), ...filters]
  return {
    from: scope.from,
    joins: scope.getBoundedJoins(bounds),
    columns: plan.scope.columns,
    filter: all.length === 0 ? undefined : and(all),
    order: plan.order,
    limit: undefined,
    offset: 0,
    ...(isLimited && { perKey: { columns: plan.foreignColumns, keys, limit } }),
  }
}

interface RelatedListPlan {
  readonly scope: QueryScope
  /** The number of the related resource's table in it. */
  readonly source: number
  readonly shape: RowShape
  /** The columns that equal ours, and where they stand in each row. */
  readonly foreignColumns: readonly Column[]
  readonly indices: readonly number[]
  readonly order: readonly OrderStep[]
  readonly value: string | undefined
  /** Whether the list may contain null. */
  readonly nullable: boolean
}

/** How many orders are kept for one list. */
const MAX_CACHED_ORDERS = 64

const plansByShape = new WeakMap<ManyShape, Map<string, RelatedListPlan>>()

// Made when a list is first read, because a resource may contain lists of itself.
function getListPlan(part: ManyShape, order: readonly string[] = []): RelatedListPlan {
  const kept = plansByShape.get(part) ?? new Map<string, RelatedListPlan>()
  plansByShape.set(part, kept)
  const text = order.join()
  const known = kept.get(text)
  if (known !== undefined) return known
  if (kept.size >= MAX_CACHED_ORDERS) kept.delete(kept.keys().next().value as string)
  const plan = buildListPlan(part, order)
  kept.set(text, plan)
  return plan
}

function buildListPlan({ node, fields: shown }: ManyShape, asked: readonly string[]): RelatedListPlan {
  const { scope, source, on } = createRelatedScope(node)
  const target = node.target()
  const { value } = node.settings
  const wanted: RequestedFields = value === undefined ? shown : new Map([[value, {}]])
  const shape = buildRowShape(wanted, { nodes: target.nodes, scope, source })
  const theirs = on.map(([, column]) => column)
  const order = asked.map((term): OrderStep => {
    return {
      reference: locateColumn(term.replace(/^[-+]/, ''), target, scope, source).reference,
      descending: term.startsWith('-'),
    }
  })
  addKey(order, target, source, (step) => step)
  return {
    scope,
    source,
    shape,
    foreignColumns: theirs,
    indices: theirs.map((column) => scope.addColumn(0, column)),
    order,
    value,
    nullable: node.attribute.core.children['*']?.options.nullable ?? false,
  }
}

/** The condition that columns have the values of one of several keys. */
export function buildKeysFilter(columns: readonly Column[], keys: readonly Row[]): Filter {
  const references = columns.map((column) => ({ source: 0, column }))
  const [first] = references
  if (references.length === 1 && first !== undefined)
    return { op: 'in', reference: first, values: keys.map(([value]) => value) }
  return or(keys.map((key) => and(references.map((reference, i): Filter => ({ op: '=', reference, value: key[i] })))))
}
