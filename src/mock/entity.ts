// Entities: what a mock keeps of a media type. Each has a table, whose columns follow from the attributes.

import type { MediaType } from '../design/declare/media-type.ts'
import type { ColumnKind } from '../plugins/query/query.ts'
import type { Attribute } from '../schema/attribute.ts'
import { isInline } from '../schema/children.ts'
import { compareDecimals } from '../util/decimal.ts'

/** Where one attribute is kept. */
export type EntityPart = ColumnPart | StructPart | ToOnePart | ToManyPart

/** An attribute in a column: a single value, or anything else as JSON. */
export interface ColumnPart {
  readonly type: 'column'
  readonly attribute: Attribute
  readonly column: string
  readonly kind: ColumnKind
}

/** A structure whose attributes have their own columns, so that lists can be ordered by them. */
export interface StructPart {
  readonly type: 'struct'
  readonly attribute: Attribute
  readonly parts: ReadonlyMap<string, ColumnPart | StructPart>
}

/** An element of another entity: which of our columns equal theirs. */
export interface ToOnePart {
  readonly type: 'one'
  readonly attribute: Attribute
  readonly target: Entity
  readonly on: readonly ColumnPair[]
}

/** Elements of another entity, or single values with their own table. */
export interface ToManyPart {
  readonly type: 'many'
  readonly attribute: Attribute
  readonly target: Entity
  readonly on: readonly ColumnPair[]
  /** Whether the elements are plain values. */
  readonly isValueList: boolean
}

/** A column of ours, and the one of the other table that has the same value. */
export type ColumnPair = readonly [ours: string, theirs: string]

/** Columns that take their values from a row of another entity. */
export interface EntityLink {
  readonly target: Entity
  readonly on: readonly ColumnPair[]
  /** Whether a row can be without one. */
  readonly optional: boolean
  /** Whether rows are parts of the other, which shows them as a list. */
  readonly isOwned: boolean
}

/** The column that every table has: the number of the row. */
export const ROW_COLUMN = '~row'

/** The attribute of a plain value's place, in a table of plain values. */
export const POSITION_ATTRIBUTE = 'position'

/** The attribute of a plain value itself. */
export const VALUE_ATTRIBUTE = 'value'

/** A media type and its table. */
export class Entity {
  readonly mediaType: MediaType
  readonly table: string
  /** The attributes that tell elements apart. */
  readonly key: readonly string[]
  readonly parts: Map<string, EntityPart> = new Map()
  readonly columns: Map<string, ColumnKind> = new Map([[ROW_COLUMN, 'integer']])
  readonly links: EntityLink[] = []
  /** Columns whose values occur once. */
  readonly unique: Set<string> = new Set()
  /** Params that are kept under other names than their own, and those that are no attributes at all. */
  readonly aliases: Map<string, string> = new Map()
  readonly hiddenAttributes: Map<string, Attribute> = new Map()
  /** Whether it holds the plain values of another entity's list, whose attribute it is. */
  readonly listAttribute: Attribute | undefined

  constructor(mediaType: MediaType, table: string, key: readonly string[], listed?: Attribute) {
    this.mediaType = mediaType
    this.table = table
    this.key = key
    this.listAttribute = listed
    for (const name of key) this.unique.add(name)
  }

  /** Adds a column that is no attribute. */
  addHiddenColumn(column: string, kind: ColumnKind): string {
    if (!this.columns.has(column)) this.columns.set(column, kind)
    return column
  }

  /** The columns whose values together belong to one row only. */
  get identity(): readonly string[] {
    if (this.listAttribute !== undefined) return [ROW_COLUMN]
    const parents = this.links.filter(({ optional }) => !optional).flatMap(({ on }) => on.map(([ours]) => ours))
    return [...new Set([...this.key, ...parents.filter((column) => column.startsWith(':'))])]
  }

  /** Where the value of a param is kept: in the attribute of its name, or hidden. */
  findColumn(param: string): string | undefined {
    const hidden = this.aliases.get(param) ?? `:${param}`
    return this.columns.has(hidden) ? hidden : this.findScalarPart(param)?.column
  }

  /** The part of an attribute that is a single value in a column. */
  findScalarPart(name: string): ColumnPart | undefined {
    const part = this.parts.get(name)
    return part?.type === 'column' && part.kind !== 'json' ? part : undefined
  }
}

const COLUMN_KINDS: Readonly<Record<string, ColumnKind | undefined>> = {
  string: 'text',
  integer: 'integer',
  number: 'number',
  bigint: 'bigint',
  decimal: 'decimal',
  boolean: 'boolean',
  date: 'date',
  dateTime: 'dateTime',
  time: 'time',
}

/** The kind of column that holds the single values of an attribute; undefined for structures and lists. */
export const getScalarKind = ({ core }: Attribute): ColumnKind | undefined => COLUMN_KINDS[core.scalar ?? '']

/** Returns whether an element always has a value of an attribute. */
export const isAlwaysPresent = ({ options }: Attribute): boolean =>
  (options.required === true || options.visibleTo?.required === true) && options.nullable !== true

/** Returns whether an attribute takes every value that another one has in the rows of a mock. */
export function isAssignable(ours: Attribute, theirs: Attribute): boolean {
  const [own, other] = [ours.options, theirs.options] as [AttributeLimits, AttributeLimits]
  const isSame = (name: keyof AttributeLimits): boolean => own[name] === undefined || String(own[name]) === String(other[name])
  // Numbers of keys begin at 1.
  const isLow = own.min === undefined || isAtMost(own.min, other.min ?? 1)
  return ours.core.scalar === theirs.core.scalar && isLow && LIMIT_NAMES.every(isSame)
}

// Limits of decimals are texts.
const isAtMost = (a: number | bigint | string, b: number | bigint | string): boolean =>
  typeof a === 'string' || typeof b === 'string' ? compareDecimals(String(a), String(b)) <= 0 : a <= b

interface AttributeLimits {
  readonly min?: number | bigint | string
  readonly max?: unknown
  readonly pattern?: unknown
  readonly values?: unknown
  readonly format?: unknown
}

const LIMIT_NAMES = ['max', 'pattern', 'values', 'format'] as const

/** Adds the columns of an attribute without relations. */
export function addColumns(entity: Entity, attribute: Attribute, path: string): ColumnPart | StructPart {
  const { core } = attribute
  if (isInline(attribute)) {
    const parts = Object.entries(core.children).map(([name, one]): [string, ColumnPart | StructPart] => [
      name,
      addColumns(entity, one, `${path}.${name}`),
    ])
    return { type: 'struct', attribute, parts: new Map(parts) }
  }
  const column = { type: 'column', attribute, column: path, kind: getScalarKind(attribute) ?? 'json' } as const
  entity.columns.set(path, column.kind)
  return column
}

/** The columns of a part, those of structures included. */
export function* listColumns(part: ColumnPart | StructPart): Iterable<ColumnPart> {
  if (part.type === 'column') yield part
  else for (const one of part.parts.values()) yield* listColumns(one)
}
