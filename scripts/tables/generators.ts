// Generates the tables of the documentation, keyed by the name in the marker.
import { readdirSync, readFileSync } from 'node:fs'
import { posix, resolve } from 'node:path'
import { builtinStatuses, statusMessages } from '../../src/design/declare/status.ts'
import { type Codes, coreFailures, coreIssueTexts, defineCodes } from '../../src/errors.ts'
import { codes as compression } from '../../src/plugins/compression/codes.ts'
import { codes as conditional } from '../../src/plugins/conditional/codes.ts'
import { codes as lists } from '../../src/plugins/mapper/codes.ts'
import { codes as pagination } from '../../src/plugins/pagination/codes.ts'
import { codes as security } from '../../src/security/codes.ts'
import { reasonTexts } from '../../src/server/problem/reasons.ts'
import { benches } from '../bench.ts'
import { campaigns } from '../campaign.ts'
import { floors } from '../floors.ts'
import type { NamedProgram } from '../named.ts'
import { formatCommandTable, formatFlagTable } from './commands.ts'
import { type Declarations, type EntryPoint, listEntryPoints, type Member, root } from './declarations.ts'
import { scriptNotes } from './scripts.ts'
import { writeNodeUses, writeSpeed } from './sentences.ts'
import { testNotes } from './tests.ts'

/** Generates the table for a page; the argument follows the name in the marker. */
export type Generator = (page: string, argument: string) => string

/** Formats a Markdown table. */
function formatTable(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const formatLine = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
  return [formatLine(heads), `|${'---|'.repeat(heads.length)}`, ...rows.map(formatLine)].join('\n')
}

const formatCode = (text: string): string => `\`${text}\``

/** Formats the description of a member, with links to further pages. */
function formatMeaning(page: string, { text, see }: Member): string {
  // A page does not link to itself.
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

/** Formats the options of an interface, with their defaults if there are any. */
function formatOptions(page: string, members: readonly Member[], head = 'Option'): string {
  if (members.every(({ fallback }) => fallback === undefined))
    return formatTable(
      [head, 'Meaning'],
      members.map((one) => [formatCode(one.name), formatMeaning(page, one)]),
    )
  const rows = members.map((one) => [formatCode(one.name), one.fallback ?? '', formatMeaning(page, one)])
  return formatTable([head, 'Default', 'Meaning'], rows)
}

function formatResponses(): string {
  const messages: Readonly<Record<number, string>> = statusMessages
  const rows = [...builtinStatuses].map(([name, status]) => [
    formatCode(name),
    `${status} ${messages[status]}`,
    formatCode(`Responses.${name.charAt(0).toUpperCase()}${name.slice(1)}`),
  ])
  return formatTable(['Name', 'Status', 'Class'], rows)
}

function formatKinds(page: string, declarations: Declarations): string {
  const rows = declarations.kinds().flatMap(({ name, parameters, text, options }) => {
    const formatCall = (...more: readonly string[]): string =>
      formatCode(`t.${name}(${[...parameters, ...more].join(', ')})`)
    const own = options.map((one) => {
      const fallback = one.fallback === undefined ? '' : ` Default: ${one.fallback}.`
      return [formatCall(`{ ${one.name} }`), formatMeaning(page, one) + fallback]
    })
    return [[formatCall(), text], ...own]
  })
  return formatTable(['Kind, and its own options', 'Meaning'], rows)
}

/** Returns the first sentence of the file of an entry point. */
export function readPurpose({ source }: EntryPoint): string {
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

function formatNames(declarations: Declarations): string {
  return listEntryPoints()
    .map((entry) => {
      const names = declarations.publicNames(entry).sort((a, b) => (a.name < b.name ? -1 : 1))
      const listRows = (isValue: boolean): string[][] =>
        names.filter((one) => one.isValue === isValue).map(({ name, text }) => [formatCode(name), text])
      const types = listRows(false).length === 0 ? '' : `\n\n${formatTable(['Type', 'Description'], listRows(false))}`
      return `## ${formatCode(entry.name)}\n\n${readPurpose(entry)}\n\n${formatTable(['Value', 'Description'], listRows(true))}${types}`
    })
    .join('\n\n')
}

function formatFloors(): string {
  const rows = floors.flatMap((folders, floor) =>
    Object.entries(folders).map(([folder, text]) => [
      String(floor),
      formatCode(`src/${folder}${folder.endsWith('.ts') ? '' : '/'}`),
      text,
    ]),
  )
  return formatTable(['Floor', 'Folder', 'Contents'], rows.reverse())
}

function formatScripts(): string {
  const { scripts } = JSON.parse(readFileSync(resolve(root, 'package.json'), 'utf8')) as { scripts: object }
  const rows = Object.keys(scripts).map((name) => {
    const note = scriptNotes[name]
    if (note === undefined)
      throw new Error(`The script ${name} has no sentence. Remedy: write it in scripts/tables/scripts.ts.`)
    const command = name === 'start' || name === 'test' ? `npm ${name}` : `npm run ${name}`
    return [formatCode(command), note]
  })
  return formatTable(['Command', 'Description'], rows)
}

/** The codes of the core and of each plugin, with the files that document them. */
const CATALOGUES: readonly {
  readonly from: string
  readonly issues?: string
  readonly failures?: string
  readonly codes: Codes
}[] = [
  {
    from: 'src/errors.ts',
    issues: 'coreIssueTexts',
    failures: 'coreFailures',
    codes: defineCodes('edict', { issues: coreIssueTexts, failures: coreFailures }),
  },
  { from: 'src/security/codes.ts', codes: security },
  { from: 'src/plugins/mapper/codes.ts', codes: lists },
  { from: 'src/plugins/pagination/codes.ts', codes: pagination },
  { from: 'src/plugins/conditional/codes.ts', codes: conditional },
  { from: 'src/plugins/compression/codes.ts', codes: compression },
]

function formatTests(): string {
  const folders = readdirSync(resolve(root, 'test'), { withFileTypes: true }).filter((one) => one.isDirectory())
  const names = new Set(folders.map(({ name }) => name))
  const known = Object.keys(testNotes)
  const unmatched = [...known.filter((name) => !names.has(name)), ...[...names].filter((name) => !known.includes(name))]
  if (unmatched.length > 0)
    throw new Error(`test/ and its sentences differ in ${unmatched.join()}. Remedy: mend scripts/tables/tests.ts.`)
  return formatTable(
    ['Folder', 'Subject'],
    Object.entries(testNotes).map(([name, note]) => [formatCode(`test/${name}/`), note ?? '']),
  )
}

function formatPrograms(script: string, programs: Readonly<Record<string, NamedProgram>>): string {
  const rows = Object.entries(programs).map(([name, { does }]) => [formatCode(`npm run ${script} -- ${name}`), does])
  return formatTable(['Command', 'Description'], rows)
}

function formatFailures(page: string, declarations: Declarations): string {
  const rows = CATALOGUES.flatMap(({ from, failures = 'failures', codes }) =>
    Object.keys(codes.failures).length === 0
      ? []
      : declarations.membersOf(`${from}#${failures}`).map((one) => {
          const { status, title } = codes.failures[one.name] as Codes['failures'][string]
          return [formatCode(one.name), status, title, codes.owner, formatMeaning(page, one)] as const
        }),
  )
  const sorted = rows.sort((a, b) => a[1] - b[1])
  const cells = sorted.map(([name, status, ...rest]) => [name, String(status), ...rest])
  return formatTable(['Code', 'Status', 'Title', 'Of', 'When'], cells)
}

function formatIssues(page: string, declarations: Declarations): string {
  const rows = CATALOGUES.flatMap(({ from, issues = 'issues', codes }) =>
    Object.keys(codes.issues).length === 0
      ? []
      : declarations
          .membersOf(`${from}#${issues}`)
          .map((one) => [
            formatCode(one.name),
            codes.issues[one.name]?.text ?? '',
            codes.owner,
            formatMeaning(page, one),
          ]),
  )
  return formatTable(['Code', 'Message', 'Of', 'When'], rows)
}

function formatReasons(page: string, declarations: Declarations): string {
  const texts: Readonly<Record<string, string>> = reasonTexts
  const rows = declarations
    .membersOf('src/server/problem/reasons.ts#reasonTexts')
    .map((one) => [formatCode(one.name), texts[one.name] ?? '', formatMeaning(page, one)])
  return formatTable(['Reason', 'Detail', 'When'], rows)
}

/** Returns all table generators, keyed by name. */
export function createGenerators(declarations: Declarations): Readonly<Record<string, Generator>> {
  return {
    options: (page, location) => formatOptions(page, declarations.membersOf(location)),
    members: (page, location) => formatOptions(page, declarations.membersOf(location), 'Member'),
    responses: formatResponses,
    kinds: (page) => formatKinds(page, declarations),
    failures: (page) => formatFailures(page, declarations),
    issues: (page) => formatIssues(page, declarations),
    reasons: (page) => formatReasons(page, declarations),
    commands: formatCommandTable,
    flags: formatFlagTable,
    'entry-points': () =>
      formatTable(
        ['Entry point', 'Purpose'],
        listEntryPoints().map((one) => [formatCode(one.name), readPurpose(one)]),
      ),
    names: () => formatNames(declarations),
    floors: formatFloors,
    scripts: formatScripts,
    tests: formatTests,
    benches: () => formatPrograms('bench', benches),
    campaigns: () => formatPrograms('campaign', campaigns),
    speed: writeSpeed,
    'node-modules': writeNodeUses,
  }
}
