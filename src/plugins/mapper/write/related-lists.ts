// Related lists in the values of an element: which lists are written with it, and what a payload says about them.
import { escapePointer, form, Refusal, type RefusedValue } from '../../../extend.ts'
import type { Column, Table } from '../../query/query.ts'
import { codes } from '../codes.ts'
import type { ManyNode, Model } from '../model/model.ts'
import { getColumn } from '../plan/filter-builder.ts'

/** A related list whose rows are written with their element. */
export interface WritableList {
  readonly name: string
  readonly node: ManyNode
  readonly target: Model
  /** The table of the rows: that of the related elements, or the join table. */
  readonly table: Table
  /** Columns of the element, and those of the rows that equal them. */
  readonly on: readonly (readonly [ours: Column, theirs: Column])[]
  /** The columns that identify the rows of one list. */
  readonly identity: readonly Column[]
  /** Columns of the join table, and those of the related elements that equal them. */
  readonly links: readonly (readonly [ours: Column, theirs: Column])[] | undefined
  /** The column with the index of a row in its list. */
  readonly position: Column | undefined
}

/** A member of a list, and its pointer. */
export interface ListItem {
  readonly value: unknown
  readonly path: string
}

/** A change of a list: it is replaced, or members are added and removed. */
export interface ListChange {
  readonly list: WritableList
  readonly path: string
  readonly isReplaced: boolean
  readonly added: readonly ListItem[]
  readonly removed: readonly ListItem[]
  /** The mistakes in its form, which are refused before anything is written. */
  readonly refusals: readonly RefusedValue[]
}

/** The values of an element without its related lists, and what is done to these. */
export interface SplitValues {
  readonly plain: object
  readonly changes: readonly ListChange[]
}

const listsByModel = new WeakMap<Model, ReadonlyMap<string, ManyNode>>()

/** Returns the related lists of a resource by name; most have none, and their writes do nothing more. */
function getListNodes(model: Model): ReadonlyMap<string, ManyNode> {
  const known = listsByModel.get(model)
  if (known !== undefined) return known
  const nodes = new Map([...model.nodes].flatMap(([name, node]) => (node.type === 'many' ? [[name, node]] : [])))
  listsByModel.set(model, nodes)
  return nodes
}

const writableLists = new WeakMap<ManyNode, WritableList | 'none'>()

function getWritableList(name: string, node: ManyNode, model: Model): WritableList | undefined {
  const known = writableLists.get(node) ?? buildWritableList(name, node, model) ?? 'none'
  writableLists.set(node, known)
  return known === 'none' ? undefined : known
}

// A part of the related elements cannot be replaced: those that it leaves out would be in the way.
function buildWritableList(name: string, node: ManyNode, model: Model): WritableList | undefined {
  const { settings, through } = node
  if (node.where !== undefined || node.callerWhere !== undefined || settings.limit !== undefined) return undefined
  const target = node.target()
  const table = through?.table ?? target.table
  const on = node.on.map(([ours, theirs]) => [ours, getTableColumn(table, theirs, model, name)] as const)
  const links = through?.on.map(([ours, theirs]) => [ours, getColumn(target, theirs)] as const)
  const valueNode = settings.value === undefined ? undefined : target.nodes.get(settings.value)
  if (settings.value !== undefined && valueNode?.type !== 'column') return undefined
  const foreign = new Set(on.map(([, theirs]) => theirs))
  const ownKey = target.key.map(({ node: { column } }) => column).filter((column) => !foreign.has(column))
  const identity = links?.map(([ours]) => ours) ?? (valueNode?.type === 'column' ? [valueNode.column] : ownKey)
  if (identity.length === 0) return undefined
  const position = settings.position === undefined ? undefined : getTableColumn(table, settings.position, model, name)
  return { name, node, target, table, on, identity, links, position }
}

function getTableColumn(table: Table, column: string, { mediaType }: Model, name: string): Column {
  const found = table.columns.get(column)
  if (found !== undefined) return found
  throw new TypeError(
    `The list ${mediaType.name}.${name} names the column '${column}', which ${table.name} does not have. ` +
      `Remedy: use one of ${[...table.columns.keys()].join(', ')}`,
  )
}

/** Separates related lists from the other values of an element; undefined if there are none. */
export function splitLists(model: Model, values: object, path = ''): SplitValues | undefined {
  const nodes = getListNodes(model)
  if (nodes.size === 0 || values === null || typeof values !== 'object') return undefined
  const changes: ListChange[] = []
  const plain: [string, unknown][] = []
  for (const [name, value] of Object.entries(values)) {
    const node = value === undefined ? undefined : nodes.get(name)
    const list = node && getWritableList(name, node, model)
    if (list === undefined) plain.push([name, value])
    else changes.push(parseChange(list, value, `${path}/${escapePointer(name)}`))
  }
  return changes.length === 0 ? undefined : { plain: Object.fromEntries(plain), changes }
}

function parseChange(list: WritableList, value: unknown, path: string): ListChange {
  const base = { list, path, isReplaced: true, added: [], removed: [], refusals: [] }
  if (Array.isArray(value)) return { ...base, added: toItems(value, path) }
  const given = form.isSettings(value) ? value : undefined
  const [add, remove] = given === undefined ? [] : [given['add'] ?? [], given['remove'] ?? []]
  if (given === undefined || !Array.isArray(add) || !Array.isArray(remove)) {
    const detail = { expected: 'a list, or an object with add and remove', kind: 'array' }
    return { ...base, refusals: [{ pointer: path, code: 'type', detail }] }
  }
  const refusals = Object.keys(given)
    .filter((name) => name !== 'add' && name !== 'remove')
    .map((name) => ({ pointer: `${path}/${escapePointer(name)}`, code: codes.issues.unwritable }))
  const [added, removed] = [toItems(add, `${path}/add`), toItems(remove, `${path}/remove`)]
  return { list, path, isReplaced: false, added, removed, refusals }
}

const toItems = (values: readonly unknown[], path: string): readonly ListItem[] =>
  values.map((value, i) => ({ value, path: `${path}/${i}` }))

/** Refuses a list that would have fewer or more members than its attribute permits. */
export function refuseLength({ list, path, isReplaced }: ListChange, length: number): void {
  const { min, max } = list.node.attribute.options as { readonly min?: number; readonly max?: number }
  const refuse = (pointer: string, code: RefusedValue['code'], limit: number): never => {
    throw Refusal.ofPayload([{ pointer, code, detail: { limit } }])
  }
  if (max !== undefined && length > max) refuse(isReplaced ? path : `${path}/add`, 'max-items', max)
  if (min !== undefined && length < min) refuse(isReplaced ? path : `${path}/remove`, 'min-items', min)
}
