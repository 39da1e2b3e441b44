// The graph of imports: circles, its longest chain, folders that import each other.
import { dirname } from 'node:path'
import type { SourceFigures } from './sources.ts'

type Imports = ReadonlyMap<string, readonly string[]>

/** The imports of each file. */
export const graphOf = (sources: readonly SourceFigures[]): Imports =>
  new Map(sources.map(({ file, imports }) => [file, imports]))

/** The number of files on the longest chain of imports; files of a circle count once. */
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

/** The files that a chain of imports leads back to. */
export function findCircles(graph: Imports): string[] {
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

/** Pairs of folders that import each other: of one folder, or a folder and what is in it. */
export function findMutualFolders(graph: Imports): { siblings: string[]; nested: string[] } {
  const arrows = new Set<string>()
  for (const [file, imports] of graph)
    for (const target of imports) for (const arrow of arrowsOf(file, target)) arrows.add(arrow)
  const mutual = [...arrows].filter((arrow) => {
    const [from, to] = arrow.split(' ') as [string, string]
    return from < to && arrows.has(`${to} ${from}`)
  })
  const isNested = (arrow: string): boolean => {
    const [from, to] = arrow.split(' ') as [string, string]
    return to.startsWith(`${from}/`) || from.startsWith(`${to}/`)
  }
  return { siblings: mutual.filter((arrow) => !isNested(arrow)), nested: mutual.filter(isNested) }
}

/** The folders of a file and of its import, directly below the folder that both share. */
function arrowsOf(file: string, target: string): string[] {
  const [from, to] = [dirname(file).split('/'), dirname(target).split('/')]
  let shared = 0
  while (shared < from.length && shared < to.length && from[shared] === to[shared]) shared++
  const [one, other] = [from.slice(0, shared + 1).join('/'), to.slice(0, shared + 1).join('/')]
  return one === other ? [] : [`${one} ${other}`]
}
