// `npm run figures`: prints figures about the sources as a table. `-- folder` measures another tree, such as a clone of another
// project, `-- --against <commit>` prints the figures of an earlier revision beside those of now, and `-- --names` lists functions
// whose names could be better.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { buildGraph, findCycles, findMutualFolders, findPrivateImports, measureLongestChain } from './figures/graph.ts'
import { hasLeadingVerb, hasOfSuffix, isBareParticiple } from './figures/names.ts'
import { type Counted, readSources, type SourceFigures } from './figures/sources.ts'

type Figures = readonly (readonly [name: string, value: string])[]

const formatPerThousand = (count: number, of: number): string => ((count / of) * 1000).toFixed(1)
const formatShare = (count: number, of: number): string => `${Math.round((count / of) * 100)} %`

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0)
}

/** Formats the median, the 90th percentile and the maximum. */
function formatSpread(numbers: readonly number[]): string {
  const sorted = numbers.toSorted((one, other) => one - other)
  const getQuantile = (part: number): number =>
    sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0
  return [getQuantile(0.5), getQuantile(0.9), sorted.at(-1) ?? 0].join(' / ')
}

/** Counts the names that occur more than once. */
function countHomonyms(names: readonly string[]): number {
  const uses = new Map<string, number>()
  for (const name of names) uses.set(name, (uses.get(name) ?? 0) + 1)
  return names.filter((name) => (uses.get(name) ?? 0) > 1).length
}

function describeFolders(files: readonly string[]): string {
  const folders = new Map<string, number>()
  for (const file of files) folders.set(dirname(file), (folders.get(dirname(file)) ?? 0) + 1)
  const depth = Math.max(...[...folders.keys()].map((folder) => folder.split('/').length))
  return `${folders.size} / ${Math.max(...folders.values())} / ${depth}`
}

function describeFans(graph: ReadonlyMap<string, readonly string[]>): string {
  const importCounts = new Map<string, number>()
  for (const target of [...graph.values()].flat()) importCounts.set(target, (importCounts.get(target) ?? 0) + 1)
  const formatLargest = (entries: Iterable<readonly [string, number]>): string => {
    const [file, count] = [...entries].reduce((one, other) => (other[1] > one[1] ? other : one), ['none', 0] as const)
    return `${file} ${count}`
  }
  return `${formatLargest(importCounts)}; out: ${formatLargest([...graph].map(([file, imports]) => [file, imports.length] as const))}`
}

/** Words that comments of other projects hardly use, counted per thousand lines of comments. */
const habits: Readonly<Record<string, RegExp>> = {
  'begins with What, Who, Where, How': /^(?:\/\/|\/\*\*?)\s*(?:What|Who|Where|How)\b/g,
  what: /\bwhat\b/gi,
  'nobody, somebody, whoever': /\b(?:nobody|somebody|whoever)\b/gi,
  'of its own': /\bof (?:its|one's|their) own\b/gi,
  'stand, stands': /\bstands?\b/gi,
  'told, tells': /\b(?:told|tells?)\b/gi,
  'is no, has no': /\b(?:is|has) no\b/gi,
  'place, places': /\bplaces?\b/gi,
  beside: /\bbeside\b/gi,
}

function describeHabits(sources: readonly SourceFigures[]): Figures {
  const comments = sources.flatMap((source) => source.comments)
  const commentLines = sum(sources.map((source) => source.commentLines))
  return Object.entries(habits).map(([name, pattern]) => {
    const count = sum(comments.map((comment) => comment.match(pattern)?.length ?? 0))
    return [`comments, per 1,000 lines: ${name}`, formatPerThousand(count, commentLines)]
  })
}

/** Describes a tree; `entryPoints` are its files that packages import. */
function describeSources(sources: readonly SourceFigures[], entryPoints: ReadonlySet<string>): Figures {
  const lines = sum(sources.map((source) => source.lines))
  const count = (construct: Counted): number => sum(sources.map(({ counts }) => counts[construct]))
  const graph = buildGraph(sources)
  const { siblings, nested } = findMutualFolders(graph)
  const functions = sources.flatMap(({ topFunctions }) => topFunctions)
  const types = sources.flatMap(({ topTypes }) => topTypes)
  const functionLines = sources.flatMap((source) => source.functionLines)
  const longCount = functionLines.filter((length) => length > 40).length
  return [
    ['files, lines', `${sources.length}, ${lines}`],
    ['files on a circle of imports', String(findCycles(graph).length)],
    ['longest chain of imports', String(measureLongestChain(graph))],
    ['sibling folders that import each other (+ nested)', `${siblings.length} (+ ${nested.length})`],
    [
      'private files of plugins that mock, testing and cli import',
      String(findPrivateImports(graph, ['mock', 'testing', 'cli'], entryPoints).length),
    ],
    ['`any`', String(count('any'))],
    ['lines of a file: median / p90 / most', formatSpread(sources.map((source) => source.lines))],
    ['lines of a function: median / p90 / most (over 40)', `${formatSpread(functionLines)} (${longCount})`],
    ['functions', String(functionLines.length)],
    ['nested ternaries', String(count('nestedTernaries'))],
    ['functions of five or more parameters', String(count('manyParameters'))],
    ['boolean parameters, per 1,000 lines', formatPerThousand(count('booleanParameters'), lines)],
    ['casts, per 1,000 lines (double)', `${formatPerThousand(count('casts'), lines)} (${count('doubleCasts')})`],
    ['non-null `!`', String(count('nonNull'))],
    ['suppressions / TODO', `${count('suppressions')} / ${count('todos')}`],
    ['lines of comments', formatShare(sum(sources.map((source) => source.commentLines)), lines)],
    ['rooms / fullest / depth', describeFolders(sources.map(({ file }) => file))],
    ['most imported; imports most', describeFans(graph)],
    [
      'functions at the top of a module that begin with a verb',
      formatShare(functions.filter(hasLeadingVerb).length, functions.length),
    ],
    ['`xOf`, per 1,000 lines', formatPerThousand(functions.filter(hasOfSuffix).length, lines)],
    ['participles alone, per 1,000 lines', formatPerThousand(functions.filter(isBareParticiple).length, lines)],
    ['functions whose name another one has', formatShare(countHomonyms(functions), functions.length)],
    ['types whose name another one has', formatShare(countHomonyms(types), types.length)],
    ...describeHabits(sources),
  ]
}

function listNames(root: string): string[] {
  return readSources(root).flatMap(({ file, topFunctions }) =>
    topFunctions
      .filter((name) => !hasLeadingVerb(name) || hasOfSuffix(name) || isBareParticiple(name))
      .map((name) => `${root}/${file}\t${name}`),
  )
}

/** Measures a folder of sources; the `package.json` beside it lists its entry points. */
function measure(root: string): Figures {
  return describeSources(readSources(root), readEntryPoints(join(dirname(root), 'package.json')))
}

function readEntryPoints(manifest: string): ReadonlySet<string> {
  const { exports = {} } = JSON.parse(readFileSync(manifest, 'utf8')) as {
    exports?: Record<string, { types?: string }>
  }
  const types = Object.values(exports).map((one) => one.types ?? '')
  return new Set(types.map((file) => file.replace(/^\.\/dist\//, '').replace(/\.d\.ts$/, '.ts')))
}

/** Measures the sources of an earlier revision. */
function measureRevision(commit: string): Figures {
  const folder = mkdtempSync(join(tmpdir(), 'edict-figures-'))
  try {
    const archive = execFileSync('git', ['archive', commit, 'src', 'package.json'], { maxBuffer: 2 ** 28 })
    execFileSync('tar', ['-x', '-C', folder], { input: archive })
    return measure(join(folder, 'src'))
  } finally {
    rmSync(folder, { recursive: true })
  }
}

const printTable = (rows: readonly (readonly string[])[]): void => {
  const [header = [], ...others] = rows
  for (const row of [header, header.map(() => '---'), ...others]) console.log(`| ${row.join(' | ')} |`)
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { against: { type: 'string' }, names: { type: 'boolean', default: false } },
})
const [root = 'src'] = positionals
if (values.names) console.log(listNames(root).join('\n'))
else if (values.against === undefined) printTable([['figure', root], ...measure(root)])
else {
  const before = new Map(measureRevision(values.against))
  const rows = measure('src').map(([name, now]) => [name, before.get(name) ?? '', now])
  printTable([['figure', values.against, 'now'], ...rows])
}
