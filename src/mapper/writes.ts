// Writes: values of attributes become values of columns. What is absent stays as it is, what is null is emptied.
import { RefusedError } from '../server/refusal.ts'
import { columnOf } from './conditions.ts'
import type { ColumnNode, Model, Node, Nodes, OneNode, StructNode } from './model.ts'
import type { Column, Values } from './query.ts'

/** The columns that a structure of attributes writes. */
export function columnsOf(model: Model, values: object): Values {
  const columns = new Map<Column, unknown>()
  addColumns(model.nodes, values, '', columns)
  return columns
}

function addColumns(nodes: Nodes, values: object, path: string, columns: Map<Column, unknown>): void {
  for (const [name, value] of Object.entries(values)) {
    if (value === undefined) continue
    const node = nodes.get(name)
    const place = path === '' ? name : `${path}.${name}`
    if (node === undefined) throw new TypeError(`There is no attribute '${place}' to be written`)
    addNode(node, value, place, columns)
  }
}

function addNode(node: Node, value: unknown, path: string, columns: Map<Column, unknown>): void {
  if (node.type === 'column') put(columns, node.column, value, node, path)
  else if (node.type === 'struct') addStruct(node, value, path, columns)
  else if (node.type === 'one') addReference(node, value, path, columns)
  else throw new TypeError(`The attribute '${path}' has no column of its own and cannot be written`)
}

function addStruct(node: StructNode, value: unknown, path: string, columns: Map<Column, unknown>): void {
  if (value !== null) return addColumns(node.nodes, value as object, path, columns)
  for (const [name, one] of node.nodes) addNode(one, null, `${path}.${name}`, columns)
}

// Another resource is written by what identifies it; its other attributes are its own affair.
function addReference(node: OneNode, value: unknown, path: string, columns: Map<Column, unknown>): void {
  const target = node.target()
  for (const [ours, name] of node.on) {
    const theirs = columnOf(target, name)
    const entry = [...target.nodes].find(([, one]) => one.type === 'column' && one.column === theirs)
    if (entry === undefined)
      throw new TypeError(`No attribute of ${target.mediaType.name} tells what '${path}' refers to`)
    const [attribute, inner] = entry as [string, ColumnNode]
    const sent = value === null ? null : (value as Record<string, unknown>)[attribute]
    if (sent === undefined) throw new TypeError(`'${path}' is written by its '${attribute}', which is missing`)
    put(columns, ours, sent, inner, `${path}.${attribute}`)
  }
}

function put(columns: Map<Column, unknown>, column: Column, value: unknown, node: ColumnNode, path: string): void {
  if (value === null) {
    if (!column.nullable) throw unfit(`'${path}' cannot be empty.`)
    columns.set(column, null)
    return
  }
  const kept = node.codec.toColumn(value)
  if (!fits(kept, column)) throw unfit(`'${path}' is beyond what can be stored.`)
  columns.set(column, kept)
}

function fits(value: unknown, { kind, range }: Column): boolean {
  if (kind === 'integer' && !Number.isSafeInteger(Number(value))) return false
  if (kind === 'bigint' && typeof value === 'number' && !Number.isInteger(value)) return false
  if (range === undefined || (typeof value !== 'number' && typeof value !== 'bigint')) return true
  return value >= range[0] && value <= range[1]
}

const unfit = (detail: string): RefusedError => new RefusedError({ code: 'unfit-value', detail })
