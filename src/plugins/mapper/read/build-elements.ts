// Elements: the values of a row become an element, read straight from the row as the datastore's client returned it.

import type { RowShape } from '../plan/row-shape.ts'
import type { RawRow, SelectedRows, UndecodedRows } from '../../query/query.ts'
import { asIs } from '../../query/as-is.ts'

/** An element while it is put together. */
export type AssembledElement = Record<string, unknown>

/** Rows that are read from: decoded ones are made at first use, so that only what needs them asks for `rows`. */
export type RowSet = Pick<SelectedRows, 'rows' | 'undecoded'>

/** Makes the function that reads one column of a row, by the number of the row. */
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

/** Makes an element of each row, up to a number of rows; parts with a list or computation below are left out. */
export function buildElements(shape: RowShape, selected: RowSet, count: number): AssembledElement[] {
  const { undecoded } = selected
  const rows = undecoded === undefined ? selected.rows : undecoded.rows
  const maker = getMaker(shape, undecoded)
  const elements: AssembledElement[] = new Array(count)
  for (let i = 0; i < count; i++) elements[i] = buildElement(maker, rows[i] as RawRow)
  return elements
}

/** A shape whose values are read from rows of one form. */
interface ElementMaker {
  readonly rowKeys: UndecodedRows['keys'] | undefined
  /** An element with all columns and lists, which is copied: adding attributes one by one takes longer. */
  readonly template: AssembledElement
  readonly columns: readonly AttributeReader[]
  readonly structs: readonly StructElementMaker[]
  readonly ones: readonly OneElementMaker[]
}

/** Reads one attribute of a row. */
interface AttributeReader {
  readonly name: string
  readonly key: number | string
  /** Undefined where values pass as they are. */
  readonly read: ((raw: unknown) => unknown) | undefined
  readonly nullable: boolean
}

interface NestedMaker {
  readonly name: string
  readonly nullable: boolean
  /** Undefined for what has to wait for all rows. */
  readonly maker: ElementMaker | undefined
}

interface StructElementMaker extends NestedMaker {
  readonly alwaysPresent: boolean
}

interface OneElementMaker extends NestedMaker {
  readonly presence: number | string
}

const makers = new WeakMap<RowShape, ElementMaker>()

// The rows of one shape nearly always come in one form.
function getMaker(shape: RowShape, undecoded: UndecodedRows | undefined): ElementMaker {
  const known = makers.get(shape)
  if (known !== undefined && known.rowKeys === undecoded?.keys) return known
  const keyOf = (index: number): number | string =>
    undecoded === undefined ? index : (undecoded.keys[index] as number)
  const below = ({ shape: one }: { readonly shape: RowShape }) => (one.isDeep ? undefined : getMaker(one, undecoded))
  const maker: ElementMaker = {
    rowKeys: undecoded?.keys,
    template: Object.fromEntries([...shape.columns, ...shape.manys].map(({ name }) => [name, null])),
    columns: shape.columns.map(({ name, index, fromColumn, nullable }) => {
      const read = composeReaders(undecoded?.decoders[index] ?? asIs, fromColumn)
      return { name, key: keyOf(index), read, nullable }
    }),
    structs: shape.structs.map((one) => ({
      name: one.name,
      nullable: one.nullable,
      alwaysPresent: one.alwaysPresent,
      maker: below(one),
    })),
    ones: shape.ones.map((one) => ({
      name: one.name,
      nullable: one.nullable,
      presence: keyOf(one.presence),
      maker: below(one),
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
  for (const { name, nullable, alwaysPresent: certain, maker } of structs) {
    if (maker === undefined) continue
    const structure = buildElement(maker, row)
    if (certain || hasValue(structure)) element[name] = structure
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

// An object from which something was deleted is slower for everything that comes after.
function omitAbsent(element: AssembledElement, absent: readonly string[]): AssembledElement {
  const rest: AssembledElement = {}
  for (const name in element) if (!absent.includes(name)) rest[name] = element[name]
  return rest
}

/** Returns whether there is anything in a structure. */
export function hasValue(structure: AssembledElement): boolean {
  for (const name in structure) if (structure[name] !== null) return true
  return false
}
