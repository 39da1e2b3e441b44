// Writes a site: Eleventy renders its pages into the layout, Shiki colours their code, Pagefind makes the index of the search.
// It knows nothing of edict: scripts/site.ts hands it the pages, their addresses and the navigation.
import { cpSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Eleventy } from '@11ty/eleventy'
import * as pagefind from 'pagefind'
import { markdownOf } from './markdown.js'

const theme = fileURLToPath(new URL('./theme', import.meta.url))

/** The path from a page back to the root of its version, such as `../`. */
const rootOf = (url) => '../'.repeat(url.split('/').length - 1)

/** Writes the pages, the pictures and the index into `output`. */
export async function build({ version, pages, images, navigation, footer, output }) {
  const markdown = await markdownOf(rootOf)
  const eleventy = new Eleventy(theme, output, {
    quietMode: true,
    configPath: false,
    config(settings) {
      settings.setUseGitIgnore(false)
      settings.setIncludesDirectory('_includes')
      settings.setLibrary('md', markdown)
      for (const page of pages)
        settings.addTemplate(`${page.url}.md`, page.markdown, dataOf(page, { version, navigation, footer }))
    },
  })
  await eleventy.write()
  for (const name of ['style.css', 'theme.js', 'site.js']) cpSync(join(theme, name), join(output, name))
  for (const { from, to } of images) {
    mkdirSync(dirname(join(output, to)), { recursive: true })
    cpSync(from, join(output, to))
  }
  writeFileSync(join(output, 'titles.json'), JSON.stringify(titlesOf(pages)))
  await index(output)
}

/** The titles and other words by which readers ask for pages, heaviest first: the search answers with them before all else. */
function titlesOf(pages) {
  const asked = pages.filter(({ weight = 1 }) => weight >= TITLED).sort((a, b) => (b.weight ?? 1) - (a.weight ?? 1))
  return asked.map(({ title, url, aliases = [] }) => ({ title, url, ...(aliases.length > 0 && { aliases }) }))
}

// Lighter ones are files and folders of the repository.
const TITLED = 0.5

function dataOf({ url, title, weight }, shared) {
  return {
    layout: 'page.11ty.js',
    permalink: url,
    // Braces in the text are text, not a template.
    templateEngineOverride: 'md',
    eleventyExcludeFromCollections: true,
    url,
    folder: posix.dirname(url),
    title,
    weight: weight ?? 1,
    root: rootOf(url),
    ...shared,
  }
}

async function index(output) {
  const { index: made, errors } = await pagefind.createIndex({ forceLanguage: 'en', keepIndexUrl: true })
  if (errors.length > 0) throw new Error(errors.join('\n'))
  const added = await made.addDirectory({ path: output })
  // Not `writeFiles`: it answers before its bytes are written, and `close` then cuts files off (Pagefind's issue 1271).
  const { files, errors: unmade } = await made.getFiles()
  const failed = [...added.errors, ...unmade]
  if (failed.length > 0) throw new Error(failed.join('\n'))
  await pagefind.close()
  for (const { path, content } of files) {
    const file = join(output, 'pagefind', path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, content)
  }
}
