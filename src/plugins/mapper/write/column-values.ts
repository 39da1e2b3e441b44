// Column values: converts values of attributes to values of columns. An absent value leaves the column unchanged, null
// clears it. Values come from payloads: all that cannot be written are refused together, each with its pointer.
import { escapePointer, Refusal, type RefusedValue } from '../../../extend.ts'
import { type Column, type ColumnValues, INCREMENT } from '../../query/query.ts'
import { codes } from '../codes.ts'
import type { ColumnNode, Model, ModelNode, ModelNodes, OneNode, StructNode } from '../model/model.ts'
import type { FixedValues } from '../plan/caller-bounds.ts'
import { getColumn } from '../plan/filter-builder.ts'

/** Returns the column values of a new element. */
export function toColumnValues(model: Model, values: object, fixed?: FixedValues): ColumnValues {
  const collector = collectValues(model, values)
  restrictToFixed(collector, fixed)
  return fillColumns(model, collector, fixed)
}

/** Returns the column values of several new elements; the pointers of refusals begin with the index of the element. */
export function toAllColumnValues(model: Model, list: readonly object[], fixed?: FixedValues): readonly ColumnValues[] {
  const refusals: RefusedValue[] = []
  const collectors = list.map((values, i) => collectValues(model, values, `/${i}`, refusals))
  for (const collector of collectors) restrictToFixed(collector, fixed)
  return collectors.map((collector) => fillColumns(model, collector, fixed))
}

/** A member of a related list, and its pointer. */
interface ListedValue {
  readonly value: unknown
  readonly path: string
}

/** The column values of a member of a related list. */
interface ListedColumns {
  /** Those of a new row. */
  readonly columns: ColumnValues
  /** The columns that only a new row gets: nothing was sent for them. */
  readonly initial: ReadonlySet<Column>
}

/** Returns the column values of the members of a related list; a member is an element, or the value of one attribute. */
export function toListedValues(
  model: Model,
  items: readonly ListedValue[],
  attribute?: string,
  fixed?: FixedValues,
): readonly ListedColumns[] {
  const refusals: RefusedValue[] = []
  const collectors = items.map((item) => collectListed(model, item, attribute, refusals))
  for (const collector of collectors) restrictToFixed(collector, fixed)
  return collectors.map((collector) => {
    const sent = collector.getPointers()
    const columns = fillColumns(model, collector, fixed)
    return { columns, initial: new Set([...columns.keys()].filter((column) => !sent.has(column))) }
  })
}

/** Returns the pointers of the columns of one member of a related list. */
export const getListedPointers = (
  model: Model,
  item: ListedValue,
  attribute: string | undefined,
): ReadonlyMap<Column, string> => collectListed(model, item, attribute, []).getPointers()

function collectListed(
  model: Model,
  { value, path }: ListedValue,
  attribute: string | undefined,
  refusals: RefusedValue[],
): ValueCollector {
  const collector = new ValueCollector(refusals)
  const node = attribute === undefined ? undefined : model.nodes.get(attribute)
  if (node !== undefined && value !== undefined) addNode(node, value, path, collector)
  else if (typeof value === 'object' && value !== null) addColumns(model.nodes, value, path, collector)
  else collector.refuse(path, 'type', { expected: 'an object', kind: 'object' })
  return collector
}

function fillColumns(model: Model, collector: ValueCollector, fixed: FixedValues | undefined): ColumnValues {
  for (const [column, value] of fixed?.values ?? []) collector.fillValue(column, value)
  return withInitialVersion(model, collector.finish())
}

/** The attributes that identify an existing element, and their columns. */
export type UpsertKey = Model['key']

/** Returns the column values of a new element, and the changes to an existing one. */
export function buildUpsertValues(
  model: Model,
  values: object,
  { by, columns }: { readonly by: UpsertKey; readonly columns: readonly Column[] },
  fixed?: FixedValues,
): { readonly values: ColumnValues; readonly changes: ColumnValues } {
  const collector = collectValues(model, values)
  restrictToFixed(collector, fixed)
  const keyColumns = new Set(columns)
  for (const { name, node } of by)
    if (node.column.optional) collector.requireValue(node.column, `/${escapePointer(name)}`)
  const unchanged = [
    ...model.key.map(({ node }) => node.column),
    ...model.table.key.map((name) => getColumn(model, name)),
  ]
  for (const column of unchanged) if (!keyColumns.has(column)) collector.keepValue(column, undefined)
  if (model.version !== undefined) collector.keepValue(model.version.column, undefined)
  // Databases check the columns of a new row before they look for an existing one.
  const fixedColumns = new Set(fixed?.values.map(([column]) => column))
  for (const [name, node] of model.nodes)
    if (node.type === 'column' && !node.column.optional && node !== model.version && !fixedColumns.has(node.column))
      collector.requireValue(node.column, `/${escapePointer(name)}`)
  const changes = new Map([...collector.finish()].filter(([column]) => !keyColumns.has(column)))
  return { values: fillColumns(model, collector, fixed), changes: incrementVersion(model, changes) }
}

/** Returns the column values of a change that may include the key. */
export function toRekeyedValues(model: Model, values: object, fixed?: FixedValues): ColumnValues {
  const collector = collectValues(model, values)
  restrictToFixed(collector, fixed)
  return collector.finish()
}

function restrictToFixed(collector: ValueCollector, fixed: FixedValues | undefined): void {
  if (fixed?.isExclusive === true) for (const [column, value] of fixed.values) collector.restrictValue(column, value)
}

/** Returns the column values of a change; the key may be sent if it is unchanged. */
export function toChangedValues(model: Model, values: object, key: unknown, fixed?: FixedValues): ColumnValues {
  const collector = collectValues(model, values)
  restrictToFixed(collector, fixed)
  for (const { name, node } of model.key) collector.keepValue(node.column, getAddressedValue(key, name, node))
  for (const name of model.table.key) collector.keepValue(getColumn(model, name), undefined)
  if (model.version !== undefined) collector.keepValue(model.version.column, undefined)
  return collector.finish()
}

/** Adds the increment of the version to a change; a change of related lists alone is one too. */
export function incrementVersion({ version }: Model, columns: ColumnValues, isChanged = false): ColumnValues {
  return version === undefined || (columns.size === 0 && !isChanged)
    ? columns
    : new Map([...columns, [version.column, INCREMENT]])
}

/** Sets the version of a new element to 1, unless it has a value or a default. */
function withInitialVersion({ version }: Model, columns: ColumnValues): ColumnValues {
  if (version === undefined || version.column.optional || columns.has(version.column)) return columns
  return new Map([...columns, [version.column, version.column.kind === 'bigint' ? 1n : 1]])
}

function getAddressedValue(key: unknown, name: string, { codec }: ColumnNode): unknown {
  const value: unknown = typeof key === 'object' && key !== null ? readOwnValue(key, name) : key
  return value === null || value === undefined ? undefined : codec.toColumn(value)
}

function collectValues(model: Model, values: object, path = '', refusals: RefusedValue[] = []): ValueCollector {
  const collector = new ValueCollector(refusals)
  addColumns(model.nodes, values ?? {}, path, collector)
  return collector
}

/** Returns an own property of an object; an attribute may have the name of an inherited one. */
export const readOwnValue = (values: object, name: string): unknown =>
  Object.hasOwn(values, name) ? (values as Record<string, unknown>)[name] : undefined

/** The column values of one write while they are collected, each with the pointer of its value in the payload. */
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
    else if (!isSameValue(other.value, value))
      this.refuse(pointer, codes.issues.contradiction, { other: other.pointer })
  }

  /** Refuses a write without a value for a column. */
  requireValue(column: Column, pointer: string): void {
    if (!this.#columns.has(column)) this.refuse(pointer, 'missing')
  }

  /** Sets a column, unless a value was sent. */
  fillValue(column: Column, value: unknown): void {
    if (!this.#columns.has(column)) this.#columns.set(column, { value, pointer: '' })
  }

  /** Refuses a value of a column that differs from the given one. */
  restrictValue(column: Column, value: unknown): void {
    const sent = this.#columns.get(column)
    if (sent !== undefined && !isSameValue(sent.value, value)) this.refuse(sent.pointer, codes.issues['scope-value'])
  }

  /** Leaves a column unchanged: refuses a value that differs from the current one, or any if that is unknown. */
  keepValue(column: Column, value: unknown): void {
    const sent = this.#columns.get(column)
    if (sent === undefined || this.#unchanged.has(column)) return
    this.#unchanged.add(column)
    if (value === undefined || !isSameValue(sent.value, value)) this.refuse(sent.pointer, codes.issues.unchangeable)
  }

  getPointers(): ReadonlyMap<Column, string> {
    return new Map(Array.from(this.#columns, ([column, { pointer }]) => [column, pointer]))
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

function addColumns(nodes: ModelNodes, values: object, path: string, collector: ValueCollector): void {
  for (const [name, value] of Object.entries(values)) {
    if (value === undefined) continue
    const node = nodes.get(name)
    const pointer = `${path}/${escapePointer(name)}`
    if (node === undefined) collector.refuse(pointer, codes.issues.unwritable)
    else addNode(node, value, pointer, collector)
  }
}

function addNode(node: ModelNode, value: unknown, path: string, collector: ValueCollector): void {
  if (node.type === 'column' && isWritable(node.column)) putValue(node.column, value, path, { node, collector })
  else if (node.type === 'struct') addStruct(node, value, path, collector)
  else if (node.type === 'one') addReference(node, value, path, collector)
  else collector.refuse(path, codes.issues.unwritable)
}

function addStruct(node: StructNode, value: unknown, path: string, collector: ValueCollector): void {
  if (typeof value !== 'object') return collector.refuse(path, 'type', { expected: 'an object', kind: 'object' })
  if (value !== null) return addColumns(node.nodes, value, path, collector)
  for (const [name, one] of node.nodes)
    if (isStoredHere(one)) addNode(one, null, `${path}/${escapePointer(name)}`, collector)
}

const isWritable = ({ derived, readOnly }: Column): boolean => derived === undefined && readOnly !== true

// Clearing a structure does not affect attributes that are stored elsewhere.
const isStoredHere = (node: ModelNode): boolean =>
  (node.type === 'column' && isWritable(node.column)) || node.type === 'struct' || node.type === 'one'

// A reference to another resource is written by its key; its other attributes are ignored. A shared column without an
// attribute, such as that of a tenant, stays unchanged.
function addReference(node: OneNode, value: unknown, path: string, collector: ValueCollector): void {
  if (typeof value !== 'object') return collector.refuse(path, 'type', { expected: 'an object', kind: 'object' })
  const target = node.target()
  const pairs = node.on.flatMap(([ours, name]) => {
    const theirs = getColumn(target, name)
    const entry = [...target.nodes].find(([, one]) => one.type === 'column' && one.column === theirs)
    return entry === undefined ? [] : [{ ours, attribute: entry[0], inner: entry[1] as ColumnNode }]
  })
  if (pairs.length === 0) return collector.refuse(path, codes.issues.unwritable)
  if (value === null) return clearReference(pairs, path, collector)
  for (const { ours, attribute, inner } of pairs) {
    const sent = readOwnValue(value, attribute)
    const pointer = `${path}/${escapePointer(attribute)}`
    if (sent === undefined) collector.refuse(pointer, 'missing')
    else putValue(ours, sent, pointer, { node: inner, collector })
  }
}

// One null column suffices to clear the reference: non-nullable columns are unchanged.
function clearReference(
  pairs: readonly { readonly ours: Column; readonly inner: ColumnNode }[],
  path: string,
  collector: ValueCollector,
): void {
  const nullable = pairs.filter(({ ours }) => ours.nullable)
  for (const { ours, inner } of nullable.length > 0 ? nullable : pairs)
    putValue(ours, null, path, { node: inner, collector })
}

function putValue(
  column: Column,
  value: unknown,
  path: string,
  { node, collector }: { readonly node: ColumnNode; readonly collector: ValueCollector },
): void {
  if (value === null) {
    if (!column.nullable) throw createUnfitRefusal(path, 'column-empty', 'cannot be empty')
    collector.put(column, null, path)
    return
  }
  const encoded = encodeValue(node, value)
  if (encoded === undefined) return refuseKind(path, node, collector)
  if (!isStorable(encoded, column)) throw createUnfitRefusal(path, 'column-range', 'is beyond what can be stored')
  collector.put(column, encoded, path)
}

function refuseKind(path: string, { attribute }: ColumnNode, collector: ValueCollector): void {
  const kind = attribute.core.kindName
  collector.refuse(path, 'type', { expected: `a value of the kind ${kind}`, kind })
}

// A payload may declare an attribute of the same name with another type than the media type does.
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
