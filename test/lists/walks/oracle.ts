// The expected list: one plain query, as SQL and as JavaScript, that knows nothing of pages.
import type { Content, Kind, Row, Value } from './contents.ts'
import { type Condition, columnOf, compare, fits, marksOf, sqlOf, valueAt, type Written } from './filters.ts'
import type { Target } from './targets.ts'

/** One field of an order. */
export interface Term {
  readonly field: string
  readonly descending: boolean
}

/** A query for all items of a list. */
export interface Query {
  readonly filter: Condition | undefined
  readonly order: readonly Term[]
}

/** The key of a list's items. */
const KEYS = { singles: ['number'], pairs: ['section', 'number'] } as const

const whole = (order: readonly Term[], table: Content['table']): readonly Term[] => [
  ...order,
  ...KEYS[table]
    .filter((key) => !order.some(({ field }) => field === key))
    .map((field) => ({ field, descending: order.at(-1)?.descending ?? false })),
]

/** The items in their order, as the database itself says with one statement. */
export async function bySql(target: Target, content: Content, { filter, order }: Query): Promise<Row[]> {
  const { written, nulls } = target
  const steps = whole(order, content.table).map(({ field, descending }) => nulls(columnOf(field), descending))
  const rows = await target.query(
    `select t.section, t.number from ${content.table} t left join owners o on o.id = t.owner_id
      left join towns w on w.id = o.town_id
      ${filter === undefined ? '' : `where ${sqlOf(filter, written)}`} order by ${steps.join()}`,
  )
  return rows.map(([section, number]) => {
    const found = content.items.find((item) => item['section'] === section && item['number'] === Number(number))
    if (found === undefined) throw new Error(`There is no item ${section} ${number}`)
    return found
  })
}

/** The items in their order, as a few lines of JavaScript say. */
export function byHand(content: Content, { filter, order }: Query): Row[] {
  const steps = whole(order, content.table)
  return content.items
    .filter((item) => filter === undefined || fits(filter, content, item))
    .toSorted((one, other) => {
      for (const { field, descending } of steps) {
        const [a, b] = [valueAt(content, one, field), valueAt(content, other, field)]
        const up = a === null || b === null ? Number(a === null) - Number(b === null) : compare(a, b)
        if (up !== 0) return descending ? -up : up
      }
      return 0
    })
}

/** The items that a `from` typed by hand leaves: those beyond all that are equal to it. */
export const beyond = ({ field, descending }: Term, from: Value): Condition =>
  descending
    ? { op: '<', field, matches: [from] }
    : {
        op: '|',
        of: [
          { op: '>', field, matches: [from] },
          { op: '!!', field },
        ],
      }

// --- what is shown ----------------------------------------------------------------------

const json = (value: Value | null | undefined): unknown => (typeof value === 'bigint' ? String(value) : (value ?? null))
const momentOf = (value: Value | null | undefined): unknown =>
  typeof value === 'string' ? `${value.slice(0, 23)}Z` : null

const OWN = ['section', 'number', 'word', 'note', 'count', 'size', 'ratio', 'big', 'flag', 'day', 'at'] as const

/** An item as an answer shows it, all of it; nothing is shown where nothing is related. */
export function shown(content: Content, item: Row): Record<string, unknown> {
  const owner = content.owners.find(({ id }) => id === item['owner_id'])
  const town = content.towns.find(({ id }) => id === owner?.['town_id'])
  const own = OWN.map((name) => [name, name === 'at' ? momentOf(item[name]) : json(item[name])])
  return {
    ...Object.fromEntries(own),
    owner: owner && { id: owner['id'], name: owner['name'], rank: owner['rank'], town },
    marks: marksOf(content, item)
      .toSorted((a, b) => Number(a['id']) - Number(b['id']))
      .map(({ id, score, note }) => ({ id, score, note })),
  }
}

/** Which fields of an item are selected: true for all below one. */
export interface Selection {
  readonly [field: string]: true | Selection
}

/** The fields that are shown without a selection: those of the item itself. */
export const DEFAULT: Selection = Object.fromEntries(OWN.map((name) => [name, true]))

/** Writes a selection as requests have it. */
export const selectionText = (selection: Selection): string =>
  Object.entries(selection)
    .map(([name, below]) => (below === true ? name : `${name}{${selectionText(below)}}`))
    .join()

/** The selected part of what an item looks like. */
export function selected(value: unknown, selection: Selection | true): unknown {
  if (selection === true || value === undefined) return value
  if (Array.isArray(value)) return value.map((one) => selected(one, selection))
  return Object.fromEntries(
    Object.entries(selection).map(([name, below]) => [name, selected((value as Record<string, unknown>)[name], below)]),
  )
}

/** Writes literals and tests of texts. */
export function writtenFor(
  quote: (text: string) => string,
  moment: (value: string) => string,
  flags: boolean,
): Written {
  const literal = (value: Value | null, kind: Kind): string => {
    if (value === null) return 'null'
    if (kind === 'moment') return moment(String(value))
    if (kind === 'boolean' && !flags) return value === true ? '1' : '0'
    return kind === 'text' || kind === 'date' ? quote(String(value)) : String(value)
  }
  return {
    literal,
    begins: (column, part) => `left(${column}, char_length(${part})) = ${part}`,
    ends: (column, part) => `right(${column}, char_length(${part})) = ${part}`,
    contains: (column, part) => `position(${part} in ${column}) > 0`,
  }
}
