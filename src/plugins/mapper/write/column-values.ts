// Writes: values of attributes become values of columns. An absent value stays as it is, null empties the column. Values come
// from payloads: all that cannot be written are refused together, each with its place.
import { escapePointer, Refusal, type RefusedValue } from '../../../extend.ts'
import { codes } from '../codes.ts'
import type { FixedValues } from '../plan/caller-bounds.ts'
import { getColumn } from '../plan/filter-builder.ts'
import { type Column, INCREMENT, type ColumnValues } from '../../query/query.ts'
import type { ColumnNode, Model, ModelNode, ModelNodes, OneNode, StructNode } from '../model/model.ts'

/** The columns that a new element is written with. */
export function toColumnValues(model: Model, values: object, fixed?: FixedValues): ColumnValues {
  return fillColumns(model, collectValues(model, values), fixed)
}

/** The columns of several new elements; all that is refused is named by the place of its element. */
export function toAllColumnValues(model: Model, list: readonly object[], fixed?: FixedValues): readonly ColumnValues[] {
  const refusals: RefusedValue[] = []
  const all = list.map((values, i) => collectValues(model, values, `/${i}`, refusals))
  for (const writing of all) restrictToFixed(writing, fixed)
  return all.map((writing) => fillColumns(model, writing, fixed))
}

function fillColumns(model: Model, writing: ValueCollector, fixed: FixedValues | undefined): ColumnValues {
  restrictToFixed(writing, fixed)
  for (const [column, value] of fixed?.values ?? []) writing.fillValue(column, value)
  return withInitialVersion(model, writing.finish())
}

/** The attributes that tell whether an element is there, and their columns. */
export type UpsertKey = Model['key']

/** The columns of an element that is added, and those that change where it is there already. */
export function buildUpsertValues(
  model: Model,
  values: object,
  { by, columns }: { readonly by: UpsertKey; readonly columns: readonly Column[] },
  fixed?: FixedValues,
): { readonly values: ColumnValues; readonly changes: ColumnValues } {
  const writing = collectValues(model, values)
  restrictToFixed(writing, fixed)
  const own = new Set(columns)
  for (const { name, node } of by) if (node.column.optional) writing.requireValue(node.column, `/${escapePointer(name)}`)
  const kept = [...model.key.map(({ node }) => node.column), ...model.table.key.map((name) => getColumn(model, name))]
  for (const column of kept) if (!own.has(column)) writing.keepValue(column, undefined)
  if (model.version !== undefined) writing.keepValue(model.version.column, undefined)
  // Databases ask for all that a new row needs before they look for one that is there.
  const given = new Set(fixed?.values.map(([column]) => column))
  for (const [name, node] of model.nodes)
    if (node.type === 'column' && !node.column.optional && node !== model.version && !given.has(node.column))
      writing.requireValue(node.column, `/${escapePointer(name)}`)
  const changes = new Map([...writing.finish()].filter(([column]) => !own.has(column)))
  return { values: fillColumns(model, writing, fixed), changes: incrementVersion(model, changes) }
}

/** The columns that a change writes, which may be those of the key. */
export function toRekeyedValues(model: Model, values: object, fixed?: FixedValues): ColumnValues {
  const writing = collectValues(model, values)
  restrictToFixed(writing, fixed)
  return writing.finish()
}

function restrictToFixed(writing: ValueCollector, fixed: FixedValues | undefined): void {
  if (fixed?.isExclusive === true) for (const [column, value] of fixed.values) writing.restrictValue(column, value)
}

/** The columns that a change writes; those of the key can be sent as they are, and are never changed. */
export function toChangedValues(model: Model, values: object, key: unknown, fixed?: FixedValues): ColumnValues {
  const writing = collectValues(model, values)
  restrictToFixed(writing, fixed)
  for (const { name, node } of model.key) writing.keepValue(node.column, getAddressedValue(key, name, node))
  for (const name of model.table.key) writing.keepValue(getColumn(model, name), undefined)
  if (model.version !== undefined) writing.keepValue(model.version.column, undefined)
  return writing.finish()
}

/** The columns of a change, of which the version is one more than before. */
export function incrementVersion({ version }: Model, columns: ColumnValues): ColumnValues {
  return version === undefined || columns.size === 0 ? columns : new Map([...columns, [version.column, INCREMENT]])
}

/** The columns of a new element, of which the version is 1 where nothing else is said. */
function withInitialVersion({ version }: Model, columns: ColumnValues): ColumnValues {
  if (version === undefined || version.column.optional || columns.has(version.column)) return columns
  return new Map([...columns, [version.column, version.column.kind === 'bigint' ? 1n : 1]])
}

// A key may be given with conditions on its fields, which name no single value.
function getAddressedValue(key: unknown, name: string, { codec }: ColumnNode): unknown {
  const value: unknown = typeof key === 'object' && key !== null ? readOwnValue(key, name) : key
  const isOne = value !== null && value !== undefined && (typeof value !== 'object' || value instanceof Date)
  return isOne ? codec.toColumn(value) : undefined
}

function collectValues(model: Model, values: object, path = '', refusals: RefusedValue[] = []): ValueCollector {
  const writing = new ValueCollector(refusals)
  addColumns(model.nodes, values ?? {}, path, writing)
  return writing
}

/** A value that an object has itself; an attribute may be called as what all objects inherit is. */
export const readOwnValue = (values: object, name: string): unknown =>
  Object.hasOwn(values, name) ? (values as Record<string, unknown>)[name] : undefined

/** The columns of one write while they are gathered, each with the place that its value was sent in. */
class ValueCollector {
  readonly #columns = new Map<Column, { readonly value: unknown; readonly pointer: string }>()
  readonly #unchanged = new Set<Column>()
  readonly #refusals: RefusedValue[]

  constructor(refusals: RefusedValue[]) {
    this.#refusals = refusals
  }

  refuse(pointer: string, code: RefusedValue['code'], detail?: RefusedValue['detail']): void {
    this.#refusals.push(detail === undefined ? { pointer, code } : { pointer, code, detail })
  }

  put(column: Column, value: unknown, pointer: string): void {
    const other = this.#columns.get(column)
    if (other === undefined) this.#columns.set(column, { value, pointer })
    else if (!isSameValue(other.value, value)) this.refuse(pointer, codes.issues.contradiction, { other: other.pointer })
  }

  /** Refuses a write that does not say what a column has. */
  requireValue(column: Column, pointer: string): void {
    if (!this.#columns.has(column)) this.refuse(pointer, 'missing')
  }

  /** Gives a column its value, unless one was sent. */
  fillValue(column: Column, value: unknown): void {
    if (!this.#columns.has(column)) this.#columns.set(column, { value, pointer: '' })
  }

  /** Refuses any other value of a column. */
  restrictValue(column: Column, value: unknown): void {
    const sent = this.#columns.get(column)
    if (sent !== undefined && !isSameValue(sent.value, value)) this.refuse(sent.pointer, codes.issues['scope-value'])
  }

  /** Leaves a column as it is: only the value that it has may be sent, where that is known. */
  keepValue(column: Column, value: unknown): void {
    const sent = this.#columns.get(column)
    if (sent === undefined || this.#unchanged.has(column)) return
    this.#unchanged.add(column)
    if (value === undefined || !isSameValue(sent.value, value)) this.refuse(sent.pointer, codes.issues.unchangeable)
  }

  finish(): ColumnValues {
    if (this.#refusals.length > 0) throw Refusal.ofPayload(this.#refusals)
    const values = new Map<Column, unknown>()
    for (const [column, { value }] of this.#columns) if (!this.#unchanged.has(column)) values.set(column, value)
    return values
  }
}

const isSameValue = (a: unknown, b: unknown): boolean =>
  a === null || b === null ? a === b : toComparable(a) === toComparable(b)

function toComparable(value: unknown): string {
  if (value instanceof Date) return String(value.getTime())
  return typeof value === 'object' ? (JSON.stringify(value) ?? '') : String(value)
}

function addColumns(nodes: ModelNodes, values: object, path: string, writing: ValueCollector): void {
  for (const [name, value] of Object.entries(values)) {
    if (value === undefined) continue
    const node = nodes.get(name)
    const place = `${path}/${escapePointer(name)}`
    if (node === undefined) writing.refuse(place, codes.issues.unwritable)
    else addNode(node, value, place, writing)
  }
}

function addNode(node: ModelNode, value: unknown, path: string, writing: ValueCollector): void {
  if (node.type === 'column' && isWritable(node.column)) putValue(node.column, value, path, { node, writing })
  else if (node.type === 'struct') addStruct(node, value, path, writing)
  else if (node.type === 'one') addReference(node, value, path, writing)
  else writing.refuse(path, codes.issues.unwritable)
}

function addStruct(node: StructNode, value: unknown, path: string, writing: ValueCollector): void {
  if (typeof value !== 'object') return writing.refuse(path, 'type', { expected: 'an object', kind: 'object' })
  if (value !== null) return addColumns(node.nodes, value, path, writing)
  for (const [name, one] of node.nodes) if (isStoredHere(one)) addNode(one, null, `${path}/${escapePointer(name)}`, writing)
}

const isWritable = ({ derived, readOnly }: Column): boolean => derived === undefined && readOnly !== true

// Attributes that are not kept here are not emptied either.
const isStoredHere = (node: ModelNode): boolean =>
  (node.type === 'column' && isWritable(node.column)) || node.type === 'struct' || node.type === 'one'

// Another resource is written by what identifies it; its other attributes are its own affair. A column that both have in
// common without an attribute, such as that of a tenant, stays as it is.
function addReference(node: OneNode, value: unknown, path: string, writing: ValueCollector): void {
  if (typeof value !== 'object') return writing.refuse(path, 'type', { expected: 'an object', kind: 'object' })
  const target = node.target()
  const pairs = node.on.flatMap(([ours, name]) => {
    const theirs = getColumn(target, name)
    const entry = [...target.nodes].find(([, one]) => one.type === 'column' && one.column === theirs)
    return entry === undefined ? [] : [{ ours, attribute: entry[0], inner: entry[1] as ColumnNode }]
  })
  if (pairs.length === 0) return writing.refuse(path, codes.issues.unwritable)
  if (value === null) return clearReference(pairs, path, writing)
  for (const { ours, attribute, inner } of pairs) {
    const sent = readOwnValue(value, attribute)
    const place = `${path}/${escapePointer(attribute)}`
    if (sent === undefined) writing.refuse(place, 'missing')
    else putValue(ours, sent, place, { node: inner, writing })
  }
}

// One column without a value links to nothing: those that must have one keep it.
function clearReference(
  pairs: readonly { readonly ours: Column; readonly inner: ColumnNode }[],
  path: string,
  writing: ValueCollector,
): void {
  const emptied = pairs.filter(({ ours }) => ours.nullable)
  for (const { ours, inner } of emptied.length > 0 ? emptied : pairs) putValue(ours, null, path, { node: inner, writing })
}

function putValue(
  column: Column,
  value: unknown,
  path: string,
  { node, writing }: { readonly node: ColumnNode; readonly writing: ValueCollector },
): void {
  if (value === null) {
    if (!column.nullable) throw createUnfitRefusal(path, 'column-empty', 'cannot be empty')
    writing.put(column, null, path)
    return
  }
  const kept = encodeValue(node, value)
  if (kept === undefined) return refuseKind(path, node, writing)
  if (!isStorable(kept, column)) throw createUnfitRefusal(path, 'column-range', 'is beyond what can be stored')
  writing.put(column, kept, path)
}

function refuseKind(path: string, { attribute }: ColumnNode, writing: ValueCollector): void {
  const kind = attribute.core.kindName
  writing.refuse(path, 'type', { expected: `a value of the kind ${kind}`, kind })
}

// A payload may declare an attribute of the same name otherwise than the media type does.
function encodeValue({ codec }: ColumnNode, value: unknown): unknown {
  try {
    return codec.toColumn(value)
  } catch (error) {
    if (error instanceof TypeError || error instanceof RangeError || error instanceof SyntaxError) return undefined
    throw error
  }
}

const formatPointer = (pointer: string): string =>
  pointer.slice(1).replaceAll('/', '.').replaceAll('~1', '/').replaceAll('~0', '~')

function isStorable(value: unknown, { kind, range }: Column): boolean {
  if (kind === 'integer' && !Number.isSafeInteger(Number(value))) return false
  if (kind === 'bigint' && typeof value === 'number' && !Number.isInteger(value)) return false
  if (range === undefined || (typeof value !== 'number' && typeof value !== 'bigint')) return true
  return value >= range[0] && value <= range[1]
}

function createUnfitRefusal(pointer: string, code: string, words: string): Refusal {
  const field = formatPointer(pointer)
  const reason = { code, values: { field } }
  return new Refusal({ ...codes.failures['unfit-value'], detail: `'${field}' ${words}.`, reason })
}
