// Checks across resources: relations refer to existing columns, and to resources of the right media type.
import { isMediaType, isView, type Report } from '../../../extend.ts'
import type { Attribute, MediaType } from '../../../index.ts'
import { findAudiences } from '../fields/field-paths.ts'
import type { AggregateNode, ManyNode, Model, ModelNode, ModelNodes, OneNode } from '../model/model.ts'
import { FieldError } from '../plan/comparison.ts'
import {
  buildRelationFilters,
  describeNonUnique,
  joinAggregate,
  locateColumn,
  UnfitAggregateError,
} from '../plan/filter-builder.ts'
import { UnfitValueError } from '../plan/operand.ts'
import { QueryScope } from '../plan/query-scope.ts'

/** Reports mistakes in the relations and the computed attributes of a resource. */
export function checkModel(model: Model, report: Report): void {
  checkNodes(model.nodes, model.mediaType.name, report)
  for (const { name } of model.key)
    if (findAudiences(model.mediaType, name) !== undefined)
      report(
        `${model.mediaType.name}.${name}`,
        'lists are ordered by the key, which some clients do not see',
        'name another key, or show it to everybody',
      )
}

function checkNodes(nodes: ModelNodes, path: string, report: Report): void {
  for (const [name, node] of nodes) checkNode(node, nodes, `${path}.${name}`, report)
}

function checkNode(node: ModelNode, nodes: ModelNodes, path: string, report: Report): void {
  const relation = node.type === 'aggregate' ? node.relation : node
  if ((relation.type === 'one' || relation.type === 'many') && typeof relation.target() !== 'object') {
    report(path, 'the function that is its target gives no resource', 'return the resource: () => books')
    return
  }
  if (node.type === 'struct') checkNodes(node.nodes, path, report)
  else if (node.type === 'one') checkOne(node, path, report)
  else if (node.type === 'many') checkMany(node, path, report)
  else if (node.type === 'aggregate') checkAggregate(node, path, report)
  else if (node.type === 'computed') {
    for (const need of node.needs) {
      const needed = nodes.get(need)
      if (needed === undefined || needed.type === 'absent' || needed.type === 'computed')
        report(path, `it is computed from '${need}', which is not read from anywhere`, 'name attributes that are')
    }
  }
}

function checkRelation(node: OneNode | ManyNode, element: Attribute | undefined, path: string, report: Report): Model {
  const target = node.target()
  const expected = element === undefined ? undefined : findMediaType(element)
  if (expected !== undefined && expected !== target.mediaType)
    report(
      path,
      `it is a ${expected.name}, but is mapped to a resource of ${target.mediaType.name}`,
      'map it to its own',
    )
  if (expected === undefined && element !== undefined)
    for (const name of Object.keys(element.core.children))
      if (!target.nodes.has(name))
        report(`${path}.${name}`, `${target.mediaType.name} has no such attribute`, 'remove it')
  const columnTable = node.type === 'many' && node.through !== undefined ? node.through.table : target.table
  for (const [, name] of node.on)
    if (!columnTable.columns.has(name))
      report(
        path,
        `${columnTable.name} has no column '${name}'`,
        `use one of ${[...columnTable.columns.keys()].join(', ')}`,
      )
  return target
}

function checkOne(node: OneNode, path: string, report: Report): void {
  const target = checkRelation(node, node.attribute, path, report)
  const problem = describeNonUnique(node, target)
  if (problem === undefined || node.on.some(([, name]) => !target.table.columns.has(name))) return
  report(path, problem, 'connect the two by columns that are unique there, or map it with many(…)')
}

function findMediaType(attribute: Attribute): MediaType | undefined {
  const shown: unknown = isView(attribute) ? attribute.of : attribute
  return isMediaType(shown) ? shown : undefined
}

function checkMany(node: ManyNode, path: string, report: Report): void {
  const { value, position, order = [] } = node.settings
  const element = node.attribute.core.children['*']
  const target = checkRelation(node, value === undefined ? element : undefined, path, report)
  for (const [, name] of node.through?.on ?? [])
    if (!target.table.columns.has(name))
      report(
        path,
        `${target.table.name} has no column '${name}'`,
        `use one of ${[...target.table.columns.keys()].join(', ')}`,
      )
  if (value !== undefined && target.nodes.get(value)?.type !== 'column')
    report(
      path,
      `${target.mediaType.name} has no attribute '${value}' with a column`,
      'name the one that stands for it',
    )
  const { columns } = (node.through ?? target).table
  const kind = position === undefined ? 'integer' : columns.get(position)?.kind
  if (kind !== 'integer' && kind !== 'bigint')
    report(
      `${path}.position`,
      `'${position}' is no column of whole numbers`,
      `use one of ${[...columns.keys()].join(', ')}`,
    )
  checkWhere(node, target, path, report)
  for (const term of order) {
    const field = term.replace(/^[-+]/, '')
    if (findAudiences(target.mediaType, field) !== undefined)
      report(path, `it is ordered by '${field}', which some clients do not see`, 'order it by another field')
    try {
      locateColumn(field, target, new QueryScope(target.table))
    } catch (error) {
      if (!(error instanceof FieldError)) throw error
      const { unorderedReason: unordered } = error
      report(
        path,
        unordered === undefined
          ? `it is ordered by '${field}', which has no column`
          : `it is ordered by '${field}', and ${unordered}`,
        unordered === undefined ? 'order it by a field that has one' : 'order it by another field',
      )
    }
  }
}

function checkAggregate(node: AggregateNode, path: string, report: Report): void {
  const target = node.relation.target()
  if (node.field !== undefined && findAudiences(target.mediaType, node.field) !== undefined)
    report(path, `it is computed from '${node.field}', which some clients do not see`, 'name another field')
  try {
    joinAggregate(node, new QueryScope(target.table), 0)
    checkWhere(node.relation, target, path, report)
  } catch (error) {
    if (error instanceof UnfitAggregateError) return report(path, error.message, error.remedy)
    if (!(error instanceof FieldError)) throw error
    const { unorderedReason: unordered, field } = error
    report(
      path,
      unordered === undefined
        ? `it is computed from '${field}', which has no column in ${target.table.name}`
        : `it is computed from '${field}', and ${unordered}`,
      'name a field that lists can be ordered by',
    )
  }
}

function checkWhere(node: ManyNode, target: Model, path: string, report: Report): void {
  try {
    buildRelationFilters(node, new QueryScope(target.table), 0)
  } catch (error) {
    if (error instanceof UnfitValueError) return report(`${path}.where`, error.message, 'give a value of this kind')
    if (!(error instanceof FieldError)) throw error
    report(path, `its elements must meet a condition on '${error.field}', which has no column`, 'name a field that has')
  }
}
