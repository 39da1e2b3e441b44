// The pages of the site and their addresses: the Markdown of the repository, the files and folders that it links to, and the
// groups of its navigation. An address is a path from the root of one version, so that no page knows where the site stands.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { posix, resolve } from 'node:path'
import { root } from '../tables/declarations.ts'

/** A page before it is rendered. */
export interface SitePage {
  /** The file or the folder that it shows; none for a page that is generated. */
  readonly source?: string
  /** Its address from the root of the version, such as `guide/routing.html`. */
  readonly url: string
  readonly title: string
  readonly markdown: string
  /** How much a hit in its text counts in a search: guides come first, then names, notes and files. */
  readonly weight?: number
  /** Search terms for it, in addition to its title. */
  readonly aliases?: readonly string[]
}

/** A group of links of the navigation. */
export interface Group {
  readonly title: string
  readonly links: readonly { readonly text: string; readonly url: string }[]
}

const isGuide = /^docs\/(guide|migrating|tutorial)\//
const IMAGE = /\.(png|svg|jpg|webp)$/
const named: Readonly<Record<string, string>> = {
  'docs/index.md': 'index.html',
  'docs/README.md': 'contents.html',
}

/** The text of a file of the repository. */
const textOf = (file: string): string => readFileSync(resolve(root, file), 'utf8')

/** The address of the page that shows a file or a folder. */
export function urlOf(path: string): string {
  const known = named[path]
  if (known !== undefined) return known
  const short = path.replace(/^docs\//, '')
  if (IMAGE.test(path)) return short
  if (path.endsWith('/README.md')) return `${posix.dirname(short)}/index.html`
  if (path.endsWith('.md')) return `${path.includes('/') ? short.slice(0, -3) : path.slice(0, -3).toLowerCase()}.html`
  return existsSync(resolve(root, path)) && statSync(resolve(root, path)).isDirectory()
    ? `files/${path}/index.html`
    : `files/${path}.html`
}

/** A page without the blocks of code, in which links and headings are text. */
export const withoutCode = (markdown: string): string => markdown.replaceAll(/^(`{3,})[\s\S]*?^\1$/gm, '')

/** The files and folders that a page links to or shows, from the root of the repository. */
function targetsOf(source: string, markdown: string): string[] {
  const links = [...withoutCode(markdown).matchAll(/\]\(([^)\s#]+)[^)]*\)/g)].map(([, target]) => target as string)
  const local = links.filter((target) => !/^[a-z]+:/.test(target))
  return local.map((target) => posix.join(posix.dirname(source), target).replace(/\/$/, ''))
}

const isImage = (path: string): boolean => IMAGE.test(path)

function pageOf(path: string): SitePage {
  if (path.endsWith('.md')) {
    const markdown = textOf(path)
    const title = /^# (.+)$/m.exec(withoutCode(markdown))?.[1]?.replaceAll('`', '') ?? path
    const aliases = /^<!-- search: (.+) -->$/m.exec(markdown)?.[1]?.split(', ') ?? []
    return { source: path, url: urlOf(path), title, markdown, weight: isGuide.test(path) ? 4 : 1, aliases }
  }
  if (statSync(resolve(root, path)).isDirectory()) {
    const names = readdirSync(resolve(root, path)).filter((name) => /\.(ts|md)$/.test(name))
    const list = names.map((name) => `- [${name}](${name})`).join('\n')
    // The base of the links is the folder itself.
    return { source: `${path}/`, url: urlOf(path), title: path, markdown: `# ${path}\n\n${list}\n`, weight: 0.1 }
  }
  // Without colours, which take time: whole files are long, and there are many.
  const markdown = `# ${path}\n\n\`\`\`\`\`text\n${textOf(path).trimEnd()}\n\`\`\`\`\`\n`
  return { source: path, url: urlOf(path), title: path, markdown, weight: 0.1 }
}

/** The pages that can be reached from the first one, and the pictures in them. */
export function repositoryPages(first: readonly string[]): { pages: SitePage[]; images: string[] } {
  const pages = new Map<string, SitePage>()
  const images = new Set<string>()
  const waiting = [...first]
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (pages.has(path)) continue
    if (!existsSync(resolve(root, path))) throw new Error(`A page links to ${path}, which does not exist.`)
    const readme = posix.join(path, 'README.md')
    const isFolder = statSync(resolve(root, path)).isDirectory()
    if (isFolder && existsSync(resolve(root, readme))) waiting.push(readme)
    else if (isImage(path)) images.add(path)
    else {
      const page = pageOf(path)
      pages.set(path, page)
      waiting.push(...targetsOf(isFolder ? `${path}/x` : path, page.markdown))
    }
  }
  return { pages: [...pages.values()], images: [...images] }
}

/** The address of the page that a link of a page leads to, from the root of the version. */
export function resolveLink(source: string, target: string): string {
  const [path = '', anchor] = target.split('#') as [string, string?]
  const from = source.endsWith('/') ? source : posix.dirname(source)
  const file = path === '' ? source : posix.join(from, path).replace(/\/$/, '')
  const readme = posix.join(file, 'README.md')
  const found = existsSync(resolve(root, readme)) ? readme : file
  return urlOf(found) + (anchor === undefined ? '' : `#${anchor}`)
}

const linksIn = (file: string, text: string): Group['links'] =>
  [...text.matchAll(/\[([^\]]+)\]\(([^)]+)\)/g)].map(([, name = '', target = '']) => ({
    text: name.replaceAll('`', ''),
    url: resolveLink(file, target),
  }))

/** The sections of a page, by their headings. */
function sectionsOf(file: string): { readonly title: string; readonly text: string }[] {
  const [, ...sections] = textOf(file).split(/^## /m)
  return sections.map((section) => {
    const [title = ''] = section.split('\n', 1)
    return { title, text: section.slice(title.length) }
  })
}

/** The groups of the guide: the tables of its index, each by its heading. */
export function groupsOfGuide(): Group[] {
  const file = 'docs/guide/README.md'
  return sectionsOf(file).flatMap(({ title, text }) => {
    const rows = [...text.matchAll(/^\| (\[[^|]+?) \|/gm)].flatMap(([, cell = '']) => linksIn(file, cell))
    return rows.length === 0 ? [] : [{ title, links: rows }]
  })
}

/** The groups below a heading of docs/README.md: the rows of its table. */
export function groupsBelow(heading: string): Group[] {
  const file = 'docs/README.md'
  const section = sectionsOf(file).find(({ title }) => title === heading)
  if (section === undefined) throw new Error(`${file} has no heading ${heading}.`)
  return [...section.text.matchAll(/^\| ([^|[]+?) \| (.*) \|$/gm)].flatMap(([, title = '', cell = '']) => {
    const links = linksIn(file, cell)
    return links.length === 0 ? [] : [{ title, links }]
  })
}
