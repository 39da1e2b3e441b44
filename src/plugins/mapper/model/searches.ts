// The full-text searches of a mapping: each belongs to an attribute, and names columns of its table.
import type { Report } from '../../../extend.ts'
import type { Column, Table } from '../../query/query.ts'
import type { SearchSettings } from './mapping.ts'
import type { ModelNode, ModelNodes } from './model-nodes.ts'

/** Adds the searches of a mapping to their attributes, and reports those that do not fit. */
export function withSearches(
  nodes: ModelNodes,
  searches: Readonly<Record<string, SearchSettings | undefined>>,
  table: Table,
  report: Report,
): ModelNodes {
  if (Object.keys(searches).length === 0) return nodes
  const result = new Map(nodes)
  for (const [name, settings] of Object.entries(searches)) {
    const node = result.get(name)
    if (settings === undefined) continue
    if (node?.type !== 'column') report(`search.${name}`, 'it is no attribute with a column', 'name one that is')
    else result.set(name, addSearch(node, name, settings, { table, report }))
  }
  return result
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
  const searched = columns?.map((column) => table.columns.get(column)) ?? [node.column]
  const found = searched.filter((column): column is Column => column?.kind === 'text')
  if (found.length === 0 || found.length < searched.length)
    report(`search.${name}`, `not all of its columns are texts of ${table.name}`, 'name columns of texts')
  return { ...node, search: { columns: found, language, index: index ?? `${table.name}_fts` } }
}
