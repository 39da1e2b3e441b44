// Checks the built site as files: every link leads to a file and a heading that exist, no address depends on the place of the
// site, nothing is loaded from another host, and no id stands twice on a page.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { posix, resolve } from 'node:path'

interface Html {
  readonly ids: readonly string[]
  /** Links that readers follow, and what the page loads by itself. */
  readonly links: readonly string[]
  readonly loaded: readonly string[]
}

const values = (html: string, pattern: RegExp): string[] =>
  [...html.matchAll(pattern)].map(([, value = '']) => value.replaceAll('&amp;', '&'))

/** The addresses and ids of a page; its code is escaped, so that it has no tags. */
function read(html: string): Html {
  return {
    ids: values(html, /<[a-z][^>]* id="([^"]*)"/g),
    links: values(html, /<a [^>]*?href="([^"]*)"/g),
    loaded: [
      ...values(html, /<(?:img|script|iframe|source|video|audio|embed)\b[^>]*? src="([^"]*)"/g),
      ...values(html, /<link [^>]*?href="([^"]*)"/g),
    ],
  }
}

/** The HTML files of a folder. */
export function htmlFiles(folder: string): string[] {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  return names.filter((name) => name.endsWith('.html')).sort()
}

/** Every mistake in the files of a site. */
export function mistakesOf(folder: string): string[] {
  const files = htmlFiles(folder)
  const pages = new Map(files.map((file) => [file, read(readFileSync(resolve(folder, file), 'utf8'))]))
  const judge = (file: string, target: string): string | undefined => {
    if (target === '') return 'is empty'
    if (/^(?:https?|mailto|data):/.test(target)) return undefined
    if (/^[/\\]|^[a-z]+:/i.test(target)) return 'depends on the place of the site'
    const [path = '', anchor] = target.split('#') as [string, string?]
    const found = path === '' ? file : posix.join(posix.dirname(file), decodeURI(path))
    // The list of versions stands beside the folders of the versions.
    if (found.startsWith('../')) return 'leaves the site'
    const place = resolve(folder, found)
    if (!existsSync(place) || statSync(place).isDirectory()) return 'leads to no file'
    if (anchor === undefined || anchor === '') return undefined
    return pages.get(found)?.ids.includes(decodeURIComponent(anchor)) ? undefined : 'leads to no heading'
  }
  return [...pages].flatMap(([file, { ids, links, loaded }]) => [
    ...[...links, ...loaded].flatMap((target) => {
      const verdict = judge(file, target)
      return verdict === undefined ? [] : [`${file}: ${target} ${verdict}`]
    }),
    ...loaded.filter((target) => /^(?:[a-z]+:)?\/\//i.test(target)).map((target) => `${file}: loads ${target}`),
    ...ids.filter((id, index) => ids.indexOf(id) !== index).map((id) => `${file}: the id ${id} stands twice`),
  ])
}
