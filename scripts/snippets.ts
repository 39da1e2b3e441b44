// Keeps the documentation in sync with code. A fence such as ```ts routing.ts#prefix takes its text from the region `prefix`
// of docs/snippets/routing.ts; any other fence with a source, such as ```http routing.ts#wrong-verb, from the output of that
// file (`shown['wrong-verb']`). Code of other frameworks, ```mts foreign/trpc.ts#trpc, comes from docs/site/foreign, which
// is only compiled. --write fills the blocks; without it, a block that differs fails.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { posix, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { format } from 'node:util'

/** The named outputs that a snippet file provides to blocks. */
export type Shown = Readonly<Record<string, () => string | Promise<string>>>

/** Imports a snippet file. */
export type Load = (name: string) => Promise<{ readonly shown?: Shown }>

/** One snippet file: its regions and its outputs. */
interface Source {
  readonly regions: ReadonlyMap<string, string>
  readonly shown: ReadonlyMap<string, string>
  readonly problems: readonly string[]
}

/** The result for one page. */
export interface Page {
  readonly file: string
  readonly before: string
  readonly after: string
  readonly problems: readonly string[]
}

/** The result for all pages. */
export interface Outcome {
  readonly pages: readonly Page[]
  /** Problems other than blocks that differ. */
  readonly problems: readonly string[]
}

const root = fileURLToPath(new URL('..', import.meta.url))
const folder = 'docs/snippets'
// Blocks in these languages show code or messages, so they need a source.
const sourced = new Set([
  'ts',
  'mts',
  'cts',
  'typescript',
  'tsx',
  'js',
  'mjs',
  'cjs',
  'javascript',
  'jsx',
  'http',
  'json',
])
/** Pages with code that only another project can run, and the tests that run it there. */
const elsewhere: Readonly<Record<string, string>> = {
  'docs/guide/client-package.md': 'test/client/package.test.ts',
  'docs/guide/typescript.md': 'test/editor/homes.test.ts',
}
const CODE = /^(?:import|export|const|let) /m
/** The languages of code blocks, which come from regions. */
const codes: ReadonlySet<string> = new Set(['ts', 'mts'])
const FENCE = /^(```+)(\w*)(?: +(\S+))?\n([\s\S]*?)^\1$/gm
// Comments for tools, which readers do not need.
const TOOL_COMMENT = /^\s*\/\/ (?:@ts-expect-error|biome-ignore|oxlint-disable)/

/** Lists the files to check: all except the tutorial, which scripts/tutorial.ts checks. */
export function listPages(): string[] {
  return ['.', 'docs', 'docs/guide', 'docs/migrating', 'docs/notes', 'examples/blog', 'examples/conduit'].flatMap(
    (pageFolder) =>
      readdirSync(resolve(root, pageFolder))
        .filter((name) => name.endsWith('.md'))
        .map((name) => posix.join(pageFolder, name)),
  )
}

/** Lists the snippet files. */
export function listSnippets(): string[] {
  return readdirSync(resolve(root, folder)).filter((name) => name.endsWith('.ts'))
}

/** Lists the files with code of other frameworks, which tests compile with the packages of docs/site. */
function listForeignFiles(): string[] {
  const names = readdirSync(resolve(root, 'docs/site/foreign')).filter((name) => name.endsWith('.ts'))
  return names.map((name) => `foreign/${name}`)
}

/** Returns the regions of a snippet file without indentation. */
export function parseRegions(text: string): Map<string, string> {
  const regions = new Map<string, string>()
  for (const [, name, body] of text.matchAll(/^[ \t]*\/\/ #region ([\w-]+)\n([\s\S]*?)^[ \t]*\/\/ #endregion$/gm)) {
    const lines = (body as string)
      .trimEnd()
      .split('\n')
      .filter((line) => !TOOL_COMMENT.test(line))
    const indent = Math.min(...lines.filter((line) => line !== '').map((line) => /^ */.exec(line)?.[0].length ?? 0))
    regions.set(name as string, lines.map((line) => line.slice(indent)).join('\n'))
  }
  return regions
}

/** Runs a snippet file; its output must match the comments after `console.log(…)`. */
async function runSnippet(name: string, load: Load): Promise<Source> {
  const text = readFileSync(resolve(root, folder, name), 'utf8')
  const expected = [...text.matchAll(/^console\.log\(.*\) \/\/ (.+)$/gm)].map(([, comment]) => comment)
  const logged: string[] = []
  const log = console.log
  console.log = (...args: unknown[]) => void logged.push(format(...args))
  let module: Awaited<ReturnType<Load>>
  try {
    module = await load(name)
  } finally {
    console.log = log
  }
  const actual = logged.filter((line) => !line.startsWith('Listening on'))
  const problems = Array.from({ length: Math.max(expected.length, actual.length) }, (_, i) =>
    expected[i] === actual[i] ? [] : [`${folder}/${name}: the comment says ${expected[i]}, the output is ${actual[i]}`],
  ).flat()
  const shown = new Map<string, string>()
  for (const [key, produce] of Object.entries(module.shown ?? {})) shown.set(key, (await produce()).trimEnd())
  return { regions: parseRegions(text), shown, problems }
}

/** Fills the blocks of a page from their sources. */
export function fillPage(
  file: string,
  before: string,
  getSource: (name: string) => Pick<Source, 'regions' | 'shown'> | undefined,
  used: Set<string> = new Set(),
): Page {
  const problems: string[] = []
  const after = before.replace(FENCE, (block, ticks: string, language: string, source: string | undefined) => {
    if (source === undefined) {
      const isHidden = language === 'text' && elsewhere[file] === undefined && CODE.test(block)
      if (sourced.has(language) || isHidden) problems.push(`${file}: a block of ${language} has no source:\n${block}`)
      return block
    }
    const [name, part] = source.split('#') as [string, string?]
    const snippet = getSource(name)
    const text = (codes.has(language) ? snippet?.regions : snippet?.shown)?.get(part ?? '')
    used.add(`${codes.has(language) ? 'region' : 'output'} ${source}`)
    if (text === undefined) {
      problems.push(`${file}: ${source} does not exist`)
      return block
    }
    return `${ticks}${language} ${source}\n${text}\n${ticks}`
  })
  return { file, before, after, problems }
}

/** Runs every snippet file and fills every page; the caller writes them. */
export async function checkSnippets(load: Load): Promise<Outcome> {
  const sources = new Map<string, Source>()
  for (const name of listSnippets()) sources.set(name, await runSnippet(name, load))
  for (const name of listForeignFiles()) {
    const regions = parseRegions(readFileSync(resolve(root, 'docs/site', name), 'utf8'))
    sources.set(name, { regions, shown: new Map(), problems: [] })
  }
  const used = new Set<string>()
  const pages = listPages().map((file) =>
    fillPage(file, readFileSync(resolve(root, file), 'utf8'), (name) => sources.get(name), used),
  )
  const unused = [...sources].flatMap(([name, { regions, shown }]) => [
    ...[...regions.keys()].filter((key) => !used.has(`region ${name}#${key}`)).map((key) => `region ${name}#${key}`),
    ...[...shown.keys()].filter((key) => !used.has(`output ${name}#${key}`)).map((key) => `output ${name}#${key}`),
  ])
  const problems = [
    ...[...sources.values()].flatMap((source) => source.problems),
    ...pages.flatMap((page) => page.problems),
    ...unused.map((one) => `no page shows the ${one}`),
  ]
  return { pages, problems }
}

/** Formats the lines in which two texts differ, each with a sign and its number. */
export function formatDifference(before: string, after: string): string {
  const [old, current] = [before.split('\n'), after.split('\n')]
  let start = 0
  while (start < old.length && old[start] === current[start]) start++
  let end = 0
  while (end < old.length - start && end < current.length - start && old.at(-1 - end) === current.at(-1 - end)) end++
  const formatLines = (sign: string, lines: string[]): string[] =>
    lines.slice(start, lines.length - end).map((line, i) => `${sign} ${String(start + i + 1).padStart(4)}  ${line}`)
  return [...formatLines('-', old), ...formatLines('+', current)].slice(0, 60).join('\n')
}

async function main(): Promise<void> {
  process.env['PORT'] = '0'
  process.env['NODE_ENV'] ??= 'test'
  const { pages, problems } = await checkSnippets((name) => import(pathToFileURL(resolve(root, folder, name)).href))
  const stale = pages.filter(({ before, after }) => before !== after)
  const write = process.argv.includes('--write')
  for (const { file, before, after } of stale) {
    if (write) writeFileSync(resolve(root, file), after)
    else console.error(`${file} differs from its sources:\n${formatDifference(before, after)}`)
  }
  for (const problem of problems) console.error(problem)
  const failed = problems.length > 0 || (stale.length > 0 && !write)
  const written = write ? `, ${stale.length} written` : ''
  console.log(`snippets: ${pages.length} pages${written}, ${failed ? 'see above' : 'as their sources say'}`)
  if (failed && !write) console.error('Remedy: npx tsx scripts/snippets.ts --write')
  // Some snippets start servers, which would keep the process alive.
  process.exit(failed ? 1 : 0)
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main()
