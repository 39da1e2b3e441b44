// Keeps the tables of the documentation true. A block between `<!-- table: options src/server/application-options.ts#Limits -->` and
// `<!-- /table -->` is written from the code that it names. --write fills the blocks; without it, one that differs fails.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { difference, type Outcome, type Page } from './snippets.ts'
import { Declarations, root } from './tables/declarations.ts'
import { type Generator, generators } from './tables/generators.ts'

/** The command to run when a table differs from its source. */
export const remedy = 'npm run tables -- --write'

const BLOCK = /^<!-- table: (\S+)(?: (\S+))? -->\n[\s\S]*?^<!-- \/table -->$/gm

/** The Markdown files of the repository, or of a folder in it. */
export function markdownFiles(folder = ''): string[] {
  const isSkipped = (name: string): boolean => /^(\..*|node_modules|dist|coverage)$/.test(name)
  return readdirSync(resolve(root, folder), { withFileTypes: true }).flatMap((one) => {
    const path = join(folder, one.name)
    if (one.isDirectory()) return isSkipped(one.name) ? [] : markdownFiles(path)
    return path.endsWith('.md') ? [path] : []
  })
}

/** A page without its generated blocks. */
export const withoutTables = (text: string): string => text.replace(BLOCK, '')

/** Fills the generated blocks of a page. */
export function fillTables(file: string, before: string, known: Readonly<Record<string, Generator>>): Page {
  const problems: string[] = []
  const after = before.replace(BLOCK, (whole, name: string, argument: string | undefined) => {
    const generator = known[name]
    if (generator === undefined) {
      problems.push(`${file}: there is no table '${name}'. Remedy: use one of ${Object.keys(known).join(', ')}.`)
      return whole
    }
    const marker = `<!-- table: ${name}${argument === undefined ? '' : ` ${argument}`} -->`
    return `${marker}\n${generator(file, argument ?? '')}\n<!-- /table -->`
  })
  const left = after.replace(BLOCK, '').match(/^<!-- \/?table.*$/gm) ?? []
  problems.push(...left.map((line) => `${file}: ${line} has no counterpart. Remedy: add it, or remove this one.`))
  return { file, before, after, problems }
}

/** Fills the tables of all pages; nothing is written. */
export function checkTables(): Outcome {
  const declarations = new Declarations()
  const known = generators(declarations)
  const pages = markdownFiles().map((file) => fillTables(file, readFileSync(resolve(root, file), 'utf8'), known))
  return { pages, problems: [...declarations.problems, ...pages.flatMap(({ problems }) => problems)] }
}

function main(): void {
  const write = process.argv.includes('--write')
  const { pages, problems } = checkTables()
  const stale = pages.filter(({ before, after }) => before !== after)
  for (const { file, before, after } of stale) {
    if (write) writeFileSync(resolve(root, file), after)
    else console.error(`${file} differs from the code:\n${difference(before, after)}`)
  }
  for (const problem of problems) console.error(problem)
  const failed = problems.length > 0 || (stale.length > 0 && !write)
  if (stale.length > 0 && !write) console.error(`Remedy: ${remedy}`)
  console.log(
    `tables: ${pages.length} pages${write ? `, ${stale.length} written` : ''}, ${failed ? 'see above' : 'as the code says'}`,
  )
  process.exitCode = failed ? 1 : 0
}

if (process.argv[1] === fileURLToPath(import.meta.url)) main()
