// The location of the site and its versions: sibling folders, with a list of them that every page reads.
import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { root } from '../tables/declarations.ts'

/** The folder of the generator; `output` is that of the built site. */
export const generator: string = resolve(root, 'docs/site')
export const output: string = join(generator, 'dist')

/**
 * Writes the list of versions (the folders of the site) to a file that every page reads; the index redirects to the current
 * version.
 */
export function listVersions(folder: string, current: string): void {
  const versions = readdirSync(folder)
    .filter((name) => existsSync(join(folder, name, 'index.html')))
    .sort((a, b) => b.localeCompare(a, 'en', { numeric: true }))
  writeFileSync(join(folder, 'versions.json'), `${JSON.stringify({ current, versions }, null, 2)}\n`)
  const first = `${current}/index.html`
  const head = `<meta charset="utf-8"><title>edict</title><meta http-equiv="refresh" content="0; url=${first}">`
  const page = `<!doctype html><html lang="en">${head}<p><a href="${first}">edict ${current}</a></p></html>\n`
  writeFileSync(join(folder, 'index.html'), page)
}
