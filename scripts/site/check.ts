// Checks the built site: every link leads to an existing file and heading, no address depends on the location of the site,
// nothing is loaded from another host, and ids are unique on a page.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { posix, resolve } from 'node:path'

interface Html {
  readonly ids: readonly string[]
  /** Links that readers follow, and resources that the page loads. */
  readonly links: readonly string[]
  readonly loaded: readonly string[]
}

const matchValues = (html: string, pattern: RegExp): string[] =>
  [...html.matchAll(pattern)].map(([, value = '']) => value.replaceAll('&amp;', '&'))

/** Reads the addresses and ids of a page; its code is escaped, so it contains no tags. */
function parseHtml(html: string): Html {
  return {
    ids: matchValues(html, /<[a-z][^>]* id="([^"]*)"/g),
    links: matchValues(html, /<a [^>]*?href="([^"]*)"/g),
    loaded: [
      ...matchValues(html, /<(?:img|script|iframe|source|video|audio|embed)\b[^>]*? src="([^"]*)"/g),
      ...matchValues(html, /<link [^>]*?href="([^"]*)"/g),
    ],
  }
}

/** Lists the HTML files of a folder. */
export function listHtmlFiles(folder: string): string[] {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  return names.filter((name) => name.endsWith('.html')).sort()
}

/** Returns every mistake in the files of a site. */
export function findMistakes(folder: string): string[] {
  const files = listHtmlFiles(folder)
  const pages = new Map(files.map((file) => [file, parseHtml(readFileSync(resolve(folder, file), 'utf8'))]))
  const checkTarget = (file: string, target: string): string | undefined => {
    if (target === '') return 'is empty'
    if (/^(?:https?|mailto|data):/.test(target)) return undefined
    if (/^[/\\]|^[a-z]+:/i.test(target)) return 'depends on the place of the site'
    const [path = '', anchor] = target.split('#') as [string, string?]
    const found = path === '' ? file : posix.join(posix.dirname(file), decodeURI(path))
    // The list of versions is next to the folders of the versions.
    if (found.startsWith('../')) return 'leaves the site'
    const targetFile = resolve(folder, found)
    if (!existsSync(targetFile) || statSync(targetFile).isDirectory()) return 'leads to no file'
    if (anchor === undefined || anchor === '') return undefined
    return pages.get(found)?.ids.includes(decodeURIComponent(anchor)) ? undefined : 'leads to no heading'
  }
  return [...pages].flatMap(([file, { ids, links, loaded }]) => [
    ...[...links, ...loaded].flatMap((target) => {
      const verdict = checkTarget(file, target)
      return verdict === undefined ? [] : [`${file}: ${target} ${verdict}`]
    }),
    ...loaded.filter((target) => /^(?:[a-z]+:)?\/\//i.test(target)).map((target) => `${file}: loads ${target}`),
    ...ids.filter((id, index) => ids.indexOf(id) !== index).map((id) => `${file}: the id ${id} stands twice`),
  ])
}
