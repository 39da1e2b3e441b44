// Paths: patterns with choices become the plain templates that OpenAPI knows, one for each way to write the path.
import { type Form, formsOf, type Pattern } from '../path/index.ts'

/** A path of a document, and which params it takes. */
export interface PathTemplate {
  readonly path: string
  /** The names in the path, and the params they stand for; several wildcards are parts of one. */
  readonly captures: ReadonlyMap<string, string>
}

/** The most ways to write one route that a document lists; the first ones are the preferred ones. */
const MAX_TEMPLATES = 8

/** The templates of a pattern; a pattern with too many forms is shown as it was written. */
export function templatesOf(pattern: Pattern): readonly PathTemplate[] {
  const forms = formsOf(pattern.root)
  if (forms === null) return [asWritten(pattern)]
  const templates = forms.slice(0, MAX_TEMPLATES).map((form) => template(form, pattern.wildcards))
  return templates.filter(({ path }, i) => templates.findIndex((other) => other.path === path) === i)
}

function template(form: Form, wildcards: number): PathTemplate {
  const captures = new Map<string, string>()
  let path = ''
  let wildcard = 0
  for (const piece of form) {
    if (piece.kind === 'char') path += literal(piece.code)
    else if (piece.kind === 'capture') path += captured(piece.name, piece.name, captures)
    else if (piece.name !== null) path += captured(piece.name, piece.name, captures)
    else path += captured(wildcards > 1 ? `splat${++wildcard}` : 'splat', 'splat', captures)
  }
  return { path: path === '' ? '/' : path, captures }
}

function captured(name: string, param: string, captures: Map<string, string>): string {
  captures.set(name, param)
  return `{${name}}`
}

// Braces would read as a name.
function literal(code: number): string {
  const text = String.fromCodePoint(code)
  return text === '{' || text === '}' ? encodeURIComponent(text) : text
}

function asWritten({ source, names }: Pattern): PathTemplate {
  const path = source.replace(/[{}]/g, encodeURIComponent)
  return { path, captures: new Map(names.filter((name) => path.includes(`{${name}}`)).map((name) => [name, name])) }
}
