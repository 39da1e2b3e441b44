// Assembly: converts rows to elements; each related list is read by one query for all elements, never one per element.
import { and, or } from '../../query/combine-filters.ts'
import type { Column, Datastore, Filter, OrderStep, Select } from '../../query/query.ts'
import {
  buildFilter,
  buildRelationFilters,
  buildVisibilityFilters,
  createRelatedScope,
  locateColumn,
} from '../plan/filter-builder.ts'
import { addKey } from '../plan/query-plan.ts'
import type { QueryScope, ScopeBounds } from '../plan/query-scope.ts'
import { buildRowShape, type ManyShape, type RequestedFields, type RowShape } from '../plan/row-shape.ts'
import { type AssembledElement, buildElements, createColumnReader, hasValue, type RowSet } from './build-elements.ts'
import { countRows } from './planned-query.ts'
import type { RelatedTree } from './related-options.ts'

type Row = readonly unknown[]
type ShapePart<P extends 'structs' | 'ones' | 'computeds'> = RowShape[P][number]

/** The maximum nesting depth of lists. */
const MAX_DEPTH = 16

/** Converts the first `count` rows to elements; returns a promise only if the rows do not suffice. */
export function assembleElements(
  shape: RowShape,
  selected: RowSet,
  count: number,
  { datastore, bounds, related }: Omit<AssemblyContext, 'depth'>,
): AssembledElement[] | Promise<AssembledElement[]> {
  return assembleRows(shape, selected, count, { datastore, bounds, related, depth: 0 })
}

function assembleRows(
  shape: RowShape,
  selected: RowSet,
  count: number,
  context: AssemblyContext,
): AssembledElement[] | Promise<AssembledElement[]> {
  const elements = buildElements(shape, selected, count)
  return shape.isDeep ? completeElements(shape, { selected, elements, context }) : elements
}

interface AssemblyContext {
  readonly datastore: Datastore
  /** The caller's bounds for related resources. */
  readonly bounds?: ScopeBounds | undefined
  /** The options of the call for related lists. */
  readonly related?: RelatedTree | undefined
  readonly depth: number
}

// Most calls have no options for related lists.
const enterRelated = (context: AssemblyContext, name: string): AssemblyContext =>
  context.related === undefined ? context : { ...context, related: context.related.children.get(name) }

interface Assembly {
  /** At least as many rows as elements. */
  readonly selected: RowSet
  readonly elements: readonly AssembledElement[]
  readonly context: AssemblyContext
}

/** Adds the attributes that are not in the rows; each part writes a different attribute, so all are read in parallel. */
async function completeElements(
  shape: RowShape,
  assembly: Assembly & { readonly elements: AssembledElement[] },
): Promise<AssembledElement[]> {
  const pending: Promise<void>[] = []
  for (const part of shape.structs) if (part.shape.isDeep) pending.push(addStructs(part, assembly))
  for (const part of shape.ones) if (part.shape.isDeep) pending.push(addOnes(part, assembly))
  for (const part of shape.manys) pending.push(addLists(part, assembly))
  for (const part of shape.computeds) pending.push(addComputed(part, assembly))
  await Promise.all(pending)
  return assembly.elements
}

async function addStructs(
  { name, nullable, alwaysPresent, shape }: ShapePart<'structs'>,
  { selected, elements, context }: Assembly,
): Promise<void> {
  const structures = await assembleRows(shape, selected, elements.length, enterRelated(context, name))
  for (const [i, structure] of structures.entries()) {
    if (alwaysPresent || hasValue(structure)) (elements[i] as AssembledElement)[name] = structure
    else if (nullable) (elements[i] as AssembledElement)[name] = null
  }
}

async function addOnes(
  { name, presence, shape }: ShapePart<'ones'>,
  { selected, elements, context }: Assembly,
): Promise<void> {
  const isPresent = (row: Row): boolean => row[presence] !== null && row[presence] !== undefined
  const rows = selected.rows.slice(0, elements.length)
  const owners = elements.filter((_, i) => isPresent(rows[i] as Row))
  const related = await assembleRows(
    shape,
    { rows: rows.filter(isPresent) },
    owners.length,
    enterRelated(context, name),
  )
  for (const [i, owner] of owners.entries()) owner[name] = related[i]
}

async function addComputed(
  { name, node, shape }: ShapePart<'computeds'>,
  { selected, elements, context }: Assembly,
): Promise<void> {
  const needs = await assembleRows(shape, selected, elements.length, context)
  const values = await node.run(needs as never, context.bounds?.context)
  if (values.length !== elements.length)
    throw new TypeError(`The attribute '${name}' was computed for ${values.length} of ${elements.length} elements`)
  for (const [i, element] of elements.entries()) element[name] = values[i]
}

// --- related lists ---------------------------------------------------------------------

async function addLists(part: ManyShape, { selected, elements, context }: Assembly): Promise<void> {
  const { name, indices } = part
  const readKey = createKeyReader(selected, indices)
  const keys = new Map<string, Row>()
  const owners: (string | undefined)[] = new Array(elements.length)
  for (let i = 0; i < elements.length; i++) {
    const key = readKey(i)
    if (key.includes(null) || key.includes(undefined)) continue
    const text = formatKey(key)
    keys.set(text, key)
    owners[i] = text
  }
  const lists =
    keys.size === 0
      ? new Map<string, unknown[]>()
      : await readRelatedLists(part, [...keys.values()], enterRelated(context, name))
  for (let i = 0; i < elements.length; i++) {
    const owner = owners[i]
    ;(elements[i] as AssembledElement)[name] = owner === undefined ? [] : (lists.get(owner) ?? [])
  }
}

/** Creates the function that reads the key of a row. */
function createKeyReader(selected: RowSet, indices: readonly number[]): (row: number) => Row {
  const readers = indices.map((index) => createColumnReader(selected, index))
  const [only] = readers
  if (readers.length === 1 && only !== undefined) return (row) => [only(row)]
  return (row) => readers.map((read) => read(row))
}

/** Formats a key, so that keys of both sides can be compared. */
const formatKey = (key: Row): string =>
  key.length === 1 ? String(toComparable(key[0])) : JSON.stringify(key.map((value) => String(toComparable(value))))

const toComparable = (value: unknown): unknown => (value instanceof Date ? value.getTime() : value)

async function readRelatedLists(
  part: ManyShape,
  keys: readonly Row[],
  context: AssemblyContext,
): Promise<Map<string, unknown[]>> {
  if (context.depth >= MAX_DEPTH) throw new TypeError(`Lists are nested deeper than ${MAX_DEPTH} levels`)
  const options = context.related?.options
  const plan = getListPlan(part, options?.order ?? part.node.settings.order)
  const lists = new Map<string, unknown[]>()
  const size = Math.max(1, Math.floor(context.datastore.maxValues / plan.foreignColumns.length))
  for (let from = 0; from < keys.length; from += size) {
    const selected = await context.datastore.select(buildListQuery(part, plan, keys.slice(from, from + size), context))
    const elements = await assembleRows(plan.shape, selected, countRows(selected), {
      ...context,
      depth: context.depth + 1,
    })
    distributeElements(plan, elements, createKeyReader(selected, plan.indices), lists)
  }
  return lists
}

/** Adds elements to the lists of their keys. */
function distributeElements(
  { value, nullable }: RelatedListPlan,
  elements: readonly AssembledElement[],
  readKey: (row: number) => Row,
  lists: Map<string, unknown[]>,
): void {
  let last: Row | undefined
  let list: unknown[] = []
  for (let i = 0; i < elements.length; i++) {
    const element = elements[i] as AssembledElement
    const entry = value === undefined ? element : (element[value] ?? null)
    // A list of plain values omits missing ones.
    if (entry === null && !nullable) continue
    const key = readKey(i)
    // Rows of one list are mostly adjacent.
    if (last === undefined || !isSameKey(key, last)) list = getOrCreateList(lists, formatKey(key))
    list.push(entry)
    last = key
  }
}

const isSameKey = (key: Row, other: Row): boolean => key.every((value, i) => value === other[i])

function getOrCreateList(lists: Map<string, unknown[]>, key: string): unknown[] {
  const existing = lists.get(key)
  if (existing !== undefined) return existing
  const list: unknown[] = []
  lists.set(key, list)
  return list
}

function buildListQuery(
  { node }: ManyShape,
  plan: RelatedListPlan,
  keys: readonly Row[],
  { bounds, related }: AssemblyContext,
): Select {
  const options = related?.options
  const limit = options?.limit ?? node.settings.limit ?? Number.POSITIVE_INFINITY
  // Conditions may join further tables.
  const isPlain = node.where === undefined && node.callerWhere === undefined && options?.where === undefined
  const scope = isPlain ? plan.scope : plan.scope.copy(bounds)
  const target = node.target()
  const filters = [
    ...buildVisibilityFilters(target, plan.source, bounds),
    ...buildRelationFilters(node, scope, plan.source),
    ...(options?.where === undefined ? [] : [buildFilter(options.where, target, scope, plan.source)]),
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
  /** The number of the related resource's table in the scope. */
  readonly source: number
  readonly shape: RowShape
  /** The columns that equal ours, and their indices in each row. */
  readonly foreignColumns: readonly Column[]
  readonly indices: readonly number[]
  readonly order: readonly OrderStep[]
  readonly value: string | undefined
  /** Whether the list may contain null. */
  readonly nullable: boolean
}

/** The maximum number of cached orders per list. */
const MAX_CACHED_ORDERS = 64

const plansByShape = new WeakMap<ManyShape, Map<string, RelatedListPlan>>()

// Built when a list is first read, because a resource may contain lists of itself.
function getListPlan(part: ManyShape, order: readonly string[] = []): RelatedListPlan {
  const plans = plansByShape.get(part) ?? new Map<string, RelatedListPlan>()
  plansByShape.set(part, plans)
  const text = order.join()
  const cached = plans.get(text)
  if (cached !== undefined) return cached
  if (plans.size >= MAX_CACHED_ORDERS) plans.delete(plans.keys().next().value as string)
  const plan = buildListPlan(part, order)
  plans.set(text, plan)
  return plan
}

function buildListPlan({ node, fields }: ManyShape, terms: readonly string[]): RelatedListPlan {
  const { scope, source, on } = createRelatedScope(node)
  const target = node.target()
  const { value } = node.settings
  const requested: RequestedFields = value === undefined ? fields : new Map([[value, {}]])
  const shape = buildRowShape(requested, { nodes: target.nodes, scope, source })
  const foreignColumns = on.map(([, column]) => column)
  const order = terms.map((term): OrderStep => {
    return {
      reference: locateColumn(term.replace(/^[-+]/, ''), target, scope, source).reference,
      descending: term.startsWith('-'),
    }
  })
  const position = terms.length > 0 ? undefined : scope.from.columns.get(node.settings.position ?? '')
  if (position !== undefined) order.push({ reference: { source: 0, column: position }, descending: false })
  addKey(order, target, source, (step) => step)
  return {
    scope,
    source,
    shape,
    foreignColumns,
    indices: foreignColumns.map((column) => scope.addColumn(0, column)),
    order,
    value,
    nullable: node.attribute.core.children['*']?.options.nullable ?? false,
  }
}

/** Returns the condition that columns equal one of several keys. */
export function buildKeysFilter(columns: readonly Column[], keys: readonly Row[]): Filter {
  const references = columns.map((column) => ({ source: 0, column }))
  const [first] = references
  if (references.length === 1 && first !== undefined)
    return { op: 'in', reference: first, values: keys.map(([value]) => value) }
  return or(keys.map((key) => and(references.map((reference, i): Filter => ({ op: '=', reference, value: key[i] })))))
}
