// Models: a resource's mapping, resolved against its media type and its table.

import { type DecimalOptions, describeValue, form, isInline, type Report, toSnakeCase } from '../../../extend.ts'
import type { Attribute, Attributes, MediaType } from '../../../index.ts'
import type { Column, Datastore, Table } from '../../query/query.ts'
import { describeFittingKinds, findCodec, unwrapJson } from './codec.ts'
import { withExpressions } from './expressions.ts'
import {
  type Aggregated,
  type AttributeSources,
  type ColumnPairs,
  type Computed,
  isValidMapping,
  type Many,
  type Mapping,
  type One,
  parseRelationWhere,
  type ScopeFunction,
  type Source,
  type Target,
} from './mapping.ts'
import type { ColumnNode, ManyNode, Model, ModelNode, ModelNodes, OneNode } from './model-nodes.ts'
import { withSearches } from './searches.ts'

export type {
  AggregateNode,
  ColumnNode,
  ComputedNode,
  ManyNode,
  Model,
  ModelNode,
  ModelNodes,
  OneNode,
  StructNode,
} from './model-nodes.ts'

/** The context in which the attributes of one table are resolved. */
interface ModelContext {
  readonly table: Table
  readonly datastore: Datastore
  readonly resolveTarget: (target: Target) => Model
  readonly report: Report
}

/** Resolves a mapping, and reports its mistakes. */
export function resolveModel(
  mediaType: MediaType,
  mapping: Mapping<Attributes, unknown>,
  { datastore, resolveTarget, report }: Omit<ModelContext, 'table'>,
): Model {
  const table = findTable(datastore, mapping.table, 'table', report)
  if (table === undefined) return { mediaType, table: NO_TABLE, nodes: new Map(), key: [] }
  const sources = (mapping.attributes ?? {}) as AttributeSources
  for (const name of Object.keys(sources))
    if (!Object.hasOwn(mediaType.attributes, name))
      report(name, `${mediaType.name} has no such attribute`, 'remove it, or declare it in the media type')
  const context: ModelContext = { table, datastore, resolveTarget, report }
  const resolved = withExpressions(resolveNodes(mediaType.attributes, sources, '', context), context)
  const nodes = withSearches(resolved, mapping.search ?? {}, table, report)
  checkGenerated(mapping.generated ?? [], nodes, report)
  return {
    mediaType,
    table,
    nodes,
    key: resolveKey(mapping, nodes, table, report),
    version: resolveVersion(mapping.version, nodes, report),
    scope: mapping.scope as ScopeFunction | undefined,
  }
}

const NO_TABLE: Table = { name: '', columns: new Map(), key: [], source: undefined }

// Each datastore has its own error for a missing table.
function findTable(datastore: Datastore, table: unknown, setting: string, report: Report): Table | undefined {
  try {
    return datastore.table(table)
  } catch (error) {
    const reason = error instanceof Error && typeof table === 'string' ? `: ${error.message}` : ''
    report(setting, `${describeValue(table)} is not a table of the datastore${reason}`, 'give one of its tables')
    return undefined
  }
}

function resolveKey(
  { key: declaredKey, scope }: Pick<Mapping<Attributes, unknown>, 'key' | 'scope'>,
  nodes: ModelNodes,
  table: Table,
  report: Report,
): Model['key'] {
  const names = declaredKey as readonly string[] | undefined
  const wanted = names ?? table.key.map((column) => findAttributeName(nodes, table, column) ?? '')
  if (names === undefined && wanted.join() !== 'id' && nodes.has('id'))
    report('key', `the primary key of ${table.name} is not its id`, `name it: key: ['${wanted.join("', '")}']`)
  const key = wanted.flatMap((name) => {
    const node = nodes.get(name)
    return node?.type === 'column' ? [{ name, node }] : []
  })
  if (key.length === 0 || key.length < wanted.length)
    report(
      'key',
      `the key of ${table.name} is not among the attributes that have a column`,
      'map attributes to the primary key, or name those that identify elements with key',
    )
  else if (!isUniqueKey(key, table, scope !== undefined))
    report(
      'key',
      `several rows of ${table.name} may have the same ${wanted.join(', ')}: no primary key and no unique index has these columns`,
      'name attributes that are unique, or give the table a unique index without nulls',
    )
  return key
}

/** Returns whether the key is unique, as far as the datastore knows. */
function isUniqueKey(key: Model['key'], { key: primary, unique, columns, rowId }: Table, isScoped: boolean): boolean {
  const sets = [primary, ...(unique ?? [])].filter(({ length }) => length > 0)
  if (sets.length === 0 && unique === undefined) return true
  const keyColumns = new Set(key.map(({ node }) => node.column))
  // Rows with nulls are identified by the table's key or row id.
  const isComplete = primary.length > 0 || rowId !== undefined
  return sets.some((set) => {
    const all = set.map((name) => columns.get(name))
    if (!isComplete && all.some((column) => column?.nullable !== false)) return false
    // A scope may fix the other columns of a set to one value per caller.
    return (
      all.every((column) => column && keyColumns.has(column)) ||
      (isScoped && [...keyColumns].every((one) => all.includes(one)))
    )
  })
}

function resolveVersion(name: string | undefined, nodes: ModelNodes, report: Report): ColumnNode | undefined {
  const node = name === undefined ? undefined : nodes.get(name)
  const fits = node?.type === 'column' && (node.column.kind === 'integer' || node.column.kind === 'bigint')
  if (name !== undefined && !fits)
    report('version', `'${name}' is no attribute of whole numbers that has a column`, 'name one that is')
  return fits ? node : undefined
}

function checkGenerated(names: readonly string[], nodes: ModelNodes, report: Report): void {
  for (const name of names)
    if (nodes.get(name)?.type !== 'column')
      report('generated', `'${name}' is no attribute that has a column`, 'name attributes that the database sets')
}

function findAttributeName(nodes: ModelNodes, table: Table, key: string): string | undefined {
  const column = table.columns.get(key)
  for (const [name, node] of nodes) if (node.type === 'column' && node.column === column) return name
  return undefined
}

function resolveNodes(
  attributes: Attributes,
  sources: AttributeSources,
  path: string,
  context: ModelContext,
): ModelNodes {
  return new Map(
    Object.entries(attributes).map(([name, attribute]) => {
      const source = Object.hasOwn(sources, name) ? sources[name] : undefined
      return [name, resolveNode(attribute, source, path === '' ? name : `${path}.${name}`, context)]
    }),
  )
}

function resolveNode(attribute: Attribute, source: Source | undefined, path: string, context: ModelContext): ModelNode {
  if (source === false) return { type: 'absent', attribute }
  if (typeof source === 'string') return resolveColumnNode(attribute, source, path, context)
  if (source === undefined) return resolveImplicitNode(attribute, path, context)
  if (typeof source !== 'object' || source === null || (!('~maps' in source) && !form.isSettings(source))) {
    context.report(
      path,
      `it is mapped to ${describeValue(source)}`,
      'map it to a column, one(…), many(…), computed(…) or false',
    )
    return { type: 'absent', attribute }
  }
  if (!('~maps' in source)) return resolveStructNode(attribute, source as AttributeSources, path, context)
  const mapped = source as One | Many | Aggregated | Computed
  if (!isValidMapping(mapped, path, context.report)) return { type: 'absent', attribute }
  if (mapped['~maps'] === 'computed')
    return {
      type: 'computed',
      attribute,
      needs: mapped.needs,
      run: mapped.run,
      dependsOnCaller: mapped.dependsOnCaller ?? false,
      expression: mapped.expression,
    }
  if (mapped['~maps'] === 'aggregate') return resolveAggregateNode(attribute, mapped, path, context)
  if (mapped['~maps'] === 'many' && attribute.core.shape !== 'list')
    context.report(
      path,
      'it is not a list',
      'declare it as t.array(…), or use one(…), or what is known of the elements: count(…)',
    )
  return resolveRelationNode(attribute, mapped, path, context)
}

// Finds the column of the same name, or of that name in snake_case or camelCase.
function resolveImplicitNode(attribute: Attribute, path: string, context: ModelContext): ModelNode {
  const names = listSpellings(path.replaceAll('.', '_'))
  const found = names.find((name) => context.table.columns.has(name))
  if (found !== undefined) return resolveColumnNode(attribute, found, path, context)
  if (isInline(attribute)) return resolveStructNode(attribute, {}, path, context)
  const related = attribute.core.related
  context.report(
    path,
    related
      ? 'it is another resource, and nothing says where it comes from'
      : `${context.table.name} has no such column`,
    related
      ? 'map it with one(…) or many(…), or to false'
      : `map it to one of ${formatColumnNames(context.table)}, or to false`,
  )
  return { type: 'absent', attribute }
}

const listSpellings = (name: string): string[] => [
  name,
  name.replace(/_+([a-z0-9])/g, (_, letter: string) => letter.toUpperCase()),
  toSnakeCase(name),
]

const formatColumnNames = (table: Table): string => [...table.columns.keys()].join(', ')

function resolveColumnNode(
  attribute: Attribute,
  name: string,
  path: string,
  { table, report }: ModelContext,
): ModelNode {
  const column = table.columns.get(name)
  if (column === undefined) {
    report(path, `${table.name} has no column '${name}'`, `use one of ${formatColumnNames(table)}`)
    return { type: 'absent', attribute }
  }
  const codec = findCodec(attribute, column.kind)
  if (codec === undefined) {
    report(
      path,
      `its values (${attribute.core.kindName}) do not fit into the column '${name}' (${column.kind})`,
      `use a column of the kind ${describeFittingKinds(attribute)}`,
    )
    return { type: 'absent', attribute }
  }
  const maxDigits = column.kind === 'decimal' ? column.digits : undefined
  if (maxDigits !== undefined && getPrecision(attribute) > maxDigits) {
    report(
      path,
      `the column '${name}' keeps ${maxDigits} digits of a decimal exactly, and its values may have more`,
      `declare a precision of at most ${maxDigits}, or use a text column, which can be neither ordered nor filtered by`,
    )
    return { type: 'absent', attribute }
  }
  return { type: 'column', attribute, column, codec }
}

// Only exact decimals guarantee every digit.
function getPrecision(attribute: Attribute): number {
  const { core, options } = unwrapJson(attribute)
  return core.scalar === 'decimal' ? ((options as DecimalOptions).precision ?? Number.POSITIVE_INFINITY) : 0
}

function resolveStructNode(
  attribute: Attribute,
  sources: AttributeSources,
  path: string,
  context: ModelContext,
): ModelNode {
  if (!isInline(attribute)) {
    context.report(path, 'it is not a structure', 'map it to a column, one(…), many(…) or computed(…)')
    return { type: 'absent', attribute }
  }
  for (const name of Object.keys(sources))
    if (!Object.hasOwn(attribute.core.children, name))
      context.report(`${path}.${name}`, 'there is no such attribute', 'remove it, or declare it')
  return { type: 'struct', attribute, nodes: resolveNodes(attribute.core.children, sources, path, context) }
}

function resolveRelationNode(
  attribute: Attribute,
  relation: One | Many,
  path: string,
  context: ModelContext,
): OneNode | ManyNode {
  const { table, datastore, report } = context
  const target = (): Model => context.resolveTarget(relation.target)
  if (relation['~maps'] === 'one')
    return { type: 'one', attribute, target, on: resolvePairs(relation.on, table, path, report) }
  const { settings } = relation
  const joinTable =
    settings.through === undefined
      ? undefined
      : findTable(datastore, settings.through.table, `${path}.through.table`, report)
  return {
    type: 'many',
    attribute,
    target,
    settings,
    ...(typeof settings.where === 'function'
      ? { where: undefined, callerWhere: settings.where }
      : { where: settings.where && parseRelationWhere(settings.where, path, report) }),
    on: resolvePairs(relation.on, table, path, report),
    through:
      joinTable === undefined || settings.through === undefined
        ? undefined
        : { table: joinTable, on: resolvePairs(settings.through.on, joinTable, path, report) },
  }
}

function resolveAggregateNode(
  attribute: Attribute,
  { relation, operation, field }: Aggregated,
  path: string,
  context: ModelContext,
): ModelNode {
  const { table, datastore, report } = context
  const describe = datastore.aggregate
  // Without a table's key, a column of the relation shows whether there is a row.
  const presence = table.columns.get(table.key[0] ?? '') ?? table.columns.get(Object.keys(relation.on)[0] ?? '')
  if (describe === undefined)
    report(
      path,
      `its datastore has no method 'aggregate', which ${operation}(…) needs`,
      'implement it, with the joins that have an aggregate, or use computed(…) over the related list',
    )
  const isValid = isValidMapping(relation, path, report)
  if (describe === undefined || presence === undefined || !isValid) return { type: 'absent', attribute }
  return {
    type: 'aggregate',
    attribute,
    name: path,
    operation,
    field,
    relation: resolveRelationNode(attribute, relation, path, context) as ManyNode,
    presence,
    describeColumn: describe.bind(datastore),
  }
}

function resolvePairs(on: ColumnPairs, table: Table, path: string, report: Report): (readonly [Column, string])[] {
  if (Object.keys(on).length === 0) report(path, 'no columns connect the two', 'name them: { ours: "theirs" }')
  return Object.entries(on).flatMap(([ours, theirs]) => {
    const column = table.columns.get(ours)
    if (column !== undefined) return [[column, theirs] as const]
    report(path, `${table.name} has no column '${ours}'`, `use one of ${formatColumnNames(table)}`)
    return []
  })
}
