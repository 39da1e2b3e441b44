// Assembly: rows become elements; related lists are read by one query each for all elements together, never one per element.
import { and, or } from '../plan/combine.ts'
import { belonging, conditions, locate, relatedScope, visible } from '../plan/conditions.ts'
import { type ManyPart, type Shape, shapeOf, type Wanted } from '../plan/row-layout.ts'
import type { Bounds, Scope } from '../plan/scope.ts'
import type { Column, Datastore, Filter, OrderStep, Select, Selected } from '../query.ts'
import { type Element, elementsOf, hasValue } from './elements.ts'
import type { RelatedBelow } from './related.ts'

type Row = readonly unknown[]
type Part<P extends 'structs' | 'ones' | 'computeds'> = Shape[P][number]

/** How deep lists may lie in lists. */
const MAX_DEPTH = 16

/** Makes an element of each row, up to a number of rows; a promise only when rows alone do not suffice. */
export function assemble(
  shape: Shape,
  selected: Pick<Selected, 'rows' | 'undecoded'>,
  count: number,
  { datastore, bounds, related }: Omit<Run, 'depth'>,
): Element[] | Promise<Element[]> {
  return shape.deep
    ? assembleRows(shape, selected.rows.slice(0, count), { datastore, bounds, related, depth: 0 })
    : elementsOf(shape, selected, count)
}

function assembleRows(shape: Shape, rows: readonly Row[], run: Run): Element[] | Promise<Element[]> {
  const elements = elementsOf(shape, { rows }, rows.length)
  return shape.deep ? complete(shape, rows, elements, run) : elements
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
  readonly rows: readonly Row[]
  readonly elements: readonly Element[]
  readonly run: Run
}

/** Adds what rows alone do not give; each part writes an attribute of its own, so that all of them are read together. */
async function complete(shape: Shape, rows: readonly Row[], elements: Element[], run: Run): Promise<Element[]> {
  const assembly: Assembly = { rows, elements, run }
  await Promise.all([
    ...shape.structs.filter(isDeep).map((part) => addStructs(part, assembly)),
    ...shape.ones.filter(isDeep).map((part) => addOnes(part, assembly)),
    ...shape.manys.map((part) => addLists(part, assembly)),
    ...shape.computeds.map((part) => addComputed(part, assembly)),
  ])
  return elements
}

const isDeep = (part: { readonly shape: Shape }): boolean => part.shape.deep

async function addStructs(
  { name, nullable, shape }: Part<'structs'>,
  { rows, elements, run }: Assembly,
): Promise<void> {
  const made = await assembleRows(shape, rows, below(run, name))
  for (const [i, structure] of made.entries()) {
    if (hasValue(structure)) (elements[i] as Element)[name] = structure
    else if (nullable) (elements[i] as Element)[name] = null
  }
}

async function addOnes({ name, presence, shape }: Part<'ones'>, { rows, elements, run }: Assembly): Promise<void> {
  const isPresent = (row: Row): boolean => row[presence] !== null && row[presence] !== undefined
  const owners = elements.filter((_, i) => isPresent(rows[i] as Row))
  const made = await assembleRows(shape, rows.filter(isPresent), below(run, name))
  for (const [i, owner] of owners.entries()) owner[name] = made[i]
}

async function addComputed({ name, node, shape }: Part<'computeds'>, { rows, elements, run }: Assembly): Promise<void> {
  const needs = await assembleRows(shape, rows, run)
  const values = await node.run(needs as never)
  if (values.length !== elements.length)
    throw new TypeError(`The attribute '${name}' was computed for ${values.length} of ${elements.length} elements`)
  for (const [i, element] of elements.entries()) element[name] = values[i]
}

// --- related lists ---------------------------------------------------------------------

async function addLists(part: ManyPart, { rows, elements, run }: Assembly): Promise<void> {
  const { name, indices } = part
  const keys = new Map<string, Row>()
  for (const row of rows) {
    const key = indices.map((index) => row[index])
    if (!key.includes(null) && !key.includes(undefined)) keys.set(keyText(key), key)
  }
  const lists =
    keys.size === 0 ? new Map<string, unknown[]>() : await listsOf(part, [...keys.values()], below(run, name))
  rows.forEach((row, i) => {
    ;(elements[i] as Element)[name] = lists.get(keyText(indices.map((index) => row[index]))) ?? []
  })
}

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
    const { rows } = await run.datastore.select(listQuery(part, plan, keys.slice(from, from + size), run))
    const elements = await assembleRows(plan.shape, rows, { ...run, depth: run.depth + 1 })
    elements.forEach((element, i) => {
      const key = keyText(plan.indices.map((index) => (rows[i] as Row)[index]))
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
