// Full-text searches of a mapping: each belongs to an attribute, and names columns of its table.
import type { Report } from '../../../extend.ts'
import type { Column, Table } from '../../query/query.ts'
import type { SearchSettings } from './mapping.ts'
import type { ModelNode, ModelNodes } from './model-nodes.ts'

/** Adds the searches of a mapping to the attributes that they belong to; what does not fit is reported. */
export function withSearches(
  nodes: ModelNodes,
  searches: Readonly<Record<string, SearchSettings | undefined>>,
  table: Table,
  report: Report,
): ModelNodes {
  if (Object.keys(searches).length === 0) return nodes
  const all = new Map(nodes)
  for (const [name, settings] of Object.entries(searches)) {
    const node = all.get(name)
    if (settings === undefined) continue
    if (node?.type !== 'column') report(`search.${name}`, 'it is no attribute with a column', 'name one that is')
    else all.set(name, addSearch(node, name, settings, { table, report }))
  }
  return all
}

interface SearchContext {
  readonly table: Table
  readonly report: Report
}

function addSearch(
  node: Extract<ModelNode, { type: 'column' }>,
  name: string,
  { columns, language = 'simple', index }: SearchSettings,
  { table, report }: SearchContext,
): ModelNode {
  const own = columns?.map((column) => table.columns.get(column)) ?? [node.column]
  const found = own.filter((column): column is Column => column?.kind === 'text')
  if (found.length === 0 || found.length < own.length)
    report(`search.${name}`, `not all of its columns are texts of ${table.name}`, 'name columns of texts')
  return { ...node, search: { columns: found, language, index: index ?? `${table.name}_fts` } }
}
