// Builds one page per public name: its import, purpose, declaration, members with defaults, related public names, and the
// pages of the guide that use it.
import { posix } from 'node:path'
import type { DeclaredMember, DeclaredName, Members } from './declared.ts'
import { getUrl, type SitePage, withoutCode } from './pages.ts'

/** Returns the folder of an entry point in the site. */
export const getEntryFolder = (entry: string): string => `names/${entry.replaceAll('/', '-')}`

/** Returns the URL of a name; types have a different ending, since some differ from a value only in case. */
export const getNameUrl = ({ entry, name, isValue }: Pick<DeclaredName, 'entry' | 'name' | 'isValue'>): string =>
  `${getEntryFolder(entry)}/${name}${isValue ? '' : '.type'}.html`

const escapePipes = (text: string): string => text.replaceAll('|', '\\|')
const formatCode = (text: string): string => (text.includes('`') ? `\`\` ${text} \`\`` : `\`${text}\``)
const formatLink = (from: string, text: string, to: string): string =>
  `[${text}](${posix.relative(posix.dirname(from), to)})`

/** Formats links to the pages that `@see` names. */
function formatSeeLinks(from: string, see: readonly string[]): string {
  const links = see.flatMap((target) => {
    const [file = '', anchor] = target.replaceAll(' ', '').split('#') as [string, string?]
    if (!file.startsWith('docs/')) return []
    const label = (anchor ?? posix.basename(file, '.md')).replaceAll('-', ' ')
    return [formatLink(from, label, getUrl(file) + (anchor === undefined ? '' : `#${anchor}`))]
  })
  return links.length === 0 ? '' : ` See ${links.join(', ')}.`
}

/** Rewrites the links in a JSDoc text, which are relative to the guide. */
const rewriteLinks = (from: string, text: string): string =>
  text.replaceAll(/\]\(([\w-]+)\.md(#[\w-]+)?\)/g, (_, page: string, anchor = '') => {
    return `](${posix.relative(posix.dirname(from), `guide/${page}.html`)}${anchor})`
  })

function formatRow(
  from: string,
  { name, type, text, isOptional, fallback, see }: DeclaredMember,
  hasDefaults: boolean,
): string {
  const cells = [formatCode(name + (isOptional ? '?' : '')), formatCode(type), ...(hasDefaults ? [fallback ?? ''] : [])]
  return `| ${[...cells, rewriteLinks(from, text) + formatSeeLinks(from, see)].map(escapePipes).join(' | ')} |`
}

function formatTable(from: string, { title, members }: Members): string {
  const hasDefaults = members.some(({ fallback }) => fallback !== undefined)
  const heads = ['Name', 'Type', ...(hasDefaults ? ['Default'] : []), 'Meaning']
  const lines = members.map((member) => formatRow(from, member, hasDefaults))
  return [`## ${title}`, '', `| ${heads.join(' | ')} |`, `|${'---|'.repeat(heads.length)}`, ...lines].join('\n')
}

/** A page of the guide with the names that it mentions and imports. */
interface GuidePage {
  readonly page: SitePage
  readonly mentioned: ReadonlySet<string>
  readonly imported: ReadonlySet<string>
}

function readGuidePage(page: SitePage): GuidePage {
  const mentioned = [...withoutCode(page.markdown).matchAll(/`(\w+)(?:[(.][^`]*)?`/g)].map(([, name = '']) => name)
  const imports = page.markdown.matchAll(/^import (?:type )?\{([^}]*)\} from '([^']+)'/gm)
  const imported = [...imports].flatMap(([, names = '', entry = '']) =>
    (names.match(/\w+/g) ?? []).map((name) => `${entry}#${name}`),
  )
  return { page, mentioned: new Set(mentioned), imported: new Set(imported) }
}

/** Returns the pages that import and mention a name, then those that only mention it, then those that only import it. */
function findUsers({ entry, name }: DeclaredName, readers: readonly GuidePage[]): SitePage[] {
  const getWeight = ({ mentioned: spoken, imported }: GuidePage): number =>
    (spoken.has(name) ? 2 : 0) + (imported.has(`${entry}#${name}`) ? 1 : 0)
  const found = readers.filter((reader) => getWeight(reader) > 0).sort((a, b) => getWeight(b) - getWeight(a))
  return found.slice(0, 6).map(({ page }) => page)
}

/** Returns the public names that a declaration mentions. */
function findMentions(one: DeclaredName, all: readonly DeclaredName[]): DeclaredName[] {
  const text = [one.declaration, ...one.tables.flatMap(({ members }) => members.map(({ type }) => type))].join('\n')
  const words = new Set(text.match(/\b[A-Z]\w+\b/g) ?? [])
  words.delete(one.name)
  return [...words].sort().flatMap((word) => {
    const found = all.filter(({ name }) => name === word)
    return found.find(({ entry }) => entry === one.entry) ?? found[0] ?? []
  })
}

function createNamePage(one: DeclaredName, all: readonly DeclaredName[], readers: readonly GuidePage[]): SitePage {
  const url = getNameUrl(one)
  const others = all.filter(
    ({ origin, entry, name }) => origin === one.origin && entry !== one.entry && name === one.name,
  )
  const users = findUsers(one, readers)
  const mentions = findMentions(one, all)
  const formatList = (title: string, links: readonly string[]): string[] =>
    links.length === 0 ? [] : [`## ${title}`, '', ...links.map((text) => `- ${text}`), '']
  const markdown = [
    `# ${formatCode(one.name)}`,
    '',
    `${rewriteLinks(url, one.text)}${formatSeeLinks(url, one.see)}`,
    '',
    '`````ts',
    `import ${one.isValue ? '' : 'type '}{ ${one.name} } from '${one.entry}'`,
    '`````',
    '',
    `${one.kind === 'interface' ? 'An' : 'A'} ${one.kind} of ${formatLink(url, formatCode(one.entry), `${getEntryFolder(one.entry)}/index.html`)}.`,
    ...(others.length === 0
      ? []
      : [
          `${others.map((other) => formatLink(url, formatCode(other.entry), getNameUrl(other))).join(', ')} exports it, too.`,
        ]),
    '',
    '## Declaration',
    '',
    '`````ts',
    one.declaration,
    '`````',
    '',
    ...one.tables.flatMap((table) => [formatTable(url, table), '']),
    ...formatList(
      'In the guide',
      users.map(({ title, url: to }) => formatLink(url, title, to)),
    ),
    ...formatList(
      'Names in the declaration',
      mentions.map((to) => `${formatLink(url, formatCode(to.name), getNameUrl(to))}: ${rewriteLinks(url, to.text)}`),
    ),
  ]
  return { url, title: `${one.name} (${one.entry})`, markdown: `${markdown.join('\n')}\n`, weight: 0.7 }
}

/** Creates the page of an entry point with its names. */
function createEntryPage(entry: string, purpose: string, names: readonly DeclaredName[]): SitePage {
  const url = `${getEntryFolder(entry)}/index.html`
  const formatRows = (isValue: boolean): string[] => {
    const chosen = names.filter((one) => one.isValue === isValue)
    if (chosen.length === 0) return []
    const lines = chosen.map(
      (one) =>
        `| ${formatLink(url, formatCode(one.name), getNameUrl(one))} | ${escapePipes(rewriteLinks(url, one.text))} |`,
    )
    return ['', `| ${isValue ? 'Value' : 'Type'} | Description |`, '|---|---|', ...lines]
  }
  const markdown = [`# ${formatCode(entry)}`, '', purpose, ...formatRows(true), ...formatRows(false), ''].join('\n')
  return { url, title: entry, markdown }
}

/** Creates the pages of all public names and entry points; throws when two names share a URL. */
export function createNamePages(
  names: readonly DeclaredName[],
  purposes: ReadonlyMap<string, string>,
  guide: readonly SitePage[],
): SitePage[] {
  const urls = new Set<string>()
  for (const one of names) {
    const url = getNameUrl(one).toLowerCase()
    if (urls.has(url)) throw new Error(`Two public names have the address ${url}.`)
    urls.add(url)
  }
  const entries = [...purposes].map(([entry, purpose]) =>
    createEntryPage(
      entry,
      purpose,
      names.filter((one) => one.entry === entry),
    ),
  )
  const readers = guide.map(readGuidePage)
  return [...entries, ...names.map((one) => createNamePage(one, names, readers))]
}
