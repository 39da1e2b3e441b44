// The store of a mock: a memory datastore with generated rows, the resources over it, and their writes.

import {
  type AnyResource,
  type AttributeSources,
  type Column,
  type Count,
  type Datastore,
  type Filter,
  type ListRequest,
  type MemoryTable,
  many,
  memoryDatastore,
  one,
  type Resource,
  resource,
  retry,
  type Table,
} from '../plugins/mapper/index.ts'
import { createEmptyRow, createRows, type MockRow } from './create-rows.ts'
import { type Entity, type EntityPart, POSITION_ATTRIBUTE, ROW_COLUMN, VALUE_ATTRIBUTE } from './entity.ts'
import type { Mark } from './marks.ts'
import { MockFiles } from './mock-files.ts'

/** Conditions on a row: values by column name; a list is any of them. */
export type RowCondition = Readonly<Record<string, unknown>>

/** The rows of all entities, with functions to read and change them. */
export class MockStore {
  readonly entities: readonly Entity[]
  /** The uploaded files. */
  readonly files: MockFiles = new MockFiles()
  readonly #datastore: Datastore<string>
  readonly #resources: ReadonlyMap<Entity, Resource>
  /** The row of the caller whose marks the current query shows; queries of the memory datastore run at once. */
  #viewer: number | undefined

  constructor(entities: readonly Entity[], count: number, marks: readonly Mark[] = []) {
    this.entities = entities
    const rows = createRows(entities, count)
    const tables = entities.map((entity) => [entity.table, buildTable(entity, rows.get(entity) ?? [])] as const)
    this.#datastore = memoryDatastore(Object.fromEntries(tables))
    const resources = new Map<Entity, Resource>()
    for (const entity of entities) {
      const entityResource = resource(
        this.#withMarks(withKey(this.#datastore, entity), entity, marks),
        entity.mediaType,
        {
          table: entity.table,
          key: getSortKey(entity),
          attributes: buildSources(entity.parts, (target) => resources.get(target) as Resource) as {},
        },
      )
      resources.set(entity, entityResource as unknown as Resource)
    }
    this.#resources = resources
  }

  /** Returns the page of an entity's elements that a request asks for, among the matching rows, as a caller sees them. */
  listElements(
    entity: Entity,
    request: ListRequest,
    where: RowCondition,
    viewer: number | undefined,
  ): Promise<readonly unknown[]> {
    const found = this.#resources.get(entity) as Resource
    return found.withDatastore(this.#narrowTo(entity, where, viewer)).list(request)
  }

  /** Returns the element of a row as a request selects it, and as a caller sees it. */
  async readElement(entity: Entity, request: ListRequest, row: MockRow, viewer: number | undefined): Promise<unknown> {
    // Params about lists do not apply to a single element.
    const single = { action: request.action, params: withoutListParams(request.params) }
    return (await this.listElements(entity, single, { [ROW_COLUMN]: row[ROW_COLUMN] }, viewer))[0]
  }

  /** Returns the matching rows in the order of insertion. */
  async findRows(entity: Entity, where: RowCondition): Promise<MockRow[]> {
    const table = this.#getTable(entity)
    const columns = [...table.columns.values()].map((column) => ({ source: 0, column }))
    const filter = buildFilter(table, where)
    const query = { from: table, joins: [], columns, filter, order: [], limit: undefined, offset: 0 }
    const { rows } = await this.#datastore.select(query)
    return rows.map((row) => {
      const values = Object.fromEntries(columns.map(({ column }, i) => [column.name, row[i]]))
      return Object.assign(createEmptyRow(), values)
    })
  }

  /** Inserts a row and returns it as stored. */
  async insert(entity: Entity, row: MockRow): Promise<MockRow> {
    const table = this.#getTable(entity)
    // With `retry`, a conflict is refused as that of a resource is.
    const key = await retry(this.#datastore, () => this.#datastore.insert(table, toColumnValues(table, row)))
    const where = Object.fromEntries(Array.from(key, ([column, value]) => [column.name, value]))
    return (await this.findRows(entity, where))[0] as MockRow
  }

  async update(entity: Entity, where: RowCondition, values: MockRow): Promise<void> {
    const table = this.#getTable(entity)
    await retry(this.#datastore, () =>
      this.#datastore.update(table, toColumnValues(table, values), buildFilter(table, where)),
    )
  }

  async delete(entity: Entity, where: RowCondition): Promise<void> {
    const table = this.#getTable(entity)
    await this.#datastore.delete(table, buildFilter(table, where))
  }

  #getTable(entity: Entity): Table<string> {
    return this.#datastore.table(entity.table)
  }

  // Columns of marks are computed: by who asks, and by how many have set them.
  #withMarks(datastore: Datastore<string>, entity: Entity, all: readonly Mark[]): Datastore<string> {
    const marks = all.filter((mark) => mark.entity === entity)
    if (marks.length === 0) return datastore
    return {
      ...datastore,
      table: (source) => {
        const table = datastore.table(source)
        return source === entity.table ? { ...table, columns: this.#computeMarks(table.columns, marks) } : table
      },
    }
  }

  #computeMarks(columns: ReadonlyMap<string, Column>, marks: readonly Mark[]): ReadonlyMap<string, Column> {
    const row = columns.get(ROW_COLUMN) as Column
    const computed = new Map(columns)
    for (const mark of marks) {
      const [flag, count] = [columns.get(mark.flag ?? ''), columns.get(mark.count ?? '')]
      const derive = (column: Column, run: (values: readonly unknown[]) => unknown): void =>
        void computed.set(column.name, { ...column, derived: { columns: [row, column], sql: () => '', run } })
      if (flag !== undefined) derive(flag, ([number]) => mark.has(Number(number), this.#viewer))
      if (count !== undefined) derive(count, ([number, base]) => Number(base ?? 0) + mark.countAt(Number(number)))
    }
    return computed
  }

  // Returns the datastore with a filter on one table.
  #narrowTo(entity: Entity, where: RowCondition, viewer: number | undefined): Datastore<string> {
    const inner = this.#datastore
    const filter = buildFilter(this.#getTable(entity), where)
    const addFilter = <Q extends Count<string>>(query: Q): Q => {
      if (query.from.source !== entity.table) return query
      return { ...query, filter: query.filter === undefined ? filter : { op: 'and', of: [filter, query.filter] } }
    }
    const see = <V>(query: () => V): V => {
      this.#viewer = viewer
      return query()
    }
    return {
      ...inner,
      select: (query) => see(() => inner.select(addFilter(query))),
      count: (query) => see(() => inner.count(addFilter(query))),
    }
  }
}

function withoutListParams(params: object): object {
  const remaining = Object.entries(params).filter(([name]) => !['pagination', 'order', 'filters'].includes(name))
  return Object.fromEntries(remaining)
}

function buildFilter(table: Table<string>, where: RowCondition): Filter<string> {
  const of = Object.entries(where).map(([name, value]): Filter<string> => {
    const reference = { source: 0, column: table.columns.get(name) as Column }
    if (Array.isArray(value)) return { op: 'in', reference, values: value }
    return value === null ? { op: 'null', reference } : { op: '=', reference, value }
  })
  return { op: 'and', of }
}

const toColumnValues = (table: Table<string>, row: MockRow): ReadonlyMap<Column, unknown> =>
  new Map(Object.entries(row).map(([name, value]) => [table.columns.get(name) as Column, value]))

// The key of an entity need only be unique below its parent, to which every request is limited.
function withKey(datastore: Datastore<string>, entity: Entity): Datastore<string> {
  const key = getSortKey(entity).map((name) => entity.findScalarPart(name)?.column ?? name)
  return {
    ...datastore,
    table(source) {
      const table = datastore.table(source)
      return source === entity.table ? { ...table, unique: [...(table.unique ?? []), key] } : table
    },
  }
}

// A resource orders by its key, so that elements without one need some attribute in its place.
const getSortKey = ({ key, parts }: Entity): readonly string[] =>
  key.length > 0 ? key : [...parts].flatMap(([name, { type }]) => (type === 'column' ? [name] : [])).slice(0, 1)

function buildTable(entity: Entity, rows: readonly MockRow[]): MemoryTable {
  const { identity } = entity
  const columns = Array.from(entity.columns, ([name, kind]) => {
    const isCounted = name === ROW_COLUMN || (entity.distinct.includes(name) && entity.listAttribute === undefined)
    const generated = isCounted && (kind === 'integer' || kind === 'bigint')
    return [name, { kind, generated, nullable: !generated && !identity.includes(name) }] as const
  })
  const unique = entity.columns.has(ROW_COLUMN) ? [[ROW_COLUMN]] : []
  return { columns: Object.fromEntries(columns), key: identity, unique, rows }
}

function buildSources(
  parts: ReadonlyMap<string, EntityPart>,
  getResource: (target: Entity) => AnyResource,
): AttributeSources {
  return Object.fromEntries(
    Array.from(parts, ([name, part]) => {
      if (part.type === 'column') return [name, part.column]
      if (part.type === 'struct') return [name, buildSources(part.parts, getResource)]
      const getTarget = (): AnyResource => getResource(part.target)
      if (part.type === 'one') return [name, one(getTarget, Object.fromEntries(part.on))]
      const settings = part.isValueList
        ? { value: VALUE_ATTRIBUTE, order: [POSITION_ATTRIBUTE] }
        : { position: part.position as string }
      return [name, many(getTarget, Object.fromEntries(part.on), settings)]
    }),
  )
}
