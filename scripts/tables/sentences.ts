// Generates sentences of the documentation from measurements and sources, so that they stay current.
import { readdirSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { root } from './declarations.ts'

const read = (file: string): string => readFileSync(resolve(root, file), 'utf8')

/** Formats the smallest and the largest ratio of a column. */
const formatRange = (ratios: readonly number[]): string =>
  `${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)}`

/** Describes the last run of `npm run bench -- peers`. */
export function writeSpeed(): string {
  const [run = ''] = read('docs/notes/performance.md').match(/^<!-- contest: begin[\s\S]*?^<!-- contest: end/m) ?? []
  const rows = [...run.matchAll(/^\| (S\d+) .*\|$/gm)]
  const measured = rows.flatMap(([row, name]) => {
    const [peer, , node] = row
      .split('|')
      .slice(5, 8)
      .map((cell) => Number.parseFloat(cell))
    return peer === undefined || node === undefined || Number.isNaN(node) ? [] : [{ name, peer, node }]
  })
  const refused = measured.find(({ name }) => name === 'S7')
  if (refused === undefined)
    throw new Error('docs/notes/performance.md has no row S7. Remedy: npm run bench -- peers --write')
  const [peers, nodes] = [measured.map(({ peer }) => peer), measured.map(({ node }) => node)]
  return [
    `**It is fast.** With all of this on, a request took ${formatRange(peers)} times the CPU of the fastest of eight other frameworks,`,
    `depending on the kind of request, and ${formatRange(nodes)} times that of hand-written node:http code with the same checks. A`,
    `rejected request, whose response says more than the hand-written one, took ${refused.node.toFixed(2)} times (\`npm run bench -- peers\`; [all`,
    'figures and their variance](docs/notes/performance.md)):',
  ].join('\n')
}

/** Describes which folders request Node modules without importing them. */
export function writeNodeUses(): string {
  const files = readdirSync(resolve(root, 'src'), { recursive: true, encoding: 'utf8' })
  const uses = new Map<string, Set<string>>()
  for (const file of files.filter((name) => name.endsWith('.ts') && !/\.test(-d)?\.ts$/.test(name)).sort()) {
    if (/^(adapters|cli)\//.test(file)) continue
    for (const [, module = ''] of read(`src/${file}`).matchAll(/getBuiltinModule\??\.?\('(node:[^']+)'\)/g)) {
      const folder = file.split('/').slice(0, 2).join('/')
      uses.set(folder, (uses.get(folder) ?? new Set()).add(module))
    }
  }
  const listed = [...uses].map(
    ([folder, modules]) => `\`src/${folder}/\` (${[...modules].map((one) => `\`${one}\``).join(', ')})`,
  )
  return [
    'Only `src/adapters/` and `src/cli/` import modules of Node. These plugins ask the runtime for one while they run, and do',
    `without it elsewhere: ${listed.join(', ')}.`,
    'Everything else also runs in browsers and on other runtimes.',
  ].join('\n')
}
