// Keeps the tables of the documentation in sync with code. A block between `<!-- table: options
// src/server/application-options.ts#Limits -->` and `<!-- /table -->` is generated from the code it names. --write fills the
// blocks; without it, a block that differs fails.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { formatDifference, type Outcome, type Page } from './snippets.ts'
import { Declarations, root } from './tables/declarations.ts'
import { createGenerators, type Generator } from './tables/generators.ts'

/** The command to run when a table differs from its source. */
export const remedy = 'npm run tables -- --write'

const BLOCK = /^<!-- table: (\S+)(?: (\S+))? -->\n[\s\S]*?^<!-- \/table -->$/gm

/** Lists the Markdown files of the repository, or of a folder in it. */
export function listMarkdownFiles(folder = ''): string[] {
  const isSkipped = (name: string): boolean => /^(\..*|node_modules|dist|coverage)$/.test(name)
  return readdirSync(resolve(root, folder), { withFileTypes: true }).flatMap((one) => {
    const path = join(folder, one.name)
    if (one.isDirectory()) return isSkipped(one.name) ? [] : listMarkdownFiles(path)
    return path.endsWith('.md') ? [path] : []
  })
}

/** Returns a page without its generated blocks. */
export const withoutTables = (text: string): string => text.replace(BLOCK, '')

/** Fills the generated blocks of a page. */
export function fillTables(file: string, before: string, tables: Readonly<Record<string, Generator>>): Page {
  const problems: string[] = []
  const after = before.replace(BLOCK, (block, name: string, argument: string | undefined) => {
    const generator = tables[name]
    if (generator === undefined) {
      problems.push(`${file}: there is no table '${name}'. Remedy: use one of ${Object.keys(tables).join(', ')}.`)
      return block
    }
    const marker = `<!-- table: ${name}${argument === undefined ? '' : ` ${argument}`} -->`
    return `${marker}\n${generator(file, argument ?? '')}\n<!-- /table -->`
  })
  const unmatched = after.replace(BLOCK, '').match(/^<!-- \/?table.*$/gm) ?? []
  problems.push(...unmatched.map((line) => `${file}: ${line} has no counterpart. Remedy: add it, or remove this one.`))
  return { file, before, after, problems }
}

/** Fills the tables of all pages; the caller writes them. */
export function checkTables(): Outcome {
  const declarations = new Declarations()
  const tables = createGenerators(declarations)
  const pages = listMarkdownFiles().map((file) => fillTables(file, readFileSync(resolve(root, file), 'utf8'), tables))
  return { pages, problems: [...declarations.problems, ...pages.flatMap(({ problems }) => problems)] }
}

function main(): void {
  const write = process.argv.includes('--write')
  const { pages, problems } = checkTables()
  const stale = pages.filter(({ before, after }) => before !== after)
  for (const { file, before, after } of stale) {
    if (write) writeFileSync(resolve(root, file), after)
    else console.error(`${file} differs from the code:\n${formatDifference(before, after)}`)
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
