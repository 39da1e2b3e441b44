// The pages of the site and their URLs: the Markdown of the repository, the files and folders it links to, and the
// navigation. A URL is relative to the root of one version, so that no page depends on the location of the site.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { posix, resolve } from 'node:path'
import { root } from '../tables/declarations.ts'

/** A page before it is rendered. */
export interface SitePage {
  /** The file or folder that it shows; undefined for a generated page. */
  readonly source?: string
  /** The URL from the root of the version, such as `guide/routing.html`. */
  readonly url: string
  readonly title: string
  readonly markdown: string
  /** The weight of a hit in a search: guides come first, then names, notes and files. */
  readonly weight?: number
  /** Search terms in addition to the title. */
  readonly aliases?: readonly string[]
}

/** A group of links in the navigation. */
export interface Group {
  readonly title: string
  readonly links: readonly { readonly text: string; readonly url: string }[]
}

const isGuide = /^docs\/(guide|migrating|tutorial)\//
const IMAGE = /\.(png|svg|jpg|webp)$/
const fixedUrls: Readonly<Record<string, string>> = {
  'docs/index.md': 'index.html',
  'docs/README.md': 'contents.html',
}

/** Reads a file of the repository. */
const readText = (file: string): string => readFileSync(resolve(root, file), 'utf8')

/** Returns the URL of the page that shows a file or folder. */
export function getUrl(path: string): string {
  const known = fixedUrls[path]
  if (known !== undefined) return known
  const short = path.replace(/^docs\//, '')
  if (IMAGE.test(path)) return short
  if (path.endsWith('/README.md')) return `${posix.dirname(short)}/index.html`
  if (path.endsWith('.md')) return `${path.includes('/') ? short.slice(0, -3) : path.slice(0, -3).toLowerCase()}.html`
  return existsSync(resolve(root, path)) && statSync(resolve(root, path)).isDirectory()
    ? `files/${path}/index.html`
    : `files/${path}.html`
}

/** Returns a page without code blocks, in which links and headings are plain text. */
export const withoutCode = (markdown: string): string => markdown.replaceAll(/^(`{3,})[\s\S]*?^\1$/gm, '')

/** Returns the files and folders that a page links to or shows, from the root of the repository. */
function listTargets(source: string, markdown: string): string[] {
  const links = [...withoutCode(markdown).matchAll(/\]\(([^)\s#]+)[^)]*\)/g)].map(([, target]) => target as string)
  const local = links.filter((target) => !/^[a-z]+:/.test(target))
  return local.map((target) => posix.join(posix.dirname(source), target).replace(/\/$/, ''))
}

const isImage = (path: string): boolean => IMAGE.test(path)

function createPage(path: string): SitePage {
  if (path.endsWith('.md')) {
    const markdown = readText(path)
    const title = /^# (.+)$/m.exec(withoutCode(markdown))?.[1]?.replaceAll('`', '') ?? path
    const aliases = /^<!-- search: (.+) -->$/m.exec(markdown)?.[1]?.split(', ') ?? []
    return { source: path, url: getUrl(path), title, markdown, weight: isGuide.test(path) ? 4 : 1, aliases }
  }
  if (statSync(resolve(root, path)).isDirectory()) {
    const names = readdirSync(resolve(root, path)).filter((name) => /\.(ts|md)$/.test(name))
    const list = names.map((name) => `- [${name}](${name})`).join('\n')
    // The links are relative to the folder itself.
    return { source: `${path}/`, url: getUrl(path), title: path, markdown: `# ${path}\n\n${list}\n`, weight: 0.1 }
  }
  // Without highlighting, which is slow: there are many long files.
  const markdown = `# ${path}\n\n\`\`\`\`\`text\n${readText(path).trimEnd()}\n\`\`\`\`\`\n`
  return { source: path, url: getUrl(path), title: path, markdown, weight: 0.1 }
}

/** Returns the pages reachable from the first ones, and their images. */
export function collectPages(first: readonly string[]): { pages: SitePage[]; images: string[] } {
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
      const page = createPage(path)
      pages.set(path, page)
      waiting.push(...listTargets(isFolder ? `${path}/x` : path, page.markdown))
    }
  }
  return { pages: [...pages.values()], images: [...images] }
}

/** Resolves a link of a page to a URL from the root of the version. */
export function resolveLink(source: string, target: string): string {
  const [path = '', anchor] = target.split('#') as [string, string?]
  const from = source.endsWith('/') ? source : posix.dirname(source)
  const file = path === '' ? source : posix.join(from, path).replace(/\/$/, '')
  const readme = posix.join(file, 'README.md')
  const found = existsSync(resolve(root, readme)) ? readme : file
  return getUrl(found) + (anchor === undefined ? '' : `#${anchor}`)
}

const extractLinks = (file: string, text: string): Group['links'] =>
  [...text.matchAll(/\[([^\]]+)\]\(([^)]+)\)/g)].map(([, name = '', target = '']) => ({
    text: name.replaceAll('`', ''),
    url: resolveLink(file, target),
  }))

/** Returns the sections of a page with their headings. */
function readSections(file: string): { readonly title: string; readonly text: string }[] {
  const [, ...sections] = readText(file).split(/^## /m)
  return sections.map((section) => {
    const [title = ''] = section.split('\n', 1)
    return { title, text: section.slice(title.length) }
  })
}

/** Returns the groups of the guide: the tables of its index, by heading. */
export function listGuideGroups(): Group[] {
  const file = 'docs/guide/README.md'
  return readSections(file).flatMap(({ title, text }) => {
    const rows = [...text.matchAll(/^\| (\[[^|]+?) \|/gm)].flatMap(([, cell = '']) => extractLinks(file, cell))
    return rows.length === 0 ? [] : [{ title, links: rows }]
  })
}

/** Returns the groups below a heading of docs/README.md: the rows of its table. */
export function listGroupsBelow(heading: string): Group[] {
  const file = 'docs/README.md'
  const section = readSections(file).find(({ title }) => title === heading)
  if (section === undefined) throw new Error(`${file} has no heading ${heading}.`)
  return [...section.text.matchAll(/^\| ([^|[]+?) \| (.*) \|$/gm)].flatMap(([, title = '', cell = '']) => {
    const links = extractLinks(file, cell)
    return links.length === 0 ? [] : [{ title, links }]
  })
}
