// Assembly: rows become elements; related lists are read by one query each for all elements together, never one per element.
import { and, or } from '../plan/combine.ts'
import { belonging, conditions, locate, relatedScope, visible } from '../plan/conditions.ts'
import { addKey } from '../plan/plan.ts'
import { type ManyPart, type Shape, shapeOf, type Wanted } from '../plan/row-layout.ts'
import type { Bounds, Scope } from '../plan/scope.ts'
import type { Column, Datastore, Filter, OrderStep, Select } from '../query.ts'
import { columnReader, type Element, elementsOf, hasValue, type Rows } from './elements.ts'
import { countOf } from './query.ts'
import type { RelatedBelow } from './related.ts'

type Row = readonly unknown[]
type Part<P extends 'structs' | 'ones' | 'computeds'> = Shape[P][number]

/** How deep lists may lie in lists. */
const MAX_DEPTH = 16

/** Makes an element of each row, up to a number of rows; a promise only when rows alone do not suffice. */
export function assemble(
  shape: Shape,
  selected: Rows,
  count: number,
  { datastore, bounds, related }: Omit<Run, 'depth'>,
): Element[] | Promise<Element[]> {
  return assembleRows(shape, selected, count, { datastore, bounds, related, depth: 0 })
}

function assembleRows(shape: Shape, selected: Rows, count: number, run: Run): Element[] | Promise<Element[]> {
  const elements = elementsOf(shape, selected, count)
  return shape.deep ? complete(shape, { selected, elements, run }) : elements
}

interface Run {
  readonly datastore: Datastore
  /** The bounds of the caller for related resources. */
  readonly bounds?: Bounds | undefined
  /** The options that the call has for the lists below. */
  readonly related?: RelatedBelow | undefined
  readonly depth: number
}

// Most calls have no options for the lists below.
const below = (run: Run, name: string): Run =>
  run.related === undefined ? run : { ...run, related: run.related.below.get(name) }

interface Assembly {
  /** As many rows as there are elements, or more. */
  readonly selected: Rows
  readonly elements: readonly Element[]
  readonly run: Run
}

/** Adds what rows alone do not give; each part writes an attribute of its own, so that all of them are read together. */
async function complete(shape: Shape, assembly: Assembly & { readonly elements: Element[] }): Promise<Element[]> {
  const adding: Promise<void>[] = []
  for (const part of shape.structs) if (part.shape.deep) adding.push(addStructs(part, assembly))
  for (const part of shape.ones) if (part.shape.deep) adding.push(addOnes(part, assembly))
  for (const part of shape.manys) adding.push(addLists(part, assembly))
  for (const part of shape.computeds) adding.push(addComputed(part, assembly))
  await Promise.all(adding)
  return assembly.elements
}

async function addStructs(
  { name, nullable, certain, shape }: Part<'structs'>,
  { selected, elements, run }: Assembly,
): Promise<void> {
  const made = await assembleRows(shape, selected, elements.length, below(run, name))
  for (const [i, structure] of made.entries()) {
    if (certain || hasValue(structure)) (elements[i] as Element)[name] = structure
    else if (nullable) (elements[i] as Element)[name] = null
  }
}

async function addOnes({ name, presence, shape }: Part<'ones'>, { selected, elements, run }: Assembly): Promise<void> {
  const isPresent = (row: Row): boolean => row[presence] !== null && row[presence] !== undefined
  const all = selected.rows.slice(0, elements.length)
  const owners = elements.filter((_, i) => isPresent(all[i] as Row))
  const made = await assembleRows(shape, { rows: all.filter(isPresent) }, owners.length, below(run, name))
  for (const [i, owner] of owners.entries()) owner[name] = made[i]
}

async function addComputed(
  { name, node, shape }: Part<'computeds'>,
  { selected, elements, run }: Assembly,
): Promise<void> {
  const needs = await assembleRows(shape, selected, elements.length, run)
  const values = await node.run(needs as never)
  if (values.length !== elements.length)
    throw new TypeError(`The attribute '${name}' was computed for ${values.length} of ${elements.length} elements`)
  for (const [i, element] of elements.entries()) element[name] = values[i]
}

// --- related lists ---------------------------------------------------------------------

async function addLists(part: ManyPart, { selected, elements, run }: Assembly): Promise<void> {
  const { name, indices } = part
  const keyAt = keysOf(selected, indices)
  const keys = new Map<string, Row>()
  const owners: (string | undefined)[] = new Array(elements.length)
  for (let i = 0; i < elements.length; i++) {
    const key = keyAt(i)
    if (key.includes(null) || key.includes(undefined)) continue
    const text = keyText(key)
    keys.set(text, key)
    owners[i] = text
  }
  const lists =
    keys.size === 0 ? new Map<string, unknown[]>() : await listsOf(part, [...keys.values()], below(run, name))
  for (let i = 0; i < elements.length; i++) {
    const owner = owners[i]
    ;(elements[i] as Element)[name] = owner === undefined ? [] : (lists.get(owner) ?? [])
  }
}

/** Makes the function that reads the key of a row. */
function keysOf(selected: Rows, indices: readonly number[]): (row: number) => Row {
  const readers = indices.map((index) => columnReader(selected, index))
  const [only] = readers
  if (readers.length === 1 && only !== undefined) return (row) => [only(row)]
  return (row) => readers.map((read) => read(row))
}

/** Writes a key, so that keys of both sides can be compared. */
const keyText = (key: Row): string =>
  key.length === 1 ? String(comparable(key[0])) : JSON.stringify(key.map((value) => String(comparable(value))))

const comparable = (value: unknown): unknown => (value instanceof Date ? value.getTime() : value)

async function listsOf(part: ManyPart, keys: readonly Row[], run: Run): Promise<Map<string, unknown[]>> {
  if (run.depth >= MAX_DEPTH) throw new TypeError(`Lists are nested deeper than ${MAX_DEPTH} levels`)
  const own = run.related?.own
  const plan = listPlan(part, own?.order ?? part.node.settings.order)
  const lists = new Map<string, unknown[]>()
  const size = Math.max(1, Math.floor(run.datastore.maxValues / plan.theirs.length))
  for (let from = 0; from < keys.length; from += size) {
    const selected = await run.datastore.select(listQuery(part, plan, keys.slice(from, from + size), run))
    const elements = await assembleRows(plan.shape, selected, countOf(selected), { ...run, depth: run.depth + 1 })
    share(plan, elements, keysOf(selected, plan.indices), lists)
  }
  return lists
}

/** Puts elements into the lists of their keys. */
function share(
  { value, nullable }: ListPlan,
  elements: readonly Element[],
  keyAt: (row: number) => Row,
  lists: Map<string, unknown[]>,
): void {
  let last: Row | undefined
  let list: unknown[] = []
  for (let i = 0; i < elements.length; i++) {
    const element = elements[i] as Element
    const one = value === undefined ? element : (element[value] ?? null)
    // In a list of plain values, what has none is nothing.
    if (one === null && !nullable) continue
    const key = keyAt(i)
    // Rows of one list mostly follow one another.
    if (last === undefined || !isSame(key, last)) list = listAt(lists, keyText(key))
    list.push(one)
    last = key
  }
}

const isSame = (key: Row, other: Row): boolean => key.every((value, i) => value === other[i])

function listAt(lists: Map<string, unknown[]>, key: string): unknown[] {
  const known = lists.get(key)
  if (known !== undefined) return known
  const made: unknown[] = []
  lists.set(key, made)
  return made
}

function listQuery({ node }: ManyPart, plan: ListPlan, keys: readonly Row[], { bounds, related }: Run): Select {
  const own = related?.own
  const limit = own?.limit ?? node.settings.limit ?? Number.POSITIVE_INFINITY
  // Conditions may join further tables.
  const isPlain = node.where === undefined && own?.where === undefined
  const scope = isPlain ? plan.scope : plan.scope.copy(bounds)
  const target = node.target()
  const filters = [
    ...visible(target, plan.source, bounds),
    ...belonging(node, scope, plan.source),
    ...(own?.where === undefined ? [] : [conditions(own.where, target, scope, plan.source)]),
  ]
  const isLimited = limit < Number.POSITIVE_INFINITY
  const all = isLimited ? filters : [keyFilter(plan.theirs, keys), ...filters]
  return {
    from: scope.from,
    joins: scope.visible(bounds),
    columns: plan.scope.columns,
    filter: all.length === 0 ? undefined : and(all),
    order: plan.order,
    limit: undefined,
    offset: 0,
    ...(isLimited && { each: { columns: plan.theirs, keys, limit } }),
  }
}

interface ListPlan {
  readonly scope: Scope
  /** The number of the related resource's table in it. */
  readonly source: number
  readonly shape: Shape
  /** The columns that equal ours, and where they stand in each row. */
  readonly theirs: readonly Column[]
  readonly indices: readonly number[]
  readonly order: readonly OrderStep[]
  readonly value: string | undefined
  /** Whether the list may contain null. */
  readonly nullable: boolean
}

/** How many orders are kept for one list. */
const MAX_KEPT = 64

const plans = new WeakMap<ManyPart, Map<string, ListPlan>>()

// Made when a list is first read, because a resource may contain lists of itself.
function listPlan(part: ManyPart, order: readonly string[] = []): ListPlan {
  const kept = plans.get(part) ?? new Map<string, ListPlan>()
  plans.set(part, kept)
  const text = order.join()
  const known = kept.get(text)
  if (known !== undefined) return known
  if (kept.size >= MAX_KEPT) kept.delete(kept.keys().next().value as string)
  const plan = makePlan(part, order)
  kept.set(text, plan)
  return plan
}

function makePlan({ node, wanted: shown }: ManyPart, asked: readonly string[]): ListPlan {
  const { scope, source, on } = relatedScope(node)
  const target = node.target()
  const { value } = node.settings
  const wanted: Wanted = value === undefined ? shown : new Map([[value, {}]])
  const shape = shapeOf(wanted, { nodes: target.nodes, scope, source })
  const theirs = on.map(([, column]) => column)
  const order = asked.map((term): OrderStep => {
    return {
      reference: locate(term.replace(/^[-+]/, ''), target, scope, source).reference,
      descending: term.startsWith('-'),
    }
  })
  addKey(order, target, source, (step) => step)
  return {
    scope,
    source,
    shape,
    theirs,
    indices: theirs.map((column) => scope.read(0, column)),
    order,
    value,
    nullable: node.attribute.core.children['*']?.options.nullable ?? false,
  }
}

/** The condition that columns have the values of one of several keys. */
export function keyFilter(columns: readonly Column[], keys: readonly Row[]): Filter {
  const references = columns.map((column) => ({ source: 0, column }))
  const [first] = references
  if (references.length === 1 && first !== undefined)
    return { op: 'in', reference: first, values: keys.map(([value]) => value) }
  return or(keys.map((key) => and(references.map((reference, i): Filter => ({ op: '=', reference, value: key[i] })))))
}
