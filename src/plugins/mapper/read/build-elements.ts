// Elements: converts a row to an element, directly from the row that the datastore's driver returned.

import { asIs } from '../../query/as-is.ts'
import type { RawRow, SelectedRows, UndecodedRows } from '../../query/query.ts'
import type { RowShape } from '../plan/row-shape.ts'

/** An element that is being assembled. */
export type AssembledElement = Record<string, unknown>

/** A set of rows; accessing `rows` decodes them, so readers prefer `undecoded`. */
export type RowSet = Pick<SelectedRows, 'rows' | 'undecoded'>

/** Creates the function that reads one column of a row, by the index of the row. */
export function createColumnReader(selected: RowSet, column: number): (row: number) => unknown {
  const { undecoded } = selected
  if (undecoded === undefined) {
    const { rows } = selected
    return (row) => rows[row]?.[column]
  }
  const { rows, keys, decoders } = undecoded
  const [key, decode] = [keys[column] as never, decoders[column] as ConvertValue]
  return (row) => {
    const raw: unknown = rows[row]?.[key]
    return raw === null || raw === undefined ? null : decode(raw)
  }
}

/** Converts the first `count` rows to elements; omits parts that contain a list or a computed attribute. */
export function buildElements(shape: RowShape, selected: RowSet, count: number): AssembledElement[] {
  const { undecoded } = selected
  const rows = undecoded === undefined ? selected.rows : undecoded.rows
  const maker = getMaker(shape, undecoded)
  const elements: AssembledElement[] = new Array(count)
  for (let i = 0; i < count; i++) elements[i] = buildElement(maker, rows[i] as RawRow)
  return elements
}

/** A compiled shape for rows of one format. */
interface ElementMaker {
  readonly rowKeys: UndecodedRows['keys'] | undefined
  /** An element with all columns and lists, which is copied: adding attributes one by one is slower. */
  readonly template: AssembledElement
  readonly columns: readonly AttributeReader[]
  readonly structs: readonly StructElementMaker[]
  readonly ones: readonly OneElementMaker[]
}

interface AttributeReader {
  readonly name: string
  readonly key: number | string
  /** Undefined if values are not converted. */
  readonly read: ((raw: unknown) => unknown) | undefined
  readonly nullable: boolean
}

interface NestedMaker {
  readonly name: string
  readonly nullable: boolean
  /** Undefined for parts that are completed after all rows are read. */
  readonly maker: ElementMaker | undefined
}

interface StructElementMaker extends NestedMaker {
  readonly alwaysPresent: boolean
}

interface OneElementMaker extends NestedMaker {
  readonly presence: number | string
}

const makers = new WeakMap<RowShape, ElementMaker>()

// The rows of one shape nearly always have one format.
function getMaker(shape: RowShape, undecoded: UndecodedRows | undefined): ElementMaker {
  const cached = makers.get(shape)
  if (cached !== undefined && cached.rowKeys === undecoded?.keys) return cached
  const getRowKey = (index: number): number | string =>
    undecoded === undefined ? index : (undecoded.keys[index] as number)
  const getNestedMaker = ({ shape: one }: { readonly shape: RowShape }) =>
    one.isDeep ? undefined : getMaker(one, undecoded)
  const maker: ElementMaker = {
    rowKeys: undecoded?.keys,
    template: Object.fromEntries([...shape.columns, ...shape.manys].map(({ name }) => [name, null])),
    columns: shape.columns.map(({ name, index, fromColumn, nullable }) => {
      const read = composeReaders(undecoded?.decoders[index] ?? asIs, fromColumn)
      return { name, key: getRowKey(index), read, nullable }
    }),
    structs: shape.structs.map((one) => ({
      name: one.name,
      nullable: one.nullable,
      alwaysPresent: one.alwaysPresent,
      maker: getNestedMaker(one),
    })),
    ones: shape.ones.map((one) => ({
      name: one.name,
      nullable: one.nullable,
      presence: getRowKey(one.presence),
      maker: getNestedMaker(one),
    })),
  }
  makers.set(shape, maker)
  return maker
}

type ConvertValue = (value: unknown) => unknown

function composeReaders(decode: ConvertValue, fromColumn: ConvertValue): ConvertValue | undefined {
  if (fromColumn === asIs) return decode === asIs ? undefined : decode
  return decode === asIs ? fromColumn : (raw) => fromColumn(decode(raw))
}

function buildElement(maker: ElementMaker, row: RawRow): AssembledElement {
  const { structs, ones } = maker
  const element = readColumns(maker, row)
  for (const { name, nullable, alwaysPresent, maker } of structs) {
    if (maker === undefined) continue
    const structure = buildElement(maker, row)
    if (alwaysPresent || hasValue(structure)) element[name] = structure
    else if (nullable) element[name] = null
  }
  for (const { name, nullable, presence, maker } of ones) {
    const present = row[presence as never] as unknown
    if (present === null || present === undefined) {
      if (nullable) element[name] = null
    } else if (maker !== undefined) element[name] = buildElement(maker, row)
  }
  return element
}

function readColumns({ template, columns }: ElementMaker, row: RawRow): AssembledElement {
  const element: AssembledElement = { ...template }
  let absent: string[] | undefined
  for (let i = 0; i < columns.length; i++) {
    const { name, key, read, nullable } = columns[i] as AttributeReader
    const value = row[key as never] as unknown
    if (value !== null && value !== undefined) element[name] = read === undefined ? value : read(value)
    else if (!nullable) {
      absent ??= []
      absent.push(name)
    }
  }
  return absent === undefined ? element : omitAbsent(element, absent)
}

// Deleting a property would make the object slower to access.
function omitAbsent(element: AssembledElement, absent: readonly string[]): AssembledElement {
  const rest: AssembledElement = {}
  for (const name in element) if (!absent.includes(name)) rest[name] = element[name]
  return rest
}

/** Returns whether a structure has a value. */
export function hasValue(structure: AssembledElement): boolean {
  for (const name in structure) if (structure[name] !== null) return true
  return false
}
