// The cinema open in an editor, and places of it by the text that stands there.
import { readFileSync } from 'node:fs'
import { relative, resolve } from 'node:path'
import type { Editor, Place } from '../../scripts/types/editors/editor.ts'
import { languageServer } from '../../scripts/types/editors/language-server.ts'
import { tsserver } from '../../scripts/types/editors/tsserver.ts'
import { writeProject } from '../../scripts/types/project.ts'

const folder = resolve('.cache/editor/cinema')
const names = ['design.ts', 'server.ts', 'client.ts'] as const
/** A file of the cinema. */
export type CinemaFile = (typeof names)[number]

const texts = Object.fromEntries(
  names.map((name) => [name, readFileSync(`test/editor/cinema/${name}`, 'utf8')]),
) as Record<CinemaFile, string>

/** The language servers of both compilers. */
export const servers = {
  'TypeScript 5.9': tsserver,
  'TypeScript 7.0': () => languageServer(folder),
} as const

/** The place of a marked text, `reply.|ok(film)`: where the bar is. */
function placeOf(file: CinemaFile, marked: string, text: string): Place {
  const start = text.indexOf(marked.replace('|', ''))
  if (start === -1) throw new Error(`${file} has no ${marked}`)
  const before = text.slice(0, start + marked.indexOf('|')).split('\n')
  return { file: `${folder}/${file}`, line: before.length - 1, column: before.at(-1)!.length }
}

/** A place as a reader knows it: the file and the line. */
function lineAt({ file, line }: Place): string {
  const name = relative(folder, file)
  const text = name in texts ? texts[name as CinemaFile] : readFileSync(file, 'utf8')
  return `${name}: ${text.split('\n')[line]!.trim()}`
}

/** Asks an editor that has the cinema open. */
export class Questions {
  readonly #editor: Editor

  constructor(start: () => Editor) {
    writeProject(folder, texts, { declaration: false })
    this.#editor = start()
    for (const name of names) this.#editor.show(`${folder}/${name}`, texts[name])
  }

  at(file: CinemaFile, marked: string): Place {
    return placeOf(file, marked, texts[file])
  }

  async hover(file: CinemaFile, marked: string): Promise<{ readonly text: string; readonly docs: string }> {
    const { text, docs } = (await this.#editor.hover(this.at(file, marked))) ?? { text: '', docs: '' }
    return { text: text.replaceAll(/\s+/g, ' '), docs }
  }

  async definitions(file: CinemaFile, marked: string): Promise<readonly string[]> {
    return [...new Set((await this.#editor.definitions(this.at(file, marked))).map(lineAt))]
  }

  async references(file: CinemaFile, marked: string): Promise<readonly string[]> {
    return [...new Set((await this.#editor.references(this.at(file, marked))).map(lineAt))].sort()
  }

  async renames(file: CinemaFile, marked: string): Promise<readonly string[]> {
    return [...new Set((await this.#editor.renames(this.at(file, marked))).map(lineAt))].sort()
  }

  /** The completions of an editor after a text was replaced by another, at the bar of the latter. */
  async completions(file: CinemaFile, [found, typed]: readonly [string, string]): Promise<readonly string[]> {
    const text = texts[file].replace(found, () => typed.replace('|', ''))
    if (!texts[file].includes(found)) throw new Error(`${file} has no ${found}`)
    this.#editor.show(`${folder}/${file}`, text)
    const offered = await this.#editor.completions(placeOf(file, typed, text))
    this.#editor.show(`${folder}/${file}`, texts[file])
    return offered.map((name) => name.replace(/^["']|["']$/g, ''))
  }

  errors(file: CinemaFile): Promise<readonly string[]> {
    return this.#editor.errors(`${folder}/${file}`)
  }

  close(): void {
    this.#editor.close()
  }
}
