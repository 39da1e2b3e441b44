// Entities: the tables of a mock, one for each media type, with columns for its attributes.

import type { MediaType } from '../design/declare/media-type.ts'
import type { ColumnKind } from '../plugins/mapper/index.ts'
import type { Attribute } from '../schema/attribute.ts'
import { isInline } from '../schema/children.ts'
import { compareDecimals } from '../util/decimal.ts'

/** The storage of one attribute. */
export type EntityPart = ColumnPart | StructPart | ToOnePart | ToManyPart

/** An attribute in a column: a scalar, or anything else as JSON. */
export interface ColumnPart {
  readonly type: 'column'
  readonly attribute: Attribute
  readonly column: string
  readonly kind: ColumnKind
}

/** An object whose attributes have separate columns, so that lists can be ordered by them. */
export interface StructPart {
  readonly type: 'struct'
  readonly attribute: Attribute
  readonly parts: ReadonlyMap<string, ColumnPart | StructPart>
}

/** An element of another entity, joined by pairs of columns. */
export interface ToOnePart {
  readonly type: 'one'
  readonly attribute: Attribute
  readonly target: Entity
  readonly on: readonly ColumnPair[]
}

/** Elements of another entity, or plain values in a separate table. */
export interface ToManyPart {
  readonly type: 'many'
  readonly attribute: Attribute
  readonly target: Entity
  readonly on: readonly ColumnPair[]
  /** Whether the elements are plain values. */
  readonly isValueList: boolean
  /** The column of the other table that has the place of an element in the list as it was sent. */
  readonly position?: string
}

/** A column of this table, and the column of the other table that it equals. */
export type ColumnPair = readonly [ours: string, theirs: string]

/** A reference of columns to a row of another entity. */
export interface EntityLink {
  readonly target: Entity
  readonly on: readonly ColumnPair[]
  /** Whether the reference may be null. */
  readonly optional: boolean
  /** Whether the other entity owns the rows and shows them as a list. */
  readonly isOwned: boolean
}

/** The column of the row number, which every table has. */
export const ROW_COLUMN = '~row'

/** The attribute for the position of a plain value in its list. */
export const POSITION_ATTRIBUTE = 'position'

/** The attribute of the plain value. */
export const VALUE_ATTRIBUTE = 'value'

/** A media type and its table. */
export class Entity {
  readonly mediaType: MediaType
  readonly table: string
  /** The attributes that identify an element; none if only its path does. */
  readonly key: readonly string[]
  readonly parts: Map<string, EntityPart> = new Map()
  readonly columns: Map<string, ColumnKind> = new Map([[ROW_COLUMN, 'integer']])
  readonly links: EntityLink[] = []
  /** Columns whose values are unique. */
  readonly unique: Set<string> = new Set()
  /** Columns of params that are stored under another name, by param. */
  readonly aliases: Map<string, string> = new Map()
  readonly hiddenAttributes: Map<string, Attribute> = new Map()
  /** Values that clients send and no response shows, such as passwords, by the names in payloads. */
  readonly secrets: Map<string, ColumnPart> = new Map()
  /** Whether no path or list says that the key identifies an element, so that clients may send the same one again. */
  hasLikelyKey = false
  /** The column with the credentials of callers, if clients are elements of this entity. */
  credential: string | undefined
  /** The list attribute whose plain values this entity stores, if it is such an entity. */
  readonly listAttribute: Attribute | undefined

  constructor(mediaType: MediaType, table: string, key: readonly string[], listAttribute?: Attribute) {
    this.mediaType = mediaType
    this.table = table
    this.key = key
    this.listAttribute = listAttribute
  }

  /** The columns whose generated values differ. */
  get distinct(): readonly string[] {
    if (!this.hasLikelyKey) return [...this.unique]
    const linked = new Set(this.links.flatMap(({ on }) => on.map(([ours]) => ours)))
    return [...new Set([...this.key.filter((name) => !linked.has(name)), ...this.unique])]
  }

  /** Adds a column that is not an attribute. */
  addHiddenColumn(column: string, kind: ColumnKind): string {
    if (!this.columns.has(column)) this.columns.set(column, kind)
    return column
  }

  /** Keeps a value that is no attribute of the elements. */
  addSecret(name: string, attribute: Attribute): void {
    const column = this.addHiddenColumn(`~${name}`, getScalarKind(attribute) ?? 'json')
    this.secrets.set(name, { type: 'column', attribute, column, kind: this.columns.get(column) as ColumnKind })
  }

  /** The columns that together identify a row. */
  get identity(): readonly string[] {
    if (this.listAttribute !== undefined || this.key.length === 0 || this.hasLikelyKey) return [ROW_COLUMN]
    const parents = this.links.filter(({ optional }) => !optional).flatMap(({ on }) => on.map(([ours]) => ours))
    return [...new Set([...this.key, ...parents.filter((column) => column.startsWith(':'))])]
  }

  /** Returns the column of a param: a hidden one, or that of the attribute of the same name. */
  findColumn(param: string): string | undefined {
    const hidden = this.aliases.get(param) ?? `:${param}`
    return this.columns.has(hidden) ? hidden : this.findScalarPart(param)?.column
  }

  /** Returns the storage of an attribute if it is a scalar. */
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

/** Returns the kind of column for a scalar attribute; undefined for objects and lists. */
export const getScalarKind = ({ core }: Attribute): ColumnKind | undefined => COLUMN_KINDS[core.scalar ?? '']

/** Returns whether an element always has a value for an attribute. */
export const isAlwaysPresent = ({ options }: Attribute): boolean =>
  (options.required === true || options.visibleTo?.required === true) && options.nullable !== true

/** Returns whether an attribute accepts every value that another attribute has in the rows of a mock. */
export function isAssignable(ours: Attribute, theirs: Attribute): boolean {
  const [own, other] = [ours.options, theirs.options] as [AttributeLimits, AttributeLimits]
  const isSame = (name: keyof AttributeLimits): boolean =>
    own[name] === undefined || String(own[name]) === String(other[name])
  // Generated keys start at 1.
  const isMinReached = own.min === undefined || isAtMost(own.min, other.min ?? 1)
  return ours.core.scalar === theirs.core.scalar && isMinReached && LIMIT_NAMES.every(isSame)
}

// Limits of decimals are strings.
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

/** Lists the columns of a part, including nested ones. */
export function* listColumns(part: ColumnPart | StructPart): Iterable<ColumnPart> {
  if (part.type === 'column') yield part
  else for (const one of part.parts.values()) yield* listColumns(one)
}
