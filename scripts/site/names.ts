// One page for each public name: how it is imported, what it is for, its declaration, its members with their defaults, the
// public names in it, and the pages of the guide that use it.
import { posix } from 'node:path'
import type { DeclaredMember, DeclaredName, Members } from './declared.ts'
import { type SitePage, urlOf, withoutCode } from './pages.ts'

/** The folder of an entry point in the site. */
export const folderOf = (entry: string): string => `names/${entry.replaceAll('/', '-')}`

/** The address of a name; types have an ending of their own, since some differ from a value only in case. */
export const urlOfName = ({ entry, name, isValue }: Pick<DeclaredName, 'entry' | 'name' | 'isValue'>): string =>
  `${folderOf(entry)}/${name}${isValue ? '' : '.type'}.html`

const escaped = (text: string): string => text.replaceAll('|', '\\|')
const code = (text: string): string => (text.includes('`') ? `\`\` ${text} \`\`` : `\`${text}\``)
const link = (from: string, text: string, to: string): string => `[${text}](${posix.relative(posix.dirname(from), to)})`

/** The links to the pages that `@see` names. */
function seen(from: string, see: readonly string[]): string {
  const links = see.flatMap((target) => {
    const [file = '', anchor] = target.replaceAll(' ', '').split('#') as [string, string?]
    if (!file.startsWith('docs/')) return []
    const label = (anchor ?? posix.basename(file, '.md')).replaceAll('-', ' ')
    return [link(from, label, urlOf(file) + (anchor === undefined ? '' : `#${anchor}`))]
  })
  return links.length === 0 ? '' : ` See ${links.join(', ')}.`
}

/** A sentence of JSDoc; its links are those of a page of the guide. */
const told = (from: string, text: string): string =>
  text.replaceAll(/\]\(([\w-]+)\.md(#[\w-]+)?\)/g, (_, page: string, anchor = '') => {
    return `](${posix.relative(posix.dirname(from), `guide/${page}.html`)}${anchor})`
  })

function row(
  from: string,
  { name, type, text, isOptional, fallback, see }: DeclaredMember,
  hasDefaults: boolean,
): string {
  const cells = [code(name + (isOptional ? '?' : '')), code(type), ...(hasDefaults ? [fallback ?? ''] : [])]
  return `| ${[...cells, told(from, text) + seen(from, see)].map(escaped).join(' | ')} |`
}

function tableOf(from: string, { title, members }: Members): string {
  const hasDefaults = members.some(({ fallback }) => fallback !== undefined)
  const heads = ['Name', 'Type', ...(hasDefaults ? ['Default'] : []), 'Meaning']
  const lines = members.map((member) => row(from, member, hasDefaults))
  return [`## ${title}`, '', `| ${heads.join(' | ')} |`, `|${'---|'.repeat(heads.length)}`, ...lines].join('\n')
}

/** A page of the guide with the names that it speaks of, and those that it imports. */
interface Reader {
  readonly page: SitePage
  readonly spoken: ReadonlySet<string>
  readonly imported: ReadonlySet<string>
}

function readerOf(page: SitePage): Reader {
  const spoken = [...withoutCode(page.markdown).matchAll(/`(\w+)(?:[(.][^`]*)?`/g)].map(([, name = '']) => name)
  const imports = page.markdown.matchAll(/^import (?:type )?\{([^}]*)\} from '([^']+)'/gm)
  const imported = [...imports].flatMap(([, names = '', entry = '']) =>
    (names.match(/\w+/g) ?? []).map((name) => `${entry}#${name}`),
  )
  return { page, spoken: new Set(spoken), imported: new Set(imported) }
}

/** The pages that import a name and speak of it, then those that only speak of it, then those that only import it. */
function usersOf({ entry, name }: DeclaredName, readers: readonly Reader[]): SitePage[] {
  const weigh = ({ spoken, imported }: Reader): number =>
    (spoken.has(name) ? 2 : 0) + (imported.has(`${entry}#${name}`) ? 1 : 0)
  const found = readers.filter((reader) => weigh(reader) > 0).sort((a, b) => weigh(b) - weigh(a))
  return found.slice(0, 6).map(({ page }) => page)
}

/** The public names that a declaration mentions. */
function mentioned(one: DeclaredName, all: readonly DeclaredName[]): DeclaredName[] {
  const text = [one.declaration, ...one.tables.flatMap(({ members }) => members.map(({ type }) => type))].join('\n')
  const words = new Set(text.match(/\b[A-Z]\w+\b/g) ?? [])
  words.delete(one.name)
  return [...words].sort().flatMap((word) => {
    const found = all.filter(({ name }) => name === word)
    return found.find(({ entry }) => entry === one.entry) ?? found[0] ?? []
  })
}

function namePage(one: DeclaredName, all: readonly DeclaredName[], readers: readonly Reader[]): SitePage {
  const url = urlOfName(one)
  const others = all.filter(
    ({ origin, entry, name }) => origin === one.origin && entry !== one.entry && name === one.name,
  )
  const users = usersOf(one, readers)
  const mentions = mentioned(one, all)
  const list = (title: string, links: readonly string[]): string[] =>
    links.length === 0 ? [] : [`## ${title}`, '', ...links.map((text) => `- ${text}`), '']
  const markdown = [
    `# ${code(one.name)}`,
    '',
    `${told(url, one.text)}${seen(url, one.see)}`,
    '',
    '`````ts',
    `import ${one.isValue ? '' : 'type '}{ ${one.name} } from '${one.entry}'`,
    '`````',
    '',
    `${one.kind === 'interface' ? 'An' : 'A'} ${one.kind} of ${link(url, code(one.entry), `${folderOf(one.entry)}/index.html`)}.`,
    ...(others.length === 0
      ? []
      : [`${others.map((other) => link(url, code(other.entry), urlOfName(other))).join(', ')} exports it, too.`]),
    '',
    '## Declaration',
    '',
    '`````ts',
    one.declaration,
    '`````',
    '',
    ...one.tables.flatMap((table) => [tableOf(url, table), '']),
    ...list(
      'In the guide',
      users.map(({ title, url: to }) => link(url, title, to)),
    ),
    ...list(
      'Names in the declaration',
      mentions.map((to) => `${link(url, code(to.name), urlOfName(to))}: ${told(url, to.text)}`),
    ),
  ]
  return { url, title: `${one.name} (${one.entry})`, markdown: `${markdown.join('\n')}\n`, weight: 0.7 }
}

/** The page of an entry point, with its names. */
function entryPage(entry: string, purpose: string, names: readonly DeclaredName[]): SitePage {
  const url = `${folderOf(entry)}/index.html`
  const rows = (isValue: boolean): string[] => {
    const chosen = names.filter((one) => one.isValue === isValue)
    if (chosen.length === 0) return []
    const lines = chosen.map(
      (one) => `| ${link(url, code(one.name), urlOfName(one))} | ${escaped(told(url, one.text))} |`,
    )
    return ['', `| ${isValue ? 'Value' : 'Type'} | Description |`, '|---|---|', ...lines]
  }
  const markdown = [`# ${code(entry)}`, '', purpose, ...rows(true), ...rows(false), ''].join('\n')
  return { url, title: entry, markdown }
}

/** The pages of all public names and entry points; two names with one address are a mistake. */
export function namePages(
  names: readonly DeclaredName[],
  purposes: ReadonlyMap<string, string>,
  guide: readonly SitePage[],
): SitePage[] {
  const taken = new Set<string>()
  for (const one of names) {
    const url = urlOfName(one).toLowerCase()
    if (taken.has(url)) throw new Error(`Two public names have the address ${url}.`)
    taken.add(url)
  }
  const entries = [...purposes].map(([entry, purpose]) =>
    entryPage(
      entry,
      purpose,
      names.filter((one) => one.entry === entry),
    ),
  )
  const readers = guide.map(readerOf)
  return [...entries, ...names.map((one) => namePage(one, names, readers))]
}
