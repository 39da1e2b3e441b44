// The content of each generated table of the documentation, by the name in its marker.
import { readdirSync, readFileSync } from 'node:fs'
import { posix, resolve } from 'node:path'
import { builtinStatuses, statusMessages } from '../../src/design/declare/status.ts'
import { type Codes, defineCodes, coreFailures, coreIssueTexts } from '../../src/errors.ts'
import { codes as compression } from '../../src/plugins/compression/codes.ts'
import { codes as conditional } from '../../src/plugins/conditional/codes.ts'
import { codes as lists } from '../../src/plugins/mapper/codes.ts'
import { codes as pagination } from '../../src/plugins/pagination/codes.ts'
import { codes as security } from '../../src/security/codes.ts'
import { reasonTexts } from '../../src/server/problem/reasons.ts'
import { benches } from '../bench.ts'
import { campaigns } from '../campaign.ts'
import { floors } from '../floors.ts'
import type { Named } from '../named.ts'
import { commandTable, flagTable } from './commands.ts'
import { type Declarations, type EntryPoint, entryPoints, type Member, root } from './declarations.ts'
import { scriptNotes } from './scripts.ts'
import { writeNodeUses, writeSpeed } from './sentences.ts'
import { testNotes } from './tests.ts'

/** Writes the table for a page; the argument is what follows the name in the marker. */
export type Generator = (page: string, argument: string) => string

/** A table of Markdown. */
function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
  return [line(heads), `|${'---|'.repeat(heads.length)}`, ...rows.map(line)].join('\n')
}

const code = (text: string): string => `\`${text}\``

/** The description of a member, with links to the pages that explain more. */
function meaning(page: string, { text, see }: Member): string {
  // A page does not send its readers to itself.
  const links = see
    .filter((target) => target !== page)
    .map((target) => {
      const [file, anchor] = target.split('#') as [string, string?]
      const label = (anchor ?? posix.basename(file, '.md')).replaceAll('-', ' ')
      const path = file === page ? '' : posix.relative(posix.dirname(page), file)
      return `[${label}](${path}${anchor === undefined ? '' : `#${anchor}`})`
    })
  return links.length === 0 ? text : `${text} See ${links.join(', ')}.`
}

/** The options of an interface, with their defaults where it has any. */
function optionsTable(page: string, members: readonly Member[], head = 'Option'): string {
  if (members.every(({ fallback }) => fallback === undefined))
    return table(
      [head, 'Meaning'],
      members.map((one) => [code(one.name), meaning(page, one)]),
    )
  const rows = members.map((one) => [code(one.name), one.fallback ?? '', meaning(page, one)])
  return table([head, 'Default', 'Meaning'], rows)
}

function responseTable(): string {
  const messages: Readonly<Record<number, string>> = statusMessages
  const rows = [...builtinStatuses].map(([name, status]) => [
    code(name),
    `${status} ${messages[status]}`,
    code(`Responses.${name.charAt(0).toUpperCase()}${name.slice(1)}`),
  ])
  return table(['Name', 'Status', 'Class'], rows)
}

function kindTable(page: string, declarations: Declarations): string {
  const rows = declarations.kinds().flatMap(({ name, parameters, text, options }) => {
    const call = (...more: readonly string[]): string => code(`t.${name}(${[...parameters, ...more].join(', ')})`)
    const own = options.map((one) => {
      const fallback = one.fallback === undefined ? '' : ` Default: ${one.fallback}.`
      return [call(`{ ${one.name} }`), meaning(page, one) + fallback]
    })
    return [[call(), text], ...own]
  })
  return table(['Kind, and its own options', 'Meaning'], rows)
}

/** The first sentence of the file of an entry point. */
export function headOf({ source }: EntryPoint): string {
  const lines = readFileSync(resolve(root, source), 'utf8').split('\n')
  const head = lines
    .slice(
      0,
      lines.findIndex((line) => !line.startsWith('// ')),
    )
    .map((line) => line.slice(3))
  const text = head.join(' ').replace(/^The (?:public entry|entry point)(?: of edict| `?edict\/\w+`?)?: /, '')
  return text.charAt(0).toUpperCase() + text.slice(1)
}

function namesText(declarations: Declarations): string {
  return entryPoints()
    .map((entry) => {
      const names = declarations.publicNames(entry).sort((a, b) => (a.name < b.name ? -1 : 1))
      const rows = (isValue: boolean): string[][] =>
        names.filter((one) => one.isValue === isValue).map(({ name, text }) => [code(name), text])
      const types = rows(false).length === 0 ? '' : `\n\n${table(['Type', 'Description'], rows(false))}`
      return `## ${code(entry.name)}\n\n${headOf(entry)}\n\n${table(['Value', 'Description'], rows(true))}${types}`
    })
    .join('\n\n')
}

function floorTable(): string {
  const rows = floors.flatMap((folders, floor) =>
    Object.entries(folders).map(([folder, text]) => [
      String(floor),
      code(`src/${folder}${folder.endsWith('.ts') ? '' : '/'}`),
      text,
    ]),
  )
  return table(['Floor', 'Folder', 'Contents'], rows.reverse())
}

function scriptTable(): string {
  const { scripts } = JSON.parse(readFileSync(resolve(root, 'package.json'), 'utf8')) as { scripts: object }
  const rows = Object.keys(scripts).map((name) => {
    const note = scriptNotes[name]
    if (note === undefined)
      throw new Error(`The script ${name} has no sentence. Remedy: write it in scripts/tables/scripts.ts.`)
    const command = name === 'start' || name === 'test' ? `npm ${name}` : `npm run ${name}`
    return [code(command), note]
  })
  return table(['Command', 'Description'], rows)
}

/** The codes of the core and of each plugin, with the files that have their sentences. */
const CATALOGUES: readonly { readonly from: string; readonly issues?: string; readonly failures?: string; readonly codes: Codes }[] = [
  { from: 'src/errors.ts', issues: 'coreIssueTexts', failures: 'coreFailures', codes: defineCodes('edict', { issues: coreIssueTexts, failures: coreFailures }) },
  { from: 'src/security/codes.ts', codes: security },
  { from: 'src/plugins/mapper/codes.ts', codes: lists },
  { from: 'src/plugins/pagination/codes.ts', codes: pagination },
  { from: 'src/plugins/conditional/codes.ts', codes: conditional },
  { from: 'src/plugins/compression/codes.ts', codes: compression },
]

function testTable(): string {
  const folders = readdirSync(resolve(root, 'test'), { withFileTypes: true }).filter((one) => one.isDirectory())
  const names = new Set(folders.map(({ name }) => name))
  const known = Object.keys(testNotes)
  const strange = [...known.filter((name) => !names.has(name)), ...[...names].filter((name) => !known.includes(name))]
  if (strange.length > 0)
    throw new Error(`test/ and its sentences differ in ${strange.join()}. Remedy: mend scripts/tables/tests.ts.`)
  return table(
    ['Folder', 'Subject'],
    Object.entries(testNotes).map(([name, note]) => [code(`test/${name}/`), note ?? '']),
  )
}

function namedTable(script: string, programs: Readonly<Record<string, Named>>): string {
  const rows = Object.entries(programs).map(([name, { does }]) => [code(`npm run ${script} -- ${name}`), does])
  return table(['Command', 'Description'], rows)
}

function failureTable(page: string, declarations: Declarations): string {
  const rows = CATALOGUES.flatMap(({ from, failures = 'failures', codes }) =>
    Object.keys(codes.failures).length === 0
      ? []
      : declarations.membersOf(`${from}#${failures}`).map((one) => {
          const { status, title } = codes.failures[one.name] as Codes['failures'][string]
          return [code(one.name), status, title, codes.owner, meaning(page, one)] as const
        }),
  )
  const sorted = rows.sort((a, b) => a[1] - b[1])
  const cells = sorted.map(([name, status, ...rest]) => [name, String(status), ...rest])
  return table(['Code', 'Status', 'Title', 'Of', 'When'], cells)
}

function issueTable(page: string, declarations: Declarations): string {
  const rows = CATALOGUES.flatMap(({ from, issues = 'issues', codes }) =>
    Object.keys(codes.issues).length === 0
      ? []
      : declarations
          .membersOf(`${from}#${issues}`)
          .map((one) => [code(one.name), codes.issues[one.name]?.text ?? '', codes.owner, meaning(page, one)]),
  )
  return table(['Code', 'Message', 'Of', 'When'], rows)
}

function reasonTable(page: string, declarations: Declarations): string {
  const texts: Readonly<Record<string, string>> = reasonTexts
  const rows = declarations
    .membersOf('src/server/problem/reasons.ts#reasonTexts')
    .map((one) => [code(one.name), texts[one.name] ?? '', meaning(page, one)])
  return table(['Reason', 'Detail', 'When'], rows)
}

/** Every table, by its name. */
export function generators(declarations: Declarations): Readonly<Record<string, Generator>> {
  return {
    options: (page, place) => optionsTable(page, declarations.membersOf(place)),
    members: (page, place) => optionsTable(page, declarations.membersOf(place), 'Member'),
    responses: responseTable,
    kinds: (page) => kindTable(page, declarations),
    failures: (page) => failureTable(page, declarations),
    issues: (page) => issueTable(page, declarations),
    reasons: (page) => reasonTable(page, declarations),
    commands: commandTable,
    flags: flagTable,
    'entry-points': () =>
      table(
        ['Entry point', 'Purpose'],
        entryPoints().map((one) => [code(one.name), headOf(one)]),
      ),
    names: () => namesText(declarations),
    floors: floorTable,
    scripts: scriptTable,
    tests: testTable,
    benches: () => namedTable('bench', benches),
    campaigns: () => namedTable('campaign', campaigns),
    speed: writeSpeed,
    'node-modules': writeNodeUses,
  }
}
