// `npm run site`: builds the documentation as static files in docs/site/dist, one folder per version, and checks its links.
// The Markdown of the repository is the source; docs/site contains the generator with its packages. `-- --serve` builds and
// serves.
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { ensureBuilt } from './built.ts'
import { findMistakes, listHtmlFiles } from './site/check.ts'
import { Declared } from './site/declared.ts'
import { createNamePages, getEntryFolder, getNameUrl } from './site/names.ts'
import {
  collectPages,
  type Group,
  getUrl,
  listGroupsBelow,
  listGuideGroups,
  resolveLink,
  type SitePage,
} from './site/pages.ts'
import { serveFiles } from './site/serve.ts'
import { generator, listVersions, output } from './site/versions.ts'
import { listEntryPoints, root } from './tables/declarations.ts'
import { readPurpose } from './tables/generators.ts'

/** The input of the generator, which is independent of edict. */
interface Site {
  readonly version: string
  readonly pages: readonly SitePage[]
  readonly images: readonly { readonly from: string; readonly to: string }[]
  readonly navigation: readonly { readonly title: string; readonly groups: readonly Group[] }[]
  readonly footer: Group['links']
  readonly output: string
}

/** The links in the footer of every page, and their files. */
const footerFiles: Readonly<Record<string, string>> = {
  ...{
    Contents: 'docs/README.md',
    Changelog: 'CHANGELOG.md',
    Security: 'SECURITY.md',
    Contributing: 'CONTRIBUTING.md',
  },
  Licence: 'LICENSE',
}

/** Builds the site as data. */
function createSite(version: string): Site {
  const { pages, images } = collectPages(['docs/index.md', 'docs/README.md', 'README.md', 'LICENSE'])
  const guide = pages.filter(({ source }) => /^docs\/(guide|migrating|tutorial)\//.test(source ?? ''))
  const listed = guide.filter(({ source }) => !/README\.md$|names\.md$/.test(source ?? ''))
  const names = new Declared().names()
  const purposes = new Map(listEntryPoints().map((entry) => [entry.name, readPurpose(entry)]))
  const entries = [...purposes.keys()].map((name) => ({ text: name, url: `${getEntryFolder(name)}/index.html` }))
  const navigation = [
    { title: 'Guide', groups: listGuideGroups() },
    { title: 'Reference', groups: [{ title: 'Entry points', links: entries }] },
    { title: 'Project', groups: listGroupsBelow('Project') },
  ]
  const linked = pages.map((page) =>
    page.source === 'docs/guide/names.md' ? { ...page, markdown: linkNames(page.markdown, names) } : page,
  )
  return {
    version,
    pages: [...linked.map(withLinks), ...createNamePages(names, purposes, listed)],
    images: images.map((from) => ({ from: resolve(root, from), to: getUrl(from) })),
    navigation,
    footer: Object.entries(footerFiles).map(([text, file]) => ({ text, url: getUrl(file) })),
    output: join(output, version),
  }
}

/** Links each name in the list of names to its page. */
function linkNames(markdown: string, names: readonly Parameters<typeof getNameUrl>[0][]): string {
  let entry = ''
  return markdown
    .split('\n')
    .map((line) => {
      entry = /^## `(.+)`$/.exec(line)?.[1] ?? entry
      return line.replace(/^\| `(\w+)` \|/, (match, name: string) => {
        const found = names.find((one) => one.entry === entry && one.name === name)
        return found === undefined ? match : `| [\`${name}\`](site:${getNameUrl(found)}) |`
      })
    })
    .join('\n')
}

/** Rewrites the links of a page to addresses from the root of the version, marked with `site:`. */
function withLinks(page: SitePage): SitePage {
  const { source, markdown } = page
  if (source === undefined) return page
  const linked = markdown.replaceAll(/^(`{3,})[\s\S]*?^\1$|\]\(([^)\s]+)\)/gm, (match, _fence, target?: string) =>
    target === undefined || /^[a-z]+:/.test(target) ? match : `](site:${resolveLink(source, target)})`,
  )
  return { ...page, markdown: linked }
}

/** Builds the site; throws when it has mistakes. */
async function buildSite(): Promise<{ readonly folder: string; readonly pages: number }> {
  if (!existsSync(join(generator, 'node_modules')))
    throw new Error('The packages of the site are not installed. Remedy: npm ci --prefix docs/site')
  ensureBuilt()
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }
  const site = createSite(version)
  rmSync(site.output, { recursive: true, force: true })
  const { build } = (await import(pathToFileURL(join(generator, 'build.js')).href)) as {
    build: (site: Site) => Promise<void>
  }
  await build(site)
  listVersions(output, version)
  const mistakes = findMistakes(site.output)
  if (mistakes.length > 0) throw new Error(`The site has mistakes:\n${mistakes.join('\n')}`)
  return { folder: site.output, pages: listHtmlFiles(site.output).length }
}

async function main(): Promise<void> {
  const start = performance.now()
  const { folder, pages } = await buildSite()
  console.log(`site: ${pages} pages in ${folder}, ${((performance.now() - start) / 1000).toFixed(1)} s, links checked`)
  if (!process.argv.includes('--serve')) return
  const { url } = await serveFiles(output, Number(process.env['PORT'] ?? 4000))
  console.log(`site: ${url}`)
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main()
