// One table for each type of column, and lists that are ordered by it: refused at boot, or walked.
import * as mysql from 'drizzle-orm/mysql-core'
import * as pg from 'drizzle-orm/pg-core'
import * as lite from 'drizzle-orm/sqlite-core'
import {
  type Application,
  type Attribute,
  type Attributes,
  application,
  collectionOf,
  controller,
  DefinitionError,
  endpoint,
  mediaType,
  route,
  t,
} from 'edict'
import { type Datastore, FieldSelector, FilteringParams, mapper, resource } from 'edict/mapper'
import { OrderingParams, PaginationParams, pagination } from 'edict/pagination'
import type { DialectName } from '../../../src/plugins/datastores/sql/sql.ts'
import type { ColumnType } from './types.ts'

/** The attributes that a column is tried with; each fits some kinds of columns. */
export const ATTRIBUTES = {
  string: t.string({ nullable: true }),
  integer: t.integer({ nullable: true }),
  number: t.number({ nullable: true }),
  bigint: t.bigint({ nullable: true }),
  decimal: t.decimal({ nullable: true, precision: 15, scale: 5 }),
  boolean: t.boolean({ nullable: true }),
  date: t.date({ nullable: true }),
  dateTime: t.dateTime({ nullable: true }),
  time: t.time({ nullable: true }),
} as const

/** Names an attribute. */
export type AttributeName = keyof typeof ATTRIBUTES

/** The table of a type. */
export const tableName = (index: number): string => `c${index}`

/** The statements that make and fill the table of a type: every value twice, and nulls, in no order. */
export function tableOf({ type, values, before }: ColumnType, index: number): string[] {
  const rows = [...values, 'null', ...values.toReversed(), 'null'].map((value, i) => `(${(i * 37) % 1009}, ${value})`)
  const strict = type.endsWith('!')
  const columns = `id integer not null primary key, x ${strict ? type.slice(0, -1) : type}`
  return [
    ...(before === undefined ? [] : [before]),
    `create table ${tableName(index)} (${columns})${strict ? ' strict' : ''}`,
    ...(values.length === 0 ? [] : [`insert into ${tableName(index)} values ${rows.join()}`]),
  ]
}

/** The table as Drizzle declares it. */
export function drizzleTable(dialect: DialectName, { type, drizzle }: ColumnType, index: number): unknown {
  const name = tableName(index)
  const params = { dataType: () => type.replace(/!$/, '') }
  if (dialect === 'postgres')
    return pg.pgTable(name, { id: pg.integer().primaryKey(), x: (drizzle?.() ?? pg.customType(params)()) as never })
  if (dialect === 'mysql')
    return mysql.mysqlTable(name, {
      id: mysql.int().primaryKey(),
      x: (drizzle?.() ?? mysql.customType(params)()) as never,
    })
  return lite.sqliteTable(name, {
    id: lite.integer().primaryKey(),
    x: (drizzle?.() ?? lite.customType(params)()) as never,
  })
}

const cellOf = (attribute: AttributeName, x: Attribute = ATTRIBUTES[attribute]) =>
  mediaType('Cell', { attributes: { id: t.integer({ required: true }), x } })

type Cell = ReturnType<typeof cellOf>

/** Serves a list that may be ordered by the column; undefined when the application does not boot. */
export function listBy<T>(datastore: Datastore<T>, table: T, attribute: AttributeName): Application | undefined {
  const Cell = cellOf(attribute)
  return served(datastore, table, Cell, {
    fields: FieldSelector.for(Cell),
    pagination: PaginationParams.for(Cell, { byFields: ['x', 'id'] }),
    order: OrderingParams.for(Cell, { byFields: ['x', 'id'] }),
  })
}

/** Serves a list that may be filtered by the column; undefined when the application does not boot. */
export function filteredBy<T>(
  datastore: Datastore<T>,
  table: T,
  attribute: AttributeName,
  declared?: Attribute,
): Application | undefined {
  const Cell = cellOf(attribute, declared)
  return served(datastore, table, Cell, {
    fields: FieldSelector.for(Cell),
    filters: FilteringParams.for(Cell, { x: attribute === 'string' ? { wildcards: true } : {} }),
  })
}

function served<T>(datastore: Datastore<T>, table: T, Cell: Cell, params: Attributes): Application | undefined {
  const Cells = endpoint('Cells', {
    mediaType: Cell,
    actions: { index: { routing: route.get('/'), params, responses: { ok: collectionOf(Cell) } } },
  })
  try {
    const cells = resource(datastore, Cell, { table })
    return application({
      environment: 'test',
      plugins: [mapper({ resources: { cells } }), pagination()],
      controllers: [controller(Cells, { index: async (_, { request, reply }) => reply.ok(await cells.list(request)) })],
    })
  } catch (error) {
    if (error instanceof DefinitionError) return undefined
    throw error
  }
}
