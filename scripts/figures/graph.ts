// Analyses the graph of imports: cycles, the longest chain, folders that import each other.
import { dirname } from 'node:path'
import type { SourceFigures } from './sources.ts'

type Imports = ReadonlyMap<string, readonly string[]>

/** Returns the imports of each file. */
export const buildGraph = (sources: readonly SourceFigures[]): Imports =>
  new Map(sources.map(({ file, imports }) => [file, imports]))

/** Returns the number of files on the longest chain of imports; the files of a cycle count once. */
export function measureLongestChain(graph: Imports): number {
  const lengths = new Map<string, number>()
  const measure = (file: string): number => {
    const known = lengths.get(file)
    if (known !== undefined) return known
    lengths.set(file, 0)
    const length = 1 + Math.max(0, ...(graph.get(file) ?? []).map(measure))
    lengths.set(file, length)
    return length
  }
  return Math.max(0, ...[...graph.keys()].map(measure))
}

/** Returns the files that are part of a cycle of imports. */
export function findCycles(graph: Imports): string[] {
  return [...graph.keys()].filter((file) => {
    const seen = new Set<string>()
    const rest = [...(graph.get(file) ?? [])]
    for (let next = rest.pop(); next !== undefined; next = rest.pop()) {
      if (next === file) return true
      if (seen.has(next)) continue
      seen.add(next)
      rest.push(...(graph.get(next) ?? []))
    }
    return false
  })
}

/** Returns pairs of folders that import each other: siblings, or a folder and its subfolder. */
export function findMutualFolders(graph: Imports): { siblings: string[]; nested: string[] } {
  const edges = new Set<string>()
  for (const [file, imports] of graph)
    for (const target of imports) for (const edge of listEdges(file, target)) edges.add(edge)
  const mutual = [...edges].filter((edge) => {
    const [from, to] = edge.split(' ') as [string, string]
    return from < to && edges.has(`${to} ${from}`)
  })
  const isNested = (edge: string): boolean => {
    const [from, to] = edge.split(' ') as [string, string]
    return from === '.' || to.startsWith(`${from}/`) || from.startsWith(`${to}/`)
  }
  return { siblings: mutual.filter((edge) => !isNested(edge)), nested: mutual.filter(isNested) }
}

/** Returns the edge between the folders of a file and its import, directly below their common folder. */
function listEdges(file: string, target: string): string[] {
  const [from, to] = [dirname(file).split('/'), dirname(target).split('/')]
  let shared = 0
  while (shared < from.length && shared < to.length && from[shared] === to[shared]) shared++
  const [one, other] = [from.slice(0, shared + 1).join('/'), to.slice(0, shared + 1).join('/')]
  return one === other ? [] : [`${one} ${other}`]
}

/** Lists the files of plugins without an entry point that files in the given folders import. */
export function findPrivateImports(
  graph: ReadonlyMap<string, readonly string[]>,
  folders: readonly string[],
  entryPoints: ReadonlySet<string>,
): string[] {
  const isWithin = (file: string): boolean => folders.some((folder) => file.startsWith(`${folder}/`))
  const imported = [...graph].flatMap(([file, targets]) => (isWithin(file) ? targets : []))
  return [...new Set(imported)].filter((target) => target.startsWith('plugins/') && !entryPoints.has(target))
}
