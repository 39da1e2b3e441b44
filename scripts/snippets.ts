// Keeps the documentation true. A fence such as ```ts routing.ts#prefix takes its text from the region `prefix` of
// docs/snippets/routing.ts; any other fence with a source, such as ```http routing.ts#wrong-verb, from what that file
// gives when it runs (`shown['wrong-verb']`). Code of other frameworks, ```mts foreign/trpc.ts#trpc, comes from
// docs/site/foreign, which is only compiled. --write fills the blocks; without it, a block that differs fails.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { posix, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { format } from 'node:util'

/** The outputs that a snippet file gives to blocks, by name. */
export type Shown = Readonly<Record<string, () => string | Promise<string>>>

/** Imports a snippet file; the caller decides how. */
export type Load = (name: string) => Promise<{ readonly shown?: Shown }>

/** One snippet file: its regions, and what it gave when it ran. */
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
// These languages are promises about code or wire, so that they need a source.
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
/** The languages of code, which comes from regions. */
const codes: ReadonlySet<string> = new Set(['ts', 'mts'])
const FENCE = /^(```+)(\w*)(?: +(\S+))?\n([\s\S]*?)^\1$/gm
// Lines for tools, which a reader has no use for.
const ASIDE = /^\s*\/\/ (?:@ts-expect-error|biome-ignore|oxlint-disable)/

/** The files that are checked: all but the tutorial, which scripts/tutorial.ts checks. */
export function pageFiles(): string[] {
  return ['.', 'docs', 'docs/guide', 'docs/migrating', 'docs/notes', 'examples/blog'].flatMap((place) =>
    readdirSync(resolve(root, place))
      .filter((name) => name.endsWith('.md'))
      .map((name) => posix.join(place, name)),
  )
}

/** The snippet files. */
export function snippetFiles(): string[] {
  return readdirSync(resolve(root, folder)).filter((name) => name.endsWith('.ts'))
}

/** The files with code of other frameworks, which tests compile with the packages of docs/site. */
function foreignFiles(): string[] {
  const names = readdirSync(resolve(root, 'docs/site/foreign')).filter((name) => name.endsWith('.ts'))
  return names.map((name) => `foreign/${name}`)
}

/** The regions of a snippet file, without their indentation. */
export function regionsOf(text: string): Map<string, string> {
  const regions = new Map<string, string>()
  for (const [, name, body] of text.matchAll(/^[ \t]*\/\/ #region ([\w-]+)\n([\s\S]*?)^[ \t]*\/\/ #endregion$/gm)) {
    const lines = (body as string)
      .trimEnd()
      .split('\n')
      .filter((line) => !ASIDE.test(line))
    const indent = Math.min(...lines.filter((line) => line !== '').map((line) => /^ */.exec(line)?.[0].length ?? 0))
    regions.set(name as string, lines.map((line) => line.slice(indent)).join('\n'))
  }
  return regions
}

/** Runs a snippet file; what it logs must be what the comments behind `console.log(…)` say. */
async function run(name: string, load: Load): Promise<Source> {
  const text = readFileSync(resolve(root, folder, name), 'utf8')
  const said = [...text.matchAll(/^console\.log\(.*\) \/\/ (.+)$/gm)].map(([, comment]) => comment)
  const logged: string[] = []
  const log = console.log
  console.log = (...args: unknown[]) => void logged.push(format(...args))
  let module: Awaited<ReturnType<Load>>
  try {
    module = await load(name)
  } finally {
    console.log = log
  }
  const heard = logged.filter((line) => !line.startsWith('Listening on'))
  const problems = Array.from({ length: Math.max(said.length, heard.length) }, (_, i) =>
    said[i] === heard[i] ? [] : [`${folder}/${name}: the comment says ${said[i]}, the output is ${heard[i]}`],
  ).flat()
  const shown = new Map<string, string>()
  for (const [key, give] of Object.entries(module.shown ?? {})) shown.set(key, (await give()).trimEnd())
  return { regions: regionsOf(text), shown, problems }
}

/** Fills the blocks of a page from their sources. */
export function fill(
  file: string,
  before: string,
  sourceOf: (name: string) => Pick<Source, 'regions' | 'shown'> | undefined,
  used: Set<string> = new Set(),
): Page {
  const problems: string[] = []
  const after = before.replace(FENCE, (whole, ticks: string, language: string, source: string | undefined) => {
    if (source === undefined) {
      const isHidden = language === 'text' && elsewhere[file] === undefined && CODE.test(whole)
      if (sourced.has(language) || isHidden) problems.push(`${file}: a block of ${language} has no source:\n${whole}`)
      return whole
    }
    const [name, part] = source.split('#') as [string, string?]
    const snippet = sourceOf(name)
    const text = (codes.has(language) ? snippet?.regions : snippet?.shown)?.get(part ?? '')
    used.add(`${codes.has(language) ? 'region' : 'output'} ${source}`)
    if (text === undefined) {
      problems.push(`${file}: ${source} does not exist`)
      return whole
    }
    return `${ticks}${language} ${source}\n${text}\n${ticks}`
  })
  return { file, before, after, problems }
}

/** Runs every snippet file and fills every page; nothing is written. */
export async function checkSnippets(load: Load): Promise<Outcome> {
  const sources = new Map<string, Source>()
  for (const name of snippetFiles()) sources.set(name, await run(name, load))
  for (const name of foreignFiles()) {
    const regions = regionsOf(readFileSync(resolve(root, 'docs/site', name), 'utf8'))
    sources.set(name, { regions, shown: new Map(), problems: [] })
  }
  const used = new Set<string>()
  const pages = pageFiles().map((file) =>
    fill(file, readFileSync(resolve(root, file), 'utf8'), (name) => sources.get(name), used),
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

/** The lines in which two texts differ, each with a sign and its number. */
export function difference(before: string, after: string): string {
  const [old, now] = [before.split('\n'), after.split('\n')]
  let start = 0
  while (start < old.length && old[start] === now[start]) start++
  let end = 0
  while (end < old.length - start && end < now.length - start && old.at(-1 - end) === now.at(-1 - end)) end++
  const lines = (sign: string, all: string[]): string[] =>
    all.slice(start, all.length - end).map((line, i) => `${sign} ${String(start + i + 1).padStart(4)}  ${line}`)
  return [...lines('-', old), ...lines('+', now)].slice(0, 60).join('\n')
}

async function main(): Promise<void> {
  process.env['PORT'] = '0'
  process.env['NODE_ENV'] ??= 'test'
  const { pages, problems } = await checkSnippets((name) => import(pathToFileURL(resolve(root, folder, name)).href))
  const stale = pages.filter(({ before, after }) => before !== after)
  const write = process.argv.includes('--write')
  for (const { file, before, after } of stale) {
    if (write) writeFileSync(resolve(root, file), after)
    else console.error(`${file} differs from its sources:\n${difference(before, after)}`)
  }
  for (const problem of problems) console.error(problem)
  const failed = problems.length > 0 || (stale.length > 0 && !write)
  const written = write ? `, ${stale.length} written` : ''
  console.log(`snippets: ${pages.length} pages${written}, ${failed ? 'see above' : 'as their sources say'}`)
  if (failed && !write) console.error('Remedy: npx tsx scripts/snippets.ts --write')
  // Some snippets serve, and would go on doing so.
  process.exit(failed ? 1 : 0)
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main()
