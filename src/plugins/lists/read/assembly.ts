// Assembly: rows become elements; related lists are read by one query each for all elements together, never one per element.
import { and, or } from '../plan/combine.ts'
import { belonging, conditions, locate, relatedScope, visible } from '../plan/conditions.ts'
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
  await Promise.all([
    ...shape.structs.filter(isDeep).map((part) => addStructs(part, assembly)),
    ...shape.ones.filter(isDeep).map((part) => addOnes(part, assembly)),
    ...shape.manys.map((part) => addLists(part, assembly)),
    ...shape.computeds.map((part) => addComputed(part, assembly)),
  ])
  return assembly.elements
}

const isDeep = (part: { readonly shape: Shape }): boolean => part.shape.deep

async function addStructs(
  { name, nullable, shape }: Part<'structs'>,
  { selected, elements, run }: Assembly,
): Promise<void> {
  const made = await assembleRows(shape, selected, elements.length, below(run, name))
  for (const [i, structure] of made.entries()) {
    if (hasValue(structure)) (elements[i] as Element)[name] = structure
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
  const readers = indices.map((index) => columnReader(selected, index))
  const textOf = keyTexts(readers)
  const keys = new Map<string, Row>()
  const owners = elements.map((_, i) => {
    const key = readers.map((read) => read(i))
    if (key.includes(null) || key.includes(undefined)) return undefined
    const text = textOf(i)
    keys.set(text, key)
    return text
  })
  const lists =
    keys.size === 0 ? new Map<string, unknown[]>() : await listsOf(part, [...keys.values()], below(run, name))
  for (const [i, owner] of owners.entries())
    (elements[i] as Element)[name] = owner === undefined ? [] : (lists.get(owner) ?? [])
}

type ReadColumn = (row: number) => unknown

/** Makes the function that writes the key of a row, so that keys of both sides can be compared. */
function keyTexts(readers: readonly ReadColumn[]): (row: number) => string {
  const [only] = readers
  if (readers.length === 1 && only !== undefined) return (row) => String(comparable(only(row)))
  return (row) => JSON.stringify(readers.map((read) => String(comparable(read(row)))))
}

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
    const textOf = keyTexts(plan.indices.map((index) => columnReader(selected, index)))
    elements.forEach((element, i) => {
      const key = textOf(i)
      const list = lists.get(key)
      const one = plan.value === undefined ? element : (element[plan.value] ?? null)
      // In a list of plain values, what has none is nothing.
      if (one === null && !plan.nullable) return
      if (list === undefined) lists.set(key, [one])
      else list.push(one)
    })
  }
  return lists
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
  const terms = [...asked, ...target.key.map(({ name }) => name)]
  const order = terms.map((term) => ({
    reference: locate(term.replace(/^[-+]/, ''), target, scope, source).reference,
    descending: term.startsWith('-'),
  }))
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
