// Elements: the values of a row become an element, read straight from the row as the datastore's client returned it.

import type { Shape } from '../plan/row-layout.ts'
import type { RawRow, Selected, Undecoded } from '../query.ts'
import { asIs } from '../resource/codec.ts'

/** An element while it is put together. */
export type Element = Record<string, unknown>

/** Rows that are read from: decoded ones are made at first use, so that only what needs them asks for `rows`. */
export type Rows = Pick<Selected, 'rows' | 'undecoded'>

/** Makes the function that reads one column of a row, by the number of the row. */
export function columnReader(selected: Rows, column: number): (row: number) => unknown {
  const { undecoded } = selected
  if (undecoded === undefined) {
    const { rows } = selected
    return (row) => rows[row]?.[column]
  }
  const { rows, keys, decoders } = undecoded
  const [key, decode] = [keys[column] as never, decoders[column] as Read]
  return (row) => {
    const raw: unknown = rows[row]?.[key]
    return raw === null || raw === undefined ? null : decode(raw)
  }
}

/** Makes an element of each row, up to a number of rows; parts with a list or computation below are left out. */
export function elementsOf(shape: Shape, selected: Rows, count: number): Element[] {
  const { undecoded } = selected
  const rows = undecoded === undefined ? selected.rows : undecoded.rows
  const maker = makerOf(shape, undecoded)
  const elements: Element[] = new Array(count)
  for (let i = 0; i < count; i++) elements[i] = elementOf(maker, rows[i] as RawRow)
  return elements
}

/** A shape whose values are read from rows of one form. */
interface Maker {
  readonly form: Undecoded['keys'] | undefined
  /** An element with all columns and lists, which is copied: adding attributes one by one takes longer. */
  readonly template: Element
  readonly columns: readonly Reader[]
  readonly structs: readonly StructMaker[]
  readonly ones: readonly OneMaker[]
}

/** Reads one attribute of a row. */
interface Reader {
  readonly name: string
  readonly key: number | string
  /** Undefined where values pass as they are. */
  readonly read: ((raw: unknown) => unknown) | undefined
  readonly nullable: boolean
}

interface BelowMaker {
  readonly name: string
  readonly nullable: boolean
  /** Undefined for what has to wait for all rows. */
  readonly maker: Maker | undefined
}

interface StructMaker extends BelowMaker {
  readonly certain: boolean
}

interface OneMaker extends BelowMaker {
  readonly presence: number | string
}

const makers = new WeakMap<Shape, Maker>()

// The rows of one shape nearly always come in one form.
function makerOf(shape: Shape, undecoded: Undecoded | undefined): Maker {
  const known = makers.get(shape)
  if (known !== undefined && known.form === undecoded?.keys) return known
  const keyOf = (index: number): number | string =>
    undecoded === undefined ? index : (undecoded.keys[index] as number)
  const below = ({ shape: one }: { readonly shape: Shape }) => (one.deep ? undefined : makerOf(one, undecoded))
  const maker: Maker = {
    form: undecoded?.keys,
    template: Object.fromEntries([...shape.columns, ...shape.manys].map(({ name }) => [name, null])),
    columns: shape.columns.map(({ name, index, fromColumn, nullable }) => {
      const read = composed(undecoded?.decoders[index] ?? asIs, fromColumn)
      return { name, key: keyOf(index), read, nullable }
    }),
    structs: shape.structs.map((one) => ({
      name: one.name,
      nullable: one.nullable,
      certain: one.certain,
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

type Read = (value: unknown) => unknown

function composed(decode: Read, fromColumn: Read): Read | undefined {
  if (fromColumn === asIs) return decode === asIs ? undefined : decode
  return decode === asIs ? fromColumn : (raw) => fromColumn(decode(raw))
}

function elementOf(maker: Maker, row: RawRow): Element {
  const { structs, ones } = maker
  const element = columnsOf(maker, row)
  for (const { name, nullable, certain, maker } of structs) {
    if (maker === undefined) continue
    const structure = elementOf(maker, row)
    if (certain || hasValue(structure)) element[name] = structure
    else if (nullable) element[name] = null
  }
  for (const { name, nullable, presence, maker } of ones) {
    const present = row[presence as never] as unknown
    if (present === null || present === undefined) {
      if (nullable) element[name] = null
    } else if (maker !== undefined) element[name] = elementOf(maker, row)
  }
  return element
}

function columnsOf({ template, columns }: Maker, row: RawRow): Element {
  const element: Element = { ...template }
  let absent: string[] | undefined
  for (let i = 0; i < columns.length; i++) {
    const { name, key, read, nullable } = columns[i] as Reader
    const value = row[key as never] as unknown
    if (value !== null && value !== undefined) element[name] = read === undefined ? value : read(value)
    else if (!nullable) {
      absent ??= []
      absent.push(name)
    }
  }
  return absent === undefined ? element : without(element, absent)
}

// An object from which something was deleted is slower for everything that comes after.
function without(element: Element, absent: readonly string[]): Element {
  const rest: Element = {}
  for (const name in element) if (!absent.includes(name)) rest[name] = element[name]
  return rest
}

/** Returns whether there is anything in a structure. */
export function hasValue(structure: Element): boolean {
  for (const name in structure) if (structure[name] !== null) return true
  return false
}
